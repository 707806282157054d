"""Who decides can be named anew in the app, as carefully as on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from decide_setup import lanes, until, write_run
from shell_setup import ShellApp, drawn, inbox, listening, open_decide, shell
from textual.pilot import Pilot
from textual.widgets import Input

from stopview_tui.palette import commands_of
from stopview_tui.screens.ask_text import AskTextScreen
from stopview_tui.screens.decide import gate


async def test_another_approver_is_named_in_the_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "QUIET_S", 0.01)
    run = write_run(tmp_path / "runs", lanes())
    async with shell(tmp_path / "runs", size=(200, 40)) as (app, pilot):
        await _ask_approver(app, pilot)
        field = app.screen.query_one(Input)
        for wrong in ("", "  ", "a\tb", "x" * 201, "a\x1bb"):
            field.value = wrong
            await pilot.press("enter")
            assert isinstance(app.screen, AskTextScreen), repr(wrong)
            assert "has to be a name" in drawn(app)
        field.value = " grace@example.org "
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is inbox(app))
        await until(pilot, lambda: "by grace@example.org" in drawn(app))
        screen = await open_decide(app, pilot)
        assert "Settings: Approver" not in {command.name for command in commands_of(screen)}
        await pilot.press("space", "ctrl+s")
        await listening(app, pilot)
        await pilot.press("y")
        await until(pilot, lambda: screen.outcome is not None)
    receipt = (run / "step-1/parallel-1/decision/0001.yaml").read_text()
    assert "human:grace@example.org" in receipt
    assert "ada@example.org" not in receipt


async def test_leaving_the_question_for_an_approver_changes_nothing(tmp_path: Path) -> None:
    async with shell(tmp_path / "runs") as (app, pilot):
        before = app.actor
        await _ask_approver(app, pilot)
        await pilot.press("x", "escape")
        await until(pilot, lambda: app.screen is inbox(app))
        assert app.actor == before


async def _ask_approver(app: ShellApp, pilot: Pilot[None]) -> None:
    commands = {command.name: command for command in commands_of(app.screen)}
    commands["Settings: Approver"].run()
    await until(pilot, lambda: isinstance(app.screen, AskTextScreen) and app.screen.is_mounted)
    await until(pilot, lambda: isinstance(app.focused, Input))
