"""Draws the lines of a list, and keeps the strips of the rows that were drawn."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from textual.cache import LRUCache
from textual.content import Content
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget

from stopview_tui.terminal_safety import safe_strip
from stopview_tui.widgets.row_columns import Mark, RowColumns

R = TypeVar("R")
_KEPT = 512


class RowPaint(Generic[R]):
    """Paints for one list widget. A row is drawn anew only after `forget` or another look of it."""

    def __init__(self, widget: Widget, columns: RowColumns[R]) -> None:
        self._widget = widget
        self._columns = columns
        self._strips: LRUCache[Hashable, dict[tuple[int, str], Strip]] = LRUCache(_KEPT)

    def forget(self, identity: Hashable) -> None:
        """What was drawn of this row does not hold any more."""
        self._strips.discard(identity)

    def clear(self) -> None:
        """Nothing that was drawn holds any more."""
        self._strips.clear()

    def row(
        self, identity: Hashable, row: R, width: int, component: str, mark: Mark | None
    ) -> Strip:
        """A row's line; `component` is the style of the cursor, "" where the cursor is not."""
        kept = self._strips.get(identity)
        if kept is None:
            kept = self._strips[identity] = {}
        key = (width, f"{component}/{mark}")
        if key not in kept:
            content = self._columns.content(row, is_cursor=bool(component), mark=mark)
            if component == "rows--cursor":
                content = content.without_spans
            kept[key] = self.line(content, width, component)
        return kept[key]

    def header(self, width: int) -> Strip:
        """The titles."""
        return self.line(self._columns.header(), width, "rows--header")

    def line(self, content: Content, width: int, component: str) -> Strip:
        """Any content as one line of exactly this width."""
        if not width:
            return Strip([])
        widget = self._widget
        style = widget.get_visual_style(component) if component else widget.visual_style
        strips = Visual.to_strips(widget, content, width, 1, style, pad=True)
        return safe_strip(strips[0]) if strips else Strip.blank(width)
