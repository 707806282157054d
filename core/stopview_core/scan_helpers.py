"""Shares the reading of many runs with helper processes: a thread would gain nothing here."""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from stopview_core.quiet import QuietRun, read_quiet
from stopview_core.scan_worker import (
    ANSWERS,
    LENGTH,
    REGISTRY,
    TICKETS,
    next_ticket,
    shared,
)

if TYPE_CHECKING:
    from stopview_core.keeper import Whole
    from stopview_core.registry.model import Registry

WORTH_HELP = 2_000
"""Fewer runs are read sooner than a helper has started."""

_SHARES = 250
_MOST = 7
_CHUNK = 1 << 20
_DRAIN_EVERY = 8
_CODE = (
    "import sys; sys.path.insert(0, sys.argv[1]); from stopview_core.scan_worker import main; "
    "main(sys.argv[2], int(sys.argv[3]), sys.argv[4].split(), sys.argv[5])"
)

Answer: TypeAlias = "tuple[str, QuietRun | Whole | None]"


@contextmanager
def early_helpers(
    roots: Iterable[os.PathLike[str]], *, keeps_stamps: bool
) -> Iterator[dict[str, Helpers]]:
    """Helpers that read the large folders among the roots already while their asker gets ready.

    A scanner needs stamps, `scan_once` keeps none. Who reads a folder takes its helpers out; those
    that nobody took are ended.
    """
    early: dict[str, Helpers] = {}
    try:
        for root in map(os.fspath, roots):
            if root not in early and _is_worth_help(root):
                early[root] = Helpers(root, keeps_stamps)
                early[root].start(_processors() - 1)
        yield early
    finally:
        for helpers in early.values():
            helpers.end()


def read_many(
    folder: str,
    names: Sequence[str],
    registry: Registry,
    keeps_stamps: bool,
    early: Helpers | None = None,
) -> Iterator[Answer]:
    """Each name with what was read of it, in no order; None where it has to be looked at here.

    What a helper read is whole where the run is not quiet; what is read here is quiet or nothing.
    `early` are helpers of this folder that were started before. With one processor, or where no
    process can be started, everything is read here.
    """
    spare = _processors() - 1
    if early is None and (spare < 1 or len(names) < WORTH_HELP):
        for name in names:
            yield name, read_quiet(f"{folder}/{name}", keeps_stamps=keeps_stamps)
        return
    helpers = early or Helpers(folder, keeps_stamps)
    try:
        helpers.give(registry)
        helpers.start(spare)
        yield from _together(list(names), helpers)
    finally:
        helpers.end()


def _together(names: list[str], helpers: Helpers) -> Iterator[Answer]:
    waiting = set(names)
    parts = shared(names, _SHARES)
    is_first = True
    while (ticket := next_ticket(helpers.tickets)) is not None:
        waited = _waits() if is_first else 0
        answers: list[Answer] = []
        for place, name in enumerate(parts[ticket]):
            if place % _DRAIN_EVERY == 0:
                helpers.collect()
            answers.append((name, helpers.read(name)))
        if is_first and _waits() - waited > len(parts[ticket]):
            # The disk is waited for again and again: many can wait at once.
            helpers.start(_MOST, is_cold=True)
        is_first = False
        yield from _wanted(answers, waiting)
        # A share can be read by anyone, what came only be used here: so that goes first.
        while found := helpers.come():
            yield from _wanted(found, waiting)
    while waiting and helpers.wait():
        yield from _wanted(helpers.taken(), waiting)
    for name in sorted(waiting):
        yield name, helpers.read(name)


def _wanted(answers: list[Answer], waiting: set[str]) -> list[Answer]:
    """Those answers that are waited for; a helper also meets links, files, and what is new."""
    found = [answer for answer in answers if answer[0] in waiting]
    waiting.difference_update([name for name, _ in found])
    return found


