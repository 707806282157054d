"""Keeps long work in a thread from holding up the one that answers the keys."""

from __future__ import annotations

import gc
import heapq
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

R = TypeVar("R")

STEP = 4_000
"""How many things are sorted in one go: a sort lets no other thread run before it is done."""


@contextmanager
def collector_off() -> Iterator[None]:
    """Without Python's collector: a collection stops every thread for as long as it takes.

    What is made meanwhile should live long and hold no cycles.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def sorted_in_steps(things: Sequence[R], key: Callable[[R], Any], step: int = STEP) -> list[R]:
    """As `sorted`, in steps between which other threads may run."""
    steps = [sorted(things[at : at + step], key=key) for at in range(0, len(things), step)]
    return list(heapq.merge(*steps, key=key))
