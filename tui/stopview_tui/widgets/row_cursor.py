"""The cursor of a list: it is on a row's identity, and moves by keys, clicks and wishes."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from textual import events
from textual.message import Message

from stopview_tui.widgets.row_drawing import RowDrawing
from stopview_tui.widgets.row_order import RowSource

if TYPE_CHECKING:
    from stopview_tui.widgets.rows import Rows

R = TypeVar("R")


class RowCursor(RowDrawing[R], Generic[R]):
    """The part of `Rows` that selects and opens."""

    class Highlighted(Message):
        """The cursor came to a row, or to none."""

        def __init__(self, rows: Rows[Any], identity: Hashable | None) -> None:
            super().__init__()
            self.rows = rows
            self.identity = identity

        @property
        def control(self) -> Rows[Any]:
            """The list."""
            return self.rows

    class Activated(Highlighted):
        """The row under the cursor was opened, by Enter or by a click on it."""

        @property
        def is_held(self) -> bool:
            """Whether that row is under the cursor still, and still listed.

            Between the key and now another filter may have put the cursor on another row.
            """
            return self.rows.cursor == self.identity and not self.rows.cursor_is_gone

    def __init__(
        self,
        source: RowSource[R],
        *,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(source, name=name, id=id, classes=classes)
        self._was_chosen = False
        self._let_go: Hashable | None = None

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._order)

    @property
    def cursor(self) -> Hashable | None:
        """The identity of the row under the cursor."""
        return self._cursor

    @property
    def cursor_row(self) -> R | None:
        """The row under the cursor, also where it is gone."""
        return None if self._cursor is None else self._order.get(self._cursor)

    @property
    def cursor_is_gone(self) -> bool:
        """Whether the row under the cursor is shown only because the cursor is on it."""
        return self._order.held_is_gone

    @property
    def identities(self) -> list[Hashable]:
        """All identities in order."""
        return list(self._order)

    def get(self, identity: Hashable) -> R | None:
        """The row of that identity."""
        return self._order.get(identity)

    @property
    def _rows(self) -> Rows[R]:
        return cast("Rows[R]", self)

    # Where it is put

    def move_to(self, identity: Hashable) -> bool:
        """Put the cursor on a row; False where it is not here."""
        if identity not in self._order:
            return False
        self._was_chosen = True
        self._set_cursor(identity)
        return True

    def move_home(self) -> None:
        """Put the cursor on the first row, unless the person has put it somewhere."""
        if not self._was_chosen:
            self._set_cursor(self._first())
            self.scroll_to(y=0, animate=False, force=True)

    def move_to_next(self, is_wanted: Callable[[R], bool]) -> bool:
        """Put the cursor on the next row that is wanted, from the top again after the last."""
        listed = self.identities
        start = 0
        if self._cursor is not None and self._cursor in self._order:
            start = self._order.index_of(self._cursor) + 1
        for identity in listed[start:] + listed[:start]:
            row = self._order.get(identity)
            is_ghost = identity == self._cursor and self.cursor_is_gone
            if row is not None and not is_ghost and is_wanted(row):
                return self.move_to(identity)
        return False

    def let_go(self) -> None:
        """Let the row under the cursor move, now or when it next changes, the cursor with it.

        For a change that the person made: nobody else's may move what is under the cursor.
        """
        self._let_go = self._cursor
        if self._settle():
            self._resized()
            self.refresh()

    def _settle(self) -> bool:
        if self._let_go is None or not self._order.held_is_misplaced:
            return False
        was_let_go, self._let_go = self._let_go == self._cursor, None
        if not was_let_go or self._order.held_is_gone:
            return False
        self._order.hold(None)
        self._order.hold(self._cursor)
        return True

    # Where keys and clicks take it

    def _set_cursor(self, identity: Hashable | None) -> None:
        before = self._cursor
        if identity == before:
            return
        if before is not None:
            self._refresh_row(before)
            self._paint.forget(before)
        self._cursor = identity
        if identity is not None:
            self._marks.pop(identity, None)
            self._paint.forget(identity)
        if self._order.hold(identity):
            self._resized()
            self.refresh()
        if identity is not None:
            self._scroll_into_view(identity)
            self._refresh_row(identity)
        self.post_message(self.Highlighted(self._rows, identity))

    def _first(self) -> Hashable | None:
        return next(iter(self._order), None)

    def step(self, rows: int) -> None:
        """Move the cursor by so many rows, as far as there are."""
        if not len(self._order):
            return
        self._was_chosen = True
        if self._cursor is None:
            self._set_cursor(self._first())
            return
        at = min(max(self._order.index_of(self._cursor) + rows, 0), len(self) - 1)
        if self.cursor_is_gone and self._order.at_index(at) == self._cursor:
            at += 1 if at == 0 else -1
        self._set_cursor(self._order.at_index(at) if at < len(self) else None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without a row there is nothing to open."""
        return action != "activate" or self._cursor is not None

    def action_activate(self) -> None:
        """Open the row under the cursor."""
        if self._cursor is not None:
            self._was_chosen = True
            self.post_message(self.Activated(self._rows, self._cursor))

    def on_click(self, event: events.Click) -> None:
        """Select what was drawn there; a second click on it opens it."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        event.stop()
        identity = self._painted.get(offset.y)
        if identity is None or identity not in self._order:
            return
        if identity == self._cursor and self._was_chosen:
            self.action_activate()
        else:
            self._was_chosen = True
            self._set_cursor(identity)
