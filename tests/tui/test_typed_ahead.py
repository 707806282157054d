"""What was typed for one thing never happens to another: bursts, and rows that move meanwhile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from decide_setup import lanes, receipts, until, write_run
from modes_setup import fell_back, looking, run_opened, settled
from shell_setup import choice_run, cursor, inbox, replace_file, rows, shell, shown, toasts
from textual import events

from stopview_core.board import Filter
from stopview_tui.screens.decide import ConfirmScreen, DecideScreen, gate
from stopview_tui.screens.run.screen import RunScreen
from stopview_tui.widgets.rows import Rows

BURST = ("enter", "space", "ctrl+s", "y", "enter", "space", "ctrl+s", "y", "y")


@pytest.mark.parametrize("pauses", [0, 2])
async def test_a_burst_from_the_inbox_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pauses: int
) -> None:
    # However slow the machine is: no key of the burst comes after so much quiet.
    monkeypatch.setattr(gate, "QUIET_S", 600)
    run = write_run(tmp_path / "runs", lanes())
    async with shell(tmp_path / "runs") as (app, pilot):
        for key in BURST:
            app.post_message(events.Key(key, key if len(key) == 1 else None))
            for _ in range(pauses):
                await pilot.pause()
        await until(pilot, lambda: isinstance(app.screen, DecideScreen | ConfirmScreen))
        await pilot.press("space", "ctrl+s", "y", "enter", "y")
        for screen in app.screen_stack:
            if isinstance(screen, ConfirmScreen):
                assert not screen.is_writing
        await pilot.pause()
    assert receipts(run) == []


@pytest.mark.parametrize("mode", ["inbox", "runs", "history"])
async def test_enter_for_a_row_that_the_cursor_left_meanwhile_opens_nothing(
    tmp_path: Path, mode: str
) -> None:
    root = tmp_path / "runs"
    fell_back(root, "one", "2026-11-02T09:00:00Z", policy="approval-required")
    fell_back(root, "two", "2026-11-03T09:00:00Z", policy="approval-required")
    async with looking(root, mode) as (app, pilot):
        listed: Rows[Any] = app.screen.query_one(Rows)
        await until(pilot, lambda: len(listed) == 2)
        await settled(app, pilot)
        first, second = listed.identities
        listed.move_to(first)
        listed.post_message(Rows.Activated(listed, first))
        listed.move_to(second)
        await pilot.pause()
        assert len(app.screen_stack) == 1
        listed.post_message(Rows.Activated(listed, second))
        await until(pilot, lambda: isinstance(app.screen, RunScreen))


async def test_enter_in_a_run_for_a_branch_that_the_cursor_left_opens_nothing(
    tmp_path: Path,
) -> None:
    run = choice_run("lanes")
    run.branch("2/1", "backend.source.apply", status="blocked", stop="SOURCE_DRIFT")
    path = run.write(tmp_path / "runs")
    async with looking(tmp_path / "runs", "inbox") as (app, pilot):
        app.push_screen(RunScreen(path, "2/1"))
        screen = await run_opened(app, pilot)
        screen.rows.post_message(Rows.Activated(screen.rows, "2/1"))
        screen.rows.move_to("1/1")
        await pilot.pause()
        assert app.screen is screen
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, DecideScreen))


async def test_enter_pressed_while_rows_come_and_move_decides_the_row_it_was_pressed_on(
    tmp_path: Path,
) -> None:
    root = tmp_path / "runs"
    choice_run("first", "2026-11-03T08:00:00Z").write(root)
    second = choice_run("second", "2026-11-04T08:00:00Z").write(root)
    async with shell(root) as (app, pilot):
        await pilot.press("n")
        assert cursor(app) == "second"
        choice_run("before-both", "2026-11-02T08:00:00Z").write(root)
        state = json.loads((second / "state.json").read_text())
        for transition in state["transitions"]:
            transition["at"] = "2026-11-01T08:00:00Z"
        replace_file(second / "state.json", json.dumps(state))
        await until(pilot, lambda: "before-both" in shown(app))
        await until(pilot, lambda: rows(app).mark_of((str(second), "1/1")) == "changed")
        # It would stand first now, and is kept where it was pressed.
        assert shown(app)[-1] == "second"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, DecideScreen))
        assert isinstance(app.screen, DecideScreen)
        assert app.screen.desk.run_path == second


async def test_a_filter_that_moves_the_cursor_makes_no_other_row_the_target(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    choice_run("first", "2026-11-02T08:00:00Z").write(root)
    choice_run("second", "2026-11-03T08:00:00Z").write(root)
    async with shell(root) as (app, pilot):
        assert cursor(app) == "first"
        rows(app).post_message(Rows.Activated(rows(app), rows(app).cursor))
        inbox(app).show_filtered(Filter(text="second"))
        assert cursor(app) == "second"
        await until(pilot, lambda: "does not wait any more" in toasts(app))
        assert len(app.screen_stack) == 1
