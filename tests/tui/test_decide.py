"""A person decides on the Decide screen: by keys, by mouse, and against the odds."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest
from decide_setup import (
    FIRST,
    SECOND,
    THIRD,
    UPSTREAM,
    armed,
    back,
    deciding,
    digests,
    first_come,
    lanes,
    receipts,
    standing,
    tamper,
    until,
    write_run,
)
from textual.widgets import TextArea

from stopview_core.compose import Pick
from stopview_core.decide import Outcome
from stopview_core.system_calls import SystemCalls
from stopview_tui.screens.decide import gate
from stopview_tui.widgets.reason_area import ReasonArea
from stopview_tui.widgets.score_grid import ScoreGrid

RECEIPT = "step-1/parallel-1/decision/0001.yaml"


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test types is no burst: the gate opens soon after the screen is drawn."""
    monkeypatch.setattr(gate, "QUIET_S", 0.01)


async def test_keys_alone_decide_a_real_run(tmp_path: Path) -> None:
    source = UPSTREAM / "runs" / "approval-required-blocked"
    if not source.is_dir():
        pytest.skip("the upstream runs are not here")
    run = Path(shutil.copytree(source, tmp_path / "run"))
    before = digests(run)
    async with deciding(run, "2/1") as (app, pilot):
        assert app.decide_screen.case.picked is None
        assert isinstance(app.focused, ScoreGrid)
        await pilot.press("right", "space", "tab", "f", "a", "s", "t", "ctrl+s")
        screen = await armed(app, pilot)
        assert screen.record is not None
        await pilot.press("y")
        await back(app, pilot)
        await until(pilot, lambda: app.decide_screen.outcome is not None)
        assert "0001.yaml" in app.text("#problem-text")
        await pilot.press("escape")
    written = run / "step-2/parallel-1/decision/0001.yaml"
    assert written.read_text() == screen.record
    after = digests(run)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) == {"step-2/parallel-1/decision/0001.yaml"}
    stands = standing(run, "2/1")
    assert (stands.status, stands.selected, stands.reason) == ("in_force", "split-view", "fast")
    (outcome,) = app.came_back
    assert isinstance(outcome, Outcome)
    assert outcome.is_written


