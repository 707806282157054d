"""Says how much of a scrolling text lies above and below what is in view."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from stopview_tui.render import ACCENT, MUTED, styled
from stopview_tui.words import count_of


class MoreMark(Static):
    """One line. `follow` a widget that scrolls; where all of it is in view the line is empty."""

    DEFAULT_CSS = """
    MoreMark { height: 1; width: 1fr; }
    """

    def follow(self, scrolled: Widget) -> None:
        """Say how much there is, now and whenever it scrolls or becomes longer."""
        self._scrolled = scrolled
        self.watch(scrolled, "scroll_y", self._look, init=False)
        self.watch(scrolled, "virtual_size", self._look, init=False)
        self.watch(scrolled, "size", self._look, init=False)
        self.call_after_refresh(self._look)

    def _look(self) -> None:
        scrolled = self._scrolled
        self.update(more_words(scrolled.scroll_offset.y, scrolled.max_scroll_y))


def more_words(above: int, most: int) -> Content:
    """`above` lines are out of view at the top, of `most` that can be."""
    below = max(most - above, 0)
    if below:
        return styled((f"▼ {count_of(below, 'more line')} below  (↓)", ACCENT))
    return styled(("▲ the end", MUTED)) if above else Content("")
