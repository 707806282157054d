"""Shows alternatives side by side with their scores; the column under the cursor can be picked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style

from stopview_core.alternatives import AlternativeTable
from stopview_tui.bindings import bind
from stopview_tui.render_scores import (
    GOOD,
    MUTED,
    WARNING,
    shortened,
    shown_number,
    text_cell,
    total_cell,
)
from stopview_tui.widgets.score_rows import Column, Grid, Row, build_grid
from stopview_tui.widgets.score_widths import Widths, share_width

_LABEL_CAP = 6
_TITLE_CAP = 2
_MARK_WIDTH = 4
_EMPTY = Grid(AlternativeTable(), (), (), "")


@dataclass(frozen=True, slots=True)
class Marks:
    """What stands over the columns: the pick, and the decision in force with its seq.

    Each holds an id, or None for "none of these"; `has_pick` and `seq` say whether there is one.
    """

    has_pick: bool = False
    picked: str | None = None
    seq: str | None = None
    standing: str | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the screen: a label, and the text of each visible column; or one text across."""

    label: Content
    cells: tuple[Content, ...] = ()
    kind: str = "cells"


class ScoreGrid(ScrollView, can_focus=True):
    """The score table: sticky titles above, sticky axis names at the left, columns by the page.

    Sideways it moves by whole columns, so that no cell is ever half shown. `show` gives it a
    table, `mark` the pick and the decision in force. The cursor is bound to a column's id.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "score-grid--cell",
        "score-grid--cursor",
        "score-grid--label",
        "score-grid--line",
        "score-grid--line-cursor",
        "score-grid--title",
        "score-grid--title-cursor",
        "score-grid--heading",
    }
    DEFAULT_CSS = """
    ScoreGrid {
        overflow-x: hidden;
        overflow-y: auto;
        background: $surface;
        scrollbar-size-vertical: 1;
        & > .score-grid--cell { color: $foreground; }
        & > .score-grid--cursor { background: $boost; color: $foreground; }
        & > .score-grid--label { color: $foreground; }
        & > .score-grid--line { color: $text-disabled; }
        & > .score-grid--line-cursor { color: $text-disabled; }
        & > .score-grid--title { text-style: bold; }
        & > .score-grid--title-cursor { text-style: bold; background: $boost; }
        & > .score-grid--heading { color: $text-secondary; text-style: bold; }
        &:focus > .score-grid--line-cursor { color: $primary; }
        &:focus > .score-grid--title-cursor {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
        }
    }
    """
    BINDINGS: ClassVar = [
        bind("decide", "left", "move(-1)", tooltip="The column to the left"),
        bind("decide", "right", "move(1)", tooltip="The column to the right"),
        bind("decide", "first", "move_to_end(-1)", description="First column"),
        bind("decide", "last", "move_to_end(1)", description="Last column"),
        bind("decide", "up", "scroll_up", description="Scroll up"),
        bind("decide", "down", "scroll_down", description="Scroll down"),
        bind("decide", "page-up", "page_up"),
        bind("decide", "page-down", "page_down"),
    ]

    cursor: reactive[int] = reactive(0, layout=False)

    @dataclass
    class CursorMoved(Message):
        """The cursor came to stand on another column."""

        column: Column

    @dataclass
    class PickToggled(Message):
        """The mark over a column was clicked."""

        column: Column

    @dataclass
    class ColumnOpened(Message):
        """A column was double-clicked, or its artifacts were clicked."""

        column: Column
        wants_artifacts: bool

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.grid = _EMPTY
        self.marks = Marks()
        self._first = 0
        self._widths = Widths(0, 0, ())
        self._head: list[_Line] = []
        self._body: list[_Line] = []
        self._totals_before: Mapping[str, str] = {}

    def show(self, table: AlternativeTable, before: AlternativeTable | None = None) -> None:
        """Show the table; the cursor stays on the alternative it was on, where it is still there.

        `before` is the table of the last look: what differs from it is marked.
        """
        held = self.column.id if self.grid.columns else None
        had_columns = bool(self.grid.columns)
        self.grid = build_grid(table, before)
        self._totals_before = _totals_before(table, before)
        places = [column.id for column in self.grid.columns]
        self.cursor = places.index(held) if had_columns and held in places else 0
        self._lay_out()

    def mark(self, marks: Marks) -> None:
        """Show another pick or decision in force."""
        self.marks = marks
        self._lay_out()

    @property
    def column(self) -> Column:
        """The column under the cursor; IndexError before a table is shown."""
        return self.grid.columns[self.cursor]

    @property
    def visible_columns(self) -> tuple[Column, ...]:
        """The columns that fit now."""
        return self.grid.columns[self._widths.first : self._widths.last]

    @property
    def head_height(self) -> int:
        """How many lines stay in place above those that scroll."""
        return len(self._head)

    def move_to(self, index: int) -> None:
        """Put the cursor on a column, and the column in view."""
        if not self.grid.columns:
            return
        self.cursor = max(0, min(index, len(self.grid.columns) - 1))

    def action_move(self, by: int) -> None:
        """The cursor moves by columns."""
        self.move_to(self.cursor + by)

    def action_move_to_end(self, direction: int) -> None:
        """The cursor moves to the first or the last column."""
        self.move_to(0 if direction < 0 else len(self.grid.columns) - 1)

    def watch_cursor(self, before: int, after: int) -> None:
        """Bring the column into view, and tell."""
        if not self.grid.columns or before == after:
            return
        if not self._widths.first <= after < self._widths.last:
            count = len(self._widths.columns)
            self._first = after if after < self._widths.first else after - count + 1
        self._lay_out()
        self.post_message(self.CursorMoved(self.column))

    def on_resize(self) -> None:
        """Other widths, other lines."""
        self._lay_out()

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        """Columns scroll sideways one at a time; the cursor stays."""
        self._scroll_columns(1)
        event.stop()

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        """Columns scroll sideways one at a time; the cursor stays."""
        self._scroll_columns(-1)
        event.stop()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """With shift the wheel goes sideways."""
        if event.shift or event.ctrl:
            self._scroll_columns(1)
            event.stop()
            event.prevent_default()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """With shift the wheel goes sideways."""
        if event.shift or event.ctrl:
            self._scroll_columns(-1)
            event.stop()
            event.prevent_default()

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor; on the mark it picks; twice it opens."""
        event.stop()
        offset = event.get_content_offset(self)
        if offset is None or not self.grid.columns:
            return
        index = self._widths.column_at(offset.x)
        line = self._line_at(offset.y)
        if line is not None and line.kind == "pages":
            self._scroll_columns(-1 if offset.x < self.size.width // 2 else 1)
            return
        if index is None or line is None:
            return
        self.move_to(index)
        if line.kind == "title":
            self.post_message(self.PickToggled(self.column))
        elif line.kind == "artifacts":
            self.post_message(self.ColumnOpened(self.column, wants_artifacts=True))
        elif event.chain == 2:
            self.post_message(self.ColumnOpened(self.column, wants_artifacts=False))

    def _scroll_columns(self, by: int) -> None:
        most = len(self.grid.columns) - len(self._widths.columns)
        self._first = max(0, min(self._first + by, most))
        self._lay_out()

    def _line_at(self, y: int) -> _Line | None:
        if y < len(self._head):
            return self._head[y]
        index = y - len(self._head) + self.scroll_offset.y
        return self._body[index] if index < len(self._body) else None

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if not self.grid.columns or width <= 0:
            return
        labels = [row.label.plain for row in self.grid.rows if row.kind != "heading"]
        self._widths = share_width(width, labels, len(self.grid.columns), self._first)
        self._first = self._widths.first
        self._head = list(self._head_lines(width))
        self._body = [line for row in self.grid.rows for line in self._row_lines(row, width)]
        self.virtual_size = Size(width, len(self._head) + len(self._body))
        self.refresh()

    def _head_lines(self, width: int) -> Iterable[_Line]:
        hidden_left = self._widths.first
        hidden_right = len(self.grid.columns) - self._widths.last
        if hidden_left or hidden_right:
            yield _Line(_pages(hidden_left, hidden_right, width), kind="pages")
        shown = self.visible_columns
        yield from self._lines(
            Content.styled(self.grid.legend, MUTED), map(self._title, shown), "title"
        )
        yield from self._lines(Content(""), map(self._badge, shown), "badge")
        if any(column.alternative for column in shown):
            label = "total of means" if self.grid.table.uses_means else "total"
            yield from self._lines(Content.styled(label, "bold"), map(self._total, shown), "total")
        yield _Line(Content(""), kind="rule")

    def _row_lines(self, row: Row, width: int) -> Iterable[_Line]:
        if row.kind == "heading":
            yield _Line(Content(shortened(row.label.plain, width)), kind="heading")
            return
        visible = row.cells[self._widths.first : self._widths.last]
        drawn = [
            cell(max(width - 2, 1)) if cell else ()
            for cell, width in zip(visible, self._widths.columns, strict=True)
        ]
        yield from self._lines(row.label, drawn, row.kind)

    def _lines(
        self, label: Content, cells: Iterable[tuple[Content, ...]], kind: str
    ) -> Iterable[_Line]:
        labels = text_cell(label, cap=_LABEL_CAP)(self._widths.label - 1)
        drawn = list(cells)
        height = max(1, len(labels), *(len(lines) for lines in drawn))
        for y in range(height):
            yield _Line(
                labels[y] if y < len(labels) else Content(""),
                tuple(lines[y] if y < len(lines) else Content("") for lines in drawn),
                kind,
            )

    def _title(self, column: Column) -> tuple[Content, ...]:
        width = self._width_of(column)
        is_picked = self.marks.has_pick and self.marks.picked == column.id
        mark = "(●) " if is_picked else "( ) " if column.is_offered else "    "
        title = text_cell(Content(column.title))(max(width - _MARK_WIDTH, 1))
        if len(title) > _TITLE_CAP:
            rest = Content("").join(title[_TITLE_CAP - 1 :])
            title = (*title[: _TITLE_CAP - 1], rest.truncate(width - _MARK_WIDTH, ellipsis=True))
        return tuple(
            Content.assemble(mark if y == 0 else " " * _MARK_WIDTH, line)
            for y, line in enumerate(title)
        )

    def _badge(self, column: Column) -> tuple[Content, ...]:
        marks = self.marks
        said: list[tuple[str, str]] = []
        if marks.has_pick and marks.picked == column.id:
            said.append(("picked", GOOD))
        if marks.seq is not None and marks.standing == column.id:
            said.append((f"in force, {marks.seq}", GOOD))
        if column.is_new:
            said.append(("new", WARNING))
        if not column.is_offered:
            said.append(("not offered", WARNING))
        if column.alternative is None and not said:
            said.append(("needs a reason", MUTED))
        return text_cell(Content(" ").join(Content.styled(*part) for part in said))(
            max(self._width_of(column) - 2, 1)
        )

    def _total(self, column: Column) -> tuple[Content, ...]:
        if column.alternative is None:
            return ()
        cell = total_cell(
            column.alternative, self.grid.table, self._totals_before.get(column.alternative.id)
        )
        return cell(max(self._width_of(column) - 2, 1))

    def _width_of(self, column: Column) -> int:
        return self._widths.columns[self.grid.columns.index(column) - self._widths.first]

    def render_line(self, y: int) -> Strip:
        """One line of the widget: titles stay in place, the rest scrolls."""
        width = self.scrollable_content_region.width
        line = self._line_at(y)
        base = self.get_visual_style("score-grid--cell")
        if line is None:
            return Strip.blank(width, base.rich_style)
        segments = list(self._segments(line, width))
        return Strip(segments).adjust_cell_length(width, base.rich_style)

    def _segments(self, line: _Line, width: int) -> Iterable[Segment]:
        style = self.get_visual_style
        if line.kind in ("heading", "pages"):
            yield from self._drawn(line.label, width, style("score-grid--heading"))
            return
        if line.kind == "rule":
            yield from self._rule(width)
            return
        yield from self._drawn(line.label, self._widths.label, style("score-grid--label"))
        is_title = line.kind == "title"
        for index, (cell, cell_width) in enumerate(
            zip(line.cells, self._widths.columns, strict=True), self._widths.first
        ):
            yield self._edge(index)
            name = "title" if is_title else "cell"
            if index == self.cursor:
                name = "title-cursor" if is_title else "cursor"
            base = style(f"score-grid--{name}")
            indent = Content("") if is_title else Content(" ")
            yield from self._drawn(Content.assemble(indent, cell), cell_width, base)
        yield self._edge(self._widths.last)

    def _edge(self, index: int) -> Segment:
        """The line before a column: heavy on both sides of the cursor's, so it reads anywhere."""
        if index in (self.cursor, self.cursor + 1):
            return Segment("┃", self.get_visual_style("score-grid--line-cursor").rich_style)
        if index == self._widths.last:
            return Segment(" ", self.get_visual_style("score-grid--cell").rich_style)
        return Segment("│", self.get_visual_style("score-grid--line").rich_style)

    def _rule(self, width: int) -> Iterable[Segment]:
        rule = self.get_visual_style("score-grid--line").rich_style
        heavy = self.get_visual_style("score-grid--line-cursor").rich_style
        yield Segment("─" * self._widths.label, rule)
        for index, cell_width in enumerate(self._widths.columns, self._widths.first):
            is_edge = index in (self.cursor, self.cursor + 1)
            yield Segment("╂" if is_edge else "┼", heavy if is_edge else rule)
            yield Segment("─" * cell_width, rule)
        if self._widths.last == self.cursor + 1:
            yield Segment("┨", heavy)

    def _drawn(self, content: Content, width: int, base: Style) -> Iterable[Segment]:
        fitted = content.truncate(width, ellipsis=True)
        for text, style in fitted.render(base, end="", parse_style=Style.parse):
            if text:
                yield Segment(text, style.rich_style)
        if (left := width - fitted.cell_length) > 0:
            yield Segment(" " * left, base.rich_style)


def _totals_before(table: AlternativeTable, before: AlternativeTable | None) -> dict[str, str]:
    """What each total was at the last look, where it was another one."""
    if before is None:
        return {}
    told: dict[str, str] = {}
    for alternative in table.alternatives:
        earlier = before.get(alternative.id)
        if earlier is not None and earlier.total != alternative.total:
            told[alternative.id] = (
                "not ranked" if earlier.total is None else shown_number(earlier.total)
            )
    return told


def _pages(left: int, right: int, width: int) -> Content:
    """How many columns are out of sight on either side."""
    before = f"◂ {left} more" if left else ""
    after = f"{right} more ▸" if right else ""
    gap = max(width - len(before) - len(after), 1)
    return Content(f"{before}{' ' * gap}{after}")
