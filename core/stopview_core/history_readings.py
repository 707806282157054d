"""Reads runs as far as the history needs, and again only where what they rest on has changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from stopview_core.keeper import Keeper
from stopview_core.readings import RunReading
from stopview_core.registry.model import Registry
from stopview_core.scan import is_run
from stopview_core.stamps import Footing


class HistoryReadings:
    """Runs as `stopview history` reads them, for who looks again and again.

    Of each run only the branches that its records speak of are kept. Not safe for several threads
    at once. `clock_ns` gives the time of day that files are dated by, in nanoseconds.
    """

    def __init__(self, registry: Registry, *, clock_ns: Callable[[], int] = time.time_ns) -> None:
        self._keeper = _RecordKeeper(registry, "history")
        self._clock_ns = clock_ns

    @property
    def rewritten(self) -> frozenset[str]:
        """The runs shown by their last good reading: they are worth another look soon."""
        return frozenset(self._keeper.rewritten)

    def look(self, paths: Iterable[str]) -> dict[str, RunReading | None]:
        """The runs at these paths as they are now; None where there is no run any more."""
        return {path: self._look(path) for path in paths}

    def _look(self, path: str) -> RunReading | None:
        held = self._keeper.current(path)
        if held is not None:
            return held
        began_ns = self._clock_ns()
        reader = self._keeper.reader(path)
        folder = reader.listing(path)
        if folder is None or not is_run(folder, reader):
            self._keeper.forget(path)
            return None
        return self._keeper.read(folder, reader, began_ns)


class _RecordKeeper(Keeper):
    """Keeps of each run what its records are made of: very many runs have none."""

    def _keep(
        self, path: str, reading: RunReading, footing: Footing, good: RunReading | None = None
    ) -> RunReading:
        return super()._keep(path, _told(reading), footing, None if good is None else _told(good))


def _told(run: RunReading) -> RunReading:
    """The run with the branches that have records, and those that say how they were heeded."""
    wanted: set[str] = set()
    for key, branch in run.branches.items():
        if branch.fallbacks or branch.decisions:
            wanted |= {key, *branch.resumed_by}
    if len(wanted) == len(run.branches):
        return run
    kept = {key: branch for key, branch in run.branches.items() if key in wanted}
    return replace(run, branches=kept)
