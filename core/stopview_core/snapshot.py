"""Scans roots into immutable snapshots, again and again, reading only what changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from stopview_core.folder import Folder, Reader
from stopview_core.judge import judge_run
from stopview_core.readings import RunReading
from stopview_core.records import Skipped
from stopview_core.registry.model import Registry
from stopview_core.scan import find_runs, read_run

Stamp = tuple[int, int, int, int]


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
    """The paths of the runs that came, changed and went between two snapshots."""

    added: frozenset[str]
    changed: frozenset[str]
    removed: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)


EMPTY_SNAPSHOT = Snapshot({}, (), datetime.fromtimestamp(0, UTC))


def scan_once(roots: Sequence[Path], registry: Registry) -> Snapshot:
    """One snapshot, with nothing kept for a next one."""
    reader = Reader()
    runs: dict[str, RunReading] = {}
    for root in roots:
        for folder in find_runs(os.fspath(root), reader):
            if folder.path not in runs:
                own = Reader()
                run = read_run(folder, own, "list")
                runs[folder.path] = judge_run(run, registry, own).reading
    return Snapshot(runs, tuple(reader.skipped), datetime.now(UTC))


class Scanner:
    """Keeps the last snapshot of some roots and brings it up to date.

    Not safe for several threads at once: one owner calls it. `registry` may be replaced only by a
    new scanner.
    """

    def __init__(self, roots: Sequence[Path], registry: Registry) -> None:
        self.roots = tuple(roots)
        self.registry = registry
        self.snapshot = EMPTY_SNAPSHOT
        self._stamps: dict[str, dict[str, Stamp | None]] = {}

    def reconcile(self, on_run: Callable[[RunReading], None] | None = None) -> Diff:
        """Bring everything up to date: finds runs anew, reads again those whose files changed.

        `on_run` is called with each reading that is new or changed, as soon as it is there.
        """
        reader = _StampingReader()
        runs: dict[str, RunReading] = {}
        for root in self.roots:
            for folder in find_runs(os.fspath(root), reader):
                if folder.path not in runs:
                    runs[folder.path] = self._current(folder, on_run)
        return self._take(runs, tuple(reader.skipped))

    def rescan(
        self, paths: Iterable[str], on_run: Callable[[RunReading], None] | None = None
    ) -> Diff:
        """Read again the runs that lie at or above the hinted paths; a hint elsewhere reconciles.

        Hints are paths that may have changed; whatever they say, the files decide.
        """
        hinted = {self._run_of(path) for path in paths}
        if None in hinted:
            return self.reconcile(on_run)
        runs = dict(self.snapshot.runs)
        for path in hinted:
            if path is None:
                continue
            reader = _StampingReader()
            folder = reader.listing(path)
            if folder is None:
                return self.reconcile(on_run)
            runs[path] = self._read(folder, on_run)
        return self._take(runs, self.snapshot.skipped)

    def _run_of(self, path: str) -> str | None:
        at = path
        while at and at != os.path.dirname(at):
            if at in self.snapshot.runs:
                return at
            at = os.path.dirname(at)
        return None

    def _current(self, folder: Folder, on_run: Callable[[RunReading], None] | None) -> RunReading:
        held = self.snapshot.runs.get(folder.path)
        if held is not None and self._is_unchanged(folder.path):
            return held
        return self._read(folder, on_run)

    def _is_unchanged(self, run: str) -> bool:
        return all(
            _stamp(path) == stamp for path, stamp in self._stamps.get(run, {"": None}).items()
        )

    def _read(self, folder: Folder, on_run: Callable[[RunReading], None] | None) -> RunReading:
        reader = _StampingReader()
        listed = reader.listing(folder.path) or folder
        reading = judge_run(read_run(listed, reader, "list"), self.registry, reader).reading
        self._stamps[folder.path] = reader.stamps
        if on_run is not None:
            on_run(reading)
        return reading

    def _take(self, runs: dict[str, RunReading], skipped: tuple[Skipped, ...]) -> Diff:
        before = self.snapshot.runs
        self.snapshot = Snapshot(runs, skipped, datetime.now(UTC))
        for gone in before.keys() - runs.keys():
            self._stamps.pop(gone, None)
        return Diff(
            added=frozenset(runs.keys() - before.keys()),
            changed=frozenset(
                path
                for path in runs.keys() & before.keys()
                if runs[path] is not before[path] and runs[path] != before[path]
            ),
            removed=frozenset(before.keys() - runs.keys()),
        )


class _StampingReader(Reader):
    """Keeps the stamp of every path it touched, taken before the touch."""

    def __init__(self) -> None:
        super().__init__()
        self.stamps: dict[str, Stamp | None] = {}

    def listing(self, path: str) -> Folder | None:
        self.stamps[path] = _stamp(path)
        return super().listing(path)

    def _bytes(self, path: str, cap: int, *, may_be_missing: bool) -> tuple[bytes, int] | None:
        self.stamps[path] = _stamp(path)
        return super()._bytes(path, cap, may_be_missing=may_be_missing)


def _stamp(path: str) -> Stamp | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns
