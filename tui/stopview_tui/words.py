"""Short words for routes, decisions and offers, the same on screen and in the commands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from stopview_core.board import ROUTE_WORDS
from stopview_core.readings import (
    BranchReading,
    DecisionStatus,
    RecordedDecision,
    Standing,
    Violation,
)
from stopview_core.resolve import ResolvedRoute
from stopview_core.text import clean


def count_of(count: int, noun: str, plural: str | None = None) -> str:
    """`1 row`, `2 rows`."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def run_words(run_id: str, path: PurePath) -> str:
    """The run's id, and its folder where that has another name: ids repeat in real life."""
    folder = clean(path.name)
    return run_id if folder == run_id else f"{run_id} in {folder}"


def route_words(route: ResolvedRoute) -> str:
    """Who a stop goes to, as the Inbox's column says it."""
    if route.unrouted:
        return f"{ROUTE_WORDS['user']} (unrouted)"
    if route.kind in ROUTE_WORDS:
        return ROUTE_WORDS[route.kind]
    target = f"-> {route.target}" if route.target else f"-> {route.kind}"
    return f"{target} (chain)" if route.kind == "chain" else target


def route_kind_words(kind: str) -> str:
    """A kind of route to filter by: as lists say it, and by its name."""
    return f"{ROUTE_WORDS[kind]} ({kind})" if kind in ROUTE_WORDS else kind


def offered_words(branch: BranchReading) -> str:
    """What can be picked: `3 alternatives`."""
    count = len(branch.offered)
    if not count or not branch.is_open:
        return ""
    return f"{count} alternative{'s' if count != 1 else ''}"


def decision_words(decision: DecisionStatus) -> str:
    """The standing of a decision, or nothing where there is none."""
    selected = decision.selected or "none of these"
    if decision.status == "none":
        return ""
    if decision.status == "in_force":
        return f"decided: {selected}"
    if decision.status == "answered":
        return f"answered: {selected}"
    if decision.status == "stale":
        return f"stale decision: {selected}"
    if decision.status == "withdrawn":
        return "nothing selected"
    return f"carried on: {selected}"


def worst_words(violations: Sequence[Violation]) -> str:
    """The worst of the violations, and how many more there are."""
    worst, more = violations[0].code, len(violations) - 1
    return f"{worst} +{more}" if more else worst


_STANDINGS: dict[Standing, str] = {
    "in_force": "in force",
    "superseded": "superseded",
    "withdrawn": "taken back",
    "stale": "stale",
    "resumed": "carried on",
    "ignored": "ignored",
}


def standing_words(made: RecordedDecision) -> str:
    """What became of one decision, in a word or two, the same wherever it is told."""
    return _STANDINGS[made.standing]
