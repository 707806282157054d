"""Shows alternatives side by side with their scores; the column under the cursor can be picked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style

from stopview_core.alternatives import AlternativeTable
from stopview_tui.bindings import bind
from stopview_tui.render_scores import shown_number
from stopview_tui.terminal_safety import safe_strip
from stopview_tui.widgets.score_lines import Line, LineMaker, Marks
from stopview_tui.widgets.score_rows import Column, Grid, build_grid
from stopview_tui.widgets.score_widths import Widths, share_width

_EMPTY = Grid(AlternativeTable(), (), (), "")


class ScoreGrid(ScrollView, can_focus=True, inherit_bindings=False):
    """The score table: sticky titles above, sticky axis names at the left, columns by the page.

    Sideways it moves by whole columns, so that no cell is ever half shown. `show` gives it a
    table, `mark` the pick and the decision in force. The cursor is bound to a column's id.
    A key that `admits` refuses goes nowhere: with the focus here, the screen never sees it first.
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
        padding-left: 1;
        scrollbar-gutter: stable;
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
        bind(
            "decide",
            "first",
            "move_to_end(-1)",
            description="First column",
            tooltip="The first alternative",
        ),
        bind(
            "decide",
            "last",
            "move_to_end(1)",
            description="Last column",
            tooltip="None of these, after the last alternative",
        ),
        bind("decide", "up", "scroll_up", description="Scroll up", tooltip="One line up"),
        bind("decide", "down", "scroll_down", description="Scroll down", tooltip="One line down"),
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

    def __init__(
        self, *, admits: Callable[[events.Event], bool] = lambda _: True, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self._admits = admits
        self.grid = _EMPTY
        self.marks = Marks()
        self._first = 0
        self._widths = Widths(0, 0, ())
        self._made_for = 0
        self._part_styles: dict[str, Style] = {}
        self._head: list[Line] = []
        self._body: list[Line] = []
        self._totals_before: Mapping[str, str] = {}

    def show(
        self,
        table: AlternativeTable,
        *,
        before: AlternativeTable | None = None,
        note: Content | None = None,
    ) -> None:
        """Show the table; the cursor stays on the alternative it was on, where it is still there.

        `before` is the table of an earlier look: what differs from it is marked. `note` stands
        below the scores.
        """
        held = self.column.id if self.grid.columns else None
        had_columns = bool(self.grid.columns)
        self.grid = build_grid(table, before, note)
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
        if self._bring_into_view(after):
            self._lay_out()
        self.refresh()
        self.post_message(self.CursorMoved(self.column))

    def on_resize(self) -> None:
        """Other widths, other lines; the cursor stays in view."""
        self._take_height()
        if self.grid.columns and self._bring_into_view(self.cursor):
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

    def _forward_event(self, event: events.Event) -> None:
        if self._admits(event):
            super()._forward_event(event)
        else:
            event.stop()

    def _bring_into_view(self, index: int) -> bool:
        """Whether other columns have to be drawn for it."""
        if self._widths.first <= index < self._widths.last:
            return False
        count = len(self._widths.columns)
        self._first = index if index < self._widths.first else index - count + 1
        return True

    def _scroll_columns(self, by: int) -> None:
        most = len(self.grid.columns) - len(self._widths.columns)
        self._first = max(0, min(self._first + by, most))
        self._lay_out()

    def _line_at(self, y: int) -> Line | None:
        if y < len(self._head):
            return self._head[y]
        index = y - len(self._head) + self.scroll_offset.y
        return self._body[index] if index < len(self._body) else None

    def _lay_out(self) -> None:
        """Make the lines anew, and take their number for the height of what scrolls."""
        self._made_for = 0
        self._take_height()
        self.refresh()

    def _take_height(self) -> None:
        self._make_lines()
        if self._made_for:
            self.virtual_size = Size(self._made_for, len(self._head) + len(self._body))

    def _make_lines(self) -> None:
        """Make the lines for the width there is, unless they are made already."""
        width = self.scrollable_content_region.width
        if not self.grid.columns or width <= 0 or width == self._made_for:
            return
        rows = self.grid.rows
        names = [row.label.plain for row in rows if row.kind in ("cells", "artifacts")]
        topics = [row.label.plain for row in rows if row.kind == "topic"]
        count = len(self.grid.columns)
        self._widths = share_width(width, names, topics, count, self._first)
        self._first = self._widths.first
        maker = LineMaker(self.grid, self._widths, self.marks, width, self._totals_before)
        self._head, self._body = list(maker.head()), list(maker.body())
        self._made_for = width

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines in view; each part's style is worked out once for all of them."""
        self._part_styles.clear()
        return super().render_lines(crop)

    def _style(self, part: str) -> Style:
        if part not in self._part_styles:
            self._part_styles[part] = self.get_visual_style(f"score-grid--{part}")
        return self._part_styles[part]

    def render_line(self, y: int) -> Strip:
        """One line of the widget: titles stay in place, the rest scrolls.

        The first drawing comes before the word of a resize, so the lines may have to be made here.
        """
        self._make_lines()
        width = self.scrollable_content_region.width
        line = self._line_at(y)
        base = self._style("cell")
        if line is None:
            return Strip.blank(width, base.rich_style)
        strip = Strip(list(self._segments(line, width)))
        return safe_strip(strip.adjust_cell_length(width, base.rich_style))

    def _segments(self, line: Line, width: int) -> Iterable[Segment]:
        style = self._style
        if line.kind in ("heading", "pages", "note"):
            name = "label" if line.kind == "note" else "heading"
            yield from self._drawn(line.label, width, style(name))
            return
        if line.kind == "rule":
            yield from self._rule(width)
            return
        yield from self._drawn(line.label, self._widths.label, style("label"))
        is_title = line.kind == "title"
        for index, (cell, cell_width) in enumerate(
            zip(line.cells, self._widths.columns, strict=True), self._widths.first
        ):
            yield self._edge(index)
            name = "title" if is_title else "cell"
            if index == self.cursor:
                name = "title-cursor" if is_title else "cursor"
            base = style(name)
            indent = Content("") if is_title else Content(" ")
            yield from self._drawn(Content.assemble(indent, cell), cell_width, base)
        yield self._edge(self._widths.last)

    def _edge(self, index: int) -> Segment:
        """The line before a column: heavy on both sides of the cursor's, so it reads anywhere."""
        if index in (self.cursor, self.cursor + 1):
            return Segment("┃", self._style("line-cursor").rich_style)
        if index == self._widths.last:
            return Segment(" ", self._style("cell").rich_style)
        return Segment("│", self._style("line").rich_style)

    def _rule(self, width: int) -> Iterable[Segment]:
        rule = self._style("line").rich_style
        heavy = self._style("line-cursor").rich_style
        yield Segment("─" * self._widths.label, rule)
        for index, cell_width in enumerate(self._widths.columns, self._widths.first):
            is_edge = index in (self.cursor, self.cursor + 1)
            yield Segment("╂" if is_edge else "┼", heavy if is_edge else rule)
            yield Segment("─" * cell_width, rule)
        if self._widths.last == self.cursor + 1:
            yield Segment("┨", heavy)

    def _drawn(self, content: Content, width: int, base: Style) -> Iterable[Segment]:
        if not content.plain.strip(" ") and not content.spans:
            yield Segment(" " * width, base.rich_style)
            return
        fitted = content.truncate(width, ellipsis=True)
        for text, style in fitted.render(base, end="", parse_style=_parsed):
            if text:
                yield Segment(text, style.rich_style)
        if (left := width - fitted.cell_length) > 0:
            yield Segment(" " * left, base.rich_style)


def _parsed(style: str | Style) -> Style:
    return style if isinstance(style, Style) else Style.parse(style)


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
