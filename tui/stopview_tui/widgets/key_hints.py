"""The hint bar of a screen that can be worked by mouse alone."""

from __future__ import annotations

from textual import events

from stopview_tui.render import key_hint
from stopview_tui.widgets.hint_bar import HintBar


class KeyHints(HintBar):
    """The hint bar, where a click on a key presses it."""

    DEFAULT_CSS = """
    KeyHints { dock: bottom; background: $panel; }
    """

    def on_click(self, event: events.Click) -> None:
        """Press the key that stands there."""
        event.stop()
        offset = event.get_content_offset(self)
        if offset is None:
            return
        for binding in self._hinted():
            hint = key_hint(self.app.get_key_display(binding), binding.description.lower()).plain
            start = self._hints.plain.find(hint)
            if start >= 0 and start <= offset.x < start + len(hint):
                self.app.simulate_key(binding.key)
                return
