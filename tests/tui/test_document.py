"""The viewer of a run's texts: long, hostile, unreadable and changing ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from decide_setup import until
from modes_setup import HOSTILE, drawn, looking, page_text, write_demo
from textual.pilot import Pilot

from stopview_core.text import is_clean
from stopview_tui.app import StopviewApp
from stopview_tui.markdown_parts import PART
from stopview_tui.screens.document.screen import DocumentScreen
from stopview_tui.widgets.page import Page

ONE, TWO, BAD = (f"step-1/parallel-1/response/{name}.md" for name in ("one", "two", "bad"))


def text_run(root: Path) -> Path:
    write_demo(root, "catalogue-release")
    return root / "catalogue-release"


def put(run: Path, where: str, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    (run / where).write_bytes(data)


WAITS = ("", "Reading the text…")
"""What the page says before the text is there."""


async def opened(
    app: StopviewApp, pilot: Pilot[None], run: Path, texts: tuple[str, ...], first: str
) -> DocumentScreen:
    screen = DocumentScreen(run, texts, first)
    app.push_screen(screen)
    await until(pilot, lambda: screen.is_mounted and page_text(app, "#text") not in WAITS)
    return screen


async def test_a_text_is_drawn_and_hostile_parts_are_shown_as_text(tmp_path: Path) -> None:
    run = text_run(tmp_path / "runs")
    put(
        run,
        ONE,
        f"# Title\n\n{HOSTILE}\n\n&#x1b;[2J &#x202e;\n\nso <!-- hid --> [go](https://a.b)\n",
    )
    async with looking(run.parent, "inbox") as (app, pilot):
        await opened(app, pilot, run, (ONE,), ONE)

        text = page_text(app, "#text")
        assert text.startswith("Title\n━━━━━")
        assert "[@click=app.quit]" in text
        assert "�[2J \\u202e" in text
        assert "so <!-- hid --> go (https://a.b)" in text
        assert all(is_clean(line) for line in drawn(app).splitlines())
        assert "1/1  response/one.md" in drawn(app)


async def test_left_and_right_go_to_the_other_texts_and_one_that_is_bad_says_why(
    tmp_path: Path,
) -> None:
    run = text_run(tmp_path / "runs")
    put(run, ONE, "first")
    put(run, TWO, "second")
    put(run, BAD, b"\xff\xfe")
    async with looking(run.parent, "inbox") as (app, pilot):
        screen = await opened(app, pilot, run, (ONE, TWO, BAD), ONE)
        assert not screen.check_action("other", (-1,))

        await pilot.press("right")
        await until(pilot, lambda: page_text(app, "#text") == "second")
        assert "text 2 of 3" in drawn(app)
        await pilot.press("right")
        await until(pilot, lambda: "not UTF-8" in page_text(app, "#text"))
        assert not screen.check_action("other", (1,))
        await pilot.press("left", "left")
        await until(pilot, lambda: page_text(app, "#text") == "first")


async def test_a_long_text_is_paged_through_part_by_part(tmp_path: Path) -> None:
    run = text_run(tmp_path / "runs")
    chapters = [f"# Chapter {number}\n\n{'word ' * 5_000}\n\n" for number in range(1, 5)]
    put(run, ONE, "".join(chapters))
    async with looking(run.parent, "inbox") as (app, pilot):
        screen = await opened(app, pilot, run, (ONE,), ONE)
        count = len(screen.parts)
        assert count > 2
        assert all(len(part) <= PART for part in screen.parts)
        assert f"part 1 of {count}" in drawn(app)
        page = screen.query_one(Page)

        page.scroll_to(y=page.max_scroll_y, animate=False, force=True)
        await pilot.pause()
        assert "more part" in drawn(app)
        await pilot.press("pagedown")
        await until(pilot, lambda: screen.part == 1 and page_text(app, "#text")[:9] == "Chapter 2")
        assert page.scroll_offset.y == 0

        await pilot.press("pageup")
        await until(pilot, lambda: page_text(app, "#text")[:9] == "Chapter 1")
        assert page.scroll_offset.y == page.max_scroll_y > 0

        await pilot.press("end", "end")
        await until(pilot, lambda: screen.part == count - 1)
        await until(pilot, lambda: "more part" not in page_text(app, "#text"))
        await pilot.press("home")
        await until(pilot, lambda: page_text(app, "#text")[:9] == "Chapter 1")
        assert page.scroll_offset.y == 0


async def test_a_text_that_changes_is_read_again_and_a_resize_lays_it_out_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stopview_tui.screens.document.screen.LOOK_S", 0.02)
    run = text_run(tmp_path / "runs")
    where = "step-2/parallel-1/response/response.md"
    async with looking(run.parent, "inbox") as (app, pilot):
        screen = await opened(app, pilot, run, (where,), where)
        before = page_text(app, "#text")
        await pilot.resize_terminal(40, 20)
        await until(pilot, lambda: page_text(app, "#text") != before)
        assert all(len(line) <= 40 for line in page_text(app, "#text").splitlines())

        await until(pilot, lambda: screen._stamp is not None)
        put(run, where, "# Rewritten\n")
        await until(pilot, lambda: page_text(app, "#text").startswith("Rewritten"))

        await pilot.press("Y")
        assert app.clipboard == str(run / where)
        assert screen.where == where


async def test_a_text_that_is_gone_says_so(tmp_path: Path) -> None:
    run = text_run(tmp_path / "runs")
    async with looking(run.parent, "inbox") as (app, pilot):
        await opened(app, pilot, run, ("step-9/none.md",), "step-9/none.md")
        assert "cannot be shown: it is not there" in page_text(app, "#text")
