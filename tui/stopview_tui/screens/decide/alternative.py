"""Shows one alternative in full: every text uncut, every score, and where each was read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from stopview_core.alternatives import Alternative
from stopview_core.text import clean
from stopview_tui.bindings import bind
from stopview_tui.render_outcome import in_full
from stopview_tui.widgets.key_hints import KeyHints
from stopview_tui.widgets.keyed_scroll import KeyedScroll


class AlternativeScreen(Screen[None]):
    """One alternative to read; picking stays with the screen it was opened from."""

    CSS_PATH = "alternative.tcss"
    AUTO_FOCUS = "#alternative"
    BINDINGS: ClassVar = [
        bind("alternative", "copy", "copy", description="Copy the id", tooltip="To the clipboard"),
        bind("alternative", "quit", "dismiss", description="Back", tooltip="To the table"),
        bind("alternative", "back", "dismiss", tooltip="To the table"),
    ]

    def __init__(self, alternative: Alternative, axes: Sequence[str]) -> None:
        super().__init__()
        self._alternative = alternative
        self._axes = tuple(axes)

    def compose(self) -> ComposeResult:
        """The id above, everything else below it."""
        yield Static(Content.styled(clean(self._alternative.id), "bold"), id="alternative-title")
        with KeyedScroll(id="alternative"):
            yield Static(in_full(self._alternative, self._axes), markup=False)
        yield KeyHints()

    def action_copy(self) -> None:
        """The id."""
        self.app.copy_to_clipboard(self._alternative.id)
        self.notify(f"Copied {clean(self._alternative.id)}", markup=False)
