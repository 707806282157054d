"""The same in a real terminal: what was typed ahead writes nothing, what was read is written."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from decide_setup import lanes, receipts, write_run

HERE = Path(__file__).parent
PATIENCE_S = 60


class Terminal:
    """A program in a pseudo-terminal, and all it has written so far."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
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


@contextmanager
def terminal(run: Path) -> Iterator[Terminal]:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    child = subprocess.Popen(
        [sys.executable, str(HERE / "decide_child.py"), str(run)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=env,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Terminal(ours)
    finally:
        child.kill()
        child.wait()
        os.close(ours)


def test_typed_ahead_into_a_real_terminal(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    with terminal(run) as screen:
        screen.wait_for(b"Nothing picked")
        screen.type(b" \x13yy\r y\ry")
        screen.wait_for(b"Write this decision?")
        screen.wait_for(b" writes it")
        assert receipts(run) == []
        screen.type(b"y")
        screen.wait_for(b"Written.")
    assert receipts(run) == ["0001.yaml"]
