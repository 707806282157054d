"""The rows of the History mode: records that know their identity and their place in time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from stopview_core.history import HistoryRecord, run_records
from stopview_core.readings import RunReading

_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A record with its identity and sort key (newest first), worked out once.

    The identity is one text, so that very many of them are looked up and compared fast.
    """

    record: HistoryRecord
    identity: str
    newest_first: tuple[float, str]
    is_bypassed: bool


def history_rows(run: RunReading) -> list[HistoryRow]:
    """The rows of one run."""
    path = str(run.path)
    return [_row(record, path) for record in run_records(run)]


def newest_record(run: RunReading) -> datetime:
    """When the run's newest record was; before all times where there is none with a time."""
    if run.is_quiet:
        return _BEFORE_ALL
    times = [
        taken.at.at
        for branch in run.branches.values()
        for taken in branch.fallbacks
        if taken.at is not None
    ]
    times += [made.at for branch in run.branches.values() for made in branch.decisions]
    return max(times, default=_BEFORE_ALL)


def counts_of(names: Iterable[str | None]) -> Mapping[str, int]:
    """How often each name occurs, the most frequent first."""
    counted = Counter(name or "unknown" for name in names)
    return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))


def _row(record: HistoryRecord, path: str) -> HistoryRow:
    # No path holds a NUL, so that two records never share an identity.
    identity = f"{path}\0{record.branch}\0{record.last_name}"
    at = -record.at.at.timestamp() if record.at is not None else float("inf")
    return HistoryRow(record, identity, (at, identity), record.is_bypassed)
