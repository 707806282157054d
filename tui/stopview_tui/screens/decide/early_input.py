"""Keeps keys and clicks out of the alternatives that were sent before these could be seen."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.screen import Screen

from stopview_core.decide import Outcome
from stopview_tui.screens.living import LivingScreen


class IgnoresEarlyInput(LivingScreen[Outcome | None]):
    """What was sent before the alternatives were drawn picks nothing, however late it is handled.

    Until they are there only what is bound then passes; once they are there, undrawn, only what
    leaves the screen or belongs to the app. A click counts from when the button went down.
    """

    def __init__(self, *, classes: str) -> None:
        super().__init__(classes=classes)
        self.listens_from: float | None = None
        """When the alternatives were drawn first, by the clock that stamps messages."""
        self._is_click_fresh = False

    def on_mount(self) -> None:
        """Hear of each drawing right after it was written."""
        self.screen_layout_refresh_signal.subscribe(self, self._drawn, immediate=True)

    @property
    def is_ready(self) -> bool:
        """Whether the alternatives are there to be drawn."""
        return self.has_class("-ready")

    @property
    def is_listening(self) -> bool:
        """Whether the alternatives were drawn, so that what is typed now counts."""
        return self.listens_from is not None

    def _drawn(self, _: Screen[object]) -> None:
        if self.listens_from is None and self.is_ready and self.is_current:
            self.listens_from = Message().time

    def _forward_event(self, event: events.Event) -> None:
        """Each click comes by here, and each key as long as nothing has the focus."""
        if self.admits(event):
            super()._forward_event(event)
        else:
            event.stop()

    def admits(self, event: events.Event) -> bool:
        """Whether it counts; to be asked for keys by whatever has the focus from the start."""
        if isinstance(event, events.MouseUp | events.Click):
            return self._is_click_fresh
        if isinstance(event, events.MouseDown):
            self._is_click_fresh = not self.is_ready or self._is_seen(event)
            return self._is_click_fresh
        if isinstance(event, events.Key):
            return self._is_seen(event) or self._is_harmless(event.key)
        return not isinstance(event, events.Paste) or self._is_seen(event)

    def _is_seen(self, event: events.Event) -> bool:
        return self.listens_from is not None and event.time >= self.listens_from

    def _is_harmless(self, key: str) -> bool:
        active = self.active_bindings.get(key)
        if active is None or not active.enabled:
            return False
        return not self.is_ready or active.node is self.app or active.binding.action == "back"
