"""The picture of all runs that the modes show: the last snapshot, or what of the first is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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

    runs: Mapping[str, RunReading] = field(default_factory=dict)
    skipped: tuple[Skipped, ...] = ()
    is_whole: bool = False
    changes: int = 0
    since: datetime = field(default_factory=lambda: datetime.now(UTC))
    _early: dict[str, RunReading] = field(default_factory=dict)

    def add(self, runs: Iterable[RunReading]) -> frozenset[str]:
        """Take runs that the first scan read; the paths of those that are new or changed."""
        found = {str(run.path): run for run in runs}
        touched = {path for path, run in found.items() if self.runs.get(path) is not run}
        if touched:
            if self.runs is not self._early:
                self.runs = self._early = dict(self.runs)
            self._early.update(found)
            self.changes += 1
        return frozenset(touched)

    def take(self, snapshot: Snapshot, diff: Diff) -> frozenset[str]:
        """Take a snapshot; the paths of the runs that came, changed or went.

        Only the first is compared whole with what was read before it: later ones cost what changed.
        """
        gone = diff.removed if self.is_whole else self.runs.keys() - snapshot.runs.keys()
        touched = {
            path
            for path in diff.added | diff.changed | gone
            if self.runs.get(path) is not snapshot.runs.get(path)
        }
        self.runs = snapshot.runs
        self._early = {}
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
