"""A mode that lists rows which runs give rise to: fills, filters and keeps them up."""

from __future__ import annotations

import asyncio
import gc
import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar, cast

from textual import on, work

from stopview_core.readings import RunReading
from stopview_tui.long_work import collector_off, sorted_in_steps
from stopview_tui.picture import PictureChange
from stopview_tui.run_keyed import Built, KeyedRow, RunKeyedRows, Selection
from stopview_tui.screens.shell_screen import ShellScreen
from stopview_tui.widgets.filter_bar import FilterBar
from stopview_tui.widgets.row_order import RowOrder
from stopview_tui.widgets.rows import Rows

R = TypeVar("R", bound=KeyedRow)

FIRST_ROWS = 300
"""How many rows are shown first where there are very many."""

SHOW_ROWS = 2_000
"""How many rows are put in order at once; more are in a thread, so that the keys go on working."""

TYPING_S = 0.08
"""How long a filter over very many rows waits for the next letter."""


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

    @property
    def runs(self) -> Mapping[str, RunReading]:
        """The runs that give rise to the rows."""
        return self.shell.picture.runs

    def admits(self) -> Callable[[R], bool]:
        """A test of the rows as they are filtered now; it is called in a thread."""
        raise NotImplementedError

    def first_key(self, row: R) -> Any:
        """The sort key of the rows as they are filtered now; it is called in a thread."""
        return self.rows.source.order(row)

    def newest(self, run: RunReading) -> datetime:
        """When the first row that the run gives rise to was; it is called in a thread."""
        raise NotImplementedError

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
        """Show the first rows at once, then take all runs; what is touched meanwhile comes last."""
        runs = dict(self.runs)
        if len(runs) > FIRST_ROWS:
            self.rows.show(await asyncio.to_thread(self._first, runs))
            self.row_changed(is_other=True)
        built = await asyncio.to_thread(self._build, runs)
        now = self.runs
        self.model.adopt(built, now)
        others = [path for path, run in now.items() if runs.get(path) is not run]
        self.model.take(now, others)
        self.is_filled = True
        self.select()

    def _first(self, runs: Mapping[str, RunReading]) -> list[R]:
        """The first rows of all, without building the others; runs in a thread."""
        first = heapq.nlargest(FIRST_ROWS, runs.values(), key=self.newest)
        return heapq.nsmallest(FIRST_ROWS, self.model.rows_of(first), key=self.first_key)

    def _build(self, runs: Mapping[str, RunReading]) -> Built[R]:
        """Runs in a thread. What is built lives long: the collector need not look at it again."""
        with collector_off():
            built = self.model.build(runs)
            if len(runs) > FIRST_ROWS:
                gc.freeze()
            return built

    @work(group="select", exclusive=True, exit_on_error=False)
    async def select(self) -> None:
        """Show what the filter admits now."""
        admits = self.admits()
        every = self.model.every()
        if len(every) > SHOW_ROWS:
            # While a person types, only the last text is looked for.
            await asyncio.sleep(TYPING_S)
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
        with collector_off():
            found = self.model.select(every, admits, version)
        return found, heapq.nsmallest(FIRST_ROWS, found.shown, key=self.first_key)

    async def _show(self, shown: Sequence[R], first: list[R]) -> None:
        is_many = len(shown) > SHOW_ROWS
        self.before_show()
        self.rows.show(first if is_many else shown)
        self.rows_changed()
        self.row_changed(is_other=True)
        if not is_many:
            return
        # A change meanwhile is shown at once in the first rows; the order is made again then.
        while True:
            version, every = self.model.version, tuple(self.model.shown)
            order = await asyncio.to_thread(self._ordered, every)
            if version == self.model.version:
                break
        self.rows.show_ordered(order)

    def _ordered(self, rows: Sequence[R]) -> RowOrder[R]:
        """Runs in a thread."""
        with collector_off():
            return self.rows.ordered(sorted_in_steps(rows, self.rows.source.order))

    # Keeping up

    def _picture_changed(self, change: PictureChange) -> None:
        if not self.is_filled:
            return
        self.take_touched(change.touched, marks=self.shell.picture.is_whole)
        if change.is_first:
            self.rows.clear_marks()
            self.rows.move_home()

    def take_touched(self, touched: Iterable[str], *, marks: bool) -> None:
        """Take the touched runs anew; `marks` where what is new or changed is to be marked."""
        delta = self.model.take(self.runs, touched)
        self.rows.update(delta.changed, delta.gone, marks=marks)
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
