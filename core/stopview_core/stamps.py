"""Tells whether what a reading rests on is still as it was, by name, mtime, size, inode, ctime."""

from __future__ import annotations

import marshal
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from stopview_core.files import Contents, Unreadable
from stopview_core.folder import Reader
from stopview_core.quiet import newest_of, packed

Stamps: TypeAlias = dict[str, tuple[int, ...]]
"""Of each path: mtime in ns, size, inode, ctime in ns."""

_MISSING = (0, 0, 0, 0)
_MOST_SHAPES = 512
"""How many shapes of runs are remembered to share their names: runs come and go for days."""
_TICK_NS = 2_000_000_000
"""The coarsest clock that a file system keeps time by. What changes twice within it may look as if
it had changed once, so stamps are trusted only when all of them are older than that."""


class StampingReader(Reader):
    """Keeps the stamp of every path it touched, as it was before the first touch.

    The run's own folder may be reached through a link (a root may be one); nothing below is.
    `texts` are the text files read, which nothing in them tells to be whole.
    """

    def __init__(self, run: str) -> None:
        super().__init__()
        self.run = run
        self.stamps: Stamps = {}
        self.texts: list[str] = []

    def text(self, path: str, cap: int) -> str | None:
        """As a Reader does; the path is noted."""
        self.texts.append(path)
        return super().text(path, cap)

    def touch(self, path: str) -> None:
        """Stamp the path."""
        if path not in self.stamps:
            self.stamps[path] = _stamp(path, follows=path == self.run)

    def lstat(self, path: str) -> os.stat_result | None:
        """The path's own stat, which is its stamp too."""
        if path in self.stamps or path == self.run:
            return super().lstat(path)
        try:
            found = os.lstat(path)
        except (OSError, ValueError):
            self.stamps[path] = _MISSING
            return None
        self.stamps[path] = _numbers(found)
        return found

    def touched(self, path: str, read: Contents | Unreadable) -> None:
        """Stamp the file as it was when it was opened."""
        if path in self.stamps:
            return
        if isinstance(read, Contents):
            self.stamps[path] = _numbers(read.stat)
        elif read.kind == "missing":
            self.stamps[path] = _MISSING
        else:
            # Seen too late to be sure; but what changes while it is read is not settled yet.
            self.stamps[path] = _stamp(path)


@dataclass(frozen=True, slots=True)
class Footing:
    """What a reading of a run rests on: paths (from the run, else absolute) and their stamps.

    `is_settled` is False where a path may have changed since without its stamp telling.
    """

    names: tuple[str, ...]
    stamps: bytes
    is_settled: bool

    def holds(self, run: str) -> bool:
        """Whether nothing it rests on has changed."""
        return self.is_settled and packed(_stamps(run, self.names)) == self.stamps

    def stamp(self, name: str) -> tuple[int, ...] | None:
        """The stamp of one of its names; None where it does not rest on that."""
        if name not in self.names:
            return None
        at = 4 * self.names.index(name)
        stamps: tuple[int, ...] = marshal.loads(self.stamps)
        return stamps[at : at + 4]


class Footings:
    """Makes footings; runs of one shape share their names. `began_ns` is when reading began."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, ...], tuple[str, ...]] = {}

    def of_stamps(self, run: str, stamps: Stamps, began_ns: int, *, is_whole: bool) -> Footing:
        """The footing of what a reader touched; never settled unless what it rests on is whole."""
        inside = len(run) + 1
        names = tuple(
            path[inside:] if path == run or path.startswith(f"{run}/") else os.path.abspath(path)
            for path in stamps
        )
        flat = [number for stamp in stamps.values() for number in stamp]
        found = self.of(names, packed(flat), newest_of(flat), began_ns)
        return found if is_whole else Footing(found.names, found.stamps, False)

    def of(self, names: tuple[str, ...], stamps: bytes, newest: int, began_ns: int) -> Footing:
        """The footing of these names with their packed stamps, the newest of them named."""
        if len(self._names) >= _MOST_SHAPES:
            self._names.clear()
        shared = self._names.setdefault(names, names)
        return Footing(shared, stamps, newest < began_ns - _TICK_NS)


def _stamp(path: str, *, follows: bool = False) -> tuple[int, int, int, int]:
    try:
        found = os.stat(path) if follows else os.lstat(path)
    except (OSError, ValueError):
        return _MISSING
    return _numbers(found)


def _numbers(found: os.stat_result) -> tuple[int, int, int, int]:
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns


def _stamps(run: str, names: Iterable[str]) -> list[int]:
    found: list[int] = []
    for name in names:
        if name:
            found += _stamp(name if name[0] == "/" else f"{run}/{name}")
        else:
            found += _stamp(run, follows=True)
    return found
