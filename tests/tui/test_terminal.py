"""The app in a real terminal: how it ends, and what it draws where the locale is a poor one."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from decide_setup import lanes, write_run
from pseudo_terminal import Terminal, terminal

_LEAVES = (b"\x1b[?1049l", b"\x1b[?1000l", b"\x1b[?25h")
"""The alternate screen and the mouse are given back, and the cursor is shown."""


def _home(where: Path) -> dict[str, str]:
    names = ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
    return {name: str(where / "home") for name in names}


def _app(where: Path) -> list[str]:
    run = write_run(where, lanes())
    start = "from stopview_tui.cli import main; main()"
    return [sys.executable, "-c", start, str(run.parent)]


def _drawn(screen: Terminal) -> None:
    screen.wait_for(b"Needs your choice")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT])
def test_a_signal_gives_the_terminal_back(number: signal.Signals, tmp_path: Path) -> None:
    with terminal(_app(tmp_path), _home(tmp_path)) as screen:
        _drawn(screen)
        screen.child.send_signal(number)
        written = screen.rest()
        ended = screen.child.wait()
    for sequence in _LEAVES:
        assert sequence in written
    assert b"Traceback" not in written
    assert ended == 128 + number


@pytest.mark.parametrize("is_controlling", [True, False])
def test_the_app_ends_when_its_terminal_is_gone(is_controlling: bool, tmp_path: Path) -> None:
    command, env = _app(tmp_path), _home(tmp_path)
    with terminal(command, env, is_controlling=is_controlling) as screen:
        _drawn(screen)
        spare = os.open(os.devnull, os.O_RDONLY)
        os.dup2(spare, screen.fd)
        os.close(spare)
        assert screen.child.wait(timeout=60) == 128 + signal.SIGHUP


@pytest.mark.parametrize("coding", ["ascii", "iso-8859-1", "utf-8"])
def test_no_character_is_drawn_as_an_escape(coding: str, tmp_path: Path) -> None:
    env = {**_home(tmp_path), "PYTHONUTF8": "0", "PYTHONIOENCODING": coding}
    with terminal(_app(tmp_path), env) as screen:
        if coding == "iso-8859-1":
            _drawn(screen)
        else:
            screen.wait_for("│".encode())
        screen.child.send_signal(signal.SIGTERM)
        assert b"\\u" not in screen.rest()


@pytest.mark.parametrize("stream", ["1", "2"])
def test_where_it_cannot_be_seen_it_does_not_start(stream: str, tmp_path: Path) -> None:
    told = tmp_path / "told"
    sent = f'"$@" {stream}>"{told}"' + (f' 2>>"{told}"' if stream == "1" else "")
    with terminal(["sh", "-c", sent, "sh", *_app(tmp_path)], _home(tmp_path)) as screen:
        assert screen.rest() == b""
        assert screen.child.wait() == 2
    assert "terminal" in told.read_text()
    assert "\x1b" not in told.read_text()
