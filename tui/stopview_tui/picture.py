"""The picture of all runs that the modes show: the last snapshot, or what of the first is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from stopview_core.readings import RunReading
from stopview_core.records import Skipped
from stopview_core.snapshot import Diff, Snapshot
from stopview_tui.inbox_model import Delta


@dataclass(slots=True)
class Picture:
    """What is known of the runs now. `is_whole` once the first scan went through.

    `changes` counts up with every change, so that a mode that was not in view can tell that it
    has to look again.
    """

    runs: dict[str, RunReading] = field(default_factory=dict)
    skipped: tuple[Skipped, ...] = ()
    is_whole: bool = False
    changes: int = 0
    since: datetime = field(default_factory=lambda: datetime.now(UTC))

    def add(self, runs: Iterable[RunReading]) -> frozenset[str]:
        """Take runs that the first scan read; the paths of those that are new or changed."""
        touched = set()
        for run in runs:
            path = str(run.path)
            if self.runs.get(path) is not run:
                self.runs[path] = run
                touched.add(path)
        self.changes += bool(touched)
        return frozenset(touched)

    def take(self, snapshot: Snapshot, diff: Diff) -> frozenset[str]:
        """Take a snapshot; the paths of the runs that came, changed or went."""
        touched = {
            path
            for path in diff.added | diff.changed | (self.runs.keys() - snapshot.runs.keys())
            if self.runs.get(path) is not snapshot.runs.get(path)
        }
        self.runs = dict(snapshot.runs)
        self.skipped = snapshot.skipped
        self.is_whole = True
        self.changes += 1
        return frozenset(touched)


@dataclass(frozen=True, slots=True)
class PictureChange:
    """What changed in the picture: the paths of the runs touched, and the Inbox's delta.

    `is_first` once, when the first scan went through; before that, rows come in as they are read.
    """

    touched: frozenset[str]
    delta: Delta
    is_first: bool = False
