"""What was closed is let go of, however little happens on disk."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest
from decide_setup import lanes, until, write_run
from shell_setup import inbox, shell
from textual.screen import Screen

from stopview_tui.app import StopviewApp
from stopview_tui.picture_keeping import MINUTE_S
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


async def test_what_was_drawn_of_closed_screens_goes_with_the_minute(tmp_path: Path) -> None:
    caches: weakref.WeakSet[object] = weakref.WeakSet()
    write_run(tmp_path / "runs", lanes())
    async with shell(tmp_path / "runs") as (app, pilot):
        for _ in range(TIMES):
            await pilot.press("r")
            await until(pilot, lambda: isinstance(app.screen, RunScreen))
            caches.update(widget._styles_cache for widget in app.screen.query("*"))
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is inbox(app))
        a_screen = len(caches) // TIMES
        pass_minute(app)
        gc.collect()
        assert a_screen > 3
        assert len(caches) <= MOST_KEPT * a_screen


def pass_minute(app: StopviewApp) -> None:
    """What the app does each minute."""
    (timer,) = [one for one in app._timers if one._interval == MINUTE_S]
    callback = timer._callback
    assert callback is not None
    callback()
