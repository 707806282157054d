"""Reads the quiet runs of one folder beside the process that asked for it (see `quiet_helpers`)."""

from __future__ import annotations

import gc
import marshal
import os
from contextlib import suppress
from os import scandir
from zlib import crc32

from stopview_core.quiet import OPENING, QuietRun, read_quiet

TICKETS, ANSWERS = 0, 1
"""The descriptors it is started with: shares to take, a byte each, and where answers go."""

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


def main(folder: str, shares: int, wishes: list[str]) -> None:
    """Take shares until none is left; answer what each name in them is.

    Wishes: `stamps` are wanted; runs that are not quiet are to be made `warm` for the asker.
    """
    gc.disable()
    os.chdir(folder)  # Every path gets shorter, and sooner found.
    parts = shared(os.listdir(), shares)
    while (ticket := next_ticket(TICKETS)) is not None:
        answer: list[tuple[str, QuietRun | tuple[object, ...] | None]] = []
        for name in parts[ticket]:
            quiet = read_quiet(name, keeps_stamps="stamps" in wishes)
            answer.append((name, None if quiet is None else tuple(quiet)))
            if quiet is None and "warm" in wishes:
                _warm(name, _DEPTH)
        _write(marshal.dumps(answer))


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
