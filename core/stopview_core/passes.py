"""One pass over a folder: finds the runs below it and reads those that changed since the last."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, replace
from typing import TypeAlias

from stopview_core.folder import Folder
from stopview_core.judge import judge_run
from stopview_core.quiet import QuietRun, paths_of, read_quiet
from stopview_core.quiet_branches import QuietReadings
from stopview_core.quiet_helpers import WORTH_HELP, Helpers, read_quiet_runs
from stopview_core.readings import RunReading
from stopview_core.records import Skipped
from stopview_core.registry.model import Registry
from stopview_core.scan import MAX_DEPTH, Level, is_run, read_run
from stopview_core.stamps import Footing, Footings, StampingReader
from stopview_core.text import clean

OnRun: TypeAlias = Callable[[RunReading], None]

REWRITTEN = "it is being rewritten; the last good reading is shown"
_GRACE_NS = 3_000_000_000
"""How long a file that was readable before may be half written before it counts as damaged."""


@dataclass(frozen=True, slots=True)
class Held:
    """A reading and its footing; `good` is the last good one where that is shown in its place."""

    reading: RunReading
    footing: Footing
    good: RunReading | None = None


class Keeper:
    """Reads runs and keeps what it read by path, so that the next pass reads only what changed."""

    def __init__(self, registry: Registry, level: Level) -> None:
        self.registry = registry
        self.level = level
        self.rewritten: set[str] = set()
        self._held: dict[str, Held] = {}
        self._footings = Footings()
        self._quiet = QuietReadings(registry)

    def current(self, path: str) -> RunReading | None:
        """The reading held, where nothing that it rests on has changed."""
        held = self._held.get(path)
        return held.reading if held is not None and held.footing.holds(path) else None

    def holds(self, path: str) -> bool:
        """Whether there is a reading of the run, up to date or not."""
        return path in self._held

    def take_quiet(self, path: str, quiet: QuietRun, began_ns: int) -> RunReading | None:
        """The reading of a quiet run; None where the registry has more to say about it."""
        reading = self._quiet.reading(path, quiet)
        if reading is None:
            return None
        names = paths_of(tuple([key for key, _ in quiet.branches]))
        footing = self._footings.of(names, quiet.stamps, quiet.newest, began_ns)
        return self._keep(path, reading, footing)

    def read(self, folder: Folder, reader: StampingReader, began_ns: int) -> RunReading:
        """The run read again, or the last good reading while a file of it is being rewritten."""
        run = read_run(folder, reader, self.level)
        reading = judge_run(run, self.registry, reader).reading
        torn = self._torn(reader, began_ns)
        footing = self._footings.of_reader(reader, began_ns, is_whole=not torn)
        held = self._held.get(reader.run)
        if not torn or held is None:
            return self._keep(reader.run, reading, footing)
        good = held.good or held.reading
        marks = tuple(Skipped(path, REWRITTEN) for path in torn)
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
        """The files that are no JSON, were not noted before, and were written just now."""
        held = self._held.get(reader.run)
        if held is None:
            return []
        noted = {item.path for item in (held.good or held.reading).skipped}
        return [
            shown
            for path, mtime_ns in reader.malformed
            if abs(began_ns - mtime_ns) < _GRACE_NS and (shown := clean(path)) not in noted
        ]

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


class Pass:
    """Looks through folders once. `runs` are those found, by path, `skipped` what is in none."""

    def __init__(
        self,
        keeper: Keeper,
        began_ns: int,
        on_run: OnRun | None,
        early: dict[str, Helpers] | None = None,
    ) -> None:
        self.runs: dict[str, RunReading] = {}
        self.skipped: list[Skipped] = []
        self._keeper = keeper
        self._began_ns = began_ns
        self._on_run = on_run
        self._early = early if early is not None else {}

    def look(self, path: str, depth: int) -> None:
        """Find the runs at and below a folder, `depth` levels below a root (architecture 2.3)."""
        if path in self.runs:
            return
        held = self._keeper.current(path)
        if held is not None:
            self.runs[path] = held
            return
        self._look_anew(path, depth, read_quiet(path) if self._is_lean else None)

    @property
    def _is_lean(self) -> bool:
        return self._keeper.level == "list"

    def _look_anew(self, path: str, depth: int, quiet: QuietRun | None) -> None:
        if quiet is not None:
            reading = self._keeper.take_quiet(path, quiet, self._began_ns)
            if reading is not None:
                self._found(path, reading)
                return
        reader = StampingReader(path)
        folder = reader.listing(path)
        if folder is not None and is_run(folder, reader):
            self._found(path, self._keeper.read(folder, reader, self._began_ns))
            return
        self.skipped += reader.skipped
        if folder is not None and depth < MAX_DEPTH:
            self._look_below(folder, depth + 1)

    def _look_below(self, folder: Folder, depth: int) -> None:
        new = [name for name in folder.folders if not self._keeper.holds(f"{folder.path}/{name}")]
        if not self._is_lean or len(new) < WORTH_HELP:
            for name in folder.folders:
                self.look(f"{folder.path}/{name}", depth)
            return
        before = self.runs
        found: dict[str, dict[str, RunReading]] = {}
        for name, quiet in read_quiet_runs(folder.path, new, self._early.pop(folder.path, None)):
            self.runs = found[name] = {}
            self._look_anew(f"{folder.path}/{name}", depth, quiet)
        self.runs = before
        for name in folder.folders:
            if name in found:
                self.runs.update(found[name])
            else:
                self.look(f"{folder.path}/{name}", depth)

    def _found(self, path: str, reading: RunReading) -> None:
        self.runs[path] = reading
        if self._on_run is not None:
            self._on_run(reading)
