"""One pass over a folder: finds the runs below it and reads those that changed since the last."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from stopview_core.folder import Folder
from stopview_core.keeper import Once, Whole
from stopview_core.quiet import QuietRun, read_quiet
from stopview_core.readings import RunReading
from stopview_core.records import Skipped
from stopview_core.scan import MAX_DEPTH, is_run
from stopview_core.scan_helpers import WORTH_HELP, Answer, Helpers, read_many

OnRun: TypeAlias = Callable[[RunReading], None]


class Pass:
    """Looks through folders once. `runs` are those found, by path, `skipped` what is in none."""

    def __init__(
        self,
        keeper: Once,
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
        quiet = None
        if self._is_lean:
            quiet = read_quiet(path, keeps_stamps=self._keeper.keeps_stamps)
        self._look_anew(path, depth, quiet)

    @property
    def _is_lean(self) -> bool:
        return self._keeper.level == "list"

    def _look_anew(self, path: str, depth: int, known: QuietRun | Whole | None) -> None:
        if isinstance(known, Whole):
            self._found(path, self._keeper.take_whole(path, known, self._began_ns))
            return
        if known is not None:
            reading = self._keeper.take_quiet(path, known, self._began_ns)
            if reading is not None:
                self._found(path, reading)
                return
        reader = self._keeper.reader(path)
        folder = reader.listing(path)
        if folder is not None and is_run(folder, reader):
            self._found(path, self._keeper.read(folder, reader, self._began_ns))
            return
        self.skipped += reader.skipped
        if folder is not None and depth < MAX_DEPTH:
            self._look_below(folder, depth + 1)

    def _look_below(self, folder: Folder, depth: int) -> None:
        new = [name for name in folder.folders if self._is_new(f"{folder.path}/{name}")]
        if not self._is_lean or len(new) < WORTH_HELP:
            for name in folder.folders:
                self.look(f"{folder.path}/{name}", depth)
            return
        before = self.runs
        found: dict[str, dict[str, RunReading]] = {}
        for name, known in self._read_many(folder.path, new):
            self.runs = found[name] = {}
            self._look_anew(f"{folder.path}/{name}", depth, known)
        self.runs = before
        for name in folder.folders:
            if name in found:
                self.runs.update(found[name])
            else:
                self.look(f"{folder.path}/{name}", depth)

    def _is_new(self, path: str) -> bool:
        return path not in self.runs and not self._keeper.holds(path)

    def _found(self, path: str, reading: RunReading) -> None:
        self.runs[path] = reading
        if self._on_run is not None:
            self._on_run(reading)

    def _read_many(self, folder: str, names: list[str]) -> Iterator[Answer]:
        early = self._early.pop(folder, None)
        keeper = self._keeper
        return read_many(folder, names, keeper.registry, keeper.keeps_stamps, early)
