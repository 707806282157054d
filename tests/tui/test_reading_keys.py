"""Long texts are read by the same keys and by the wheel everywhere; tab leads from pane to pane."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from decide_setup import Desk, until, write_run
from modes_setup import looking, run_opened, write_demo
from shell_setup import Alternative, choice_run, drawn, inbox, shell
from textual.pilot import Pilot
from textual.widget import Widget

from stopview_core.board import Group
from stopview_tui.render_rows import heading
from stopview_tui.render_run import status_content
from stopview_tui.screens.decide.alternative import AlternativeScreen
from stopview_tui.screens.help import HelpScreen
from stopview_tui.screens.run.screen import RunScreen
from stopview_tui.screens.shell_screen import ShellScreen
from stopview_tui.signs import SIGNS
from stopview_tui.widgets.detail import DetailPane
from stopview_tui.widgets.hint_bar import HintBar
from stopview_tui.widgets.more_mark import MoreMark, more_words
from stopview_tui.widgets.row_columns import SIGNS as MARKS

LONG = "\n".join(f"Line {number} of the reason." for number in range(120))


async def read_through(pilot: Pilot[None], text: Widget) -> None:
    """Every key that moves through a text moves the one that has the focus."""
    page = text.scrollable_content_region.height - 1
    end = None  # Wherever that is by then: the text may still grow.
    assert text.max_scroll_y > 2 * page > 2
    for keys, place in (
        ("j", 1),
        ("down", 2),
        ("k", 1),
        ("up", 0),
        ("up", 0),
        ("pagedown", page),
        ("ctrl+f", 2 * page),
        ("pageup", page),
        ("ctrl+b", 0),
        ("G", end),
        ("down", end),
        ("g", 0),
        ("end", end),
        ("home", 0),
    ):
        await pilot.press(keys)
        assert text.scroll_offset.y == (text.max_scroll_y if place is end else place), keys
    await pilot._post_mouse_events([_wheel()], text)
    await until(pilot, lambda: text.scroll_offset.y > 0)


def _wheel() -> type:
    from textual.events import MouseScrollDown

    return MouseScrollDown


async def test_the_detail_of_the_inbox(tmp_path: Path) -> None:
    run = choice_run("lanes")
    run.branch("2/1", "backend.source.apply", status="blocked", stop="SOURCE_DRIFT", reason=LONG)
    run.write(tmp_path / "runs")
    async with shell(tmp_path / "runs", size=(80, 24)) as (app, pilot):
        pane = inbox(app).query_one(DetailPane)
        inbox(app).rows.move_to((str(tmp_path / "runs/lanes"), "2/1"))
        await until(pilot, lambda: pane.max_scroll_y > 60)
        await pilot.press("tab")
        assert app.focused is pane
        before = inbox(app).rows.cursor
        await read_through(pilot, pane)
        assert inbox(app).rows.cursor == before


async def test_the_help(tmp_path: Path) -> None:
    async with shell(tmp_path / "runs", size=(80, 16)) as (app, pilot):
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        text, mark = app.screen.query_one("#help-text"), app.screen.query_one(MoreMark)
        await until(pilot, lambda: text.max_scroll_y > 30)
        await until(pilot, lambda: f"{text.max_scroll_y} more lines" in str(mark.render()))
        await pilot.press("j")
        await until(pilot, lambda: f"{text.max_scroll_y - 1} more lines" in str(mark.render()))
        await pilot.press("G")
        await until(pilot, lambda: "the end" in str(mark.render()))
        assert "version" in drawn(app)
        await pilot.press("g")
        await read_through(pilot, text)
        await pilot.resize_terminal(80, 200)
        await until(pilot, lambda: str(mark.render()) == "")


@pytest.mark.parametrize(
    ("above", "most", "words"),
    [
        (0, 0, ""),
        (0, 1, "▼ 1 more line below  (↓)"),
        (3, 10, "▼ 7 more lines below  (↓)"),
        (10, 10, "▲ the end"),
        (12, 10, "▲ the end"),
    ],
)
def test_what_is_left_to_read_is_counted(above: int, most: int, words: str) -> None:
    assert more_words(above, most).plain == words


async def test_an_alternative_in_full(tmp_path: Path) -> None:
    text = "word " * 3000
    run = write_run(tmp_path, [Alternative("a", {"cost": 1, "risk": 1}, text)])
    assert run.is_dir()
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        from decide_setup import ACTOR, registry

        from stopview_tui.screens.decide import DecideScreen

        app.push_screen(DecideScreen(run, "1/1", registry=registry(), actor=ACTOR))
        await until(pilot, lambda: app.decide_screen.is_listening)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, AlternativeScreen))
        pane = app.screen.query_one("#alternative")
        await until(pilot, lambda: pane.max_scroll_y > 60)
        await read_through(pilot, pane)
        await pilot.press("Y")
        assert app.clipboard == "a"


def _is_told(told: Callable[[], str], words: str) -> bool:
    return told() == words


async def test_tab_leads_from_pane_to_pane_and_the_hint_names_the_next(tmp_path: Path) -> None:
    write_demo(tmp_path / "runs", "catalogue-release")
    run = tmp_path / "runs" / "catalogue-release"
    for mode, panes in (
        ("inbox", ["Detail"]),
        ("runs", ["rows", "detail"]),
        ("codes", ["rows", "detail"]),
    ):
        async with looking(tmp_path / "runs", mode) as (app, pilot):
            if mode == "inbox":
                app.push_screen(RunScreen(run, "2/1"))
                screen: ShellScreen[None] = await run_opened(app, pilot)
                await until(pilot, lambda: len(app.screen.query("#texts")) == 1)
                await until(pilot, lambda: app.screen.query_one("#texts").display)
                panes = ["rows", "detail", "texts", "run-head"]
            else:
                assert isinstance(app.screen, ShellScreen)
                screen = app.screen
            names = {"rows": "List", "detail": "Detail", "texts": "Texts", "run-head": "Goal"}
            assert app.focused is not None
            for _ in panes:
                here = panes.index(app.focused.id or "")
                following = panes[(here + 1) % len(panes)]
                hinted = partial(screen.key_words, "panes.pane")
                await until(pilot, partial(_is_told, hinted, names[following]))
                await pilot.press("tab")
                assert app.focused.id == following
            hints = screen.query_one(HintBar)
            assert any(b.id == "panes.pane" for b in hints._hinted())


def test_every_sign_on_screen_is_explained_in_the_help() -> None:
    explained = " ".join(sign for sign, _ in SIGNS)
    used = {heading(group, 1).plain.split()[0] for group in Group}
    used |= {sign for sign in MARKS.values() if sign.strip()}
    for status in ("done", "blocked", "running", "waiting", "mismatch", "abandoned", "stopped"):
        used.add(status_content(status).plain.split()[0])
    assert len(used) > 12
    assert {sign for sign in used if sign not in explained} == set()
    assert all(meaning for _, meaning in SIGNS)
