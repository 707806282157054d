"""Which runs the History mode shows as read further than the picture, and which are still to be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from stopview_core.history import run_records
from stopview_core.readings import RunReading

BATCH = 64
"""How many runs are read in one go, before what they tell is shown."""

_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


class FurtherRuns:
    """The runs by path: as the picture has them, until they have been read as `history` does.

    The list of the picture opens response.md only where something hints at a fallback. A run that
    was read further is shown so until it has been read again.
    """

    def __init__(self) -> None:
        self.runs: dict[str, RunReading] = {}
        self._read: set[str] = set()
        self._wanted: dict[str, None] = {}

    @property
    def left(self) -> int:
        """How many runs are still to be read."""
        return len(self._wanted)

    def follow(self, runs: Mapping[str, RunReading], touched: Iterable[str]) -> frozenset[str]:
        """Take what changed in the picture; the paths whose rows are others from now on.

        What is gone is looked for once more, so that nothing of it is kept.
        """
        changed = set()
        for path in touched:
            run = runs.get(path)
            if run is None:
                self.runs.pop(path, None)
                self._read.discard(path)
                self._wanted[path] = None
                changed.add(path)
            elif path not in self._read:
                self.runs[path] = run
                changed.add(path)
        return frozenset(changed)

    def want(self, paths: Iterable[str]) -> None:
        """These are to be read, or looked at again: what changed last comes first."""
        found = [path for path in paths if path in self.runs]
        found.sort(key=self._changed_at, reverse=True)
        self._wanted.update(dict.fromkeys(found))

    def next(self) -> list[str]:
        """The runs to be read next; none where all are."""
        return list(self._wanted)[:BATCH]

    def take(
        self, found: Mapping[str, RunReading | None], runs: Mapping[str, RunReading]
    ) -> frozenset[str]:
        """Take what was read of some runs; the paths of those that tell something else now.

        `runs` are those of the picture: what is not there any more is not shown again.
        """
        changed = set()
        for path, read in found.items():
            self._wanted.pop(path, None)
            shown = runs.get(path) if read is None else read
            if path not in runs or shown is None:
                continue
            before = self.runs.get(path)
            self.runs[path] = shown
            self._read.add(path)
            if before is None or run_records(before) != run_records(shown):
                changed.add(path)
        return frozenset(changed)

    def _changed_at(self, path: str) -> datetime:
        changed = self.runs[path].changed_at
        return changed.at if changed is not None else _BEFORE_ALL
