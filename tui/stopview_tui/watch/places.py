"""Says which folders are worth a watch: the roots, and the runs that can still change."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from stopview_core.readings import RunReading
from stopview_core.scan import MAX_DEPTH

BUDGET = 8_192
"""Folders watched at most, where the system allows more."""
MOST_CONTAINERS = 256
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


class Places:
    """The folders to watch, in `wanted`: by path, with the inode, since one made anew is another.

    `has_all` tells whether every run that can still change is among them. Runs in which nothing
    changed are not listed again.
    """

    def __init__(self, roots: Sequence[str], most: int) -> None:
        self.roots = tuple(roots)
        self.most = most
        self.wanted: dict[str, int] = {}
        self.has_all = True
        self._containers: dict[str, int] = {}
        self._by_run: dict[str, dict[str, int]] = {}

    def look(self, runs: Mapping[str, RunReading], touched: Iterable[str] | None = None) -> None:
        """List anew: everything, or only the runs touched."""
        if touched is None:
            self._containers = _containers(self.roots, runs)
            touched = runs.keys() | self._by_run.keys()
        for path in touched:
            run = runs.get(path)
            if run is not None and is_live(run):
                self._by_run[path] = _folders_in(path, DEPTH_IN_RUN)
            else:
                self._by_run.pop(path, None)
        self._choose(runs)

    def _choose(self, runs: Mapping[str, RunReading]) -> None:
        """Roots and what holds runs first, then the newest runs, as far as the budget goes."""
        found = dict(self._containers)
        self.has_all = True
        for path in sorted(self._by_run, key=lambda path: _age(runs.get(path))):
            folders = self._by_run[path]
            if len(found) + len(folders) > self.most:
                self.has_all = False
                break
            found.update(folders)
        self.wanted = {path: inode for path, inode in found.items() if _is_text(path)}


def _is_text(path: str) -> bool:
    """Whether the name is UTF-8: others cannot be watched, and are only looked at."""
    return not any("\ud800" <= character <= "\udfff" for character in path)


def _age(run: RunReading | None) -> float:
    return -run.started_at.timestamp() if run is not None and run.started_at is not None else 0.0


def _containers(roots: Sequence[str], runs: Mapping[str, RunReading]) -> dict[str, int]:
    """The roots and the folders in them that hold or may come to hold runs, the upper first."""
    found: dict[str, int] = {}
    pending = [(root, 0) for root in roots]
    for path, depth in pending:
        if path in runs or len(found) >= MOST_CONTAINERS:
            continue
        inode = _inode(path)
        if inode is None:
            continue
        found[path] = inode
        if depth < MAX_DEPTH:
            pending.extend((below, depth + 1) for below, _ in _folders(path) if below not in runs)
    return found


def _folders_in(path: str, depth: int) -> dict[str, int]:
    """A folder and those below it, by path with their inodes; links are not followed."""
    inode = _inode(path)
    if inode is None:
        return {}
    found = {path: inode}
    if depth:
        for below, _ in _folders(path):
            found.update(_folders_in(below, depth - 1))
    return found


def _folders(path: str) -> list[tuple[str, int]]:
    try:
        with os.scandir(path) as entries:
            return [
                (entry.path, entry.inode())
                for entry in entries
                if entry.is_dir(follow_symlinks=False)
            ]
    except OSError:
        return []


def _inode(path: str) -> int | None:
    try:
        return os.stat(path).st_ino
    except OSError:
        return None
