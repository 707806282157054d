"""Reads the quiet runs of one folder beside the process that asked for it (see `quiet_helpers`)."""

from __future__ import annotations

import gc
import marshal
import os
from zlib import crc32

from stopview_core.quiet import QuietRun, read_quiet

TICKETS, ANSWERS = 0, 1
"""The descriptors it is started with: shares to take, a byte each, and where answers go."""

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


def main(folder: str, shares: int, keeps_stamps: bool) -> None:
    """Take shares until none is left; answer what each name in them is."""
    gc.disable()
    parts = shared(os.listdir(folder), shares)
    while (ticket := next_ticket(TICKETS)) is not None:
        answer: list[tuple[str, QuietRun | tuple[object, ...] | None]] = []
        for name in parts[ticket]:
            quiet = read_quiet(f"{folder}/{name}", keeps_stamps=keeps_stamps)
            answer.append((name, None if quiet is None else tuple(quiet)))
        _write(marshal.dumps(answer))


def _write(data: bytes) -> None:
    left = memoryview(len(data).to_bytes(LENGTH, "big") + data)
    while left:
        left = left[os.write(ANSWERS, left) :]
