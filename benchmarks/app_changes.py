"""Rows about a change on disk while the app is open: what it costs, and how soon it is seen."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from benchmarks import terminal
from benchmarks.commands import STOPVIEW
from benchmarks.data import Data
from benchmarks.listed import Changing, Listed, changing, listed
from benchmarks.terminal import Terminal, opened, settle
from benchmarks.values import Outcome, Row, Samples, interleaved

Measure: TypeAlias = Callable[[Row, Data], Outcome]

CHANGES = 40
IN_VIEW, OUT_OF_VIEW = 3, -3
"""Places in the list: on the first page but not under the cursor, and far below."""
_END, _PAUSE_S = b"G", 0.15
_BATCH = 10


class Watched:
    """The app over some runs, one of which is changed; use it in `watching`."""

    def __init__(self, screen: Terminal, change: Changing, branch: Listed) -> None:
        self.screen, self.change, self.branch = screen, change, branch

    def seen_after_ms(self) -> float:
        """Change it; milliseconds from the rename until its row was written."""
        self.change.prepare()
        self.screen.forget()
        began = time.monotonic_ns()
        self.change.put()
        took = (self.screen.wait_for(self.branch.text) - began) / 1e6
        self.screen.read_for(_PAUSE_S + random.uniform(0.0, 0.03))
        assert bool(self.change.FLAG.search(self.screen.seen)) == self.change.is_altered
        return took

    def cpu_ms(self) -> float:
        """Processor time for one change, less what the app uses in as much time without any."""
        used = self._used_ms(is_changing=True)
        return (used - self._used_ms(is_changing=False)) / _BATCH

    def _used_ms(self, *, is_changing: bool) -> float:
        before = self.screen.cpu_ns()
        for _ in range(_BATCH):
            if is_changing:
                self.change.prepare()
                self.change.put()
            self.screen.read_for(_PAUSE_S)
        return (self.screen.cpu_ns() - before) / 1e6

    def check_was_followed(self) -> None:
        """Change it once more, and go where it stands: the list must know."""
        self.change.prepare()
        self.change.put()
        self.screen.read_until_quiet(1.0)
        self.screen.forget()
        self.screen.type(_END)
        self.screen.wait_for(self.branch.text)
        self.screen.read_until_quiet(0.5)
        assert bool(self.change.FLAG.search(self.screen.seen)) == self.change.is_altered


@contextmanager
def watching(root: Path, place: int) -> Iterator[Watched]:
    """The app over these runs, settled, and the run at that place of the list to change."""
    branch = listed(root)[place]
    with changing(branch) as change, opened((STOPVIEW, str(root))) as screen:
        settle(screen)
        yield Watched(screen, change, branch)


@lru_cache(maxsize=1)
def _rounds(data: Data) -> list[list[float]]:
    """Milliseconds until each change was seen, in rounds of CHANGES, the first ones unmeasured."""
    with watching(data.many(), IN_VIEW) as watched:
        for _ in range(4):
            watched.seen_after_ms()
        rounds = max(data.repeat // 2, 3)
        return [[watched.seen_after_ms() for _ in range(CHANGES)] for _ in range(rounds)]


def until_seen(percentile: int) -> Measure:
    """A row function: that percentile of each round."""

    def measure(row: Row, data: Data) -> Outcome:
        rounds = _rounds(data)
        values = tuple(statistics.quantiles(one, n=100)[percentile - 1] for one in rounds)
        return Outcome(row, Samples(values), more={"rounds": rounds})

    return measure


def cpu(place: int) -> Measure:
    """A row function: processor time for one change at that place of the list, many runs."""

    def measure(row: Row, data: Data) -> Outcome:
        if not terminal.is_measurable():
            return Outcome(row, skipped=terminal.WHY_NOT)
        with watching(data.many(), place) as watched:
            watched.cpu_ms()
            values = tuple(watched.cpu_ms() for _ in range(data.repeat))
            if place == OUT_OF_VIEW:
                watched.check_was_followed()
        return Outcome(row, Samples(values))

    return measure


def cpu_growth(row: Row, data: Data) -> Outcome:
    """Processor time for one change in view among many runs against among a tenth of them."""
    if not terminal.is_measurable():
        return Outcome(row, skipped=terminal.WHY_NOT)
    with (
        watching(data.many(), IN_VIEW) as many,
        watching(data.runs(data.size // 10), IN_VIEW) as few,
    ):
        # One change costs twice what another does: a ratio of so little needs more of them.
        taken, floor = interleaved(many.cpu_ms, few.cpu_ms, data.repeat * 3)
    return Outcome(row, taken, floor)


ROWS = (
    Row(
        "seen-p50",
        "a change on disk until its row is written, half",
        25,
        until_seen(50),
        is_ratio=False,
    ),
    Row(
        "seen-p95",
        "a change on disk until its row is written, 95 %",
        50,
        until_seen(95),
        is_ratio=False,
    ),
    Row(
        "cpu-in-view",
        "CPU of the app for one changed file, in view",
        5,
        cpu(IN_VIEW),
        is_ratio=False,
    ),
    Row(
        "cpu-out-of-view",
        "CPU of the app for one changed file, out of view",
        1,
        cpu(OUT_OF_VIEW),
        is_ratio=False,
    ),
    Row(
        "cpu-growth",
        "CPU for one changed file / among a tenth of the runs",
        1.2,
        cpu_growth,
    ),
)
