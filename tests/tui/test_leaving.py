"""Leaving places by the keys of the modes, and going to the next choice from anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from decide_setup import FIRST, lanes, receipts, standing, until, write_run
from shell_setup import (
    choice_run,
    cursor,
    inbox,
    listening,
    open_decide,
    shell,
    toasts,
    waiting_run,
)

from stopview_core.board import Filter
from stopview_core.compose import Pick
from stopview_core.decide import Outcome
from stopview_tui.screens.choose import ChooseScreen
from stopview_tui.screens.codes.screen import CodesScreen
from stopview_tui.screens.decide import DecideScreen, gate
from stopview_tui.screens.inbox.screen import InboxScreen
from stopview_tui.screens.run.screen import RunScreen
from stopview_tui.screens.runs.screen import RunsScreen
from stopview_tui.widgets.reason_area import ReasonArea


@pytest.mark.parametrize(("key", "goal"), [("1", InboxScreen), ("2", RunsScreen)])
async def test_a_modes_key_leaves_what_lies_on_its_list(
    tmp_path: Path, key: str, goal: type
) -> None:
    waiting_run("waits").write(tmp_path / "runs")
    async with shell(tmp_path / "runs") as (app, pilot):
        await pilot.press(key)
        await until(pilot, lambda: isinstance(app.screen, goal) and app.screen.is_mounted)
        await until(pilot, lambda: app.focused is not None and len(app.screen.query("Rows")) == 1)
        await until(pilot, lambda: getattr(app.screen, "row", None) is not None)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, RunScreen))
        await pilot.press(key)
        await until(pilot, lambda: isinstance(app.screen, goal))
        assert len(app.screen_stack) == 1


async def test_a_modes_key_does_not_lose_a_pick_or_a_reason(tmp_path: Path) -> None:
    write_run(tmp_path / "runs", lanes())
    async with shell(tmp_path / "runs") as (app, pilot):
        screen = await open_decide(app, pilot)
        await pilot.press("space", "1")
        await pilot.pause()
        assert app.screen is screen
        assert "Not left: your pick is not written yet." in toasts(app)
        await pilot.press("2")
        await until(pilot, lambda: isinstance(app.screen, RunsScreen))
        await pilot.press("1")
        await until(pilot, lambda: app.screen is screen)
        assert screen.case.picked == Pick(FIRST, None)
        await pilot.press("space", "tab", "x", "escape", "1")
        await pilot.pause()
        assert screen.query_one(ReasonArea).text == "x"
        assert app.screen is screen
        await pilot.press("tab", "backspace", "escape", "1")
        await until(pilot, lambda: isinstance(app.screen, InboxScreen))


async def test_a_modes_key_on_the_confirm_screen_keeps_the_pick_and_writes_nothing(
    tmp_path: Path,
) -> None:
    run = write_run(tmp_path / "runs", lanes())
    async with shell(tmp_path / "runs") as (app, pilot):
        screen = await open_decide(app, pilot)
        await pilot.press("space", "ctrl+s")
        await listening(app, pilot)
        await pilot.press("1")
        await pilot.pause()
        assert screen in app.screen_stack
        assert screen.case.picked == Pick(FIRST, None)
    assert receipts(run) == []


async def test_a_modes_key_after_the_write_tells_who_opened_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "QUIET_S", 0.01)
    run = write_run(tmp_path / "runs", lanes())
    async with shell(tmp_path / "runs") as (app, pilot):
        came_back: list[object] = []
        app.open_decide(run, "1/1", came_back.append)
        await until(pilot, lambda: isinstance(app.screen, DecideScreen))
        screen = cast(DecideScreen, app.screen)
        await until(pilot, lambda: screen.is_listening)
        await pilot.press("space", "ctrl+s")
        await listening(app, pilot)
        await pilot.press("y")
        await until(pilot, lambda: screen.outcome is not None)
        await until(pilot, lambda: app.screen is screen)
        await pilot.press("1")
        await until(pilot, lambda: bool(came_back))
        (outcome,) = came_back
        assert isinstance(outcome, Outcome)
        assert outcome.is_written
    assert standing(run).selected == FIRST


async def test_n_goes_to_the_next_choice_from_anywhere(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    choice_run("first", "2026-11-02T08:00:00Z").write(root)
    choice_run("second", "2026-11-03T08:00:00Z").write(root)
    async with shell(root) as (app, pilot):
        await pilot.press("4")
        await until(pilot, lambda: isinstance(app.screen, CodesScreen))
        await until(pilot, lambda: app.focused is not None)
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, InboxScreen))
        await until(pilot, lambda: cursor(app) == "second")
        screen = await open_decide(app, pilot)
        await pilot.press("space", "n")
        await pilot.pause()
        assert app.screen is screen
        assert "not written yet" in toasts(app)
        await pilot.press("space", "n")
        await until(pilot, lambda: isinstance(app.screen, InboxScreen))
        await until(pilot, lambda: cursor(app) == "first")


async def test_n_says_that_what_waits_is_hidden_and_is_no_key_where_nothing_waits(
    tmp_path: Path,
) -> None:
    root = tmp_path / "runs"
    choice_run("choice").write(root)
    waiting_run("waits").write(root)
    async with shell(root) as (app, pilot):
        inbox(app).show_filtered(Filter(code="SOURCE_DRIFT"))
        await pilot.press("4")
        await until(pilot, lambda: isinstance(app.screen, CodesScreen))
        assert "n" in app.screen.active_bindings
        await pilot.press("n")
        await until(pilot, lambda: "Nothing shown needs a choice" in toasts(app))
    waiting_run("waits").write(tmp_path / "others")
    async with shell(tmp_path / "others") as (app, pilot):
        assert "n" not in app.screen.active_bindings


async def test_q_goes_back_a_step_at_a_time(tmp_path: Path) -> None:
    write_run(tmp_path / "runs", lanes())
    async with shell(tmp_path / "runs") as (app, pilot):
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, RunScreen))
        run_screen = app.screen
        await until(pilot, lambda: getattr(run_screen, "row", None) is not None)
        await pilot.press("Y")
        await until(pilot, lambda: isinstance(app.screen, ChooseScreen))
        await pilot.press("q")
        await until(pilot, lambda: app.screen is run_screen)
        await open_decide(app, pilot)
        await pilot.press("q")
        await until(pilot, lambda: app.screen is run_screen)
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, InboxScreen))
        await pilot.press("q")
        assert app.return_code == 0


@pytest.mark.parametrize("leave", ["the app", "the screen"])
async def test_what_is_read_meanwhile_troubles_nobody_who_leaves(
    tmp_path: Path, leave: str
) -> None:
    run = write_run(tmp_path / "runs", lanes())
    for opened in ("decide", "run", "inbox", "history"):
        async with shell(tmp_path / "runs") as (app, pilot):
            if opened == "decide":
                app.open_decide(run, "1/1", lambda _: None)
            elif opened == "run":
                app.push_screen(RunScreen(run, "1/1"))
            else:
                app.action_mode(opened)
            if leave == "the screen" and opened in ("decide", "run"):
                screen = app.screen
                await until(pilot, lambda screen=screen: screen.is_mounted)  # type: ignore[misc]
                screen.dismiss(None)
                await until(pilot, lambda: isinstance(app.screen, InboxScreen))
        assert app._exception is None
