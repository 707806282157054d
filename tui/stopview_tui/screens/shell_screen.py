"""What the screens of all modes share: the app they belong to, and how they fold at small sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar, cast

from textual.screen import Screen

if TYPE_CHECKING:
    from stopview_tui.app import StopviewApp

T = TypeVar("T")


class ShellScreen(Screen[T], Generic[T]):
    """A screen of the app: it shows itself by the app's picture and settings."""

    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-narrow"),
        (60, "-usual"),
        (140, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (24, "-high"), (36, "-tall")]  # noqa: RUF012

    @property
    def shell(self) -> StopviewApp:
        """The app, with what all modes share."""
        return cast("StopviewApp", self.app)

    def on_mount(self) -> None:
        """Lay the panes out as the settings say."""
        self.add_class(f"-{self.shell.settings.layout}")
