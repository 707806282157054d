"""The Runs mode: what it lists, how it filters, and where it leads."""

from __future__ import annotations

from pathlib import Path

from decide_setup import until
from hypothesis import given
from hypothesis import strategies as st
from modes_setup import (
    HOSTILE,
    drawn,
    looking,
    page_text,
    run_opened,
    settled,
    write_demo,
)

from stopview_core.demo import RunBuilder
from stopview_core.text import is_clean
from stopview_tui.long_work import sorted_in_steps
from stopview_tui.screens.choose import ChooseScreen
from stopview_tui.screens.runs.screen import RunsScreen


def ids(screen: object) -> list[str]:
    assert isinstance(screen, RunsScreen)
    rows = [screen.rows.get(identity) for identity in screen.rows.identities]
    return [row.run.id for row in rows if row is not None]


async def test_it_lists_every_run_the_last_changed_first_and_says_one_in_short(
    tmp_path: Path,
) -> None:
    root = write_demo(tmp_path / "runs")
    async with looking(root, "runs") as (app, pilot):
        screen = app.screen
        assert isinstance(screen, RunsScreen)
        assert len(ids(screen)) == 12
        assert ids(screen)[0] == "catalogue-release"
        assert ids(screen)[-1] == "orders-out-of-the-shop"
        assert "Catalogue 14.2.0 live" in page_text(app)

        await pilot.press("n")
        row = screen.row
        assert row is not None
        assert row.run.id == "delivery-slot-picker"

        await pilot.press("end")
        assert "checkout team can release" in page_text(app)
        assert "CHOICE_REQUIRED -> you" in page_text(app)
        row = screen.row
        assert row is not None
        assert (row.open_branches, row.choices) == (1, 1)


async def test_a_text_and_a_route_filter_it_and_escape_shows_all_again(tmp_path: Path) -> None:
    root = write_demo(tmp_path / "runs")
    async with looking(root, "runs") as (app, pilot):
        await pilot.press("slash", *"harbor")
        await until(pilot, lambda: ids(app.screen) == ["orders-out-of-the-shop"])
        assert "1 shown" in drawn(app)
        assert "11 hidden" in drawn(app)

        await pilot.press("escape")
        await until(pilot, lambda: len(ids(app.screen)) == 12)

        await pilot.press("f")
        await until(pilot, lambda: isinstance(app.screen, ChooseScreen))
        await pilot.press("r")
        await until(pilot, lambda: "external" in drawn(app))
        await pilot.press(
            next(key for key in "123456789" if f"{key}  outside (external)" in drawn(app))
        )
        await until(pilot, lambda: isinstance(app.screen, RunsScreen))
        await until(pilot, lambda: ids(app.screen) == ["trace-collector-upgrade"])


async def test_enter_opens_the_run_and_escape_comes_back_to_its_row(tmp_path: Path) -> None:
    root = write_demo(tmp_path / "runs", "api-rate-limits", "catalogue-release")
    async with looking(root, "runs") as (app, pilot):
        await pilot.press("down", "enter")
        opened = await run_opened(app, pilot)
        assert opened.run_path.name == "api-rate-limits"

        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, RunsScreen))
        screen = app.screen
        assert isinstance(screen, RunsScreen)
        assert screen.row is not None
        assert screen.row.run.id == "api-rate-limits"


async def test_runs_that_come_change_and_go_are_taken_over(tmp_path: Path) -> None:
    root = write_demo(tmp_path / "runs", "api-rate-limits")
    async with looking(root, "runs") as (app, pilot):
        write_demo(root, "catalogue-release")
        app.refresh_picture()
        await until(pilot, lambda: set(ids(app.screen)) == {"api-rate-limits", "catalogue-release"})

        (root / "catalogue-release" / "state.json").write_text("{half", encoding="utf-8")
        app.refresh_picture()
        screen = app.screen
        assert isinstance(screen, RunsScreen)
        broken = str(root / "catalogue-release")

        def is_said() -> bool:
            row = screen.rows.get(broken)
            return row is not None and row.unreadable is not None

        await until(pilot, is_said)
        await pilot.pause()
        assert any("catalogue-release" in line and "! " in line for line in drawn(app).splitlines())


async def test_a_run_without_a_readable_state_is_shown_from_its_branches(tmp_path: Path) -> None:
    root = write_demo(tmp_path / "runs", "catalogue-release")
    (root / "catalogue-release" / "state.json").write_text("{half", encoding="utf-8")
    async with looking(root, "runs") as (app, _):
        assert "! unreadable" in drawn(app)
        assert "release.deploy" in page_text(app)


async def test_hostile_names_are_shown_as_text(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    run = RunBuilder(HOSTILE, folder="hostile", project=HOSTILE, mission={"goal": HOSTILE})
    run.branch("1/1", "business.decide", status="blocked", stop="[/x]", reason=HOSTILE)
    run.write(root)
    async with looking(root, "runs") as (app, pilot):
        shown = drawn(app)
        assert "[/x][@click=app.quit]\\x1b]0;x\\x07" in shown
        assert all(is_clean(line) for line in shown.splitlines())
        await pilot.press("enter")
        await run_opened(app, pilot)
        assert "[/x]" in drawn(app)
        assert all(is_clean(line) for line in drawn(app).splitlines())


async def test_an_empty_root_says_what_is_watched_and_narrow_is_not_broken(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    root.mkdir()
    async with looking(root, "runs", size=(40, 20)) as (app, pilot):
        assert "No runs here yet." in drawn(app)
        write_demo(root, "api-rate-limits")
        app.refresh_picture()
        await until(pilot, lambda: ids(app.screen) == ["api-rate-limits"])
        await settled(app, pilot)
        assert "api-rate-limits" in drawn(app)
        assert all(len(line) <= 40 for line in drawn(app).splitlines())


@given(st.lists(st.integers(-5, 5)), st.integers(1, 7))
def test_sorting_in_steps_is_sorting(numbers: list[int], step: int) -> None:
    pairs = list(enumerate(numbers))

    assert sorted_in_steps(pairs, lambda pair: pair[1], step) == sorted(
        pairs, key=lambda pair: pair[1]
    )
