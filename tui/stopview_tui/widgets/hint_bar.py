"""One line with the keys that help most in this place, as many as fit."""

from __future__ import annotations

from textual.binding import Binding
from textual.content import Content
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget

from stopview_tui.bindings import in_place, is_ours
from stopview_tui.render import key_hint

_BETWEEN = "   "


class HintBar(Widget):
    """The hinted keys that do something now; the ways out and to the help are always there."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    HintBar { height: 1; padding: 0 1; text-wrap: nowrap; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._hints = Content("")
        self._is_due = False

    def on_mount(self) -> None:
        """Follow what can be done."""
        self.screen.bindings_updated_signal.subscribe(self, self._look_soon)
        self._look_soon(self.screen)

    def on_resize(self) -> None:
        """Show as many as fit."""
        self._look_soon(self.screen)

    def _look_soon(self, screen: Screen[object]) -> None:
        """Look once for all that is told before the next drawing: much is, as a screen opens."""
        if screen is self.screen and not self._is_due:
            self._is_due = self.call_after_refresh(self._look)

    def _look(self) -> None:
        self._is_due = False
        if not self.is_attached or not self.size or not self.screen.is_current:
            return
        hints = self._fitting(self._hinted(), self.size.width - 2)
        if not hints.is_same(self._hints):
            self._hints = hints
            self.refresh()

    def _hinted(self) -> list[Binding]:
        found: dict[str, Binding] = {}
        for active in self.screen.active_bindings.values():
            binding = in_place(active)
            if is_ours(binding) and binding.show and active.enabled:
                found.setdefault(binding.description, binding)
        return list(found.values())

    def _fitting(self, bindings: list[Binding], width: int) -> Content:
        kept = [binding for binding in bindings if _is_kept(binding)]
        shown = [binding for binding in bindings if not _is_kept(binding)]
        hints = [
            key_hint(self.app.get_key_display(binding), binding.description.lower())
            for binding in shown + kept
        ]
        taken = sum(hint.cell_length + len(_BETWEEN) for hint in hints) - len(_BETWEEN)
        last = len(shown)
        while taken > width and last > 0:
            last -= 1
            taken -= hints.pop(last).cell_length + len(_BETWEEN)
        return Content(_BETWEEN).join(hints)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One line."""
        return 1

    def render(self) -> Content:
        """The line."""
        return self._hints


def _is_kept(binding: Binding) -> bool:
    return (binding.id or "").rpartition(".")[2] in ("help", "quit")
