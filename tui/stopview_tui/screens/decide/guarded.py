"""A screen that takes no key and no click from before it could be seen."""

from __future__ import annotations

from typing import Generic, TypeVar

from textual import events
from textual.message import Message

from stopview_tui.screens.decide import gate
from stopview_tui.screens.decide.gate import InputGate
from stopview_tui.screens.living import LivingScreen

T = TypeVar("T")


class GuardedScreen(LivingScreen[T], Generic[T]):
    """Keys and clicks pass its gate or are dropped, judged by the time they were sent.

    A subclass says when it `is_ready_to_listen`, calls `call_after_refresh(self.drawn)` whenever
    it put something new on the screen, and gets `gate_moved` to show how things are. Nothing on it
    may take the focus: then every key comes by the screen first. `takes_action` tells whether a
    key that passed asked for an action; a key that came round another way never did.
    """

    def __init__(self) -> None:
        super().__init__()
        self.gate = InputGate(gate.QUIET_S)
        self._seen_at: float | None = None
        self._passed_key: str | None = None
        self._is_mouse_fresh = False

    @property
    def is_ready_to_listen(self) -> bool:
        """Whether what can be answered is on the screen."""
        raise NotImplementedError

    def gate_moved(self) -> None:
        """The gate opened or shut, or dropped something."""

    def on_screen_resume(self) -> None:
        """Whenever the screen comes up, what was sent before it is drawn does not count."""
        self.shut_gate()
        self.call_after_refresh(self.drawn)

    def shut_gate(self) -> None:
        """Nothing passes until the screen is drawn again."""
        self.gate.shut()
        self.gate_moved()

    def drawn(self) -> None:
        """It can be seen; once it was quiet for a while it listens."""
        now = _now()
        if self._seen_at is None:
            self._seen_at = now
        if self.is_ready_to_listen and self.is_active:
            self.gate.drawn(now)
            self._try_to_open()

    def takes_action(self, action: str) -> bool:
        """Whether the key that passed last asked for this action; it asks only once."""
        key, self._passed_key = self._passed_key, None
        return self.gate.is_open and key is not None and self._action_of(key) == action

    def _try_to_open(self) -> None:
        if self.gate.drawn_at is None or self.gate.is_open:
            return
        left = self.gate.wait_s(_now())
        if left > 0:
            self.set_timer(left, self._try_to_open)
            return
        self.gate.open(_now())
        self.gate_moved()
        self.refresh_bindings()

    def _forward_event(self, event: events.Event) -> None:
        """Every key and click for this screen comes by here, with the time it was sent."""
        is_input = isinstance(event, events.Key | events.Paste | events.MouseEvent)
        if is_input and not self._passes(event):
            event.stop()
            return
        super()._forward_event(event)

    def _passes(self, event: events.Event) -> bool:
        if isinstance(event, events.MouseUp | events.Click):
            # A click is made when the button goes up: when it went down is what counts.
            return self._is_mouse_fresh
        if isinstance(event, events.MouseDown):
            self._is_mouse_fresh = self._admits(event)
            return self._is_mouse_fresh
        if isinstance(event, events.Key):
            is_admitted = self._leaves(event) or self._admits(event)
            self._passed_key = event.key if is_admitted else None
            return is_admitted
        return not isinstance(event, events.Paste)

    def _admits(self, event: events.Event) -> bool:
        is_admitted = self.gate.admits(event.time, _now())
        if not is_admitted:
            self.gate_moved()
        return is_admitted

    def _leaves(self, event: events.Key) -> bool:
        """Going back is harmless: it is open as soon as anything was drawn, a slow disk or not."""
        is_leaving = self._action_of(event.key) == "back"
        return is_leaving and self._seen_at is not None and event.time >= self._seen_at

    def _action_of(self, key: str) -> str | None:
        active = self.active_bindings.get(key)
        return active.binding.action if active is not None else None


def _now() -> float:
    """Seconds on the clock by which messages are stamped."""
    return Message().time
