"""The bar at the bottom of every mode: where you are, how true the picture is, what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from stopview_tui.render_status import Facts, status_line

if TYPE_CHECKING:
    from stopview_tui.app import StopviewApp


class StatusBar(Widget):
    """One line. It draws itself again only when it would say something else."""

    ALLOW_SELECT = False
    auto_links = False
    DEFAULT_CSS = """
    StatusBar {
        height: 1;
        background: $panel;
        color: $foreground;
        text-wrap: nowrap;
        text-overflow: ellipsis;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._facts: Facts | None = None
        self._line = Content("")

    def on_mount(self) -> None:
        """Say what is known now, and again when it changes."""
        app = cast("StopviewApp", self.app)
        self.tell(app.facts())
        app.facts_changed.subscribe(self, self.tell)

    def tell(self, facts: Facts) -> None:
        """Say these facts."""
        self._facts = facts
        line = status_line(facts, self.size.width)
        if not line.is_same(self._line):
            self._line = line
            self.refresh()

    def on_resize(self) -> None:
        """Say as much as there is room for."""
        if self._facts is not None:
            self.tell(self._facts)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One line, whatever it says."""
        return 1

    def render(self) -> Content:
        """The line."""
        return self._line
