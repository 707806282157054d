"""The two lines at the bottom of every mode: the keys of the place, and the status."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical

from stopview_tui.widgets.hint_bar import HintBar
from stopview_tui.widgets.status_bar import StatusBar


class BottomBars(Vertical):
    """Yield one in a mode's screen; on a low terminal only the status stays."""

    DEFAULT_CSS = """
    BottomBars { dock: bottom; height: auto; }
    """

    def compose(self) -> ComposeResult:
        """Keys above the status."""
        yield HintBar()
        yield StatusBar()
