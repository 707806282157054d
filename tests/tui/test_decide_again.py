"""Deciding where a decision stands already: it is shown, kept, replaced or taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from decide_setup import (
    FIRST,
    SECOND,
    THIRD,
    armed,
    back,
    deciding,
    first_come,
    lanes,
    receipts,
    standing,
    tamper,
    until,
    write_run,
)

from stopview_core.compose import Pick
from stopview_core.decide import Outcome
from stopview_tui.screens.decide import ConfirmScreen, gate


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "QUIET_S", 0.01)


async def test_a_decision_is_shown_and_can_be_taken_back(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    first_come(run, SECOND, "because [/x] I say so")
    async with deciding(run) as (app, pilot):
        assert "In force: right-lane, by bob@example.org" in app.text("#brief-text")
        assert "because [/x] I say so" in app.text("#brief-text")
        assert "in force, 0001" in app.drawn()
        await pilot.press("space")
        assert app.decide_screen.case.picked is None
        await pilot.press("u")
        assert "replacing receipt 0001" in app.text("#notice-text")
        await pilot.press("end", "space", "tab", "x", "ctrl+s")
        await armed(app, pilot)
        await pilot.press("y")
        await until(pilot, lambda: app.decide_screen.outcome is not None)
    stands = standing(run)
    assert (stands.status, stands.seq) == ("withdrawn", "0002")


async def test_the_same_pick_again_writes_nothing(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    first_come(run, SECOND)
    async with deciding(run) as (app, pilot):
        await pilot.press("u", "right", "space", "ctrl+s")
        await until(pilot, lambda: app.decide_screen.outcome is not None)
        assert "Already in force" in app.text("#problem-text")
        await pilot.press("q")
        await until(pilot, lambda: bool(app.came_back))
    assert receipts(run) == ["0001.yaml"]
    (outcome,) = app.came_back
    assert isinstance(outcome, Outcome)
    assert (outcome.status_code, outcome.is_settled) == (409, True)


async def test_a_stale_decision_asks_to_decide_again(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    first_come(run, SECOND)
    tamper(run, lanes(right_lane={"cost": 1, "risk": 1}))
    async with deciding(run) as (app, pilot):
        assert "Stale: right-lane, by bob@example.org" in app.text("#brief-text")
        await pilot.press("space", "ctrl+s")
        await armed(app, pilot)
        await pilot.press("y")
        await until(pilot, lambda: app.decide_screen.outcome is not None)
    assert (standing(run).seq, standing(run).selected) == ("0002", FIRST)


async def test_someone_else_first_then_supersede(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await pilot.press("space", "ctrl+s")
        await armed(app, pilot)
        assert first_come(run, THIRD).is_written
        await pilot.press("y")
        screen = await back(app, pilot)
        await until(pilot, lambda: screen.has_class("-noticed"))
        assert "bob@example.org" in app.text("#notice-text")
        assert THIRD in app.text("#notice-text")
        assert receipts(run) == ["0001.yaml"]
        assert not screen.case.can_pick
        assert screen.case.picked == Pick(FIRST, None)
        await pilot.press("ctrl+s")
        assert app.screen is screen
        await pilot.press("u", "ctrl+s")
        await armed(app, pilot)
        assert "replaces receipt 0001" in app.text("#confirm-what")
        await pilot.press("y")
        await until(pilot, lambda: screen.outcome is not None)
    assert receipts(run) == ["0001.yaml", "0002.yaml"]
    assert standing(run).selected == FIRST


async def test_another_look_says_what_changed_and_keeps_the_pick(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        screen = app.decide_screen
        await pilot.press("space")
        screen.look_again()
        await until(pilot, lambda: not any(w.is_running for w in screen.workers))
        await pilot.pause()
        assert not screen.has_class("-noticed")
        tamper(run, lanes(left_lane={"cost": 1, "risk": 1}))
        screen.look_again()
        await until(pilot, lambda: screen.has_class("-noticed"))
        assert f"{FIRST} cost 3 → 1" in app.text("#notice-text")
        assert screen.case.picked == Pick(FIRST, None)


async def test_all_that_changed_since_the_person_looked_is_said_however_often_it_is_read(
    tmp_path: Path,
) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        screen = app.decide_screen

        async def look() -> str:
            screen.look_again()
            await until(pilot, lambda: not any(w.is_running for w in screen.workers))
            await pilot.pause()
            return app.text("#notice-text")

        await pilot.press("space")
        model = run / "step-1/parallel-1/response/data/stack-model.json"
        as_it_was = model.read_bytes()
        tamper(run, lanes(left_lane={"cost": 1, "risk": 1}))
        assert f"{FIRST} cost 3 → 1" in await look()
        await until(pilot, lambda: "was 3" in app.drawn())
        tamper(run, lanes(left_lane={"cost": 1, "risk": 1}, right_lane={"cost": 2, "risk": 2}))
        for _ in range(2):
            told = await look()
            assert f"{FIRST} cost 3 → 1" in told
            assert f"{SECOND} cost" in told
            await until(pilot, lambda: "was 3" in app.drawn())
        assert first_come(run, SECOND).is_written
        told = await look()
        assert "Decided while you looked" in told
        assert f"{FIRST} cost 3 → 1" in told
        model.write_bytes(as_it_was)
        told = await look()
        assert "It is back to what you saw" in told
        assert "Decided while you looked" in told
        await until(pilot, lambda: "was 3" not in app.drawn())
        assert screen.case.picked == Pick(FIRST, None)


async def test_going_on_takes_what_changed_for_seen(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        screen = app.decide_screen
        await pilot.press("space")
        tamper(run, lanes(left_lane={"cost": 1, "risk": 1}))
        screen.look_again()
        await until(pilot, lambda: "cost 3 → 1" in app.text("#notice-text"))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)
        tamper(run, lanes(left_lane={"cost": 2, "risk": 1}))
        screen.look_again()
        await until(pilot, lambda: "cost 1 → 2" in app.text("#notice-text"))


async def test_u_twice_leaves_the_decision_as_it_is(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    first_come(run, SECOND)
    async with deciding(run) as (app, pilot):
        await pilot.press("u", "space", "u", "ctrl+s")
        assert app.screen is app.decide_screen
        assert app.decide_screen.case.picked is None
        assert "-noticed" not in app.decide_screen.classes
    assert receipts(run) == ["0001.yaml"]
