"""What was closed is let go of, however little happens on disk."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest
from decide_setup import lanes, until, write_run
from shell_setup import inbox, shell
from textual.screen import Screen

from stopview_tui.screens.decide import DecideScreen
from stopview_tui.screens.run.screen import RunScreen

TIMES, MOST_KEPT = 8, 2
"""What was opened last may hold what was open before it."""


@pytest.mark.parametrize(("key", "kind"), [("r", RunScreen), ("enter", DecideScreen)])
async def test_closed_screens_do_not_pile_up(
    tmp_path: Path, key: str, kind: type[Screen[object]]
) -> None:
    opened: weakref.WeakSet[Screen[object]] = weakref.WeakSet()
    write_run(tmp_path / "runs", lanes())
    async with shell(tmp_path / "runs") as (app, pilot):
        for _ in range(TIMES):
            await pilot.press(key)
            await until(pilot, lambda: isinstance(app.screen, kind))
            opened.add(app.screen)
            await pilot.pause()
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is inbox(app))
            await pilot.pause()
        gc.collect()
        assert len(opened) <= MOST_KEPT
