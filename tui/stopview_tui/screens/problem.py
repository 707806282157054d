"""A problem that does not pass: said in full, to read, scroll and copy."""

from __future__ import annotations

import traceback
from typing import Any, ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from stopview_core.text import clean
from stopview_tui.bindings import bind
from stopview_tui.render import key_hint
from stopview_tui.widgets.keyed_scroll import KeyedScroll
from stopview_tui.widgets.more_mark import MoreMark

_AROUND = 8
"""Lines of the screen that are not for the text: a border, the title, the marks, some air."""


class ProblemScreen(ModalScreen[None]):
    """Says a problem. Its text can be selected with the mouse, and `Y` copies all of it."""

    CSS_PATH = "problem.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("problem", "back", "leave", tooltip="Leave the problem"),
        bind("problem", "quit", "leave", description="Back", tooltip="Leave the problem"),
        bind("problem", "copy", "copy", tooltip="Copy the whole text"),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title = title
        self._text = text

    @property
    def whole_text(self) -> str:
        """All it says, as it is copied."""
        return f"{self._title}\n{self._text}"

    def compose(self) -> ComposeResult:
        """The title, the text, and how to go on."""
        with Vertical(id="problem"):
            yield Static(Content(self._title), id="problem-title", markup=False)
            with KeyedScroll(id="problem-text"):
                yield Static(Content(self._text), markup=False)
            yield MoreMark()
            hints = [key_hint("Y", "copy"), key_hint("escape", "back")]
            yield Static(Content("   ").join(hints), id="problem-hint", markup=False)

    def on_mount(self) -> None:
        """Let the keys scroll it."""
        scrolled = self.query_one("#problem-text", KeyedScroll)
        scrolled.focus()
        self.query_one(MoreMark).follow(scrolled)

    def on_resize(self, event: events.Resize) -> None:
        """Leave room for the title and the hints, however long the text is."""
        most = max(event.size.height - _AROUND, 2)
        self.query_one("#problem-text").styles.max_height = most

    def action_copy(self) -> None:
        """Copy it all."""
        self.app.copy_to_clipboard(self.whole_text)
        self.app.notify("Copied.", markup=False)

    def action_leave(self) -> None:
        """Close it."""
        self.dismiss(None)


def show_problem(app: App[Any], title: str, text: str) -> None:
    """Show a problem on top of everything, unless the very same lies there unread."""
    screen = ProblemScreen(clean(title), clean(text))
    unread = [each for each in app.screen_stack if isinstance(each, ProblemScreen)]
    if all(each.whole_text != screen.whole_text for each in unread):
        app.push_screen(screen)


def show_failure(app: App[Any], error: BaseException) -> None:
    """Show what nobody expected, with all there is to say of it."""
    told = "".join(traceback.format_exception(error))
    show_problem(app, "Something went wrong in stopview itself", told)
