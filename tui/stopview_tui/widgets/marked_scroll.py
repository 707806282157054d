"""A scrolling region that says how many of its lines are out of sight below."""

from __future__ import annotations

from textual.containers import VerticalScroll

from stopview_tui.words import count_of


class MarkedScroll(VerticalScroll):
    """Give it a bottom border: the mark stands in it, and goes once the end is in view."""

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Other lines are out of sight."""
        super().watch_scroll_y(old_value, new_value)
        self._show_mark()

    def watch_virtual_size(self) -> None:
        """The text became longer or shorter."""
        self._show_mark()

    def on_resize(self) -> None:
        """More or fewer lines fit."""
        self._show_mark()

    @property
    def below(self) -> int:
        """How many lines are out of sight below."""
        return max(0, round(self.max_scroll_y - self.scroll_y))

    def _show_mark(self) -> None:
        below = self.below
        self.border_subtitle = (
            f"{count_of(below, 'more line', 'more lines')} below" if below else ""
        )
