"""A problem that does not pass: said in full, to read, scroll and copy."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from stopview_tui.bindings import bind
from stopview_tui.render import key_hint, long_text


class ProblemScreen(ModalScreen[None]):
    """Says a problem. Its text can be selected with the mouse, and `Y` copies all of it."""

    CSS_PATH = "problem.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("problem", "back", "leave"),
        bind("problem", "quit", "leave", description="Back", tooltip="Leave the problem"),
        bind("problem", "copy", "copy", tooltip="Copy the whole text"),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        """The title, the text, and how to go on."""
        with Vertical(id="problem"):
            yield Static(Content(self._title), id="problem-title", markup=False)
            with VerticalScroll(id="problem-text"):
                yield Static(long_text(self._text), markup=False)
            hints = [key_hint("Y", "copy"), key_hint("escape", "back")]
            yield Static(Content("   ").join(hints), id="problem-hint", markup=False)

    def on_mount(self) -> None:
        """Let the keys scroll it."""
        self.query_one("#problem-text").focus()

    def action_copy(self) -> None:
        """Copy it all."""
        self.app.copy_to_clipboard(f"{self._title}\n{self._text}")
        self.app.notify("Copied.", markup=False)

    def action_leave(self) -> None:
        """Close it."""
        self.dismiss(None)
