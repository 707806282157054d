"""The list that every mode shows its rows in: thousands of them, each bound by its identity.

How to use it: write a `RowSource` (row_order.py) for your rows, with `Column`s (row_layout.py) and
a `render` function for a cell; `Rows(source)`; then `show(rows)` for a new picture or another
filter, `update(changed, gone)` when the disk changed, and handle `Rows.Highlighted` and
`Rows.Activated`, which name rows by identity. Only the lines in view are drawn.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import islice
from typing import ClassVar, Generic, TypeVar

from stopview_tui.widgets.row_columns import Mark
from stopview_tui.widgets.row_cursor import RowCursor
from stopview_tui.widgets.row_order import RowOrder

R = TypeVar("R")

_MEASURED = 200
"""Rows looked at to see how wide a column has to be; what is wider is cut, with a mark."""


class Rows(RowCursor[R], Generic[R], can_focus=True):
    """A list with one cursor. See the module for how to use it.

    The cursor is on a row's identity, never on a place: whatever comes, changes or goes, what is
    activated is the row that was shown under it. That row keeps its place while the cursor is on
    it, and stays, marked as gone, where it went away; it moves or goes when the cursor leaves.
    A click selects the row that was drawn there; on the row that the person selected before, it
    activates.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "rows--header",
        "rows--heading",
        "rows--cursor",
        "rows--cursor-away",
        "rows--mark",
        "rows--gone",
    }
    DEFAULT_CSS = """
    Rows {
        height: 1fr;
        background: transparent;
        overflow-x: hidden;
        scrollbar-gutter: stable;
        scrollbar-size: 0 1;
        text-wrap: nowrap;
        text-overflow: ellipsis;
        & > .rows--header { color: $text-muted; }
        & > .rows--heading { color: $text-primary; text-style: bold; }
        & > .rows--cursor {
            color: $block-cursor-foreground;
            background: $block-cursor-background;
            text-style: $block-cursor-text-style;
        }
        & > .rows--cursor-away { background: $surface; text-style: bold; }
        & > .rows--mark { color: $text-accent; text-style: bold; }
        & > .rows--gone { color: $text-disabled; text-style: strike; }
    }
    """

    def show(self, rows: Iterable[R]) -> None:
        """Show exactly these rows, without marks on them: a first picture, or another filter.

        The cursor stays on its row where that is among them, else it goes to the first.
        """
        cursor, offset = self._cursor, self._cursor_offset()
        self._order.replace(rows)
        self._show_anew(cursor, offset)

    def ordered(self, rows: Iterable[R]) -> RowOrder[R]:
        """The rows in order, for `show_ordered`; touches nothing, so that a thread may do it."""
        order: RowOrder[R] = RowOrder(self.source)
        order.replace(rows)
        return order

    def show_ordered(self, order: RowOrder[R]) -> None:
        """As `show`, for very many rows that were put in order before."""
        cursor, offset = self._cursor, self._cursor_offset()
        self._order = order
        self._show_anew(cursor, offset)

    def _show_anew(self, cursor: Hashable | None, offset: int | None) -> None:
        self._marks = {key: mark for key, mark in self._marks.items() if key in self._order}
        if not self._columns.is_measured:
            self._columns.measure(islice(self._order.rows(), _MEASURED))
        self.renew()
        self._resized()
        if cursor is None or cursor not in self._order:
            self._was_chosen = False
            self._set_cursor(self._first())
            self.scroll_to(y=0, animate=False, force=True)
        else:
            self._order.hold(cursor)
            self._keep_offset(offset)
        self.refresh()

    def update(
        self, changed: Iterable[R], gone: Iterable[Hashable] = (), *, marks: bool = True
    ) -> None:
        """Take rows that are new or changed and drop those that went, each in O(log n).

        With `marks`, what is new or changed is marked until the cursor has been on it; nothing
        jumps to it.
        """
        anchor, offset = self._anchor()
        is_moved = False
        for identity in gone:
            if identity in self._order:
                self._order.drop(identity)
                self._marks.pop(identity, None)
                self._paint.forget(identity)
                is_moved = True
        taken = list(changed)
        for row in taken:
            is_moved = self._take(row, marks) or is_moved
        if self._columns.measure(taken[:_MEASURED]):
            self.renew()
        is_moved = self._settle() or is_moved
        if not is_moved:
            return
        self._resized()
        if self._cursor is None:
            self._set_cursor(self._first())
        if anchor is not None and anchor in self._order:
            self._scroll_so_that(anchor, offset)
        self.refresh()

    def clear_marks(self) -> None:
        """Take all marks off."""
        self._marks.clear()
        self.renew()

    def _take(self, row: R, marks: bool) -> bool:
        """Take one row; whether lines moved."""
        change = self._order.put(row)
        identity = self.source.identity(row)
        if change == "same":
            return False
        if marks and identity != self._cursor:
            self._marks[identity] = "new" if change == "new" else self._mark_of_change(identity)
        self._paint.forget(identity)
        is_held = identity == self._cursor
        if change == "changed" and not (is_held and self._order.held_is_misplaced):
            self._refresh_row(identity)
            return False
        return True

    def _mark_of_change(self, identity: Hashable) -> Mark:
        return "new" if self._marks.get(identity) == "new" else "changed"
