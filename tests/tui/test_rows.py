"""The list widget: one cursor on an identity, whatever comes, changes, goes or is clicked."""

from __future__ import annotations

from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_row_order import Item, Items
from textual import events, on
from textual.app import App, ComposeResult
from textual.content import Content
from textual.pilot import Pilot
from textual.strip import Strip

from stopview_core.text import is_clean
from stopview_tui.widgets.row_layout import Column
from stopview_tui.widgets.rows import Rows

HOSTILE = "[/x][@click=app.quit] \x1b]0;t\x07\u202e\u200b\x9b31m\ttab\nline \U000e0041"


class Named(Items):
    """Items with a text of their own."""

    def __init__(self, texts: dict[int, str] | None = None) -> None:
        super().__init__()
        self.texts = texts or {}

    columns = (Column("name", "name", 30, 4, 0), Column("more", "more", 30, 4, 1, grow=1))

    def cell(self, row: Item, column: Column, width: int) -> Content:
        return Content(self.texts.get(row.name, f"item {row.name}"))


class ListApp(App[None]):
    """A list and what it told."""

    def __init__(self, source: Named) -> None:
        super().__init__()
        self.rows = Rows(source)
        self.activated: list[Hashable | None] = []
        self.highlighted: list[Hashable | None] = []

    def compose(self) -> ComposeResult:
        yield self.rows

    @on(Rows.Highlighted)
    def _told(self, event: Rows.Highlighted) -> None:
        told = self.activated if isinstance(event, Rows.Activated) else self.highlighted
        told.append(event.identity)


@asynccontextmanager
async def listing(
    items: list[Item], *, size: tuple[int, int] = (60, 12), source: Named | None = None
) -> AsyncIterator[tuple[ListApp, Pilot[None]]]:
    app = ListApp(source or Named())
    async with app.run_test(size=size) as pilot:
        app.rows.focus()
        app.rows.show(items)
        await pilot.pause()
        yield app, pilot


def texts(rows: Rows[Any]) -> list[str]:
    """The lines in view."""
    return [rows.render_line(y).text.rstrip() for y in range(rows.size.height)]


def many(count: int) -> list[Item]:
    return [Item(number, number % 3, number) for number in range(count)]


async def test_only_what_is_in_view_is_drawn_and_the_keys_reach_every_row() -> None:
    source = Named()
    drawn: list[int] = []
    cell = source.cell
    source.cell = lambda row, column, width: (drawn.append(row.name), cell(row, column, width))[1]  # type: ignore[method-assign]
    async with listing(many(10_000), source=source) as (app, pilot):
        assert len(set(drawn)) < 300
        assert app.rows.cursor == 0
        await pilot.press("end")
        assert app.rows.cursor == 9998
        assert f"item {app.rows.cursor}" in "\n".join(texts(app.rows))
        await pilot.press("up", "k", "pageup", "home", "down", "j")
        assert app.rows.cursor == 6
        await pilot.press("enter")
        assert app.activated == [6]
        assert len(set(drawn)) < 400


async def test_the_cursor_keeps_its_row_and_its_line_when_rows_come_and_go() -> None:
    async with listing(many(100)) as (app, pilot):
        rows = app.rows
        rows.move_to(60)
        await pilot.pause()
        before = texts(rows).index(next(t for t in texts(rows) if "item 60" in t))
        rows.update([Item(1000 + n, 0, -n) for n in range(7)], [3, 6])
        await pilot.pause()
        assert rows.cursor == 60
        assert "item 60" in texts(rows)[before]
        assert rows.mark_of(1003) == "new"
        await pilot.press("enter")
        assert app.activated == [60]


async def test_a_row_under_the_cursor_that_moves_or_goes_stays_until_the_cursor_leaves() -> None:
    async with listing([Item(1, 0, 1), Item(2, 0, 2), Item(3, 1, 3)]) as (app, pilot):
        rows = app.rows
        rows.update([Item(1, 1, 9)])
        await pilot.pause()
        assert rows.identities == [1, 2, 3]
        assert rows.mark_of(1) == "changed"
        await pilot.press("down")
        assert rows.cursor == 2
        assert rows.identities == [2, 3, 1]
        rows.update([], [2])
        await pilot.pause()
        assert rows.cursor_is_gone
        assert rows.mark_of(2) == "gone"
        assert any("×" in text and "item 2" in text for text in texts(rows))
        await pilot.press("down")
        assert rows.identities == [3, 1]
        assert rows.cursor == 3


async def test_a_row_that_was_let_go_moves_once_and_takes_the_cursor_along() -> None:
    async with listing([Item(1, 0, 1), Item(2, 0, 2), Item(3, 1, 3)]) as (app, pilot):
        rows = app.rows
        rows.let_go()
        rows.update([Item(1, 1, 9)])
        await pilot.pause()
        assert rows.identities == [2, 3, 1]
        assert rows.cursor == 1
        rows.update([Item(1, 0, 1)])
        await pilot.pause()
        assert rows.identities == [2, 3, 1]
        rows.let_go()
        await pilot.pause()
        assert rows.identities == [1, 2, 3]
        assert rows.cursor == 1