async def test_the_mouse_alone_decides(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        grid = app.decide_screen.query_one(ScoreGrid)
        left = grid.region.x + grid._widths.label + grid._widths.columns[0] + 5
        await pilot.click(offset=(left, grid.region.y))
        assert app.decide_screen.case.picked == Pick(SECOND, None)
        await pilot.click("#go-on")
        await armed(app, pilot)
        assert app.focused is None
        await pilot.click("#write")
        await back(app, pilot)
        await until(pilot, lambda: app.decide_screen.outcome is not None)
    assert standing(run).selected == SECOND


async def test_a_click_in_a_column_only_moves_the_cursor(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        grid = app.decide_screen.query_one(ScoreGrid)
        left = grid.region.x + grid._widths.label + grid._widths.columns[0] + 5
        await pilot.click(offset=(left, grid.region.y + grid.head_height + 1))
        assert grid.column.id == SECOND
        assert app.decide_screen.case.picked is None


async def test_enter_never_writes_and_the_palette_does_not_either(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await pilot.press("space", "ctrl+s")
        screen = await armed(app, pilot)
        await pilot.press("enter", "space", "ctrl+s", "tab", "enter")
        await app.run_action("write", screen)
        await pilot.pause()
        assert app.screen is screen
        assert not screen.is_writing
        await pilot.press("escape")
        await back(app, pilot)
        assert app.decide_screen.case.picked == Pick(FIRST, None)
    assert receipts(run) == []


async def test_evidence_that_changed_keeps_the_pick_and_says_what_changed(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await pilot.press("space", "tab", "w", "h", "y", "ctrl+s")
        await armed(app, pilot)
        more = lanes(right_lane={"cost": 5, "risk": 5}, new_lane={"cost": 1, "risk": 1})
        tamper(run, [each for each in more if each.id != THIRD])
        await pilot.press("y")
        screen = await back(app, pilot)
        await until(pilot, lambda: screen.has_class("-noticed"))
        said = app.text("#notice-text")
        assert "Changed under you" in said
        assert f"{SECOND} risk 1 → 5" in said
        assert "new-lane" in said
        assert f"{SECOND}, it was {FIRST}" in said
        assert "response/data/stack-model.json (changed)" in said
        assert receipts(run) == []
        assert screen.case.picked == Pick(FIRST, None)
        assert screen.query_one(ReasonArea).text == "why"
        assert isinstance(app.focused, ScoreGrid)
        assert "was 1" in app.drawn()
        await pilot.press("ctrl+s")
        await armed(app, pilot)
        await pilot.press("y")
        await until(pilot, lambda: screen.outcome is not None)
    stands = standing(run)
    assert (stands.status, stands.selected, stands.reason) == ("in_force", FIRST, "why")


async def test_a_pick_that_is_gone_is_let_go(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    document = run / "step-1/parallel-1/response/response.md"
    async with deciding(run) as (app, pilot):
        await pilot.press("end", "left", "space", "ctrl+s")
        await armed(app, pilot)
        tamper(run, lanes()[:2])
        kept = [line for line in document.read_text().splitlines() if THIRD not in line]
        document.write_text("\n".join(kept))
        await pilot.press("y")
        screen = await back(app, pilot)
        await until(pilot, lambda: screen.has_class("-noticed"))
        assert f"Your pick ({THIRD}) is no longer offered" in app.text("#notice-text")
        assert screen.case.picked is None
    assert receipts(run) == []


class _Overtaken(SystemCalls):
    """Someone else writes in the last moment before the file gets its name."""

    def __init__(self, run: Path) -> None:
        self.run = run

    def link_open(self, fd: int, name: str, *, dir_fd: int) -> None:
        if not receipts(self.run):
            first_come(self.run, THIRD)
        super().link_open(fd, name, dir_fd=dir_fd)


async def test_a_lost_race_says_who_won(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run, calls=_Overtaken(run)) as (app, pilot):
        await pilot.press("space", "ctrl+s")
        await armed(app, pilot)
        await pilot.press("y")
        screen = await back(app, pilot)
        await until(pilot, lambda: screen.has_class("-noticed"))
        assert "bob@example.org" in app.text("#notice-text")
    assert receipts(run) == ["0001.yaml"]
    assert standing(run).selected == THIRD


async def test_a_number_taken_meanwhile_is_not_the_record_that_was_shown(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await pilot.press("space", "ctrl+s")
        await armed(app, pilot)
        (run / RECEIPT).parent.mkdir()
        (run / RECEIPT).write_text("no receipt at all\n")
        await pilot.press("y")
        screen = await back(app, pilot)
        await until(pilot, lambda: screen.has_class("-noticed"))
        assert "Not written (409)" in app.text("#notice-text")
    assert receipts(run) == ["0001.yaml"]


class _Full(SystemCalls):
    """A disk that is full until somebody makes room."""

    has_room = False

    def write(self, fd: int, data: memoryview) -> int:
        if not self.has_room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(fd, data)


async def test_a_full_disk_leaves_nothing_and_can_be_tried_again(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    calls = _Full()
    async with deciding(run, calls=calls) as (app, pilot):
        await pilot.press("space", "tab", "o", "k", "ctrl+s")
        screen = await armed(app, pilot)
        await pilot.press("y")
        await until(pilot, lambda: "Not written (500)" in app.text("#confirm-failure"))
        assert "No space left" in app.text("#confirm-failure")
        assert receipts(run) == []
        assert app.screen is screen
        calls.has_room = True
        await armed(app, pilot)
        await pilot.press("y")
        await until(pilot, lambda: app.decide_screen.outcome is not None)
        assert app.decide_screen.query_one(ReasonArea).text == "ok"
    stands = standing(run)
    assert (stands.status, stands.reason) == ("in_force", "ok")
    assert (run / RECEIPT).read_text() == screen.record


async def test_none_of_these_needs_a_reason(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await pilot.press("end", "space", "ctrl+s")
        assert app.screen is app.decide_screen
        assert isinstance(app.focused, TextArea)
        await pilot.press("n", "o", "ctrl+s")
        await armed(app, pilot)
        await pilot.press("y")
        await until(pilot, lambda: app.decide_screen.outcome is not None)
    stands = standing(run)
    assert (stands.status, stands.selected, stands.reason) == ("withdrawn", None, "no")


async def test_leaving_with_a_draft_asks_once(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await pilot.press("space", "escape")
        assert app.came_back == []
        await pilot.press("right", "space", "escape")
        assert app.came_back == []
        await pilot.press("escape")
        await until(pilot, lambda: bool(app.came_back))
    assert app.came_back == [None]


async def test_q_in_the_reason_is_a_letter_and_escape_leads_back_to_the_evidence(
    tmp_path: Path,
) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await pilot.press("tab", "q", "u", "space", "y", "escape")
        assert app.decide_screen.query_one(ReasonArea).text == "qu y"
        assert isinstance(app.focused, ScoreGrid)
        assert app.came_back == []


async def test_n_leaves_once_it_is_written(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await pilot.press("n")
        assert app.came_back == []
        await pilot.press("space", "ctrl+s")
        await armed(app, pilot)
        await pilot.press("y")
        await until(pilot, lambda: app.decide_screen.outcome is not None)
        await pilot.press("n")
        await until(pilot, lambda: bool(app.came_back))
    (outcome,) = app.came_back
    assert isinstance(outcome, Outcome)
    assert outcome.is_written


async def test_a_branch_that_is_not_there_says_so(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run, "9/9") as (app, pilot):
        assert "no branch 9/9" in app.text("#problem-text")
        await pilot.press("space", "ctrl+s", "u", "o", "enter")
        await pilot.press("q")
        await until(pilot, lambda: bool(app.came_back))
    assert app.came_back == [None]


async def test_a_run_that_vanishes_while_deciding(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await pilot.press("space", "ctrl+s")
        await armed(app, pilot)
        shutil.rmtree(run)
        await pilot.press("y")
        screen = await back(app, pilot)
        await until(pilot, lambda: screen.has_class("-problem"))
        await pilot.press("q")
        await until(pilot, lambda: bool(app.came_back))
    assert not run.exists()


async def test_what_cannot_be_decided_can_be_read_and_says_why(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes(), response={"status": "done", "stop": None})
    async with deciding(run) as (app, pilot):
        assert "Nothing to decide here" in app.text("#brief-text")
        assert FIRST in app.drawn()
        await pilot.press("space", "ctrl+s", "u")
        assert app.screen is app.decide_screen
        assert app.decide_screen.case.picked is None


async def test_an_interaction_offers_its_options_only(tmp_path: Path) -> None:
    run = write_run(
        tmp_path,
        lanes(),
        interaction={
            "kind": "choice",
            "decisionId": "lane",
            "options": [
                {"id": FIRST, "label": "The left one", "tradeoff": "fast, and less safe"},
                {"id": THIRD, "label": "The slow one", "tradeoff": "safe, and slow"},
            ],
        },
    )
    async with deciding(run) as (app, pilot):
        assert "The left one" in app.drawn()
        assert "not offered" in app.drawn()
        grid = app.decide_screen.query_one(ScoreGrid)
        grid.move_to([c.id for c in grid.grid.columns].index(SECOND))
        await pilot.press("space")
        assert app.decide_screen.case.picked is None
        grid.move_to([c.id for c in grid.grid.columns].index(THIRD))
        await pilot.press("space", "ctrl+s")
        await armed(app, pilot)
        await pilot.press("y")
        await until(pilot, lambda: app.decide_screen.outcome is not None)
    assert standing(run).selected == THIRD
