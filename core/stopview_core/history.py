"""The history of what was decided without a person and by one: fallbacks taken, decisions made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from math import inf
from pathlib import Path
from typing import Literal, TypeAlias

from stopview_core.readings import (
    BranchReading,
    FallbackRecord,
    RecordedDecision,
    RunReading,
    Stamp,
    Violation,
)

_IGNORED = "DECISION_IGNORED"

Kind: TypeAlias = Literal["fallback", "decision"]


@dataclass(frozen=True, slots=True)
class HistoryRecord:
    """One fallback taken or one decision made, with the branch it belongs to.

    Exactly one of `fallback` and `decision` is there; `at` is None where no time could be read.
    """

    run_id: str
    run_path: Path
    branch: str
    operator: str | None
    code: str
    at: Stamp | None
    fallback: FallbackRecord | None
    decision: RecordedDecision | None
    violations: tuple[Violation, ...]

    @property
    def kind(self) -> Kind:
        """Which of the two it is."""
        return "decision" if self.decision is not None else "fallback"

    @property
    def identity(self) -> tuple[str, str, str]:
        """Names the record over rescans: run path, branch, and code (by exchange) or receipt."""
        return (str(self.run_path), self.branch, self.last_name)

    @property
    def last_name(self) -> str:
        """Names the record inside its branch: its receipt, or its code, by exchange."""
        if self.decision is not None:
            return self.decision.seq
        exchange = self.fallback.exchange if self.fallback is not None else None
        return f"{exchange}/{self.code}" if exchange else self.code

    @property
    def selected(self) -> str | None:
        """What was selected: by the operator, or by the approver."""
        record = self.decision or self.fallback
        return record.selected if record else None

    @property
    def is_bypassed(self) -> bool:
        """Whether a person had been promised this choice."""
        return any(violation.code == "APPROVAL_BYPASSED" for violation in self.violations)


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """What to show; times are inclusive at the start and exclusive at the end."""

    code: str | None = None
    operator: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""
    only_violations: bool = False

    def admits(self, record: HistoryRecord) -> bool:
        """Whether the record is shown; one without a time is in no range of time."""
        if self.code is not None and record.code != self.code:
            return False
        if self.operator is not None and record.operator != self.operator:
            return False
        if self.only_violations and not record.violations:
            return False
        at = record.at.at if record.at else None
        if self.since is not None and (at is None or at < self.since):
            return False
        if self.until is not None and (at is None or at >= self.until):
            return False
        return all(word in _search_text(record) for word in self.text.lower().split())


@dataclass(frozen=True, slots=True)
class History:
    """The records shown, newest first, with counts of them, and what the filter hides."""

    records: tuple[HistoryRecord, ...]
    by_code: Mapping[str, int]
    by_operator: Mapping[str, int]
    hidden: int
    hidden_bypassed: int


def run_records(run: RunReading) -> list[HistoryRecord]:
    """Every record of one run."""
    found: list[HistoryRecord] = []
    if run.is_quiet:
        return found
    for branch in run.branches.values():
        if branch.is_import:
            continue
        found += [_fallback(branch, taken) for taken in branch.fallbacks]
        found += [_decision(run, branch, made) for made in branch.decisions]
    return found


def count_elsewhere(runs: Iterable[RunReading]) -> int:
    """How many violations stand at no record: they are about a branch, or about a broken file."""
    return sum(
        len(set(_of_branches(run)).difference(*(record.violations for record in run_records(run))))
        for run in runs
        if not run.is_quiet
    )


def build_history(
    records: Iterable[HistoryRecord],
    filter: HistoryFilter = HistoryFilter(),
) -> History:
    """The history: bypassed approvals first where only violations are shown, then newest first."""
    shown: list[HistoryRecord] = []
    hidden = hidden_bypassed = 0
    if filter == HistoryFilter():
        shown.extend(records)
        records = ()
    for record in records:
        if filter.admits(record):
            shown.append(record)
        else:
            hidden += 1
            hidden_bypassed += record.is_bypassed
    shown = _newest_first(shown)
    if filter.only_violations:
        shown.sort(key=lambda record: not record.is_bypassed)
    return History(
        records=tuple(shown),
        by_code=_counts(record.code for record in shown),
        by_operator=_counts(record.operator for record in shown),
        hidden=hidden,
        hidden_bypassed=hidden_bypassed,
    )


def _of_branches(run: RunReading) -> Iterator[Violation]:
    for branch in run.branches.values():
        yield from branch.violations


def _counts(names: Iterable[str | None]) -> dict[str, int]:
    counted = Counter(name or "unknown" for name in names)
    return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))


def _newest_first(records: list[HistoryRecord]) -> list[HistoryRecord]:
    """Those without a time last; equal times in the order of their identities."""
    ages = [-record.at.at.timestamp() if record.at else inf for record in records]
    order = sorted(range(len(records)), key=ages.__getitem__)
    if len(set(ages)) < len(ages):
        order = _with_ties_in_order(order, ages, records)
    return [records[place] for place in order]


def _with_ties_in_order(
    order: list[int], ages: list[float], records: list[HistoryRecord]
) -> list[int]:
    """An identity is made only where a time alone does not decide: times seldom are equal."""
    found: list[int] = []
    for _, group in groupby(order, key=ages.__getitem__):
        places = list(group)
        if len(places) > 1:
            places.sort(key=lambda place: records[place].identity)
        found += places
    return found


def _fallback(branch: BranchReading, taken: FallbackRecord) -> HistoryRecord:
    return HistoryRecord(
        branch.run_id,
        branch.run_path,
        branch.key,
        branch.operator,
        taken.code,
        taken.at,
        taken,
        None,
        tuple(v for v in branch.violations if v.about == taken.code and _is_where(v, taken)),
    )


def _decision(run: RunReading, branch: BranchReading, made: RecordedDecision) -> HistoryRecord:
    return HistoryRecord(
        branch.run_id,
        branch.run_path,
        branch.key,
        branch.operator,
        made.code,
        Stamp(made.at, "receipt"),
        None,
        made,
        tuple(_about_decision(run, branch, made.seq)),
    )


def _about_decision(run: RunReading, branch: BranchReading, seq: str) -> Iterator[Violation]:
    """What broke with that decision: said at its branch, or at an attempt that did not heed it."""
    for violation in branch.violations:
        is_about_files = violation.code.startswith("DECISION_") and violation.code != _IGNORED
        if is_about_files and violation.about == seq:
            yield violation
    for key in branch.resumed_by:
        for violation in run.branches[key].violations:
            if violation.code == _IGNORED and violation.about == seq:
                yield violation


def _search_text(record: HistoryRecord) -> str:
    parts = [record.run_id, record.branch, record.operator or "", record.code]
    parts.append(record.selected or "none of these")
    if record.fallback is not None:
        parts.append(record.fallback.action or "")
    if record.decision is not None:
        parts += [record.decision.by, record.decision.reason or ""]
    parts += [violation.code for violation in record.violations]
    return "\n".join(parts).lower()


def _is_where(violation: Violation, taken: FallbackRecord) -> bool:
    """Whether a violation about a fallback lies where this one was taken, in an exchange or not."""
    inside = violation.where.split("/")[2:]
    return inside[:1] == [taken.exchange or "response"]