async def test_the_last_row_that_is_gone_leaves_an_empty_list() -> None:
    async with listing([Item(1, 0, 1)]) as (app, pilot):
        app.rows.update([], [1])
        await pilot.pause()
        assert app.rows.cursor == 1
        await pilot.press("down")
        assert app.rows.cursor is None
        assert app.rows.identities == []
        await pilot.press("enter")
        assert app.activated == []
        app.rows.update([Item(5, 0, 0)])
        await pilot.pause()
        assert app.rows.cursor == 5


async def test_marks_go_when_the_cursor_was_there() -> None:
    async with listing([Item(1, 0, 1), Item(2, 0, 2)]) as (app, pilot):
        app.rows.update([Item(2, 0, 3), Item(3, 0, 4)])
        assert (app.rows.mark_of(2), app.rows.mark_of(3)) == ("changed", "new")
        await pilot.press("down")
        assert app.rows.mark_of(2) is None
        app.rows.update([Item(4, 0, 9)], marks=False)
        assert app.rows.mark_of(4) is None
        app.rows.clear_marks()
        assert app.rows.mark_of(3) is None


async def test_a_click_selects_and_a_second_one_opens() -> None:
    async with listing(many(5)) as (app, pilot):
        line = next(y for y, text in enumerate(texts(app.rows)) if "item 0" in text)
        await pilot.click(Rows, offset=(5, line))
        assert app.rows.cursor == 0
        assert app.activated == []  # nobody had selected it before
        await pilot.click(Rows, offset=(5, line + 1))
        assert app.rows.cursor == 3
        assert app.activated == []
        await pilot.click(Rows, offset=(5, line + 1))
        assert app.activated == [3]
        await pilot.click(Rows, offset=(5, 0))  # the titles
        await pilot.click(Rows, offset=(5, line - 1))  # a heading
        assert app.activated == [3]
        assert app.rows.cursor == 3


async def test_a_click_means_the_row_that_was_painted_there() -> None:
    async with listing(many(5)) as (app, _):
        line = next(y for y, text in enumerate(texts(app.rows)) if "item 3" in text)
        # Rows come above while a click is on its way, and nothing has been painted since.
        app.rows.update([Item(50, 0, -1), Item(51, 0, -2)])
        assert "item 3" not in texts(app.rows)[line]
        app.rows.on_click(events.Click(app.rows, 5, line, 0, 0, 1, False, False, False, 5, line))
        assert app.rows.cursor == 3


async def test_another_filter_keeps_the_cursor_on_its_row_or_goes_to_the_first() -> None:
    async with listing(many(30)) as (app, pilot):
        app.rows.move_to(12)
        app.rows.show([Item(12, 0, 12), Item(13, 1, 13)])
        assert app.rows.cursor == 12
        app.rows.show([Item(13, 1, 13), Item(16, 1, 16)])
        assert app.rows.cursor == 13
        app.rows.show([])
        assert app.rows.cursor is None
        await pilot.pause()
        assert app.highlighted[-1] is None


async def test_it_goes_to_the_next_wanted_row_and_round() -> None:
    async with listing(many(9)) as (app, _):
        assert app.rows.move_to_next(lambda item: item.group == 2)
        assert app.rows.cursor == 2
        assert app.rows.move_to_next(lambda item: item.name == 1)
        assert app.rows.cursor == 1
        assert not app.rows.move_to_next(lambda item: False)
        assert app.rows.cursor == 1


async def test_columns_drop_and_every_cut_is_marked() -> None:
    long = Named({1: "a text that is longer than its column is wide, by far"})
    async with listing([Item(1, 0, 1)], source=long, size=(20, 8)) as (app, pilot):
        assert all(len(text) <= 20 for text in texts(app.rows))
        assert texts(app.rows)[2].endswith("…")
        await pilot.resize_terminal(70, 8)
        await pilot.pause()
        assert texts(app.rows)[2].count("…") == 2


async def test_no_control_character_reaches_a_strip() -> None:
    source = Named({1: HOSTILE, 2: "界" * 40, 3: "e\u0301" * 30})
    async with listing([Item(n, 0, n) for n in (1, 2, 3)], source=source) as (app, pilot):
        for y in range(app.rows.size.height):
            strip: Strip = app.rows.render_line(y)
            assert is_clean(strip.text)
            assert "\t" not in strip.text
            assert "\n" not in strip.text
            assert strip.cell_length == app.rows.scrollable_content_region.width
        assert "[/x]" in "\n".join(texts(app.rows))
        await pilot.press("down", "down")


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=40), width=st.integers(8, 40))
async def test_any_text_is_drawn_in_exactly_the_width(text: str, width: int) -> None:
    async with listing([Item(1, 0, 1)], source=Named({1: text}), size=(width, 5)) as (app, _):
        strip = app.rows.render_line(2)
        assert strip.cell_length == app.rows.scrollable_content_region.width
        assert is_clean(strip.text)
        assert "\n" not in strip.text
