"""The rows of the History mode: records that know their identity and their place in time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from stopview_core.history import HistoryRecord, run_records
from stopview_core.readings import RunReading

Identity: TypeAlias = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A record with its identity and sort key (newest first), worked out once."""

    record: HistoryRecord
    identity: Identity
    newest_first: tuple[float, Identity]
    is_bypassed: bool
    is_violation: bool


def history_rows(run: RunReading) -> list[HistoryRow]:
    """The rows of one run."""
    return [_row(record) for record in run_records(run)]


def counts_of(names: Iterable[str | None]) -> Mapping[str, int]:
    """How often each name occurs, the most frequent first."""
    counted = Counter(name or "unknown" for name in names)
    return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))


def _row(record: HistoryRecord) -> HistoryRow:
    identity = record.identity
    at = -record.at.at.timestamp() if record.at else float("inf")
    return HistoryRow(record, identity, (at, identity), record.is_bypassed, bool(record.violations))
