"""What the decide screens say and which keys they name, as a person who is new to them reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from decide_setup import (
    FIRST,
    SECOND,
    Desk,
    armed,
    deciding,
    first_come,
    lanes,
    receipts,
    standing,
    until,
    write_run,
)

from stopview_core.compose import Pick
from stopview_tui.branch_files import documents
from stopview_tui.screens.decide import gate
from stopview_tui.widgets.key_hints import KeyHints
from stopview_tui.widgets.marked_scroll import MarkedScroll
from stopview_tui.widgets.reason_area import ReasonArea
from stopview_tui.widgets.score_grid import ScoreGrid
from stopview_tui.widgets.score_rows import NONE_MEANS


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "QUIET_S", 0.01)


def hints(app: Desk) -> str:
    return app.screen.query_one(KeyHints).render().plain


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_missing_reason_is_asked_for_above_its_field(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run, size=size) as (app, pilot):
        assert "Your reason (if you like)" in app.drawn()
        assert "in full" in hints(app)
        await pilot.press("end", "space")
        assert "required for none of these" in app.drawn()
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(app.focused, ReasonArea))
        await pilot.pause()
        assert "Write your reason first: picking none of these requires one." in app.drawn()
        assert "You are typing it" in app.drawn()
        await until(pilot, lambda: "to the alternatives" in hints(app))
        assert "in full" not in hints(app)
        assert "back" not in hints(app)
        await pilot.press("n", "enter", "o")
        assert app.screen is app.decide_screen
        assert app.decide_screen.query_one(ReasonArea).text == "n\no"
        assert "Write your reason first" not in app.drawn()
        assert "Your reason (required for none of these)" in app.drawn()


async def test_opened_to_change_it_says_nothing_that_contradicts(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    first_come(run, SECOND)
    async with deciding(run, is_change=True) as (app, pilot):
        assert app.decide_screen.case.superseding == "0001"
        assert "replacing receipt 0001" in app.drawn()
        assert "ress u to change it" not in app.drawn()
        assert "u leave it as it is" in hints(app)
        await pilot.press("u")
        await until(pilot, lambda: "u change or take back" in hints(app))
        assert "A decision is in force: press u to change it" in app.text("#picked")
        assert "leaves it as it is" not in app.drawn()


async def test_opened_to_change_nothing_is_just_opened(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run, is_change=True) as (app, pilot):
        await pilot.press("space")
        assert app.decide_screen.case.superseding is None
        assert app.decide_screen.case.picked == Pick(FIRST, None)


async def test_the_summary_holds_the_whole_reason_and_says_what_is_below(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    reason = "\n".join(f"line {number}" for number in range(40))
    async with deciding(run, size=(80, 24)) as (app, pilot):
        app.decide_screen.query_one(ReasonArea).text = reason
        await pilot.press("space", "ctrl+s")
        screen = await armed(app, pilot)
        summary = screen.query_one("#confirm-question", MarkedScroll)
        record = screen.query_one("#record", MarkedScroll)
        said = app.text("#confirm-what")
        assert f"Selected  {FIRST}" in said
        assert "ada@example.org (named, not proved)" in said
        assert all(f"line {number}" in said for number in range(40))
        assert f"{summary.below} more lines below" in app.drawn()
        assert f"{record.below} more lines below" in app.drawn()
        while summary.below:
            before = summary.below
            await pilot.press("pagedown")
            await pilot.pause()
            assert summary.below < before
            assert record.scroll_y == 0
        assert "line 39" in app.drawn()
        await pilot.press("pagedown")
        await pilot.pause()
        assert record.scroll_y > 0
        await pilot.press("end")
        await pilot.pause()
        assert "lines below" not in app.drawn()


async def test_a_new_reason_for_what_is_in_force_is_kept_and_said_to_be_unwritten(
    tmp_path: Path,
) -> None:
    run = write_run(tmp_path, lanes())
    first_come(run, SECOND)
    async with deciding(run, is_change=True) as (app, pilot):
        await pilot.press("right", "space", "tab", "n", "e", "w", "ctrl+s")
        screen = app.decide_screen
        await until(pilot, lambda: "already in force" in str(screen.case.notice))
        await until(pilot, lambda: app.screen is screen)
        assert "Nothing was written" in app.text("#notice-text")
        assert screen.query_one(ReasonArea).text == "new"
        assert screen.outcome is None
    assert receipts(run) == ["0001.yaml"]


async def test_someone_else_first_names_the_key_and_not_the_command(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await pilot.press("space", "ctrl+s")
        await armed(app, pilot)
        first_come(run, SECOND)
        await pilot.press("y")
        screen = app.decide_screen
        await until(pilot, lambda: app.screen is screen and screen.has_class("-noticed"))
        assert "Press u to change it" in app.text("#notice-text")
        assert "supersede" not in app.text("#notice-text")


async def test_taking_back_has_one_name(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    first_come(run, SECOND)
    async with deciding(run, is_change=True) as (app, pilot):
        await pilot.press("end", "space", "tab", "x", "ctrl+s")
        await armed(app, pilot)
        assert "The decision is taken back." in app.text("#confirm-what")
        await pilot.press("y")
        await until(pilot, lambda: app.decide_screen.outcome is not None)
        assert "The decision is taken back" in app.text("#problem-text")
    assert standing(run).status == "withdrawn"
    async with deciding(run) as (app, _):
        told = app.text("#brief-text")
        assert "No alternative is selected: none of these, by ada@example.org" in told
        assert "An earlier decision does not count any more" in told


async def test_what_was_said_in_passing_leaves_with_the_screen(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await pilot.press("space", "escape")
        assert any("Press it again" in each.message for each in app._notifications)
        await pilot.press("escape")
        await until(pilot, lambda: bool(app.came_back))
        assert not list(app._notifications)


async def test_an_approver_is_told_to_whom_it_goes_and_no_domain(tmp_path: Path) -> None:
    async with deciding(write_run(tmp_path, lanes())) as (app, _):
        told = app.text("#brief-text")
        assert "It goes to a person, who decides." in told
        assert "domain" not in told


async def test_the_agents_words_stand_right_below_the_question(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes(), reason="I could not tell the lanes apart.")
    async with deciding(run, size=(80, 24)) as (app, _):
        assert "I could not tell the lanes apart." in app.drawn()


async def test_how_scores_count_is_said_and_no_maximum_is_made_up(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run, size=(80, 24)) as (app, _):
        assert "Higher counts more in the total of 2 axes." in app.drawn()
        assert "maximum" not in app.drawn()


def test_the_texts_of_a_branch_are_its_own_then_its_exchanges_and_data(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    branch = run / "step-1/parallel-1"
    (branch / "exchange/critique").mkdir(parents=True)
    (branch / "exchange/critique/response.md").write_text("# No")
    (branch / "exchange/out.md").symlink_to(run / "state.json")
    found = documents(branch)
    assert found[:3] == ["response/response.md", "request/request.json", "response/response.json"]
    assert set(found[3:]) == {"exchange/critique/response.md", "response/data/stack-model.json"}


async def test_what_was_said_in_passing_goes_with_the_pick_and_never_covers_confirm(
    tmp_path: Path,
) -> None:
    def said(app: Desk) -> list[str]:
        return [each.message for each in app._notifications]

    async with deciding(write_run(tmp_path, lanes())) as (app, pilot):
        await pilot.press("ctrl+s")
        assert said(app) == ["Nothing is picked yet: space picks the column under the cursor."]
        await pilot.press("space")
        assert said(app) == []

        await pilot.press("escape")
        assert "Press it again" in said(app)[0]
        await pilot.press("tab", "x")
        assert said(app) == []

        app.notify("from elsewhere", markup=False)
        await pilot.press("ctrl+s")
        await armed(app, pilot)
        assert said(app) == []


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (("space",), None),
        (
            ("right", "space"),
            "Not the highest total: its total is 6, the highest is left-lane, 7.5.",
        ),
        (("right", "right", "space"), "Not the highest total: it is not ranked, the highest is"),
        (("end", "space", "tab", "x"), None),
    ],
)
async def test_confirm_says_when_the_pick_has_not_the_highest_total(
    keys: tuple[str, ...], said: str | None, tmp_path: Path
) -> None:
    run = write_run(tmp_path, lanes(slow_lane={"cost": 2}))
    async with deciding(run) as (app, pilot):
        await pilot.press(*keys, "ctrl+s")
        await armed(app, pilot)
        told = app.text("#confirm-what")
        assert (said or "Selected") in told
        assert ("Not the highest total" in told) == (said is not None)


async def test_a_tie_that_was_not_picked_is_named_at_confirm(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes(right_lane={"cost": 3, "risk": 4.5}))
    async with deciding(run) as (app, pilot):
        await pilot.press("right", "right", "space", "ctrl+s")
        await armed(app, pilot)
        assert "the highest is a tie of left-lane and right-lane, 7.5." in app.text("#confirm-what")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_none_of_these_is_explained_in_its_column(
    size: tuple[int, int], tmp_path: Path
) -> None:
    async with deciding(write_run(tmp_path, lanes()), size=size) as (app, pilot):
        await pilot.press("end")
        grid = app.screen.query_one(ScoreGrid)
        meant = next(row.cells[-1] for row in grid.grid.rows if row.cells and row.cells[-1])
        told = " ".join(line.plain for line in meant(20))
        assert told == NONE_MEANS
        assert "space picks none of these: no alternative will do" in app.text("#picked")
