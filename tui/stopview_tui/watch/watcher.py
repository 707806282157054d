"""Owns the scanner in a thread of its own: follows events, reconciles, polls when it has to."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from textual.message import Message

from stopview_core.readings import RunReading
from stopview_core.snapshot import Diff, Scanner
from stopview_tui.messages import (
    Health,
    RunsRead,
    SnapshotChanged,
    WatchFailed,
    WatchReported,
    WatchState,
)
from stopview_tui.watch.mounts import is_silent
from stopview_tui.watch.notifier import Notifier, NotWatchable, OpenNotifier, open_notifier
from stopview_tui.watch.places import Places, budget
from stopview_tui.watch.signals import Batch, Interrupt, Stopped

ROOT_IS_GONE = "a root is not there"
NO_EVENTS_HERE = "this file system sends no events"
NOT_ALL = "more runs than can be watched"
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Tuning:
    """Times in seconds. What takes long is repeated less often: `rests` times what it took."""

    reconcile_every: float = 45.0
    heartbeat: float = 2.0
    rewritten_after: float = 1.0
    poll_every: float = 1.0
    poll_at_least_every: float = 30.0
    rests: float = 5.0
    heal_after: float = 5.0
    heal_at_least_every: float = 60.0


class Watcher:
    """Scans, then keeps the picture true until it is stopped; `run` blocks and posts messages.

    Every trouble with events ends in polling, said in a WatchReported, and is tried again later.
    Another thread may call `hint`, `refresh` and `stop`.
    """

    def __init__(
        self,
        scanner: Scanner,
        post: Callable[[Message], object],
        *,
        open_notifier: OpenNotifier = open_notifier,
        is_silent: Callable[[str], bool] = is_silent,
        tuning: Tuning = Tuning(),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.scanner = scanner
        self.roots = tuple(os.fspath(root) for root in scanner.roots)
        self._post = post
        self._open = open_notifier
        self._is_silent = is_silent
        self._tuning = tuning
        self._clock = clock
        self._places = Places(self.roots, budget())
        self._interrupt = Interrupt()
        self._reconcile_at = 0.0
        self._heal_in = tuning.heal_after
        self._took = 0.0
        self._has_scanned = False

    def stop(self) -> None:
        """End `run` soon."""
        self._interrupt.stop()

    def hint(self, paths: Iterable[str]) -> None:
        """These paths may have changed: look at once."""
        self._interrupt.ask(paths)

    def refresh(self) -> None:
        """Look at everything at once."""
        self._interrupt.ask(self.roots)

    def run(self) -> None:
        """Keep the picture true until stopped."""
        while not self._interrupt.is_stopped:
            try:
                if not self._has_scanned:
                    self._scan_first()
                self._keep()
            except Stopped:
                return
            except Exception as error:  # Whatever it is, the picture goes on, and says so.
                self._fail(error)

    def _scan_first(self) -> None:
        self._say("reading")
        batch = Batch(lambda runs: self._post(RunsRead(runs)), self._interrupt, self._clock)
        diff = self._timed(lambda: self.scanner.reconcile(batch.add))
        batch.flush()
        self._has_scanned = True
        self._post(SnapshotChanged(self.scanner.snapshot, diff, is_first=True))
        self._places.look(self._runs)

    @property
    def _runs(self) -> Mapping[str, RunReading]:
        return self.scanner.snapshot.runs

    # Following events

    def _keep(self) -> None:
        """Follow events, or poll while there are none, until stopped."""
        notifier: Notifier | None = None
        watched: dict[str, int] = {}
        try:
            while not self._interrupt.is_stopped:
                try:
                    notifier, watched = self._rearmed(notifier, watched)
                    self._follow(notifier, watched)
                except NotWatchable as trouble:
                    if notifier is not None:
                        notifier.close()
                    notifier, watched = None, {}
                    self._poll(str(trouble))
        finally:
            if notifier is not None:
                notifier.close()

    def _rearmed(
        self, before: Notifier | None, watched: dict[str, int]
    ) -> tuple[Notifier, dict[str, int]]:
        """Watch what is wanted now. The watch before ends only when the next one holds."""
        notifier = self._armed()
        wanted = dict(self._places.wanted)
        missed = {path for path, inode in wanted.items() if watched.get(path) != inode}
        if before is not None:
            missed |= before.wait(1, self._interrupt).paths
            before.close()
        # What came while nobody watched a folder is seen now; from now on, events tell.
        self._rescan(missed)
        self._say_live()
        return notifier, wanted

    def _armed(self) -> Notifier:
        for attempt in range(_TRIES):
            for root in self.roots:
                if root not in self._places.wanted:
                    raise NotWatchable(ROOT_IS_GONE)
                if self._is_silent(root):
                    raise NotWatchable(NO_EVENTS_HERE)
            try:
                return self._open(list(self._places.wanted))
            except NotWatchable as trouble:
                if not trouble.is_passing or attempt == _TRIES - 1:
                    raise
                self._places.look(self._runs)
        raise AssertionError("unreachable")

    def _follow(self, notifier: Notifier, watched: dict[str, int]) -> None:
        """Follow events until other folders have to be watched."""
        while self._places.wanted == watched:
            hints = notifier.wait(int(self._patience() * 1000), self._interrupt)
            asked = self._interrupt.take()
            if self._interrupt.is_stopped:
                return
            # A writer that stopped half-way sends no event any more: look again all the same.
            again = self.scanner.rewritten if not hints.paths else frozenset()
            self._rescan(hints.paths | asked | again)
            if hints.came_or_went & watched.keys() or self._is_other_root(watched):
                # A watched folder went, and may be back: its watch is not.
                self._reconcile()
                watched.clear()
                return
            if self._clock() >= self._reconcile_at:
                self._reconcile()
                self._say_live()
                self._heal_in = self._tuning.heal_after

    def _patience(self) -> float:
        """How long to wait for an event before something has to be done without one."""
        left = max(self._reconcile_at - self._clock(), 0.0)
        rest = self._tuning.rewritten_after if self.scanner.rewritten else self._tuning.heartbeat
        return min(left, rest)

    def _is_other_root(self, watched: dict[str, int]) -> bool:
        """Whether a root's path leads to another folder by now, or to none."""
        for root in self.roots:
            try:
                if os.stat(root).st_ino != watched[root]:
                    return True
            except OSError:
                return True
        return False

    # Polling

    def _poll(self, why: str) -> None:
        """Look at everything again and again, until events are worth another try."""
        heal_at = self._clock() + self._heal_in
        self._heal_in = min(self._heal_in * 2, self._tuning.heal_at_least_every)
        while not self._interrupt.is_stopped and self._clock() < heal_at:
            self._reconcile()
            if why == ROOT_IS_GONE and self._places.wanted.keys() >= set(self.roots):
                return
            self._say("polling", why)
            wished = max(self._tuning.poll_every, self._took * self._tuning.rests)
            self._interrupt.wait(min(wished, self._tuning.poll_at_least_every))
            self._interrupt.take()

    # Looking

    def _rescan(self, paths: Iterable[str]) -> None:
        listed = set(paths)
        if not listed:
            return
        before = self._runs
        self._take(self.scanner.rescan(listed))
        touched = {_run_of(path, self._runs) for path in listed}
        is_inside = None not in touched and self._runs.keys() == before.keys()
        self._places.look(self._runs, {run for run in touched if run} if is_inside else None)

    def _reconcile(self) -> None:
        self._take(self._timed(self.scanner.reconcile))
        self._places.look(self._runs)

    def _take(self, diff: Diff) -> None:
        if diff:
            self._post(SnapshotChanged(self.scanner.snapshot, diff))

    def _timed(self, scan: Callable[[], Diff]) -> Diff:
        began = self._clock()
        diff = scan()
        ended = self._clock()
        self._took = ended - began
        rest = max(self._tuning.reconcile_every, self._took * self._tuning.rests)
        self._reconcile_at = ended + rest
        return diff

    # Saying

    def _say_live(self) -> None:
        self._say("live", "" if self._places.has_all else NOT_ALL)

    def _say(self, state: WatchState, why: str = "") -> None:
        at = self.scanner.snapshot.at if self._has_scanned else None
        self._post(WatchReported(Health(state, why, at)))

    def _fail(self, error: Exception) -> None:
        why = f"{type(error).__name__}: {error}"
        self._post(WatchFailed(why, "".join(traceback.format_exception(error))))
        self._say("failed", why)
        self._interrupt.wait(self._heal_in)
        self._heal_in = min(self._heal_in * 2, self._tuning.heal_at_least_every)


def _run_of(path: str, runs: Mapping[str, RunReading]) -> str | None:
    at = path
    while at and at != os.path.dirname(at):
        if at in runs:
            return at
        at = os.path.dirname(at)
    return None
