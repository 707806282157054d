"""An open decide screen in the whole app: it says what others change, and keeps what was picked."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from decide_setup import FIRST, SECOND, first_come, lanes, receipts, tamper, until, write_run
from shell_setup import shell
from textual.pilot import Pilot

from stopview_core.compose import Pick
from stopview_tui.app import StopviewApp
from stopview_tui.screens.choose import ChooseScreen
from stopview_tui.screens.decide import ConfirmScreen, DecideScreen, gate
from stopview_tui.widgets.reason_area import ReasonArea


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "QUIET_S", 0.01)


async def opened(app: StopviewApp, pilot: Pilot[None], key: str) -> DecideScreen:
    """The Decide screen, opened from the Inbox with a key."""
    await pilot.press(key)
    await until(pilot, lambda: isinstance(app.screen, DecideScreen))
    screen = cast(DecideScreen, app.screen)
    await until(pilot, lambda: screen.is_listening)
    await pilot.pause()
    return screen


async def test_what_others_change_is_said_and_the_pick_and_the_typing_stay(tmp_path: Path) -> None:
    run = write_run(tmp_path / "runs", lanes())
    async with shell(tmp_path / "runs") as (app, pilot):
        screen = await opened(app, pilot, "enter")
        await pilot.press("space", "tab", "w", "h", "y")
        tamper(run, lanes(left_lane={"cost": 1, "risk": 1}))
        app.refresh_picture()
        await until(pilot, lambda: "cost 3 → 1" in str(screen.case.notice))
        assert isinstance(app.focused, ReasonArea)
        assert screen.case.picked == Pick(FIRST, None)
        assert first_come(run, SECOND).is_written
        app.refresh_picture()
        await until(pilot, lambda: "Decided while you looked" in str(screen.case.notice))
        assert "bob@example.org" in str(screen.case.notice)
        await pilot.press("space", "u", "p")
        assert screen.query_one(ReasonArea).text == "why up"
        assert screen.case.picked == Pick(FIRST, None)
        assert screen.case.superseding is None


async def test_the_confirm_screen_says_it_and_does_not_write(tmp_path: Path) -> None:
    run = write_run(tmp_path / "runs", lanes())
    async with shell(tmp_path / "runs") as (app, pilot):
        screen = await opened(app, pilot, "enter")
        await pilot.press("space", "ctrl+s")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        confirm = cast(ConfirmScreen, app.screen)
        await until(pilot, lambda: confirm.gate.is_open)
        assert first_come(run, SECOND).is_written
        app.refresh_picture()
        failure = confirm.query_one("#confirm-failure")
        await until(pilot, lambda: "changed while you looked" in str(failure.render()))
        await pilot.press("y")
        assert app.screen is confirm
        await pilot.press("escape")
        await until(pilot, lambda: "Press u to change it" in str(screen.case.notice))
        assert screen.case.picked == Pick(FIRST, None)
    assert receipts(run) == ["0001.yaml"]


async def test_u_in_the_inbox_opens_it_ready_to_change_and_e_lists_the_texts(
    tmp_path: Path,
) -> None:
    run = write_run(tmp_path / "runs", lanes())
    first_come(run, SECOND)
    async with shell(tmp_path / "runs") as (app, pilot):
        screen = await opened(app, pilot, "u")
        assert screen.case.superseding == "0001"
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, ChooseScreen))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)
