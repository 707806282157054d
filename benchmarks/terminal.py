"""Runs a program in a pseudo-terminal of fixed size: when it wrote what, and what that cost."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

LINES, COLUMNS = 44, 160
PATIENCE_S = 60.0
LIVE = re.compile("● live".encode())
_KEPT = ("PATH", "LANG", "LC_ALL", "PYTHONPATH", "VIRTUAL_ENV")
_SCHEDULED_TIME = 2
_TICK_NS = 10**9 // os.sysconf("SC_CLK_TCK")
WHY_NOT = "processor time and memory of another process are told by /proc, which is not here"


def is_measurable() -> bool:
    """Whether the system tells what another process uses."""
    return sys.platform == "linux" and Path("/proc/self/smaps_rollup").exists()


class Terminal:
    """A program in a terminal of its own. `seen` is what it wrote since `forget`.

    Nothing is answered that the program asks of its terminal.
    """

    def __init__(self, command: Sequence[str], home: Path) -> None:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self._fd = ours
        self.seen = bytearray()
        self.began_ns = time.monotonic_ns()
        self._child = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=_environment(home),
            start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self.pid = self._child.pid

    def wait_for(self, wanted: re.Pattern[bytes]) -> int:
        """Read until it was written since `forget`; the monotonic nanoseconds of that moment."""
        until = time.monotonic() + PATIENCE_S
        while not wanted.search(self.seen):
            if not self._read(until - time.monotonic()):
                raise TimeoutError(f"{wanted.pattern!r} was never written: {self._end()!r}")
        return time.monotonic_ns()

    def read_for(self, seconds: float) -> int:
        """Read for that long; how many bytes came."""
        before = len(self.seen)
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._read(left)
        return len(self.seen) - before

    def read_until_quiet(self, seconds: float) -> None:
        """Read until nothing was written for that long."""
        until = time.monotonic() + PATIENCE_S
        while self._read(seconds):
            if time.monotonic() > until:
                raise TimeoutError(f"it never was quiet: {self._end()!r}")

    def forget(self) -> None:
        """Drop what was read."""
        self.seen.clear()

    def type(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self._fd, keys)

    def cpu_ns(self) -> int:
        """Processor time up to now, of all its threads and of its helper processes."""
        stat = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        ended = (int(stat[13]) + int(stat[14])) * _TICK_NS
        return _clock_ns(self.pid) + ended + sum(_clock_ns(pid) for pid in _below(self.pid))

    def resident_bytes(self) -> int:
        """Its resident memory (Rss of smaps_rollup)."""
        text = Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        line = next(line for line in text.splitlines() if line.startswith("Rss:"))
        return int(line.split()[1]) * 1024

    def close(self) -> None:
        """End it at once, and what it started."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._child.wait()
        os.close(self._fd)

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._fd], [], [], max(seconds, 0.0))
        if ready:
            try:
                self.seen += os.read(self._fd, 1 << 16)
            except OSError as error:
                raise RuntimeError(f"it ended: {self._end()!r}") from error
        return bool(ready)

    def _end(self) -> bytes:
        return bytes(self.seen[-300:])


@contextmanager
def opened(command: Sequence[str]) -> Iterator[Terminal]:
    """The program in a terminal, with a home of its own: no settings of a person count."""
    with tempfile.TemporaryDirectory(prefix="stopview-home-") as home:
        terminal = Terminal(command, Path(home))
        try:
            yield terminal
        finally:
            terminal.close()


def settle(screen: Terminal) -> None:
    """Wait until stopview follows events and writes nothing more; then forget what was written."""
    screen.wait_for(LIVE)
    screen.read_until_quiet(1.0)
    screen.forget()


def _environment(home: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {
        **kept,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_DATA_HOME": str(home / "data"),
        "TERM": "xterm-256color",
    }


def _clock_ns(pid: int) -> int:
    """The processor time of a process, threads that ended too; 0 where it is gone."""
    try:
        return time.clock_gettime_ns(~pid << 3 | _SCHEDULED_TIME)
    except OSError:
        return 0


def _below(pid: int) -> Iterator[int]:
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = tasks.read_text().split()
        except OSError:
            continue
        for child in map(int, children):
            yield child
            yield from _below(child)
