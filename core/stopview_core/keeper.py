"""Reads runs, and keeps what it read by path, so that only what changed has to be read again."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import NamedTuple

from stopview_core.folder import Folder, Reader
from stopview_core.judge import judge_run
from stopview_core.quiet import QuietRun, paths_of
from stopview_core.quiet_branches import QuietReadings
from stopview_core.readings import RunReading
from stopview_core.records import Skipped
from stopview_core.registry.model import Registry
from stopview_core.scan import Level, is_run, read_run
from stopview_core.stamps import Footing, Footings, StampingReader, Stamps
from stopview_core.text import clean

REWRITTEN = "it is being rewritten; the last good reading is shown"
_GRACE_NS = 3_000_000_000
"""How long a file that was readable before may be half written before it counts as damaged."""
_SETTLE_NS = 200_000_000
"""How long after a change in place a text may be half written: nothing in it tells that it is."""


class Whole(NamedTuple):
    """A run's reading and the stamps that it rests on, by path; none where none are kept."""

    reading: RunReading
    stamps: Stamps


class Once:
    """Reads runs and keeps nothing: for who looks once."""

    keeps_stamps = False

    def __init__(self, registry: Registry, level: Level) -> None:
        self.registry = registry
        self.level = level
        self._quiet = QuietReadings(registry)

    def current(self, path: str) -> RunReading | None:
        """The reading held, where nothing that it rests on has changed."""
        return None

    def holds(self, path: str) -> bool:
        """Whether there is a reading of the run, up to date or not."""
        return False

    def reader(self, path: str) -> Reader:
        """The reader for a run at this path."""
        return Reader()

    def take_quiet(self, path: str, quiet: QuietRun, began_ns: int) -> RunReading | None:
        """The reading of a quiet run; None where the registry has more to say about it."""
        return self._quiet.reading(path, quiet)

    def take_whole(self, path: str, whole: Whole, began_ns: int) -> RunReading:
        """The reading that somebody else made by `read_whole`."""
        return whole.reading

    def read_whole(self, path: str) -> Whole | None:
        """The run at `path`, for who keeps it; None where there is no run."""
        reader = self.reader(path)
        folder = reader.listing(path)
        if folder is None or not is_run(folder, reader):
            return None
        stamps = reader.stamps if isinstance(reader, StampingReader) else {}
        return Whole(self._judged(folder, reader), stamps)

    def read(self, folder: Folder, reader: Reader, began_ns: int) -> RunReading:
        """The run, read with a reader that was made for it."""
        return self._judged(folder, reader)

    def _judged(self, folder: Folder, reader: Reader) -> RunReading:
        run = read_run(folder, reader, self.level)
        return judge_run(run, self.registry, reader).reading


@dataclass(frozen=True, slots=True)
class Held:
    """A reading and its footing; `good` is the last good one where that is shown in its place."""

    reading: RunReading
    footing: Footing
    good: RunReading | None = None


class Keeper(Once):
    """Keeps each reading with what it rests on. `rewritten` are runs met half written."""

    keeps_stamps = True

    def __init__(self, registry: Registry, level: Level) -> None:
        super().__init__(registry, level)
        self.rewritten: set[str] = set()
        self._held: dict[str, Held] = {}
        self._footings = Footings()

    def current(self, path: str) -> RunReading | None:
        """The reading held, where nothing that it rests on has changed."""
        held = self._held.get(path)
        return held.reading if held is not None and held.footing.holds(path) else None

    def holds(self, path: str) -> bool:
        """Whether there is a reading of the run, up to date or not."""
        return path in self._held

    def reader(self, path: str) -> Reader:
        """The reader for a run at this path."""
        return StampingReader(path)

    def take_quiet(self, path: str, quiet: QuietRun, began_ns: int) -> RunReading | None:
        """The reading of a quiet run; None where the registry has more to say about it."""
        reading = super().take_quiet(path, quiet, began_ns)
        if reading is None:
            return None
        names = paths_of(tuple([key for key, _ in quiet.branches]))
        footing = self._footings.of(names, quiet.stamps, quiet.newest, began_ns)
        return self._keep(path, reading, footing)

    def take_whole(self, path: str, whole: Whole, began_ns: int) -> RunReading:
        """The reading that somebody else made by `read_whole`, of a run that is not held."""
        footing = self._footings.of_stamps(path, whole.stamps, began_ns, is_whole=True)
        return self._keep(path, whole.reading, footing)

    def read(self, folder: Folder, reader: Reader, began_ns: int) -> RunReading:
        """The run read again, or the last good reading while a file of it is being rewritten."""
        assert isinstance(reader, StampingReader)
        reading = self._judged(folder, reader)
        torn = self._torn(reader, began_ns)
        footing = self._footings.of_stamps(reader.run, reader.stamps, began_ns, is_whole=not torn)
        held = self._held.get(reader.run)
        if not torn or held is None:
            return self._keep(reader.run, reading, footing)
        good = held.good or held.reading
        marks = tuple(Skipped(path, REWRITTEN, is_partial=True) for path in torn)
        shown = replace(good, skipped=good.skipped + marks)
        return self._keep(reader.run, shown, footing, good)

    def forget(self, path: str) -> None:
        """The run is gone."""
        self._held.pop(path, None)
        self.rewritten.discard(path)

    def keep_only(self, runs: Container[str]) -> None:
        """Forget all runs but these."""
        for path in [path for path in self._held if path not in runs]:
            self.forget(path)

    def _torn(self, reader: StampingReader, began_ns: int) -> list[str]:
        """The files that may be half written, since they were changed just now."""
        held = self._held.get(reader.run)
        if held is None:
            return []
        noted = {item.path for item in (held.good or held.reading).skipped}
        found = [
            shown
            for path, mtime_ns in reader.malformed
            if abs(began_ns - mtime_ns) < _GRACE_NS and (shown := clean(path)) not in noted
        ]
        found += [
            clean(path) for path in reader.texts if _is_unsettled(path, reader, held, began_ns)
        ]
        return found

    def _keep(
        self, path: str, reading: RunReading, footing: Footing, good: RunReading | None = None
    ) -> RunReading:
        held = self._held.get(path)
        if held is not None and held.reading == reading:
            reading = held.reading
        self._held[path] = Held(reading, footing, good)
        if good is None:
            self.rewritten.discard(path)
        else:
            self.rewritten.add(path)
        return reading


def _is_unsettled(path: str, reader: StampingReader, held: Held, began_ns: int) -> bool:
    """Whether a text was changed in place just now: by a rename it would be another inode."""
    stamp = reader.stamps.get(path)
    before = held.footing.stamp(path.removeprefix(f"{reader.run}/"))
    if stamp is None or before is None or before[2] != stamp[2]:
        return False
    is_taken = before == stamp and held.good is None
    return not is_taken and abs(began_ns - stamp[0]) < _SETTLE_NS
