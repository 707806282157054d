"""The field for a reason: several lines, nothing in it that a terminal would obey."""

from __future__ import annotations

from textual import events
from textual.strip import Strip
from textual.widgets import TextArea

from stopview_core.text import without_controls
from stopview_tui.terminal_safety import safe_strip

_OPTIONAL = "Your reason, if you like"
_REQUIRED = "Your reason: it is needed here"


class ReasonArea(TextArea):
    """A text area for plain text. Tab leaves it; what is pasted loses its control characters."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(
            id=id,
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            compact=True,
            highlight_cursor_line=False,
            placeholder=_OPTIONAL,
        )

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        await super()._on_paste(events.Paste(without_controls(event.text)))

    def render_line(self, y: int) -> Strip:
        """The line, with hidden characters made visible."""
        return safe_strip(super().render_line(y))

    def set_wanted(self, is_required: bool) -> None:
        """Say whether the pick needs a reason."""
        self.placeholder = _REQUIRED if is_required else _OPTIONAL
