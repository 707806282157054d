"""The keys that move the cursor of a list and open what is under it."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.scroll_view import ScrollView

from stopview_tui.bindings import SaysKeys, bind


class RowKeys(ScrollView):
    """What `Rows` does by keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("list", "up", "up"),
        bind("list", "down", "down"),
        bind("list", "page-up", "page_up"),
        bind("list", "page-down", "page_down"),
        bind("list", "first", "first"),
        bind("list", "last", "last"),
        bind("list", "open", "activate"),
    ]

    def key_words(self, binding_id: str) -> str | None:
        """What a key does on the row under the cursor, as the screen calls it."""
        screen = self.screen
        return screen.key_words(binding_id) if isinstance(screen, SaysKeys) else None

    def __len__(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def __bool__(self) -> bool:
        """An empty list is a widget all the same."""
        return True

    @property
    def page(self) -> int:
        """Lines for rows in view."""
        raise NotImplementedError

    def step(self, rows: int) -> None:
        """Move the cursor by so many rows, as far as there are."""
        raise NotImplementedError

    def action_up(self) -> None:
        """One row up."""
        self.step(-1)

    def action_down(self) -> None:
        """One row down."""
        self.step(1)

    def action_page_up(self) -> None:
        """One page up."""
        self.step(-max(self.page - 1, 1))

    def action_page_down(self) -> None:
        """One page down."""
        self.step(max(self.page - 1, 1))

    def action_first(self) -> None:
        """To the first row."""
        self.step(-len(self))

    def action_last(self) -> None:
        """To the last row."""
        self.step(len(self))
