"""A watcher in a thread, what it posts, and a notifier that a test drives."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from decide_setup import registry
from textual.message import Message

from stopview_core.snapshot import Scanner
from stopview_tui.messages import SnapshotChanged, WatchReported
from stopview_tui.watch.notifier import Hints, NotWatchable, Stop
from stopview_tui.watch.watcher import Tuning, Watcher

M = TypeVar("M", bound=Message)
AT_MOST_S = 30
SOON = Tuning(
    heartbeat=0.05,
    rewritten_after=0.05,
    poll_every=0.02,
    heal_after=0.1,
    heal_at_least_every=0.2,
)
"""Short times, so that a test need not wait; nothing rests on their length."""


class Told:
    """What a watcher posted, in order; a test waits for what it needs, however long it takes."""

    def __init__(self) -> None:
        self._queue: queue.Queue[Message] = queue.Queue()
        self.all: list[Message] = []

    def post(self, message: Message) -> None:
        self._queue.put(message)

    def next(self, kind: type[M], is_wanted: Callable[[M], bool] = lambda _: True) -> M:
        """The next message of a kind that is wanted."""
        until = time.monotonic() + AT_MOST_S
        while time.monotonic() < until:
            message = self._queue.get(timeout=AT_MOST_S)
            self.all.append(message)
            if isinstance(message, kind) and is_wanted(message):
                return message
        raise AssertionError(f"it never came; told were {self.all[-20:]}")

    def next_state(self, state: str) -> WatchReported:
        """The next report of this state."""
        return self.next(WatchReported, lambda report: report.health.state == state)

    def next_with(self, name: str, is_so: Callable[[Any], bool]) -> SnapshotChanged:
        """The next picture in which the run of that folder is there and is so."""

        def wanted(message: SnapshotChanged) -> bool:
            found = [run for path, run in message.snapshot.runs.items() if Path(path).name == name]
            return bool(found) and is_so(found[0])

        return self.next(SnapshotChanged, wanted)


@contextmanager
def watching(roots: Sequence[Path], **more: Any) -> Iterator[tuple[Watcher, Told]]:
    """A watcher over roots, running until the test is done with it."""
    told = Told()
    more.setdefault("tuning", SOON)
    watcher = Watcher(Scanner(roots, registry()), told.post, **more)
    thread = threading.Thread(target=watcher.run)
    thread.start()
    try:
        yield watcher, told
    finally:
        watcher.stop()
        thread.join(AT_MOST_S)
        assert not thread.is_alive()


class Script:
    """Opens notifiers that do as a test says: each refuses, breaks, or gives what is sent to it."""

    def __init__(self) -> None:
        self.refusals: list[Exception] = []
        self.sent: queue.Queue[Hints | Exception] = queue.Queue()
        self.opened: queue.Queue[tuple[str, ...]] = queue.Queue()
        self.open_count = 0

    def open(self, folders: Sequence[str]) -> Script:
        if self.refusals:
            raise self.refusals.pop(0)
        self.open_count += 1
        self.opened.put(tuple(folders))
        return self

    def wait(self, timeout_ms: int, stop: Stop) -> Hints:
        try:
            sent = self.sent.get(timeout=min(timeout_ms, 20) / 1000)
        except queue.Empty:
            return Hints()
        if isinstance(sent, Exception):
            raise sent
        return sent

    def close(self) -> None:
        self.open_count -= 1


LIMIT = NotWatchable("the system's limit of watches is reached")
