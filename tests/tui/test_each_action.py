"""Actions of the app that no test of a single place takes, by key and by mouse."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from decide_setup import FIRST, SECOND, first_come, lanes, until, write_run
from modes_setup import fell_back, looking, run_opened, settled, write_demo
from shell_setup import (
    bypassed_run,
    choice_run,
    drawn,
    inbox,
    listening,
    open_decide,
    rows,
    shell,
    toasts,
    waiting_run,
)
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from stopview_tui.app import StopviewApp
from stopview_tui.palette import commands_of
from stopview_tui.screens.choose import ChooseScreen
from stopview_tui.screens.decide import DecideScreen, gate
from stopview_tui.screens.document.screen import DocumentScreen
from stopview_tui.screens.history.screen import HistoryScreen
from stopview_tui.screens.run.screen import RunScreen
from stopview_tui.screens.runs.screen import RunsScreen
from stopview_tui.widgets.key_hints import KeyHints
from stopview_tui.widgets.reason_area import ReasonArea
from stopview_tui.widgets.rows import Rows


async def test_r_opens_the_run_at_the_branch_of_the_row(tmp_path: Path) -> None:
    run = choice_run("lanes")
    run.branch("2/1", "backend.source.apply", status="blocked", stop="SOURCE_DRIFT")
    path = run.write(tmp_path / "runs")
    async with shell(tmp_path / "runs") as (app, pilot):
        rows(app).move_to((str(path), "2/1"))
        await pilot.press("r")
        opened = await run_opened(app, pilot)
        assert (opened.run_path, opened.rows.cursor) == (path, "2/1")
    async with looking(tmp_path / "runs", "runs") as (other, pilot):
        await pilot.press("r")
        assert (await run_opened(other, pilot)).run_path == path


async def test_a_row_is_opened_by_the_mouse(tmp_path: Path) -> None:
    write_run(tmp_path / "runs", lanes())
    waiting_run("waits").write(tmp_path / "runs")
    async with shell(tmp_path / "runs") as (app, pilot):
        line = next(y for y, text in enumerate(drawn(app).splitlines()) if "waits" in text)
        place = rows(app).region.offset
        await pilot.click(offset=(place.x + 8, line))
        assert app.screen is inbox(app)
        await pilot.click(offset=(place.x + 8, line))
        await until(pilot, lambda: isinstance(app.screen, RunScreen))
        assert cast(RunScreen, app.screen).run_path.name == "waits"


async def test_the_keys_of_a_run_act_on_the_branch_under_the_cursor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "true")
    files = {"artifacts/one.html": "1", "artifacts/two.html": "2"}
    run = write_run(tmp_path / "runs", lanes(), files=files)
    first_come(run, FIRST)
    async with shell(tmp_path / "runs") as (app, pilot):
        await pilot.press("r")
        screen = await run_opened(app, pilot)
        await _choose(app, pilot, "o", "Open which artifact?", "2")
        await until(pilot, lambda: bool(app.opened) or "no browser" in toasts(app))
        await _choose(app, pilot, "e", "Open which file?", "1")
        await until(pilot, lambda: "cannot be handed over" in toasts(app))
        await _choose(app, pilot, "Y", "Copy what?", "b")
        assert app.clipboard == "lanes 1/1"
        await pilot.press("n")
        await until(pilot, lambda: "No other branch of this run" in toasts(app))
        await pilot.press("u")
        await until(pilot, lambda: isinstance(app.screen, DecideScreen))
        decide = cast(DecideScreen, app.screen)
        await until(pilot, lambda: decide.case.superseding == "0001")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)


async def _choose(app: StopviewApp, pilot: Pilot[None], key: str, title: str, answer: str) -> None:
    """Press a key that asks, and answer."""
    place = app.screen
    await pilot.press(key)
    await until(pilot, lambda: isinstance(app.screen, ChooseScreen) and title in drawn(app))
    await pilot.press(answer)
    await until(pilot, lambda: app.screen is place)


async def test_a_text_is_opened_in_the_editor_and_its_path_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "true")
    root = write_demo(tmp_path / "runs", "catalogue-release")
    async with looking(root, "inbox") as (app, pilot):
        where = "step-2/parallel-1/response/response.md"
        screen = DocumentScreen(root / "catalogue-release", (where,), where)
        app.push_screen(screen)
        await until(pilot, lambda: bool(screen.parts))
        told: list[str] = []
        app.say = lambda text, *, is_trouble=False: told.append(text)  # type: ignore[method-assign]
        await pilot.press("e")
        await until(pilot, lambda: told == ["This terminal cannot be handed over."])
        await pilot.press("Y")
        assert app.clipboard == str(root / "catalogue-release" / where)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is not screen)


async def test_copying_in_the_other_lists(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    fell_back(root, "fell", "2026-11-02T09:00:00Z", selected="right-lane")
    async with looking(root, "runs") as (app, pilot):
        await _choose(app, pilot, "Y", "Copy what?", "p")
        assert app.clipboard == str(root / "fell")
        await pilot.press("3")
        await until(pilot, lambda: isinstance(app.screen, HistoryScreen))
        await settled(app, pilot)
        await _choose(app, pilot, "Y", "Copy what?", "s")
        assert app.clipboard == SECOND


async def test_copying_while_deciding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "QUIET_S", 0.01)
    run = write_run(tmp_path / "runs", lanes())
    async with shell(tmp_path / "runs") as (app, pilot):
        screen = await open_decide(app, pilot)
        await pilot.press("right", "Y")
        assert app.clipboard == SECOND
        await pilot.press("space", "ctrl+s")
        confirm = await listening(app, pilot)
        await pilot.press("Y")
        assert app.clipboard == confirm.record
        await pilot.press("y")
        await until(pilot, lambda: screen.outcome is not None and app.screen is screen)
        await pilot.press("Y")
        receipt = "step-1/parallel-1/decision/0001.yaml"
        assert app.clipboard.endswith(receipt)
        assert (run / receipt).read_text() == confirm.record


async def test_a_hint_that_is_clicked_presses_its_key(tmp_path: Path) -> None:
    write_run(tmp_path / "runs", lanes())
    async with shell(tmp_path / "runs") as (app, pilot):
        screen = await open_decide(app, pilot)
        hints = screen.query_one(KeyHints)
        at = hints._hints.plain.index("space pick")
        await pilot.click(hints, offset=(at + 3, 0))
        await until(pilot, lambda: screen.case.picked is not None)
        gap = hints._hints.plain.index("   ") + 2
        await pilot.click(hints, offset=(gap, 0))
        assert app.screen is screen
        at = hints._hints.plain.index("q back")
        await pilot.click(hints, offset=(at + 2, 0))
        await until(pilot, lambda: "Press it again to leave" in toasts(app))


async def test_a_menu_is_answered_by_key_arrows_and_mouse(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    choice_run("lanes").write(root)
    async with shell(root) as (app, pilot):
        for answer in ("key", "arrows", "mouse"):
            app.copy_to_clipboard("")
            await pilot.press("Y")
            await until(pilot, lambda: isinstance(app.screen, ChooseScreen))
            await until(pilot, lambda: bool(app.screen.query(OptionList)))
            await pilot.pause()
            if answer == "key":
                await pilot.press("r")
            elif answer == "arrows":
                await pilot.press("down", "enter")
            else:
                listed = app.screen.query_one(OptionList)
                line = next(y for y, t in enumerate(drawn(app).splitlines()) if "r  run id" in t)
                await pilot.click(offset=(listed.region.x + 6, line))
            await until(pilot, lambda: app.clipboard == "lanes")


async def test_letters_are_typed_into_the_filter_and_arrows_lead_out_of_it(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    choice_run("jack", "2026-11-02T08:00:00Z").write(root)
    choice_run("jackal", "2026-11-03T08:00:00Z").write(root)
    async with shell(root) as (app, pilot):
        await pilot.press("slash", *"jack")
        assert app.inbox.filter.text == "jack"
        assert isinstance(app.focused, Input)
        await pilot.press("down")
        assert app.focused is rows(app)
        assert rows(app).cursor == (str(root / "jackal"), "1/1")
        await pilot.press("slash", "up")
        assert app.focused is rows(app)
        assert rows(app).cursor == (str(root / "jack"), "1/1")


async def test_tab_on_decide_leads_to_the_reason_and_back(tmp_path: Path) -> None:
    write_run(tmp_path / "runs", lanes())
    async with shell(tmp_path / "runs") as (app, pilot):
        screen = await open_decide(app, pilot)
        names = {command.name for command in commands_of(screen)}
        assert "Decide: Next part" in names
        await pilot.press("tab")
        assert isinstance(app.focused, ReasonArea)
        await pilot.press("q", "tab")
        assert screen.query_one(ReasonArea).text == "q"
        assert not isinstance(app.focused, ReasonArea)


async def test_v_is_called_by_what_it_does_now(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    fell_back(root, "good", "2026-11-02T09:00:00Z")
    fell_back(root, "bad", "2026-11-03T09:00:00Z", policy="approval-required")
    async with looking(root, "history") as (app, pilot):
        names = {command.name for command in commands_of(app.screen)}
        assert "History: Only violations" in names
        await pilot.press("v")
        await settled(app, pilot)
        names = {command.name for command in commands_of(app.screen)}
        assert "History: All records" in names
        assert "History: Only violations" not in names
        await until(pilot, lambda: "v all records" in drawn(app))


async def test_the_palette_does_what_has_no_key(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    choice_run("lanes").write(root)
    async with shell(root) as (app, pilot):
        choice_run("newer", "2026-11-20T08:00:00Z").write(root)
        await until(pilot, lambda: len(rows(app)) == 2)
        assert rows(app).mark_of((str(root / "newer"), "1/1")) == "new"
        commands = {command.name: command for command in commands_of(app.screen)}
        commands["List: Clear the marks"].run()
        assert rows(app).mark_of((str(root / "newer"), "1/1")) is None
        commands["Inbox: Show seen violations"].run()
        assert app.inbox.shows_seen
        commands["Settings: Detail below"].run()
        assert app.screen.has_class("-below")
        looks: list[object] = []
        app.scanning.look = looks.append  # type: ignore[assignment]
        app.scanning.look = lambda paths=None: looks.append(paths)  # type: ignore[method-assign]
        commands["Watch: Look again now"].run()
        assert looks == [None]
        commands["Inbox: Decide"].run()
        await until(pilot, lambda: isinstance(app.screen, DecideScreen))
    waiting_run("waits").write(tmp_path / "others")
    async with shell(tmp_path / "others") as (app, _):
        assert "Inbox: Decide" not in {command.name for command in commands_of(app.screen)}


async def test_the_bar_counts_what_waits_whatever_the_filter_hides(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    choice_run("one").write(root)
    choice_run("other").write(root)
    waiting_run("waits").write(root)
    async with shell(root, size=(160, 40)) as (app, pilot):
        await until(pilot, lambda: "2 choices, 3 shown" in drawn(app))
        await pilot.press("slash", *"other", "enter")
        await until(pilot, lambda: "1 choice, 1 shown, 2 hidden" in drawn(app))
        assert app.inbox.counts.choices == sum("? Needs" in line for line in _headings(app))
        await pilot.press("2")
        await until(pilot, lambda: isinstance(app.screen, RunsScreen))
        await until(pilot, lambda: "2 choices" in drawn(app))


def _headings(app: StopviewApp) -> list[str]:
    listed = app.screen.query_one(Rows)
    return [listed.render_line(y).text for y in range(listed.size.height)]


async def test_a_mark_that_cannot_be_kept_is_said_and_not_made(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    bypassed_run("bypassed").write(root)
    async with shell(root) as (app, pilot):
        assert not (tmp_path / "scratch").exists()
        (tmp_path / "scratch").write_text("a file where the folder was")
        await pilot.press("m")
        await until(pilot, lambda: "The mark could not be kept" in toasts(app))
        assert app.inbox.counts.seen == 0
        app.set_preference("bell", False)
        await until(pilot, lambda: "The setting could not be kept" in toasts(app))
