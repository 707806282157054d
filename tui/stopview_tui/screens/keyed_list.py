"""A mode that lists rows which runs give rise to: fills, filters and keeps them up."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar, cast

from textual import on, work

from stopview_tui.picture import PictureChange
from stopview_tui.run_keyed import KeyedRow, RunKeyedRows, Selection
from stopview_tui.screens.shell_screen import ShellScreen
from stopview_tui.widgets.filter_bar import FilterBar
from stopview_tui.widgets.rows import Rows

R = TypeVar("R", bound=KeyedRow)

FILL_RUNS = 400
"""How many runs are taken between two looks at what a person does."""

SHOW_ROWS = 2_000
"""How many rows are shown in one go; more come in steps, so that the keys go on working."""

FIRST_ROWS = 300
"""How many rows are shown first where there are very many."""


class KeyedListScreen(ShellScreen[None], Generic[R]):
    """A list over all runs. A mode gives it its rows, its filter, and what it says besides.

    Filtering looks at every row in a thread; what it finds is shown only if nothing changed
    meanwhile, else it looks again.
    """

    def __init__(self, model: RunKeyedRows[R]) -> None:
        super().__init__()
        self.model = model
        self.is_filled = False

    @property
    def rows(self) -> Rows[R]:
        """The list."""
        return cast("Rows[R]", self.query_one("#rows", Rows))

    @property
    def row(self) -> R | None:
        """The row under the cursor, unless it is only shown because the cursor is on it."""
        if not self.is_mounted or self.rows.cursor_is_gone:
            return None
        return self.rows.cursor_row

    # What a mode says

    def admits(self) -> Callable[[R], bool]:
        """A test of the rows as they are filtered now; it is called in a thread."""
        raise NotImplementedError

    def first_key(self, row: R) -> Any:
        """The sort key of the rows as they are filtered now; it is called in a thread."""
        return self.rows.source.order(row)

    def before_show(self) -> None:
        """The rows as they are filtered now are about to be shown."""

    def rows_changed(self) -> None:
        """The rows shown are others: say how many, and what else hangs on them."""
        raise NotImplementedError

    def row_changed(self, *, is_other: bool) -> None:
        """Say the row under the cursor in full; `is_other` where it is not the one before."""
        raise NotImplementedError

    # Filling

    def on_mount(self) -> None:
        """Take the picture, and follow what changes."""
        self.shell.picture_changed.subscribe(self, self._picture_changed)
        self.shell.minute_passed.subscribe(self, self._minute_passed)
        self.fill()

    @work(group="fill", exclusive=True, exit_on_error=False)
    async def fill(self) -> None:
        """Take all runs, a few at a time."""
        runs = list(self.shell.picture.runs)
        for start in range(0, len(runs), FILL_RUNS):
            self.model.take(self.shell.picture.runs, runs[start : start + FILL_RUNS])
            await asyncio.sleep(0)
        self.is_filled = True
        self.select()

    @work(group="select", exclusive=True, exit_on_error=False)
    async def select(self) -> None:
        """Show what the filter admits now."""
        admits = self.admits()
        while True:
            every, version = self.model.every(), self.model.version
            found, first = await asyncio.to_thread(self._found, every, admits, version)
            if self.model.apply(found, admits):
                break
        await self._show(found.shown, first)

    def _found(
        self, every: tuple[R, ...], admits: Callable[[R], bool], version: int
    ) -> tuple[Selection[R], list[R]]:
        """What is shown, and the first of it in order; runs in a thread."""
        found = self.model.select(every, admits, version)
        return found, heapq.nsmallest(FIRST_ROWS, found.shown, key=self.first_key)

    async def _show(self, shown: Iterable[R], first: list[R]) -> None:
        rows = list(shown)
        is_many = len(rows) > SHOW_ROWS
        self.before_show()
        self.rows.show(first if is_many else rows)
        self.rows_changed()
        self.row_changed(is_other=True)
        if not is_many:
            return
        for start in range(0, len(rows), SHOW_ROWS):
            await asyncio.sleep(0)
            still = [row for row in rows[start : start + SHOW_ROWS] if self.model.is_shown(row)]
            self.rows.update(still, marks=False)

    # Keeping up

    def _picture_changed(self, change: PictureChange) -> None:
        delta = self.model.take(self.shell.picture.runs, change.touched)
        if not self.is_filled:
            return
        self.rows.update(delta.changed, delta.gone, marks=self.shell.picture.is_whole)
        if change.is_first:
            self.rows.clear_marks()
            self.rows.move_home()
        self.rows_changed()
        row: Any = self.rows.cursor_row
        if row is not None and any(each.identity == row.identity for each in delta.changed):
            self.row_changed(is_other=False)

    def _minute_passed(self, _: object) -> None:
        self.rows.renew()
        self.row_changed(is_other=False)

    @on(Rows.Highlighted, "#rows")
    def _highlighted(self, event: Rows.Highlighted) -> None:
        if not isinstance(event, Rows.Activated):
            self.row_changed(is_other=True)
            self.refresh_bindings()

    # Filtering

    @on(FilterBar.Left)
    def _text_left(self, event: FilterBar.Left) -> None:
        self.rows.focus()
        if event.step > 0:
            self.rows.action_down()
        elif event.step < 0:
            self.rows.action_up()

    def action_filter(self) -> None:
        """Filter as the person types."""
        self.query_one(FilterBar).edit()
