"""What the deciding operators are asked, and the critique that architecture.decide awaits."""

from __future__ import annotations

from collections.abc import Sequence

from stopview_core.demo.branch import Exchange
from stopview_core.demo.markdown import document, table_section
from stopview_core.demo.values import JsonValue

DEFAULT_AXES = ("cost", "complexity", "reversibility")


def architecture_requirements(
    decision_id: str,
    objective: str,
    *,
    constraints: Sequence[tuple[str, str, str]],
    alternatives: int = 1,
    axes: Sequence[str] = DEFAULT_AXES,
    policy: str = "automatic",
    approval: str | None = None,
) -> dict[str, JsonValue]:
    """The Requirements of architecture.decide; a constraint is its id, kind and statement."""
    return {
        "objective": objective,
        "decisionId": decision_id,
        "alternatives": alternatives,
        "tradeoffAxes": list(axes),
        "constraints": [
            {"id": identifier, "kind": kind, "statement": statement}
            for identifier, kind, statement in constraints
        ],
        "selectionPolicy": policy,
        "approval": approval,
        "resume": None,
    }


def direction_requirements(
    target: str,
    *,
    intent: str,
    change_level: str,
    owner_ceiling: str,
    candidates: int = 1,
    policy: str = "automatic",
    references: Sequence[str] = (),
) -> dict[str, JsonValue]:
    """The Requirements of frontend.direction.decide."""
    return {
        "target": target,
        "intent": intent,
        "changeLevel": change_level,
        "ownerCeiling": owner_ceiling,
        "candidates": candidates,
        "preview": "no",
        "references": list(references),
        "selectionPolicy": policy,
        "approval": None,
        "resume": None,
    }


def direction_decision(requirements: dict[str, JsonValue]) -> dict[str, str]:
    """The rows that `## Decision` repeats from the Requirements of frontend.direction.decide."""
    fields = {
        "Target": "target",
        "Intent": "intent",
        "Change level": "changeLevel",
        "Owner ceiling": "ownerCeiling",
        "Selection policy": "selectionPolicy",
    }
    return {label: str(requirements[name]) for label, name in fields.items()}


def critique(
    decision_id: str,
    stack_model: str,
    attacks: Sequence[tuple[str, str, str]],
    *,
    asked: str | None = None,
    answered: str | None = None,
) -> Exchange:
    """An answered critique of the stack model at that path; an attack is what, outcome, result."""
    table = table_section("Attacks", ("Attack", "Outcome", "What came of it"), attacks)
    return Exchange(
        asked=asked,
        answered=answered,
        inputs={"stack-model": stack_model},
        files={"critique.md": document(f"independent-critique — {decision_id}", [table])},
    )
