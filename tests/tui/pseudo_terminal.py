"""A program in a pseudo-terminal, for tests of the real thing."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

PATIENCE_S = 60


class Terminal:
    """A program in a pseudo-terminal, and all it has written so far."""

    def __init__(self, fd: int, child: subprocess.Popen[bytes]) -> None:
        self.fd = fd
        self.child = child
        self.seen = b""

    def wait_for(self, text: bytes) -> None:
        """Read until the text was written since the last wait."""
        while text not in self.seen:
            ready, _, _ = select.select([self.fd], [], [], PATIENCE_S)
            assert ready, f"{text!r} was never written"
            self.seen += os.read(self.fd, 65_536)
        self.seen = self.seen.partition(text)[2]

    def type(self, keys: bytes) -> None:
        os.write(self.fd, keys)

    def rest(self) -> bytes:
        """All that is written until the program has ended."""
        found = self.seen
        while True:
            ready, _, _ = select.select([self.fd], [], [], PATIENCE_S)
            assert ready, "the program did not end"
            try:
                read = os.read(self.fd, 65_536)
            except OSError:  # Nobody has the other side open any more.
                return found
            if not read:
                return found
            found += read


def _take_terminal() -> None:
    """Make the new session's terminal its controlling one, as a login does."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@contextmanager
def terminal(
    command: Sequence[str], env: Mapping[str, str] | None = None, *, is_controlling: bool = True
) -> Iterator[Terminal]:
    """The program in a terminal of 120 by 40; it is killed at the end.

    Only a controlling terminal hangs the program up when it goes.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    size = {"TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    child = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, **size, **(env or {})},
        start_new_session=True,
        preexec_fn=_take_terminal if is_controlling else None,
    )
    os.close(theirs)
    try:
        yield Terminal(ours, child)
    finally:
        child.kill()
        child.wait()
        os.close(ours)