class Helpers:
    """The helper processes of one folder, and what came from them."""

    def __init__(self, folder: str, keeps_stamps: bool) -> None:
        self._folder = folder
        self._keeps_stamps = keeps_stamps
        self._pids: list[int] = []
        self._answers: dict[int, bytearray] = {}
        self._registries: list[int] = []
        self._registry: Registry | None = None
        self._found: list[Answer] = []
        self.tickets, tickets = os.pipe()
        os.write(tickets, bytes(range(_SHARES)))
        os.close(tickets)

    def start(self, count: int, *, is_cold: bool = False) -> None:
        """Have so many helpers; quietly fewer where one cannot be started.

        Where the disk `is_cold` they also read, for their asker, what is left to it.
        """
        with suppress(OSError):
            while len(self._pids) < min(count, _MOST):
                self._start_one(is_cold)

    def give(self, registry: Registry) -> None:
        """What the helpers need to read a run that is not quiet; they wait for it there."""
        self._registry = registry
        self._hand_on()

    def _hand_on(self) -> None:
        """Give it to those that wait; one that would not take it in at once does without."""
        if self._registry is None or not self._registries:
            return
        import pickle

        data = pickle.dumps(self._registry, pickle.HIGHEST_PROTOCOL)
        while self._registries:
            pipe = self._registries.pop()
            with suppress(OSError):
                os.write(pipe, len(data).to_bytes(LENGTH, "big") + data)
            os.close(pipe)

    def _start_one(self, is_cold: bool) -> None:
        source = str(Path(__file__).resolve().parent.parent)
        wishes = f"{'stamps' if self._keeps_stamps else ''} {'warm' if is_cold else ''}"
        encoding = sys.getfilesystemencoding()
        arguments = [source, self._folder, str(_SHARES), wishes, encoding]
        # The environment is not asked for it where -I is given.
        mode = f"utf8={sys.flags.utf8_mode}"
        answers, end = os.pipe()
        registry, given = os.pipe()
        try:
            pid = os.posix_spawn(
                sys.executable,
                [sys.executable, "-I", "-X", mode, "-c", _CODE, *arguments],
                os.environ,
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, self.tickets, TICKETS),
                    (os.POSIX_SPAWN_DUP2, end, ANSWERS),
                    (os.POSIX_SPAWN_DUP2, registry, REGISTRY),
                    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                ],
            )
        except OSError:
            os.close(answers)
            os.close(given)
            raise
        finally:
            os.close(end)
            os.close(registry)
        for pipe in (answers, given):
            os.set_blocking(pipe, False)
            _make_roomy(pipe)
        self._pids.append(pid)
        self._answers[answers] = bytearray()
        self._registries.append(given)
        self._hand_on()

    def read(self, name: str) -> QuietRun | None:
        """The quiet reading, read here."""
        return read_quiet(f"{self._folder}/{name}", keeps_stamps=self._keeps_stamps)

    def collect(self) -> bool:
        """Take in what has come; whether any helper may still answer."""
        for pipe, held in list(self._answers.items()):
            try:
                while data := os.read(pipe, _CHUNK):
                    held += data
            except BlockingIOError:
                continue
            except OSError:
                pass
            finally:
                self._unpack(held)
            os.close(pipe)
            del self._answers[pipe]
        return bool(self._answers)

    def wait(self) -> bool:
        """Wait until something has come; whether there is anything to take or wait for."""
        import select

        if self._answers and not self._found:
            select.select(list(self._answers), [], [])
        return self.collect() or bool(self._found)

    def come(self) -> list[Answer]:
        """The answers that have come by now and were not taken yet."""
        self.collect()
        return self.taken()

    def taken(self) -> list[Answer]:
        """The answers that were collected and not taken yet."""
        found, self._found = self._found, []
        return found

    def end(self) -> None:
        """Nothing of the helpers stays behind."""
        os.close(self.tickets)
        for pipe in (*self._answers, *self._registries):
            os.close(pipe)
        for pid in self._pids:
            with suppress(OSError):
                os.kill(pid, 9)
                os.waitpid(pid, 0)

    def _unpack(self, held: bytearray) -> None:
        at = 0
        while len(held) - at >= LENGTH:
            size = int.from_bytes(held[at : at + LENGTH], "big")
            if len(held) - at - LENGTH < size:
                break
            at += LENGTH
            self._take(*marshal.loads(held[at : at + size]))
            at += size
        del held[:at]

    def _take(self, answer: list[tuple[str, tuple[Any, ...] | None]], wholes: bytes) -> None:
        found: dict[str, Whole] = {}
        if wholes and self._registry is not None:
            from stopview_core.packing import unpacked

            found = unpacked(wholes, self._registry)
        for name, quiet in answer:
            self._found.append((name, found.get(name) if quiet is None else QuietRun(*quiet)))


def _make_roomy(pipe: int) -> None:
    """Room for what comes before its asker is ready; without it a helper just waits sooner."""
    with suppress(ImportError, AttributeError, OSError):
        from fcntl import F_SETPIPE_SZ, fcntl

        fcntl(pipe, F_SETPIPE_SZ, _CHUNK)


def _is_worth_help(folder: str) -> bool:
    try:
        return _processors() > 1 and len(os.listdir(folder)) >= WORTH_HELP
    except OSError:
        return False


def _waits() -> int:
    """How often this thread has given up the processor to wait for something."""
    import resource

    whose = getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF)
    return resource.getrusage(whose).ru_nvcsw


def _processors() -> int:
    if not sys.executable or not hasattr(os, "posix_spawn"):
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
