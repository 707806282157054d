"""What architecture.decide leaves behind: the scored alternatives as data and as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from stopview_core.demo.markdown import (
    NOTHING,
    Attack,
    Section,
    code,
    code_or_nothing,
    document,
    fallbacks_section,
    number,
    table,
    table_section,
)
from stopview_core.demo.values import JsonValue


@dataclass(frozen=True, slots=True)
class Alternative:
    """One design. Scores run from 1 to 5 an axis, 5 the best; the axes keep their order."""

    id: str
    scores: Mapping[str, float]
    assessment: str
    status: str = "viable"
    rejected_because: str | None = None

    @property
    def total(self) -> Decimal:
        """The exact sum of the scores."""
        return sum((Decimal(str(score)) for score in self.scores.values()), Decimal(0))


def stack_model(
    decision_id: str,
    alternatives: Sequence[Alternative],
    *,
    selected: str | None = None,
    components: Sequence[Mapping[str, JsonValue]] = (),
) -> dict[str, JsonValue]:
    """`response/data/stack-model.json`: the alternatives, and the stack they would change."""
    return {
        "decisionId": decision_id,
        "selectedAlternativeId": selected,
        "alternatives": [
            {
                "alternativeId": alternative.id,
                "status": alternative.status,
                "scores": dict(alternative.scores),
                "rejectedBecause": alternative.rejected_because,
            }
            for alternative in alternatives
        ],
        "components": [dict(component) for component in components],
    }


def architecture_markdown(
    decision_id: str,
    *,
    objective: str,
    policy: str,
    alternatives: Sequence[Alternative],
    selected: str | None = None,
    attacks: Sequence[Attack] = (),
    sections: Sequence[Section] = (),
    fallbacks: Mapping[str, str] | None = None,
) -> str:
    """`response/response.md`; the score table stands under Decision once one is selected."""
    decision = _decision(decision_id, objective, policy, selected)
    scores = (_score_table(alternatives),) if selected is not None else ()
    return document(
        f"architecture-decision {NOTHING} {decision_id}",
        [
            Section("Decision", (decision, *scores)),
            *sections,
            _alternatives(alternatives),
            _falsification(attacks),
            fallbacks_section(fallbacks or {}),
        ],
    )


def _decision(decision_id: str, objective: str, policy: str, selected: str | None) -> str:
    return table(
        ("Field", "Value"),
        [
            ("Decision id", code(decision_id)),
            ("Objective", objective),
            ("Selection policy", code(policy)),
            ("Selected alternative", code_or_nothing(selected)),
        ],
    )


def _score_table(alternatives: Sequence[Alternative]) -> str:
    axes = list(dict.fromkeys(axis for each in alternatives for axis in each.scores))
    rows = [
        [
            code(each.id),
            *(number(each.scores[axis]) if axis in each.scores else NOTHING for axis in axes),
            number(float(each.total)),
        ]
        for each in alternatives
    ]
    return table(("Alternative", *axes, "Total"), rows)


def _alternatives(alternatives: Sequence[Alternative]) -> Section:
    return table_section(
        "Alternatives",
        ("Alternative", "Status", "Assessment", "Rejected because"),
        [
            (code(each.id), each.status, each.assessment, each.rejected_because or NOTHING)
            for each in alternatives
        ],
    )


def _falsification(attacks: Sequence[Attack]) -> Section:
    return table_section(
        "Falsification",
        ("Attack", "Alternative", "Verdict", "Evidence"),
        [(each.attack, code(each.on), each.verdict, each.evidence) for each in attacks],
    )
