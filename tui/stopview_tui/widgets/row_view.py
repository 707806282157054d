"""Where the rows of a list stand in view, and how the view is kept when they move."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from textual.geometry import Region, Size

from stopview_tui.widgets.row_keys import RowKeys
from stopview_tui.widgets.row_order import HeadingLine, RowLine, RowOrder

R = TypeVar("R")

HEADER = 1
"""Lines above the rows."""


class RowView(RowKeys, Generic[R]):
    """The part of `Rows` that scrolls."""

    _order: RowOrder[R]
    _cursor: Hashable | None

    @property
    def page(self) -> int:
        """Lines for rows in view."""
        return max(self.scrollable_content_region.height - HEADER, 1)

    def _resized(self) -> None:
        size = Size(self.scrollable_content_region.width, self._order.line_count + HEADER)
        if size != self.virtual_size:
            self.virtual_size = size

    def _cursor_offset(self) -> int | None:
        """On which line in view the cursor is; None where it is out of view."""
        if self._cursor is None or self._cursor not in self._order:
            return None
        offset = self._order.line_of(self._cursor) - self.scroll_offset.y
        return offset if 0 <= offset < self.page else None

    def _keep_offset(self, offset: int | None) -> None:
        if self._cursor is not None and offset is not None:
            self._scroll_so_that(self._cursor, offset)

    def _anchor(self) -> tuple[Hashable | None, int]:
        """The row that keeps its line in view: the cursor's, else the topmost in view."""
        offset = self._cursor_offset()
        if offset is not None:
            return self._cursor, offset
        for line in range(self.scroll_offset.y, self.scroll_offset.y + self.page):
            found = self._order.at_line(line)
            if isinstance(found, RowLine):
                return found.identity, line - self.scroll_offset.y
        return None, 0

    def _scroll_so_that(self, identity: Hashable, offset: int) -> None:
        self.scroll_to(y=self._order.line_of(identity) - offset, animate=False, force=True)

    def _scroll_into_view(self, identity: Hashable) -> None:
        line = self._order.line_of(identity)
        above = line - 1 if isinstance(self._order.at_line(line - 1), HeadingLine) else line
        top = self.scroll_offset.y
        if above < top:
            self.scroll_to(y=above, animate=False, force=True)
        elif line >= top + self.page:
            self.scroll_to(y=line - self.page + 1, animate=False, force=True)

    def _refresh_row(self, identity: Hashable) -> None:
        if identity in self._order:
            y = self._order.line_of(identity) - self.scroll_offset.y + HEADER
            if HEADER <= y < HEADER + self.page:
                self.refresh(Region(0, y, self.scrollable_content_region.width, 1))
