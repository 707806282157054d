"""The same in a real terminal: what was typed ahead writes nothing, what was read is written."""

from __future__ import annotations

import sys
from pathlib import Path

from decide_setup import lanes, receipts, write_run
from pseudo_terminal import terminal

HERE = Path(__file__).parent


def test_typed_ahead_into_a_real_terminal(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    with terminal([sys.executable, str(HERE / "decide_child.py"), str(run)]) as screen:
        screen.wait_for(b"Nothing picked")
        screen.type(b" \x13yy\r y\ry")
        screen.wait_for(b"Write this decision?")
        screen.wait_for(b" writes it")
        assert receipts(run) == []
        screen.type(b"y")
        screen.wait_for(b"Written.")
    assert receipts(run) == ["0001.yaml"]
