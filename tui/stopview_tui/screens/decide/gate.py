"""Keeps keys and clicks out that were sent before a screen could be seen."""

from __future__ import annotations

from dataclasses import dataclass

QUIET_S = 0.3
"""How long nothing may be typed, after a screen was drawn, before it listens. Longer than the
pause between two characters of a burst or of a key held down, shorter than a look at a screen."""


@dataclass(slots=True)
class InputGate:
    """Opens once a screen was drawn and nothing was typed for a while; closed until then.

    Times are seconds of Textual's monotonic clock. What arrived while the gate was shut stays out
    for ever, however late it is handled: it is judged by the time it was sent.
    """

    quiet_s: float
    drawn_at: float | None = None
    opened_at: float | None = None
    last_input_at: float | None = None
    dropped: int = 0

    def shut(self) -> None:
        """Nothing passes until the screen is drawn again."""
        self.drawn_at = self.opened_at = None

    def drawn(self, now: float) -> None:
        """The screen can be seen."""
        self.drawn_at = now

    def wait_s(self, now: float) -> float:
        """How much longer it has to stay quiet; 0 when the gate may open."""
        if self.drawn_at is None:
            return self.quiet_s
        since = max(self.drawn_at, self.last_input_at or self.drawn_at)
        return max(since + self.quiet_s - now, 0.0)

    def open(self, now: float) -> None:
        """From now on what is sent passes."""
        self.opened_at = now

    @property
    def is_open(self) -> bool:
        """Whether what is typed now passes."""
        return self.opened_at is not None

    def admits(self, sent_at: float, now: float) -> bool:
        """Whether a key or click sent then passes; what does not pass is counted."""
        if self.opened_at is not None and sent_at >= self.opened_at:
            return True
        self.last_input_at = now
        self.dropped += 1
        return False

    def admits_leaving(self, sent_at: float) -> bool:
        """Whether a key that only leaves the screen passes: it was sent after the first drawing."""
        return self.drawn_at is not None and sent_at >= self.drawn_at
