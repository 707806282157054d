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

    def on_mount(self) -> None:
        """Follow what can be done."""
        self.screen.bindings_updated_signal.subscribe(self, self._look)
        self.call_after_refresh(self._look, self.screen)

    def on_resize(self) -> None:
        """Show as many as fit."""
        self._look(self.screen)

    def _look(self, screen: Screen[object]) -> None:
        if (
            not self.is_attached
            or not self.size
            or screen is not self.screen
            or not screen.is_current
        ):
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
        while True:
            hints = [
                key_hint(self.app.get_key_display(binding), binding.description.lower())
                for binding in shown + kept
            ]
            line = Content(_BETWEEN).join(hints)
            if line.cell_length <= width or not shown:
                return line
            shown.pop()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One line."""
        return 1

    def render(self) -> Content:
        """The line."""
        return self._hints


def _is_kept(binding: Binding) -> bool:
    return (binding.id or "").rpartition(".")[2] in ("help", "quit")
