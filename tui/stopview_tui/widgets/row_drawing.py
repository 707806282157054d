"""Draws the lines of a list that are in view, and knows which row was painted where."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from textual.strip import Strip

from stopview_tui.widgets.row_columns import Mark, RowColumns
from stopview_tui.widgets.row_order import HeadingLine, RowOrder, RowSource
from stopview_tui.widgets.row_paint import RowPaint
from stopview_tui.widgets.row_view import HEADER, RowView

R = TypeVar("R")


class RowDrawing(RowView[R], Generic[R]):
    """The part of `Rows` that draws."""

    def __init__(
        self,
        source: RowSource[R],
        *,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self.source = source
        self._order: RowOrder[R] = RowOrder(source)
        self._cursor: Hashable | None = None
        self._marks: dict[Hashable, Mark] = {}
        self._columns: RowColumns[R] = RowColumns(source)
        self._paint: RowPaint[R] = RowPaint(self, self._columns)
        self._drawn: dict[int, Hashable] = {}
        self._painted: dict[int, Hashable] = {}
        self._awaits_paint = False

    def mark_of(self, identity: Hashable) -> Mark | None:
        """How the row is marked."""
        if identity == self._cursor and self._order.held_is_misplaced:
            return "gone" if self._order.held_is_gone else "changed"
        return self._marks.get(identity)

    def renew(self) -> None:
        """Draw again what is in view: the time has moved on, or the columns are others."""
        self._paint.clear()
        self._place_columns()
        self.refresh()

    def on_resize(self) -> None:
        """Lay the columns out anew, and keep the cursor in view."""
        self._paint.clear()
        self._place_columns()
        self._resized()
        if self._cursor is not None and self._cursor in self._order:
            self._scroll_into_view(self._cursor)

    def _place_columns(self) -> None:
        self._columns.place(self.scrollable_content_region.width)

    def notify_style_update(self) -> None:
        """Another theme: nothing drawn before holds."""
        super().notify_style_update()
        self._paint.clear()

    def watch_has_focus(self, has_focus: bool) -> None:
        """The cursor looks otherwise without the focus."""
        super().watch_has_focus(has_focus)
        if self._cursor is not None:
            self._refresh_row(self._cursor)

    def render_line(self, y: int) -> Strip:
        """One line in view, from the content's top."""
        width = self.scrollable_content_region.width
        if width != self._columns.width:
            self._paint.clear()
            self._place_columns()
        if y == 0:
            return self._paint.header(width)
        self._drawn.pop(y, None)
        if not self._awaits_paint:
            self._awaits_paint = True
            self.call_after_refresh(self._was_painted)
        line = self._order.at_line(y - HEADER + self.scroll_offset.y)
        if line is None:
            return Strip.blank(width, self.rich_style)
        if isinstance(line, HeadingLine):
            heading = self.source.heading(line.group, line.count)
            return self._paint.line(heading, width, "rows--heading")
        self._drawn[y] = line.identity
        return self._row_strip(line.identity, width)

    def _was_painted(self) -> None:
        """What was drawn is on the terminal now: until then a click means what stood there before.

        Lines are drawn without being painted too, to see what the mouse is over.
        """
        self._awaits_paint = False
        self._painted = dict(self._drawn)

    def _row_strip(self, identity: Hashable, width: int) -> Strip:
        component = ""
        if identity == self._cursor:
            component = "rows--cursor" if self.has_focus else "rows--cursor-away"
        row = self._order.get(identity)
        assert row is not None
        return self._paint.row(identity, row, width, component, self.mark_of(identity))
