"""The list that every mode shows its rows in: thousands of them, each bound by its identity.

How to use it: write a `RowSource` (row_order.py) for your rows, with `Column`s (row_layout.py) and
a `render` function for a cell; `Rows(source)`; then `show(rows)` for a new picture or another
filter, `update(changed, gone)` when the disk changed, and handle `Rows.Highlighted` and
`Rows.Activated`, which name rows by identity. Only the lines in view are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import islice
from typing import Any, ClassVar, Generic, TypeVar

from textual import events
from textual.message import Message
from textual.strip import Strip

from stopview_tui.widgets.row_columns import Mark, RowColumns
from stopview_tui.widgets.row_order import HeadingLine, RowOrder, RowSource
from stopview_tui.widgets.row_paint import RowPaint
from stopview_tui.widgets.row_view import HEADER, RowView

R = TypeVar("R")

_MEASURED = 200
"""Rows looked at to see how wide a column has to be; what is wider is cut, with a mark."""


class Rows(RowView[R], Generic[R], can_focus=True):
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

    def __init__(
        self,
        source: RowSource[R],
        *,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self.source = source
        self._order: RowOrder[R] = RowOrder(source)
        self._marks: dict[Hashable, Mark] = {}
        self._columns: RowColumns[R] = RowColumns(source)
        self._drawn: dict[int, Hashable] = {}
        self._painted: dict[int, Hashable] = {}
        self._awaits_paint = False
        self._paint: RowPaint[R] = RowPaint(self, self._columns)
        self._cursor: Hashable | None = None
        self._was_chosen = False
        self._let_go: Hashable | None = None

    # What it holds

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

    def mark_of(self, identity: Hashable) -> Mark | None:
        """How the row is marked."""
        if identity == self._cursor and self._order.held_is_misplaced:
            return "gone" if self._order.held_is_gone else "changed"
        return self._marks.get(identity)

    # Changing what it holds

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

    def renew(self) -> None:
        """Draw again what is in view: the time has moved on, or the columns are others."""
        self._paint.clear()
        self._place_columns()
        self.refresh()

    def clear_marks(self) -> None:
        """Take all marks off."""
        self._marks.clear()
        self.renew()

    def move_to(self, identity: Hashable) -> bool:
        """Put the cursor on a row; False where it is not here."""
        if identity not in self._order:
            return False
        self._was_chosen = True
        self._set_cursor(identity)
        return True

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

    # The cursor

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
        self.post_message(self.Highlighted(self, identity))

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
            self.post_message(self.Activated(self, self._cursor))

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

    # Drawing

    def on_resize(self) -> None:
        """Lay the columns out anew, and keep the cursor in view."""
        self._paint.clear()
        self._place_columns()
        self._resized()
        if self._cursor is not None and self._cursor in self._order:
            self._scroll_into_view(self._cursor)

    def _place_columns(self) -> None:
        self._columns.place(self.scrollable_content_region.width)

    def notify_style_update(self) -> None:
        """Another theme: nothing drawn before holds."""
        super().notify_style_update()
        self._paint.clear()

    def watch_has_focus(self, has_focus: bool) -> None:
        """The cursor looks otherwise without the focus."""
        super().watch_has_focus(has_focus)
        if self._cursor is not None:
            self._refresh_row(self._cursor)

    def render_line(self, y: int) -> Strip:
        """One line in view, from the content's top."""
        width = self.scrollable_content_region.width
        if width != self._columns.width:
            self._paint.clear()
            self._place_columns()
        if y == 0:
            return self._paint.header(width)
        self._drawn.pop(y, None)
        if not self._awaits_paint:
            self._awaits_paint = True
            self.call_after_refresh(self._was_painted)
        line = self._order.at_line(y - HEADER + self.scroll_offset.y)
        if line is None:
            return Strip.blank(width, self.rich_style)
        if isinstance(line, HeadingLine):
            heading = self.source.heading(line.group, line.count)
            return self._paint.line(heading, width, "rows--heading")
        self._drawn[y] = line.identity
        return self._row_strip(line.identity, width)

    def _was_painted(self) -> None:
        """What was drawn is on the terminal now: until then a click means what stood there before.

        Lines are drawn without being painted too, to see what the mouse is over.
        """
        self._awaits_paint = False
        self._painted = dict(self._drawn)

    def _row_strip(self, identity: Hashable, width: int) -> Strip:
        component = ""
        if identity == self._cursor:
            component = "rows--cursor" if self.has_focus else "rows--cursor-away"
        row = self._order.get(identity)
        assert row is not None
        return self._paint.row(identity, row, width, component, self.mark_of(identity))
