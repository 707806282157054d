"""Owns the scanner in a thread of its own: follows events, reconciles, polls when it has to."""

from __future__ import annotations

import os
import threading
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
from stopview_tui.watch.places import Places, budget, identity_of
from stopview_tui.watch.signals import Batch, Interrupt, Stopped

ROOT_IS_GONE = "a root is not there"
NO_EVENTS_HERE = "this file system sends no events"
NOT_ALL = "more runs than can be watched"
_TRIES = 5
_NEVER = threading.Event()
"""A stop that never comes: what was seen already is taken, whatever is asked meanwhile."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """Times in seconds. What takes long is repeated less often: so many times what it took.

    Everything is looked at again every `reconcile_soonest` to `reconcile_latest`, the sooner the
    less it takes (`reconcile_rests`): events get lost, and runs that rest are hardly watched.
    While things change it is the soonest, where it takes no more than `is_quick`. `doubtful` is
    after how many hints the kernel's queue may have run over, `many` how many places are looked at
    one by one.
    """

    reconcile_soonest: float = 2.0
    reconcile_latest: float = 45.0
    reconcile_rests: float = 100.0
    is_quick: float = 0.25
    heartbeat: float = 1.0
    rewritten_after: float = 0.25
    poll_every: float = 1.0
    poll_at_least_every: float = 30.0
    rests: float = 5.0
    heal_after: float = 5.0
    heal_at_least_every: float = 60.0
    say_again_after: float = 45.0
    doubtful: int = 2_000
    many: int = 256


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
        self._watched: Mapping[str, int] = {}
        self._reconcile_at = 0.0
        self._look_again_at = 0.0
        self._hinted = 0
        self._heal_in = tuning.heal_after
        self._took = 0.0
        self._reconciled_at = 0.0
        self._has_scanned = False
        self._said: tuple[WatchState, str] | None = None
        self._say_again_at = 0.0

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
        began = self._clock()
        diff = self.scanner.reconcile(batch.add)
        batch.flush()
        self._has_scanned = True
        self._post(SnapshotChanged(self.scanner.snapshot, diff, is_first=True))
        self._end_look(began)

    @property
    def _runs(self) -> Mapping[str, RunReading]:
        return self.scanner.snapshot.runs

    # Following events

    def _keep(self) -> None:
        """Follow events, or poll while there are none, until stopped."""
        notifier: Notifier | None = None
        self._watched = {}
        try:
            while not self._interrupt.is_stopped:
                try:
                    notifier = self._rearmed(notifier)
                    self._follow(notifier)
                except NotWatchable as trouble:
                    if notifier is not None:
                        notifier.close()
                    notifier, self._watched = None, {}
                    self._poll(str(trouble))
        finally:
            if notifier is not None:
                notifier.close()

    def _rearmed(self, before: Notifier | None) -> Notifier:
        """Watch what is wanted now. The watch before ends only when the next one holds."""
        notifier = self._armed()
        wanted, watched = self._places.wanted, self._watched
        missed = {path for path, identity in wanted.items() if watched.get(path) != identity}
        if before is not None:
            try:
                missed |= before.wait(1, _NEVER).paths
            except NotWatchable:
                notifier.close()
                raise
            before.close()
        self._watched = wanted
        # What came while nobody watched a folder is seen now; from now on, events tell.
        self._rescan(missed)
        self._say_live()
        return notifier

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
                self._places.drop_missing()
        raise AssertionError("unreachable")

    def _follow(self, notifier: Notifier) -> None:
        """Follow events until other folders have to be watched."""
        while self._places.wanted is self._watched:
            hints = notifier.wait(int(self._patience() * 1000), self._interrupt)
            asked = self._interrupt.take()
            if self._interrupt.is_stopped:
                return
            self._hinted += len(hints.paths)
            self._rescan(hints.paths | asked | self._to_look_at_again())
            self._take_off(hints.came_or_went)
            if self._is_other_root():
                self._watched = {}
                self._reconcile()
            elif self._clock() >= self._due():
                self._check()

    def _to_look_at_again(self) -> frozenset[str]:
        """Runs met half written: a writer that stopped half-way sends no event any more."""
        if not self.scanner.rewritten or self._clock() < self._look_again_at:
            return frozenset()
        self._look_again_at = self._clock() + self._tuning.rewritten_after
        return self.scanner.rewritten

    def _patience(self) -> float:
        """How long to wait for an event before something has to be done without one."""
        now = self._clock()
        rest = self._tuning.heartbeat
        if self.scanner.rewritten:
            rest = min(rest, self._look_again_at - now)
        return max(min(self._due() - now, rest), 0.0)

    def _take_off(self, came_or_went: frozenset[str]) -> None:
        """A watched folder that went may be back already: its watch is not, nor those below."""
        gone = [path for path in came_or_went if path in self._watched]
        if gone:
            is_below = tuple(f"{path}/" for path in gone)
            self._watched = {
                path: identity
                for path, identity in self._watched.items()
                if path not in came_or_went and not path.startswith(is_below)
            }

    def _is_other_root(self) -> bool:
        """Whether a root's path leads to another folder by now, or to none, with no event."""
        known = self._watched
        return any(root in known and identity_of(root) != known[root] for root in self.roots)

    def _due(self) -> float:
        """When everything is looked at again: soon, where events may have been lost."""
        if self._hinted >= self._tuning.doubtful:
            soon = self._reconciled_at + max(self._took * self._tuning.rests, 1.0)
            return min(soon, self._reconcile_at)
        return self._reconcile_at

    def _check(self) -> None:
        """Look at everything. Where events were lost, watches may be too: all are set anew."""
        is_doubtful = self._hinted >= self._tuning.doubtful
        has_missed = self._reconcile()
        if is_doubtful or has_missed:
            self._watched = {}
        else:
            self._heal_in = self._tuning.heal_after
        self._say_live()

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
        held = {path: _run_of(path, before) for path in listed}
        hinted = {run or path for path, run in held.items()}
        if len(hinted) > self._tuning.many:
            counted = self._hinted
            self._reconcile()
            # The burst may go on: whether it was too much for the queue is judged after it.
            self._hinted = counted
            return
        diff = self.scanner.rescan(listed)
        self._take(diff)
        runs = {run for run in held.values() if run is not None}
        is_inside = None not in held.values() and not diff.added and not diff.removed
        self._places.look_at(
            self._runs, runs | diff.added | diff.changed | diff.removed, is_inside=is_inside
        )

    def _reconcile(self) -> bool:
        """Look at everything; whether anything was other than in the picture."""
        began = self._clock()
        diff = self.scanner.reconcile()
        self._take(diff)
        self._end_look(began)
        return bool(diff)

    def _take(self, diff: Diff) -> None:
        if diff:
            self._post(SnapshotChanged(self.scanner.snapshot, diff))

    def _end_look(self, began: float) -> None:
        """Everything was looked at: list what to watch, and say when to look again."""
        tuning = self._tuning
        self._places.look(self._runs)
        now = self._reconciled_at = self._clock()
        self._took = now - began
        is_pressing = self._hinted > 0 and self._took <= tuning.is_quick
        self._hinted = 0
        least = 0.0
        if self._places.has_all and not is_pressing:
            least = min(self._took * tuning.reconcile_rests, tuning.reconcile_latest)
        rest = max(tuning.reconcile_soonest, least, self._took * tuning.rests)
        self._reconcile_at = now + rest

    # Saying

    def _say_live(self) -> None:
        self._say("live", "" if self._places.has_all else NOT_ALL)

    def _say(self, state: WatchState, why: str = "") -> None:
        """Say how the picture is kept; the same again only now and then, to tell its age."""
        now = self._clock()
        if self._said == (state, why) and now < self._say_again_at:
            return
        self._said, self._say_again_at = (state, why), now + self._tuning.say_again_after
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
