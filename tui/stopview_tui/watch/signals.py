"""What passes between the watcher's thread and the others: asking it, and its first rows."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from stopview_core.readings import RunReading


class Stopped(Exception):
    """Ends a scan in the middle, because nobody waits for it any more."""


class Interrupt:
    """Ends the watcher's waits: for good, or because somebody asked it to look now."""

    def __init__(self) -> None:
        self._wake = threading.Event()
        self._lock = threading.Lock()
        self._asked: set[str] = set()
        self.is_stopped = False

    def is_set(self) -> bool:
        """Whether a wait should end."""
        return self._wake.is_set()

    def stop(self) -> None:
        """End every wait from now on."""
        self.is_stopped = True
        self._wake.set()

    def ask(self, paths: Iterable[str]) -> None:
        """End the wait to look at these paths."""
        with self._lock:
            self._asked.update(paths)
        self._wake.set()

    def take(self) -> frozenset[str]:
        """The paths asked for since the last time."""
        with self._lock:
            asked, self._asked = frozenset(self._asked), set()
            if not self.is_stopped:
                self._wake.clear()
        return asked

    def wait(self, seconds: float) -> None:
        """Wait, unless interrupted."""
        self._wake.wait(seconds)


class Batch:
    """Hands the runs of the first scan on in batches, so that the first rows show early.

    The first is small, and each may take twice as long as the one before, up to `rarest` seconds:
    what is drawn for each is taken from the scan.
    """

    def __init__(
        self,
        hand_on: Callable[[tuple[RunReading, ...]], object],
        interrupt: Interrupt,
        clock: Callable[[], float],
        *,
        first: int = 64,
        every: float = 0.05,
        rarest: float = 0.4,
    ) -> None:
        self._hand_on = hand_on
        self._interrupt = interrupt
        self._clock = clock
        self._first: int | None = first
        self._every, self._rarest = every, rarest
        self._runs: list[RunReading] = []
        self._since = clock()

    def add(self, run: RunReading) -> None:
        """One more run. Stopped when the watcher is to end."""
        if self._interrupt.is_stopped:
            raise Stopped
        self._runs.append(run)
        is_first = len(self._runs) == self._first
        if is_first or self._clock() - self._since >= self._every:
            self.flush()
            self._first, self._every = None, min(self._every * 2, self._rarest)

    def flush(self) -> None:
        """Hand on what there is."""
        if self._runs:
            self._hand_on(tuple(self._runs))
        self._runs = []
        self._since = self._clock()
