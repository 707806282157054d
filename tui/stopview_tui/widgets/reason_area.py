"""The field for a reason: several lines, nothing in it that a terminal would obey."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.strip import Strip
from textual.widgets import TextArea

from stopview_core.text import without_controls
from stopview_tui.bindings import bind
from stopview_tui.terminal_safety import safe_strip


class ReasonArea(TextArea):
    """A text area for plain text. Tab leaves it; what is pasted loses its control characters."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind(
            "reason",
            "back",
            "screen.back",
            description="To the alternatives",
            tooltip="Leave the reason as it is typed",
        ),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(
            id=id,
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            compact=True,
            highlight_cursor_line=False,
        )

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        await super()._on_paste(events.Paste(without_controls(event.text)))

    def render_line(self, y: int) -> Strip:
        """The line, with hidden characters made visible."""
        return safe_strip(super().render_line(y))

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Enter is a new line here, so no place's meaning of it holds."""
        return key == "enter" or super().check_consume_key(key, character)
