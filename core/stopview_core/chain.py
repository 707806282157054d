"""Lays a run out as its steps and parallels, with the attempts of one lineage joined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from stopview_core.dossier import OpenedRun
from stopview_core.lineage import Lineage, sort_key
from stopview_core.readings import BranchReading, ExchangeReading
from stopview_core.run_times import BranchTimes, branch_times

LaneSign: TypeAlias = Literal["attempt", "through", "none"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """Which attempt of its lineage a branch is: `number` of `count`, all of them in order."""

    number: int
    lineage: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many attempts there are."""
        return len(self.lineage)


@dataclass(frozen=True, slots=True)
class ChainRow:
    """One line of a run: a branch, an exchange in it, or a place in the chain with no folder yet.

    `lanes` says for each lineage of several attempts what stands in its lane: an attempt, the
    line to the next one, or nothing. `lanes_above` is the same for the line above the row.
    """

    key: str
    step: int
    branch: BranchReading | None
    exchange: ExchangeReading | None
    planned_operator: str | None
    times: BranchTimes
    attempt: Attempt | None
    is_in_chain: bool
    lanes: tuple[LaneSign, ...] = ()
    lanes_above: tuple[LaneSign, ...] = ()

    @property
    def is_planned(self) -> bool:
        """Whether it stands in the chain only."""
        return self.branch is None

    @property
    def branch_key(self) -> str:
        """The key `N/M` of the branch that the row is, or belongs to."""
        return "/".join(self.key.split("/", 2)[:2])


_NO_TIMES = BranchTimes(None, None)


def chain_rows(opened: OpenedRun) -> tuple[ChainRow, ...]:
    """The rows in order: by step and parallel, the exchanges of a branch below it."""
    return _with_lanes(tuple(_rows(opened)))


def _rows(opened: OpenedRun) -> Iterator[ChainRow]:
    run, reading = opened.run, opened.reading
    planned = {key for step in reading.chain for key in step if sort_key(key) != (0, 0)}
    for key in sorted(planned | reading.branches.keys(), key=sort_key):
        branch = reading.branches.get(key)
        step = sort_key(key)[0]
        is_in_chain = not planned or key in planned or (branch is not None and branch.is_import)
        if branch is None:
            operator = run.state.steps.get(key) if run.state else None
            yield ChainRow(key, step, None, None, operator, _NO_TIMES, None, True)
            continue
        times = branch_times(run, run.branches[key])
        attempt = _attempt(opened.judgement.lineage, key)
        yield ChainRow(key, step, branch, None, None, times, attempt, is_in_chain)
        for exchange in branch.exchanges:
            yield ChainRow(exchange.key, step, branch, exchange, None, _NO_TIMES, None, True)


def _attempt(lineage: Lineage, key: str) -> Attempt | None:
    attempts = lineage.attempts(key)
    return Attempt(attempts.index(key) + 1, attempts) if len(attempts) > 1 else None


def _with_lanes(rows: Sequence[ChainRow]) -> tuple[ChainRow, ...]:
    """The rows with a lane for each lineage; lineages that do not overlap share one."""
    spans = _spans(rows)
    lanes = _assign(spans)
    width = max(lanes.values(), default=-1) + 1
    laid = []
    for place, row in enumerate(rows):
        here: list[LaneSign] = ["none"] * width
        above: list[LaneSign] = ["none"] * width
        for lineage, (first, last) in spans.items():
            lane = lanes[lineage]
            if first < place <= last:
                above[lane] = "through"
            if first <= place <= last:
                here[lane] = "attempt" if _is_of(row, lineage) else "through"
        laid.append(replace(row, lanes=tuple(here), lanes_above=tuple(above)))
    return tuple(laid)


def _is_of(row: ChainRow, lineage: tuple[str, ...]) -> bool:
    return row.attempt is not None and row.attempt.lineage == lineage


def _spans(rows: Sequence[ChainRow]) -> Mapping[tuple[str, ...], tuple[int, int]]:
    """For each lineage of several attempts its first and last row, the earliest first."""
    spans: dict[tuple[str, ...], tuple[int, int]] = {}
    for place, row in enumerate(rows):
        if row.attempt is not None:
            first = spans.get(row.attempt.lineage, (place, place))[0]
            spans[row.attempt.lineage] = (first, place)
    return spans


def _assign(
    spans: Mapping[tuple[str, ...], tuple[int, int]],
) -> Mapping[tuple[str, ...], int]:
    lanes: dict[tuple[str, ...], int] = {}
    ends: list[int] = []
    for lineage, (first, last) in spans.items():
        free = next((lane for lane, end in enumerate(ends) if end < first), len(ends))
        ends[free : free + 1] = [last]
        lanes[lineage] = free
    return lanes
