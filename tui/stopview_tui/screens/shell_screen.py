"""What the screens of all modes share: the app they belong to, and how they fold at small sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, cast

from textual.binding import BindingType
from textual.widgets import Input
from textual.worker import Worker

from stopview_tui.bindings import bind
from stopview_tui.screens.living import LivingScreen
from stopview_tui.widgets.rows import Rows

if TYPE_CHECKING:
    from stopview_tui.app import StopviewApp

T = TypeVar("T")

PANES = {"rows": "List", "detail": "Detail", "texts": "Texts", "head": "Goal"}
"""The panes of the modes by the last part of their ids, as the hint of `tab` names them."""


class ShellScreen(LivingScreen[T], Generic[T]):
    """A screen of the app: it shows itself by the app's picture and settings."""

    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-narrow"),
        (60, "-usual"),
        (140, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (24, "-high"), (36, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [bind("panes", "pane", "next_pane")]
    _had_keys = False

    @property
    def shell(self) -> StopviewApp:
        """The app, with what all modes share."""
        return cast("StopviewApp", self.app)

    def on_mount(self) -> None:
        """Lay the panes out as the settings say."""
        self.add_class(f"-{self.shell.settings.layout}")

    def set_empty(self, is_empty: bool) -> None:
        """Show the list, or in its place why it is empty.

        A list that is hidden loses the keys to another pane; it has them again once it is back.
        """
        rows = self.query_one(Rows)
        was_empty = self.has_class("-empty")
        if is_empty and not was_empty:
            self._had_keys = rows.has_focus
        self.set_class(is_empty, "-empty")
        if was_empty and not is_empty and self._had_keys and not isinstance(self.focused, Input):
            self._had_keys = False
            self.call_after_refresh(rows.focus)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker tells only the place that began it: the app says what failed."""
        self.shell.on_worker_state_changed(event)

    def key_words(self, binding_id: str) -> str | None:
        """What a key does now: the pane that `tab` leads to, by name."""
        if binding_id != "panes.pane":
            return None
        return self._pane_after(1)

    def _pane_after(self, step: int) -> str | None:
        chain = self.focus_chain
        if self.focused not in chain:
            return None
        following = chain[(chain.index(self.focused) + step) % len(chain)]
        return PANES.get((following.id or "").rpartition("-")[2])

    def action_next_pane(self) -> None:
        """Let the keys go to the next pane."""
        self.focus_next()
