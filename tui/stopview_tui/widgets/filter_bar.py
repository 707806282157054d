"""The line in which a list is filtered, and which says what is filtered by and what is hidden."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from stopview_core.board import Filter
from stopview_tui.bindings import bind
from stopview_tui.render import ACCENT, MUTED, line, styled
from stopview_tui.render_status import hidden_words
from stopview_tui.words import route_kind_words

LONGEST = 200


class FilterBar(Horizontal):
    """Out of the way until something is filtered."""

    DEFAULT_CSS = """
    FilterBar {
        height: 1;
        display: none;
        background: $panel;
        &.-shown { display: block; }
        & > #filter-sign { width: auto; padding: 0 1; color: $text-accent; text-style: bold; }
        & > Input {
            width: 1fr;
            height: 1;
            border: none;
            padding: 0;
            background: transparent;
        }
        & > #filter-facts {
            width: auto;
            max-width: 70%;
            padding: 0 1;
            text-wrap: nowrap;
            text-overflow: ellipsis;
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("filter", "down", "leave(1)", tooltip="Leave the text for the row below"),
        bind("filter", "up", "leave(-1)", tooltip="Leave the text for the row above"),
    ]

    class Changed(Message):
        """Another text is to be filtered by."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Left(Message):
        """The person is done with the text; `step` is which way to go in the list."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self) -> None:
        super().__init__()
        self._facts = Content("")

    def compose(self) -> ComposeResult:
        """A sign, the text, and what it does."""
        yield Static("/", id="filter-sign", markup=False)
        text = Input(
            placeholder="run, operator, code, route, reason …",
            max_length=LONGEST,
            select_on_focus=False,
            id="filter-text",
            compact=True,
        )
        text.cursor_blink = False
        yield text
        yield Static(id="filter-facts", markup=False)

    @property
    def text(self) -> Input:
        """The input."""
        return self.query_one(Input)

    def can_clear(self, *, is_set: bool) -> bool:
        """Whether there is a filter to clear, or a text field to leave."""
        return is_set or self.text.has_focus

    def say(self, wanted: Filter, shown: int, hidden: int, hidden_bypassed: int) -> None:
        """Say what is filtered by, and how much that shows and hides."""
        self.set_class(not wanted.is_empty or self.text.has_focus, "-shown")
        parts: list[Content] = []
        for name, value in (
            ("code", wanted.code),
            ("operator", wanted.operator),
            ("route", wanted.route),
        ):
            if value is not None:
                shown_value = route_kind_words(value) if name == "route" else value
                parts.append(styled((f"{name} ", MUTED), line(shown_value, ACCENT)))
        parts.append(styled(f"{shown} shown"))
        if hidden:
            parts.append(hidden_words(hidden, hidden_bypassed))
        facts = Content(", ").join(parts)
        if not facts.is_same(self._facts):
            self._facts = facts
            self.query_one("#filter-facts", Static).update(facts)

    def edit(self) -> None:
        """Let the person type."""
        self.add_class("-shown")
        self.text.focus()

    def put(self, text: str) -> None:
        """Set the text without telling that it changed."""
        with self.text.prevent(Input.Changed):
            self.text.value = text

    @on(Input.Changed)
    def _tell(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Changed(event.value))

    @on(Input.Submitted)
    def _done(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Left(0))

    def action_leave(self, step: int) -> None:
        """Go on in the list."""
        self.post_message(self.Left(step))
