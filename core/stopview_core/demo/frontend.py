"""What frontend.direction.decide leaves behind: the decision, the scores and the attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stopview_core.demo.markdown import (
    NOTHING,
    Attack,
    Section,
    code,
    code_or_nothing,
    document,
    fallbacks_section,
    number,
    table_section,
)

PASSING_SCORE = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """One direction: its scores by viewport and criterion, 1 to 5, 5 the best."""

    id: str
    scores: Mapping[str, Mapping[str, float]]
    rejected_because: str | None = None


@dataclass(frozen=True, slots=True)
class Limit:
    """What a candidate itself admits about one criterion."""

    candidate: str
    criterion: str
    says: str


def frontend_markdown(
    direction_id: str,
    *,
    decision: Mapping[str, str],
    candidates: Sequence[Candidate],
    selected: str | None = None,
    attacks: Sequence[Attack] = (),
    limits: Sequence[Limit] = (),
    sections: Sequence[Section] = (),
    fallbacks: Mapping[str, str] | None = None,
) -> str:
    """`response/response.md`; `decision` holds the rows between the id and the selection."""
    return document(
        f"frontend-direction-decision {NOTHING} {direction_id}",
        [
            _decision(direction_id, decision, selected),
            *sections,
            _scores(candidates),
            _falsification(attacks),
            _limits(limits),
            _why_not(candidates),
            fallbacks_section(fallbacks or {}),
        ],
    )


def scores(
    criteria: Sequence[str], *, wide: Sequence[float], narrow: Sequence[float]
) -> dict[str, dict[str, float]]:
    """Scores in the order of the criteria, for the two viewports; ValueError where one lacks."""
    return {
        "wide": dict(zip(criteria, wide, strict=True)),
        "narrow": dict(zip(criteria, narrow, strict=True)),
    }


def _decision(direction_id: str, decision: Mapping[str, str], selected: str | None) -> Section:
    rows = [
        ("Direction id", code(direction_id)),
        *((field, code(value)) for field, value in decision.items()),
        ("Selected candidate", code_or_nothing(selected)),
    ]
    return table_section("Decision", ("Field", "Value"), rows)


def _scores(candidates: Sequence[Candidate]) -> Section:
    rows = [
        (code(each.id), viewport, code(criterion), number(score), _verdict(score))
        for each in candidates
        for viewport, by_criterion in each.scores.items()
        for criterion, score in by_criterion.items()
    ]
    return table_section("Scores", ("Candidate", "Viewport", "Criterion", "Score", "Verdict"), rows)


def _verdict(score: float) -> str:
    return "pass" if score >= PASSING_SCORE else "fail"


def _falsification(attacks: Sequence[Attack]) -> Section:
    return table_section(
        "Falsification",
        ("Attack", "Candidate", "Verdict", "Evidence"),
        [(each.attack, code(each.on), each.verdict, each.evidence) for each in attacks],
    )


def _limits(limits: Sequence[Limit]) -> Section:
    return table_section(
        "Candidate limits",
        ("Candidate", "Criterion", "Candidate says"),
        [(code(each.candidate), code(each.criterion), each.says) for each in limits],
    )


def _why_not(candidates: Sequence[Candidate]) -> Section:
    return table_section(
        "Why not the others",
        ("Candidate", "Rejected because"),
        [
            (code(each.id), each.rejected_because)
            for each in candidates
            if each.rejected_because is not None
        ],
    )
