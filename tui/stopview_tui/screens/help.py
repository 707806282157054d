"""The keys of the place it was opened from, and what the app is looking at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from stopview_tui.bindings import GROUPS, bind, in_place, is_ours
from stopview_tui.render import KEY, MUTED, TITLE, line, lines, styled
from stopview_tui.signs import SIGNS
from stopview_tui.widgets.more_mark import MoreMark
from stopview_tui.widgets.page import Page

_KEY_WIDTH = 14


class HelpScreen(ModalScreen[None]):
    """Lists every key that does something in a place, by group, with what it does."""

    CSS_PATH = "help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("help", "back", "leave", tooltip="Leave the help"),
        bind("help", "quit", "leave", description="Back", tooltip="Leave the help"),
        bind("help", "help", "leave", description="Close the help", tooltip="Leave the help"),
    ]

    def __init__(self, keys: Mapping[str, ActiveBinding], about: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._active = list(keys.values())
        self._about = about

    def compose(self) -> ComposeResult:
        """One text that scrolls."""
        with Vertical(id="help"):
            yield Static("Keys of this place", id="help-title", markup=False)
            yield Page(id="help-text")
            yield MoreMark()

    def on_mount(self) -> None:
        """Let the keys scroll it."""
        page = self.query_one("#help-text", Page)
        page.show(self._text())
        page.focus()
        self.query_one(MoreMark).follow(page)

    def _text(self) -> Content:
        shown = [in_place(active) for active in self._active if is_ours(active.binding)]
        parts: list[Content] = []
        for group in GROUPS:
            listed = _by_action(binding for binding in shown if binding.group == group)
            if listed:
                parts.append(styled((group.description, TITLE)))
                parts += [self._line(bindings) for bindings in listed]
                parts.append(Content(""))
        parts.append(styled(("Signs", TITLE)))
        parts += [self._sign(sign, meaning) for sign, meaning in SIGNS]
        parts += [Content(""), styled(("About", TITLE))]
        parts += [
            styled((f"{name:<{_KEY_WIDTH}}", MUTED), line(text)) for name, text in self._about
        ]
        return lines(parts)

    def _sign(self, sign: str, meaning: str) -> Content:
        return styled((f"{sign:<{_KEY_WIDTH}}", KEY), meaning)

    def _line(self, bindings: list[Binding]) -> Content:
        keys = " ".join(dict.fromkeys(self.app.get_key_display(b) for b in bindings))
        first = bindings[0]
        return styled(
            (f"{keys:<{_KEY_WIDTH}}", KEY), first.description, (f"  {first.tooltip}", MUTED)
        )

    def action_leave(self) -> None:
        """Close it."""
        self.dismiss(None)


def _by_action(bindings: object) -> list[list[Binding]]:
    found: dict[str | None, list[Binding]] = {}
    for binding in bindings:  # type: ignore[attr-defined]
        found.setdefault(binding.id, []).append(binding)
    return list(found.values())
