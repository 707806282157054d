"""A scrolling region that takes the same keys as every text of the app."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll

from stopview_tui.bindings import bind


class KeyedScroll(VerticalScroll, can_focus=True, inherit_bindings=False):
    """Put widgets in it that may be longer than the place there is for them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("scroll", "up", "line(-1)", tooltip="One line up"),
        bind("scroll", "down", "line(1)", tooltip="One line down"),
        bind("scroll", "page-up", "page(-1)"),
        bind("scroll", "page-down", "page(1)"),
        bind("scroll", "first", "end(-1)", description="Start", tooltip="The start of the text"),
        bind("scroll", "last", "end(1)", description="End", tooltip="The end of the text"),
    ]

    def action_line(self, by: int) -> None:
        """Scroll by lines."""
        self.scroll_relative(y=by, animate=False, force=True)

    def action_page(self, by: int) -> None:
        """Scroll by pages; a line of the last one stays in view."""
        lines = max(self.scrollable_content_region.height - 1, 1)
        self.scroll_relative(y=by * lines, animate=False, force=True)

    def action_end(self, direction: int) -> None:
        """Scroll to the start or the end."""
        self.scroll_to(y=0 if direction < 0 else self.max_scroll_y, animate=False, force=True)
