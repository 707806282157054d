"""Keys and clicks sent before the confirm screen was drawn write nothing, however they come."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from decide_setup import (
    Desk,
    armed,
    deciding,
    lanes,
    press_now,
    receipts,
    until,
    write_run,
)
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.geometry import Offset

from stopview_core.compose import Pick
from stopview_core.dossier import open_branch
from stopview_tui.screens.decide import desk, gate
from stopview_tui.screens.decide.gate import InputGate

TIMES = st.floats(min_value=0, max_value=100, allow_nan=False)


def clicks(x: int, y: int) -> list[events.MouseEvent]:
    common = {"x": x, "y": y, "delta_x": 0, "delta_y": 0, "button": 1}
    flags = {"shift": False, "meta": False, "ctrl": False}
    return [
        kind(None, **common, **flags)  # type: ignore[arg-type]
        for kind in (events.MouseDown, events.MouseUp)
    ]


async def test_a_burst_sent_ahead_writes_nothing(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        press_now(app, "space", "ctrl+s", "y", "enter", "y", "Y", "space", "y", "y")
        screen = await armed(app, pilot)
        assert app.decide_screen.case.picked is not None
        assert not screen.is_writing
        assert receipts(run) == []
        await pilot.press("y")
        await until(pilot, lambda: app.decide_screen.outcome is not None)
    assert receipts(run) == ["0001.yaml"]


async def test_clicks_sent_ahead_on_the_write_button_write_nothing(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await pilot.press("space", "ctrl+s")
        screen = await armed(app, pilot)
        place = screen.query_one("#write").region.offset + Offset(2, 0)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.decide_screen)
        app.decide_screen.action_confirm()
        assert app.screen is not app.decide_screen
        for _ in range(3):
            for event in clicks(place.x, place.y):
                app.post_message(event)
        screen = await armed(app, pilot)
        assert not screen.is_writing
        assert receipts(run) == []
        assert screen.gate.dropped == 3
        assert "3 keys or clicks from before" in app.text("#confirm-hint")
        for event in clicks(place.x, place.y):
            app.post_message(event)
        await until(pilot, lambda: app.decide_screen.outcome is not None)
    assert receipts(run) == ["0001.yaml"]


async def test_what_was_sent_early_stays_out_however_late_it_comes(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await pilot.press("space")
        early_key, (early_down, early_up) = events.Key("y", "y"), clicks(5, 38)
        await pilot.press("ctrl+s")
        screen = await armed(app, pilot)
        place = screen.query_one("#write").region.offset + Offset(2, 0)
        for event in (early_down, early_up):
            event._x, event._y = place.x, place.y
            app.post_message(event)
        app.post_message(early_key)
        await pilot.pause()
        await pilot.pause()
        assert app.screen is screen
        assert not screen.is_writing
    assert receipts(run) == []


async def test_a_second_y_writes_nothing_more(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await pilot.press("space", "ctrl+s")
        await armed(app, pilot)
        press_now(app, "y", "y", "y")
        await until(pilot, lambda: app.decide_screen.outcome is not None)
        assert app.decide_screen.outcome is not None
        assert app.decide_screen.outcome.is_written
    assert receipts(run) == ["0001.yaml"]


async def test_a_screen_on_top_shuts_the_gate_again(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await pilot.press("space", "ctrl+s")
        screen = await armed(app, pilot)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: app.screen is not screen)
        press_now(app, "escape", "y", "y")
        await armed(app, pilot)
        assert not screen.is_writing
    assert receipts(run) == []


async def test_going_back_works_while_the_record_is_still_composed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = write_run(tmp_path, lanes())
    go_on = threading.Event()
    real = desk.decide

    def slow(*args: object, **kwargs: object) -> object:
        go_on.wait()
        return real(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(desk, "decide", slow)
    async with deciding(run) as (app, pilot):
        await pilot.press("space", "ctrl+s")
        await until(pilot, lambda: app.screen is not app.decide_screen)
        await pilot.press("y", "enter")
        assert "Composing" in app.text("#confirm-place")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.decide_screen)
        go_on.set()
        assert app.decide_screen.case.picked is not None
    assert receipts(run) == []


async def test_nothing_blocks_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = write_run(tmp_path, lanes())
    monkeypatch.setattr(gate, "QUIET_S", 0.01)
    loop, used = threading.get_ident(), set()

    def watched(name: str) -> None:
        real = getattr(desk, name)

        def call(*args: object, **kwargs: object) -> object:
            used.add((name, threading.get_ident() == loop))
            return real(*args, **kwargs)

        monkeypatch.setattr(desk, name, call)

    watched("open_branch")
    watched("decide")
    async with deciding(run) as (app, pilot):
        await pilot.press("space", "ctrl+s")
        await armed(app, pilot)
        await pilot.press("y")
        await until(pilot, lambda: app.decide_screen.outcome is not None)
    assert used == {("open_branch", False), ("decide", False)}


async def test_a_reading_that_hangs_can_be_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = write_run(tmp_path, lanes())
    go_on = threading.Event()

    def hanging(*args: object) -> object:
        go_on.wait()
        return open_branch(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(desk, "open_branch", hanging)
    app = Desk()
    async with app.run_test() as pilot:
        from decide_setup import ACTOR, KEY, registry

        from stopview_tui.screens.decide import DecideScreen

        screen = DecideScreen(run, KEY, registry=registry(), actor=ACTOR)
        app.push_screen(screen, app.came_back.append)
        await until(pilot, lambda: screen.is_mounted)
        await pilot.pause()
        assert "Reading the evidence" in app.text("#loading")
        await pilot.press("space", "ctrl+s", "enter", "escape")
        await until(pilot, lambda: app.came_back == [None])
        go_on.set()


async def test_core_breaking_is_said_and_the_app_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = write_run(tmp_path, lanes())
    monkeypatch.setattr(gate, "QUIET_S", 0.01)
    async with deciding(run) as (app, pilot):
        await pilot.press("space", "ctrl+s")
        await armed(app, pilot)

        def broken(*args: object, **kwargs: object) -> object:
            raise RuntimeError("[/x] out of luck")

        monkeypatch.setattr(desk, "decide", broken)
        await pilot.press("y")
        await until(pilot, lambda: "out of luck" in app.text("#confirm-failure"))
        await pilot.press("y", "escape")
        await until(pilot, lambda: app.screen is app.decide_screen)
        assert app.decide_screen.case.picked == Pick("left-lane", None)
    assert receipts(run) == []


@given(sent=TIMES, opened=TIMES, handled=TIMES)
def test_only_what_was_sent_after_it_opened_passes(
    sent: float, opened: float, handled: float
) -> None:
    gate = InputGate(0.3)
    assert not gate.admits(sent, handled)
    gate.drawn(opened)
    gate.open(opened)
    assert gate.admits(sent, handled) is (sent >= opened)
    gate.shut()
    assert not gate.admits(sent, handled)


@given(quiet=st.floats(0.01, 5), drawn=TIMES, typed=st.lists(TIMES, max_size=5), now=TIMES)
def test_the_gate_waits_until_it_was_quiet_for_long_enough(
    quiet: float, drawn: float, typed: list[float], now: float
) -> None:
    gate = InputGate(quiet)
    assert gate.wait_s(now) > 0
    gate.drawn(drawn)
    for at in sorted(typed):
        gate.admits(at, at)
    last = max([drawn, *typed])
    assert gate.wait_s(now) == pytest.approx(max(last + quiet - now, 0))
    assert gate.dropped == len(typed)
