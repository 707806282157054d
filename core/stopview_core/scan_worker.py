"""Reads the runs of one folder beside the process that asked for it (see `scan_helpers`)."""

from __future__ import annotations

import gc
import marshal
import os
import sys
from contextlib import suppress
from os import scandir
from typing import TYPE_CHECKING
from zlib import crc32

from stopview_core.quiet import OPENING, read_quiet

if TYPE_CHECKING:
    from stopview_core.keeper import Once
    from stopview_core.registry.model import Registry

TICKETS, ANSWERS, REGISTRY = 0, 1, 3
"""The descriptors it is started with: shares to take, a byte each; where answers go; and whence
the registry comes, pickled."""

_DEPTH, _MUCH = 5, 1 << 16

LENGTH = 4
"""Bytes before each answer that say how long it is."""


def shared(names: list[str], shares: int) -> list[list[str]]:
    """The names in so many shares, the same way in every process."""
    found: list[list[str]] = [[] for _ in range(shares)]
    for name in names:
        found[crc32(os.fsencode(name)) % shares].append(name)
    return found


def next_ticket(tickets: int) -> int | None:
    """The next share that nobody has taken, None when all are."""
    ticket = os.read(tickets, 1)
    return ticket[0] if ticket else None


def main(folder: str, shares: int, wishes: list[str], encoding: str) -> None:
    """Take shares until none is left; answer what each name in them is.

    Wishes: `stamps` are wanted; runs that are not quiet are only to be made `warm` for the asker.
    Names mean the same to both only where both have this encoding of file names.
    """
    if sys.getfilesystemencoding() != encoding:
        return
    gc.disable()
    home, here = os.open(".", os.O_RDONLY), os.open(folder, os.O_RDONLY)
    os.fchdir(here)  # Every path gets shorter, and sooner found.
    keeps_stamps, is_warming = "stamps" in wishes, "warm" in wishes
    parts = shared(os.listdir(), shares)
    judge: _Judge | None = None
    while (ticket := next_ticket(TICKETS)) is not None:
        answer: list[tuple[str, tuple[object, ...] | None]] = []
        others = []
        for name in parts[ticket]:
            quiet = read_quiet(name, keeps_stamps=keeps_stamps)
            answer.append((name, None if quiet is None else tuple(quiet)))
            if quiet is None:
                others.append(name)
                if is_warming:
                    _warm(name, _DEPTH)
        wholes = b""
        if others and not is_warming:
            # A path that is told has to be as its asker would write it.
            os.fchdir(home)
            judge = judge or _Judge(folder, keeps_stamps)
            wholes = judge.read(others)
            os.fchdir(here)
        _write(marshal.dumps((answer, wholes)))


class _Judge:
    """Reads the runs that are not quiet, by the registry; what fails is left to the asker."""

    def __init__(self, folder: str, keeps_stamps: bool) -> None:
        self._folder = folder
        self._keeper = _keeper(keeps_stamps)

    def read(self, names: list[str]) -> bytes:
        """The readings of those among them that are runs, packed."""
        if self._keeper is None:
            return b""
        from stopview_core.packing import packed

        found = {}
        for name in names:
            with suppress(Exception):  # The asker reads it again, and meets the same.
                whole = self._keeper.read_whole(f"{self._folder}/{name}")
                if whole is not None:
                    found[name] = whole
        return packed(found)


def _keeper(keeps_stamps: bool) -> Once | None:
    """What reads runs by the registry that is given; None where none is, or not all of it came."""
    import pickle

    # While the asker still gets the registry.
    from stopview_core.keeper import Keeper, Once

    data = b""
    with suppress(OSError):
        while more := os.read(REGISTRY, _MUCH):
            data += more
    told = data[LENGTH:]
    if not told or len(told) != int.from_bytes(data[:LENGTH], "big"):
        return None
    registry: Registry = pickle.loads(told)
    return (Keeper if keeps_stamps else Once)(registry, "list")


def _warm(path: str, depth: int) -> None:
    """Read what is there, to no end but that it is in memory when the asker reads it."""
    with suppress(OSError), scandir(path) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if depth > 0:
                    _warm(entry.path, depth - 1)
            elif entry.is_file(follow_symlinks=False):
                _warm_file(entry.path)


def _warm_file(path: str) -> None:
    with suppress(OSError):
        at = os.open(path, OPENING)
        try:
            os.read(at, _MUCH)
        finally:
            os.close(at)


def _write(data: bytes) -> None:
    left = memoryview(len(data).to_bytes(LENGTH, "big") + data)
    while left:
        left = left[os.write(ANSWERS, left) :]
