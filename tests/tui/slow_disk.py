"""A disk that answers only when a test lets it, and knows which thread asked."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import stopview_core
import stopview_tui

# What Python and the packages read of themselves (modules, style sheets) is no file of a person.
_OWN = tuple(
    os.path.realpath(folder)
    for folder in (
        sys.prefix,
        sys.base_prefix,
        *stopview_core.__path__,
        *stopview_tui.__path__,
        "/dev",
    )
)
_STAT_CALLS = ("stat", "lstat", "access", "readlink")
_EVENTS = frozenset(
    {
        "open",
        "os.scandir",
        "os.listdir",
        "os.mkdir",
        "os.rename",
        "os.remove",
        "os.link",
        "os.rmdir",
        "subprocess.Popen",
    }
)
AT_MOST_S = 60


class Disk:
    """What was asked of the disk. Threads wait while it is `shut`; the test's own never does.

    `on_loop` holds each call that the test's thread, and so the event loop, made itself.
    """

    def __init__(self) -> None:
        self.loop_thread = threading.get_ident()
        self.on_loop: list[str] = []
        self.waiting = 0
        self._is_open = threading.Event()
        self._is_open.set()

    def shut(self) -> None:
        """From now on nothing is answered."""
        self._is_open.clear()

    def open(self) -> None:
        """Answer everything, also what waits."""
        self._is_open.set()

    def asked(self, call: str, path: object) -> None:
        """Somebody wants something of a path."""
        if not _is_of_a_person(call, path):
            return
        if threading.get_ident() == self.loop_thread:
            self.on_loop.append(f"{call} {path!r}\n{_callers()}")
            return
        if self._is_open.is_set():
            return
        self.waiting += 1
        assert self._is_open.wait(AT_MOST_S)
        self.waiting -= 1


_active: Disk | None = None
_is_hooked = False


@contextmanager
def watched_disk() -> Iterator[Disk]:
    """A disk in front of everything that this process does with files, until the block ends."""
    global _active
    _hook_once()
    disk = Disk()
    kept = {name: getattr(os, name) for name in _STAT_CALLS}
    for name, real in kept.items():
        setattr(os, name, _telling(name, real, disk))
    _active = disk
    try:
        yield disk
    finally:
        disk.open()
        _active = None
        for name, real in kept.items():
            setattr(os, name, real)


def _hook_once() -> None:
    # A hook cannot be taken off again; without an active disk it does nothing.
    global _is_hooked
    if not _is_hooked:
        _is_hooked = True
        sys.addaudithook(_heard)


def _heard(event: str, args: tuple[Any, ...]) -> None:
    disk = _active
    if disk is not None and event in _EVENTS:
        disk.asked(event, args[0])


def _telling(name: str, real: Callable[..., Any], disk: Disk) -> Callable[..., Any]:
    """A system call that Python raises no audit event for."""

    def call(path: Any, *args: Any, **more: Any) -> Any:
        disk.asked(f"os.{name}", path)
        return real(path, *args, **more)

    return call


def _is_of_a_person(call: str, path: object) -> bool:
    if call == "subprocess.Popen":
        return True
    if isinstance(path, int):  # A descriptor: opening it was told already.
        return False
    if isinstance(path, bytes | str | Path):
        text = os.fsdecode(path)
        # A path that is not absolute belongs to a descriptor of a run's folder; those above the
        # app's own are looked at on the way to its style sheets.
        return not text.startswith(_OWN) and not any(own.startswith(text) for own in _OWN)
    return False


def _callers() -> str:
    """Where the call came from, the nearest first; the traceback module would read files."""
    frame, told = sys._getframe(2), []
    while frame is not None and len(told) < 12:
        told.append(f"  {frame.f_code.co_filename}:{frame.f_lineno} {frame.f_code.co_name}")
        frame = frame.f_back
    return "\n".join(told)


def ask_git() -> None:
    """Something that must be noticed: a process is started."""
    subprocess.run(["true"], check=False)
