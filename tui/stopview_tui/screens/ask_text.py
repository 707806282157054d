"""Asks for one line of text, and says what is wrong with it before it is taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from stopview_tui.bindings import bind
from stopview_tui.render import MUTED, WARNING, key_hint, styled


class AskTextScreen(ModalScreen[str | None]):
    """One field; Enter takes what `complaint` has nothing against. None where the person leaves.

    `complaint` says in a sentence what is wrong with a text; empty where nothing is.
    """

    CSS_PATH = "ask_text.tcss"
    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("ask", "back", "leave", tooltip="Leave it as it was"),
    ]

    def __init__(
        self, title: str, held: str, complaint: Callable[[str], str], *, note: str = ""
    ) -> None:
        super().__init__()
        self._title = title
        self._held = held
        self._complaint = complaint
        self._note = note

    def compose(self) -> ComposeResult:
        """The title, the field, what is wrong, and how to go on."""
        with Vertical(id="ask"):
            yield Static(Content(self._title), id="ask-title", markup=False)
            field = Input(self._held, compact=True)
            field.cursor_blink = False
            yield field
            yield Static(styled((self._note, MUTED)), id="ask-told", markup=False)
            hints = [key_hint("enter", "take it"), key_hint("escape", "leave")]
            yield Static(Content("   ").join(hints), markup=False)

    @on(Input.Changed)
    def _tell(self, event: Input.Changed) -> None:
        event.stop()
        wrong = self._complaint(event.value)
        told = (wrong, WARNING) if wrong else (self._note, MUTED)
        self.query_one("#ask-told", Static).update(styled(told))

    @on(Input.Submitted)
    def _take(self, event: Input.Submitted) -> None:
        event.stop()
        if not self._complaint(event.value):
            self.dismiss(event.value)

    def action_leave(self) -> None:
        """Leave it as it was."""
        self.dismiss(None)
