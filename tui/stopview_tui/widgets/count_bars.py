"""How often each of some names occurs, as small bars."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content
from textual.widget import Widget

from stopview_tui.render_history import count_lines


class CountBars(Widget):
    """As many names as there are lines for, the most frequent first; what is left is said."""

    DEFAULT_CSS = """
    CountBars { width: 1fr; height: 1fr; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self, title: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._title = title
        self.counts: Mapping[str, int] = {}

    def show(self, counts: Mapping[str, int]) -> None:
        """Show these counts, the most frequent first."""
        if counts != self.counts:
            self.counts = counts
            self.refresh()

    def render(self) -> Content:
        """The lines."""
        size = self.content_size
        return Content("\n").join(
            count_lines(self._title, self.counts, size.width, max(size.height, 1))
        )
