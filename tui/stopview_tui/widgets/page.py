"""Text that scrolls: laid out for its width, drawn only where it is in view, selected by mouse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeAlias

from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.visual import Visual

from stopview_tui.bindings import bind
from stopview_tui.terminal_safety import safe_strip

Draw: TypeAlias = Callable[[int], Sequence[Content]]
"""Lays a text out as lines of at most so many cells."""

_EMPTY: tuple[Content, ...] = ()


class Page(ScrollView, can_focus=True):
    """One text. `show` it as a `Content`, or as a function that lays it out for a width.

    A wheel turn or a key past either end posts `EndPassed`: where a text has more parts, the one
    who shows it can go on with the next.
    """

    DEFAULT_CSS = """
    Page {
        height: 1fr;
        background: transparent;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
        padding: 0 1;
        text-wrap: nowrap;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("text", "up", "line(-1)", description="Up", tooltip="One line up"),
        bind("text", "down", "line(1)", description="Down", tooltip="One line down"),
        bind("text", "page-up", "page(-1)", tooltip="One page up"),
        bind("text", "page-down", "page(1)", tooltip="One page down"),
        bind("text", "first", "end(-1)", description="Start", tooltip="The start of the text"),
        bind("text", "last", "end(1)", description="End", tooltip="The end of the text"),
    ]

    class EndPassed(Message):
        """There was no more to scroll: `direction` is -1 at the start, 1 at the end.

        `wants_whole` tells that the very start or end of everything was asked for.
        """

        def __init__(self, page: Page, direction: int, *, wants_whole: bool) -> None:
            super().__init__()
            self.page = page
            self.direction = direction
            self.wants_whole = wants_whole

        @property
        def control(self) -> Page:
            """The page."""
            return self.page

    class WidthChanged(Message):
        """The page has another width now, in cells; what it shows may have to be laid out anew."""

        def __init__(self, page: Page, width: int) -> None:
            super().__init__()
            self.page = page
            self.width = width

        @property
        def control(self) -> Page:
            """The page."""
            return self.page

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._draw: Draw | None = None
        self._lines: Sequence[Content] = _EMPTY
        self._width = 0
        self._starts_at_end = False

    @property
    def text(self) -> str:
        """What is shown, as plain text in lines."""
        return "\n".join(line.plain for line in self._lines)

    @property
    def line_count(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    @property
    def inner_width(self) -> int:
        """How many cells a line has; 0 before the page has a place on the screen."""
        return self.scrollable_content_region.width

    def show(self, text: Content | Draw, *, keep_place: bool = False, at_end: bool = False) -> None:
        """Show a text from its start, from where the last one was scrolled to, or from its end."""
        self._draw = text.wrap if isinstance(text, Content) else text
        self._starts_at_end = at_end
        self._lay_out()
        if at_end:
            self.scroll_to(y=self.max_scroll_y, animate=False, force=True)
        elif not keep_place:
            self.scroll_to(y=0, animate=False, force=True)
        self.refresh()

    def on_resize(self) -> None:
        """Another width, other lines; the share that is above stays what it was."""
        if self.inner_width == self._width:
            return
        share = self.scroll_offset.y / max(self.virtual_size.height, 1)
        self._lay_out()
        y = self.max_scroll_y if self._starts_at_end else share * self.virtual_size.height
        self.scroll_to(y=y, animate=False, force=True)
        self.post_message(self.WidthChanged(self, self._width))

    def _lay_out(self) -> None:
        self._width = self.inner_width
        if self._draw is None or self._width <= 0:
            return
        self._lines = self._draw(self._width)
        self.virtual_size = Size(self._width, len(self._lines))
        self.refresh()

    def action_line(self, by: int) -> None:
        """Scroll by lines."""
        self._scroll(by)

    def action_page(self, by: int) -> None:
        """Scroll by pages."""
        self._scroll(by * max(self.scrollable_content_region.height - 1, 1))

    def action_end(self, direction: int) -> None:
        """Scroll to the start or the end."""
        self._starts_at_end = False
        self.scroll_to(y=0 if direction < 0 else self.max_scroll_y, animate=False, force=True)
        self.post_message(self.EndPassed(self, direction, wants_whole=True))

    def _scroll(self, by: int) -> None:
        self._starts_at_end = False
        before = self.scroll_offset.y
        after = max(0, min(before + by, self.max_scroll_y))
        if after == before:
            direction = 1 if by > 0 else -1
            self.post_message(self.EndPassed(self, direction, wants_whole=False))
        else:
            self.scroll_to(y=after, animate=False, force=True)

    def on_mouse_scroll_down(self) -> None:
        """The wheel goes past the end."""
        if self.scroll_offset.y >= self.max_scroll_y:
            self.post_message(self.EndPassed(self, 1, wants_whole=False))

    def on_mouse_scroll_up(self) -> None:
        """The wheel goes past the start."""
        if self.scroll_offset.y <= 0:
            self.post_message(self.EndPassed(self, -1, wants_whole=False))

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text under the selection."""
        return selection.extract(self.text), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw it as selected."""
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line in view."""
        width = self.scrollable_content_region.width
        place = y + self.scroll_offset.y
        if not width or place >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        line = self._lines[place]
        selection = self.text_selection
        span = selection.get_span(place) if selection is not None else None
        if span is not None:
            start, end = span
            line = line.stylize("reverse", start, len(line) if end == -1 else end)
        strips = Visual.to_strips(
            self, line, width, 1, self.visual_style, apply_selection=False, pad=True
        )
        strip = safe_strip(strips[0]) if strips else Strip.blank(width, self.rich_style)
        return strip.crop_extend(0, width, self.rich_style).apply_offsets(0, place)
