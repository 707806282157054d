"""Says which folders are worth a watch: the roots, and the runs that can still change."""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from stopview_core.readings import RunReading
from stopview_core.scan import MAX_DEPTH

BUDGET = 32_768
"""Folders watched at most, where the system allows more."""
MOST_CONTAINERS = 4_096
MOST_RESTING = 64
"""Runs watched with all their folders though they rest: watches take memory, 0.5 kB a folder."""
DEPTH_IN_RUN = 8
_LIMIT = Path("/proc/sys/fs/inotify/max_user_watches")
_DONE = frozenset({"done", "stopped"})
_UNFINISHED = frozenset({"running", "waiting", "unknown", "unreadable"})


def is_live(run: RunReading) -> bool:
    """Whether the run can still change by itself: it is not done, or a branch of it waits."""
    if run.status not in _DONE:
        return True
    return not run.is_quiet and any(
        branch.is_open or branch.status in _UNFINISHED for branch in run.branches.values()
    )


def budget() -> int:
    """How many folders may be watched: half of what the system allows, and no more than BUDGET."""
    try:
        return min(int(_LIMIT.read_text(encoding="ascii")) // 2, BUDGET)
    except (OSError, ValueError):
        return BUDGET


def identity_of(path: str) -> int | None:
    """Which folder a path leads to, by device and inode; None where it leads to none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev << 64 | found.st_ino


class Places:
    """The folders to watch, in `wanted`: by path, each with its identity (see `identity_of`).

    Runs that can still change are watched with all their folders, and so are the newest of those
    that rest; the others by their own folder: when one is taken up again, something changes there.
    `has_all` tells whether as many as that may be watched.
    `wanted` is never changed, and stays the same object while the same is wanted.
    """

    def __init__(self, roots: Sequence[str], most: int) -> None:
        self.roots = tuple(roots)
        self.most = most
        self.wanted: Mapping[str, int] = {}
        self.has_all = True
        self._containers: dict[str, int] = {}
        self._has_all_containers = True
        self._in_full: dict[str, dict[str, int]] = {}
        self._by_own: dict[str, int] = {}
        self._live: set[str] = set()
        self._newest_resting: frozenset[str] = frozenset()

    def look(self, runs: Mapping[str, RunReading]) -> None:
        """List everything anew."""
        self._look_for_containers(runs)
        resting = (path for path, run in runs.items() if not is_live(run))
        self._newest_resting = frozenset(
            heapq.nsmallest(MOST_RESTING, resting, key=lambda path: _age(runs[path]))
        )
        self._in_full, self._by_own, self._live = {}, {}, set()
        for path, run in runs.items():
            self._list(path, run, is_new=False)
        self._choose(runs)

    def look_at(
        self, runs: Mapping[str, RunReading], touched: Iterable[str], *, is_inside: bool
    ) -> None:
        """List only these runs anew, and unless all that changed `is_inside` of them the rest."""
        is_same = is_inside
        if not is_inside:
            self._look_for_containers(runs)
        for path in touched:
            is_same = self._list(path, runs.get(path)) and is_same
        if not is_same:
            self._choose(runs)

    def drop_missing(self) -> None:
        """Leave out what is not there any more."""
        self._want({path: at for path, at in self.wanted.items() if os.path.exists(path)})

    def _list(self, path: str, run: RunReading | None, *, is_new: bool = True) -> bool:
        """List a run's folders anew; whether they are the same as before."""
        before = self._in_full.pop(path, None), self._by_own.pop(path, None)
        self._live.discard(path)
        if run is None:
            return before == (None, None)
        if is_live(run):
            self._live.add(path)
        # A run that came, or came to rest, since all was listed is watched in full where it can be.
        has_room = is_new and len(self._in_full) - len(self._live) < MOST_RESTING
        if path in self._live or path in self._newest_resting or before[0] or has_room:
            self._in_full[path] = _folders_in(path, DEPTH_IN_RUN)
        elif (own := identity_of(path)) is not None:
            self._by_own[path] = own
        return before == (self._in_full.get(path), self._by_own.get(path))

    def _choose(self, runs: Mapping[str, RunReading]) -> None:
        """What holds runs first, then the runs that can change, the newest first, then others."""
        found = dict(self._containers)
        self.has_all = self._has_all_containers
        wished = sorted(
            self._in_full, key=lambda path: (path not in self._live, _age(runs.get(path)))
        )
        for path in wished:
            folders = self._in_full[path]
            if len(found) + len(folders) > self.most:
                self.has_all = self.has_all and path not in self._live
                break
            found.update(folders)
        owns = {path: own for path, folders in self._in_full.items() if (own := folders.get(path))}
        others = [(path, own) for path, own in (owns | self._by_own).items() if path not in found]
        room = max(self.most - len(found), 0)
        if len(others) > room:
            self.has_all = False
            others = sorted(others, key=lambda other: _age(runs.get(other[0])))[:room]
        found.update(others)
        self._want({path: own for path, own in found.items() if _is_text(path)})

    def _want(self, wanted: dict[str, int]) -> None:
        if wanted != self.wanted:
            self.wanted = wanted

    def _look_for_containers(self, runs: Mapping[str, RunReading]) -> None:
        """The roots and the folders in them that hold or may come to hold runs, the upper first."""
        self._containers = {}
        self._has_all_containers = True
        pending = [(root, 0) for root in self.roots]
        for path, depth in pending:
            own = None if path in runs else identity_of(path)
            if own is None:
                continue
            if len(self._containers) >= min(MOST_CONTAINERS, self.most):
                self._has_all_containers = False
                return
            self._containers[path] = own
            if depth < MAX_DEPTH:
                pending.extend((below, depth + 1) for below in _folders(path) if below not in runs)


def _is_text(path: str) -> bool:
    """Whether the name is UTF-8: others cannot be watched, and are only looked at."""
    return path.isascii() or not any("\ud800" <= character <= "\udfff" for character in path)


def _age(run: RunReading | None) -> float:
    return -run.started_at.timestamp() if run is not None and run.started_at is not None else 0.0


def _folders_in(path: str, depth: int) -> dict[str, int]:
    """A folder and those below it, by path with their identities; links are not followed."""
    own = identity_of(path)
    if own is None:
        return {}
    found = {path: own}
    if depth:
        for below in _folders(path):
            found.update(_folders_in(below, depth - 1))
    return found


def _folders(path: str) -> list[str]:
    try:
        with os.scandir(path) as entries:
            return [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
