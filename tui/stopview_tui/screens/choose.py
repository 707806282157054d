"""A small menu: pick one of a few things by its key, by arrows and Enter, or by a click."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from stopview_tui.bindings import bind
from stopview_tui.render import STRONG, line, styled

V = TypeVar("V")
_DIGITS = "123456789"


@dataclass(frozen=True, slots=True)
class Choice(Generic[V]):
    """One thing to choose. `hint` stands behind the label; without a key it gets a digit."""

    value: V
    label: str
    hint: str = ""
    key: str | None = None


class ChooseScreen(ModalScreen[V | None], Generic[V]):
    """Asks for one of the choices; None where the person leaves."""

    CSS_PATH = "choose.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("choose", "back", "leave", tooltip="Choose nothing"),
        bind("choose", "quit", "leave", description="Back", tooltip="Choose nothing"),
    ]

    def __init__(self, title: str, choices: Sequence[Choice[V]]) -> None:
        super().__init__()
        self._title = title
        self._choices = list(choices)
        spare = iter(_DIGITS)
        self._keys = [choice.key or next(spare, "") for choice in choices]

    def compose(self) -> ComposeResult:
        """A title and a list."""
        with Vertical(id="choose"):
            yield Static(Content(self._title), id="choose-title", markup=False)
            yield OptionList(*self._options())

    def _options(self) -> list[Option]:
        # No colours of their own: on the bar of the cursor they could not be read in every theme.
        return [
            Option(
                styled(
                    (f"{key or ' '}  ", STRONG),
                    line(choice.label),
                    "  " + line(choice.hint).plain if choice.hint else "",
                )
            )
            for key, choice in zip(self._keys, self._choices, strict=True)
        ]

    def on_key(self, event: events.Key) -> None:
        """Choose by key."""
        if event.character and event.character in self._keys:
            event.stop()
            self.dismiss(self._choices[self._keys.index(event.character)].value)

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._choices[event.option_index].value)

    def action_leave(self) -> None:
        """Choose nothing."""
        self.dismiss(None)
