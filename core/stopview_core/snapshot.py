"""Scans roots into immutable snapshots, again and again, reading only what changed."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

from stopview_core.keeper import Keeper, Once
from stopview_core.overlay import Overlay
from stopview_core.passes import OnRun, Pass
from stopview_core.places import Place, Places, is_within
from stopview_core.readings import RunReading
from stopview_core.records import Skipped
from stopview_core.registry.model import Registry
from stopview_core.scan import MAX_DEPTH, Level
from stopview_core.scan_helpers import Helpers

_MANY = 1_000


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All runs below the roots at one moment, by path, and what could not be read."""

    runs: Mapping[str, RunReading]
    skipped: tuple[Skipped, ...]
    at: datetime

    def all_skipped(self) -> tuple[Skipped, ...]:
        """What could not be read anywhere, runs' own files included."""
        return self.skipped + tuple(item for run in self.runs.values() for item in run.skipped)


@dataclass(frozen=True, slots=True)
class Diff:
    """The paths of the runs that came, changed and went between two snapshots.

    `skipped_changed` tells that other things than before could not be read outside of runs.
    """

    added: frozenset[str]
    changed: frozenset[str]
    removed: frozenset[str]
    skipped_changed: bool = False

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.skipped_changed)


EMPTY_SNAPSHOT = Snapshot(MappingProxyType({}), (), datetime.fromtimestamp(0, UTC))


def scan_once(
    roots: Sequence[Path],
    registry: Registry,
    level: Level = "list",
    early: dict[str, Helpers] | None = None,
) -> Snapshot:
    """One snapshot, with nothing kept for a next one. `early` as for a Scanner."""
    taken = Pass(Once(registry, level), time.time_ns(), None, early)
    with _collector_off():
        for root in roots:
            taken.look(os.fspath(root), 0)
    return Snapshot(MappingProxyType(taken.runs), tuple(taken.skipped), datetime.now(UTC))


class Scanner:
    """Keeps the last snapshot of some roots and brings it up to date.

    Not safe for several threads at once: one owner calls it. `registry` may be replaced only by a
    new scanner. `clock_ns` gives the time of day that files are dated by, in nanoseconds. `early`
    are helpers that began to read the roots before the scanner was there.
    """

    def __init__(
        self,
        roots: Sequence[Path],
        registry: Registry,
        *,
        level: Level = "list",
        clock_ns: Callable[[], int] = time.time_ns,
        early: dict[str, Helpers] | None = None,
    ) -> None:
        self.roots = tuple(roots)
        self.registry = registry
        self.snapshot = EMPTY_SNAPSHOT
        self._runs: Overlay[RunReading] = Overlay({})
        self._keeper = Keeper(registry, level)
        self._places = Places(tuple(os.fspath(root) for root in roots))
        self._clock_ns = clock_ns
        self._early = early

    @property
    def rewritten(self) -> frozenset[str]:
        """The runs shown by their last good reading, since a file of theirs is half written.

        They are worth another look soon: when the writer stops half-way, no event says so.
        """
        return frozenset(self._keeper.rewritten)

    def reconcile(self, on_run: OnRun | None = None) -> Diff:
        """Bring everything up to date: finds runs anew, reads again those whose files changed.

        `on_run` is called with each reading that is new or changed, as soon as it is there.
        """
        taken = Pass(self._keeper, self._clock_ns(), on_run, self._early)
        with _collector_off():
            for root in self._places.roots:
                taken.look(root, 0)
        is_first = self.snapshot is EMPTY_SNAPSHOT
        diff = self._take(Overlay(taken.runs), tuple(taken.skipped), None)
        self._keeper.keep_only(taken.runs)
        if is_first and len(taken.runs) >= _MANY:
            # The picture stays as long as the program: the collector need not look through it.
            gc.freeze()
        return diff

    def rescan(self, paths: Iterable[str], on_run: OnRun | None = None) -> Diff:
        """Look again at the runs at or above the hinted paths, and for runs below other hints.

        Hints are paths that may have changed; whatever they say, the files decide. A hint that may
        make a root itself a run, or that lies outside of the roots, reconciles.
        """
        places: set[Place] = set()
        for path in paths:
            place = self._places.of(path, self.snapshot.runs)
            if place is None:
                return self.reconcile(on_run)
            places.add(place)
        skipped = self.snapshot.skipped
        found: dict[str, RunReading] = {}
        gone: list[str] = []
        began_ns = self._clock_ns()
        for at, depth in _outermost(places):
            taken = Pass(self._keeper, began_ns, on_run)
            if depth <= MAX_DEPTH and self._places.may_look(at):
                taken.look(at, depth)
            gone += [path for path in self._held(at) if path not in taken.runs]
            found.update(taken.runs)
            others = [item for item in skipped if not is_within(item.path, at)]
            skipped = (*others, *taken.skipped)
        for path in gone:
            self._keeper.forget(path)
        return self._take(self._with(found, gone), skipped, {*found, *gone})

    def _held(self, at: str) -> list[str]:
        """The paths of the runs known at and below a place."""
        return [at] if at in self._runs else [path for path in self._runs if is_within(path, at)]

    def _with(self, found: dict[str, RunReading], gone: list[str]) -> Overlay[RunReading]:
        """The runs, with those found put in and those gone taken out."""
        if not gone and all(path in self._runs for path in found):
            return self._runs.with_values(found)
        runs = self._runs.copied()
        for path in gone:
            del runs[path]
        runs.update(found)
        return Overlay(runs)

    def _take(
        self,
        runs: Overlay[RunReading],
        skipped: tuple[Skipped, ...],
        touched: set[str] | None,
    ) -> Diff:
        """Make the runs the snapshot. Only paths in `touched` can differ; None: any can."""
        before = self.snapshot
        self._runs = runs
        self.snapshot = Snapshot(runs, skipped, datetime.now(UTC))
        paths = before.runs.keys() | runs.keys() if touched is None else touched
        added, changed, removed = set(), set(), set()
        for path in paths:
            old, new = before.runs.get(path), runs.get(path)
            if old is new:
                continue
            if old is None:
                added.add(path)
            elif new is None:
                removed.add(path)
            elif old != new:
                changed.add(path)
        return Diff(
            frozenset(added), frozenset(changed), frozenset(removed), before.skipped != skipped
        )


def _outermost(places: Iterable[Place]) -> list[Place]:
    """The places that lie in no other of them."""
    found: list[Place] = []
    for at, depth in sorted(places, key=lambda place: place[1]):
        if not any(is_within(at, outer) for outer, _ in found):
            found.append((at, depth))
    return found


@contextmanager
def _collector_off() -> Iterator[None]:
    """Reading makes many objects and no garbage in cycles: collecting would only cost time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
