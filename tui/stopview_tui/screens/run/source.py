"""Tells the shared list about the rows of one run's chain, and about the texts of a branch."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from textual.content import Content

from stopview_core.chain import ChainRow, LaneSign
from stopview_core.lineage import sort_key
from stopview_tui import render_run
from stopview_tui.render import MUTED, line, styled
from stopview_tui.widgets.row_columns import GUTTER
from stopview_tui.widgets.row_layout import Column

MOST_LANES = 6
"""How many lineages are joined side by side; in a run with more, the column of attempts says it."""

_COLUMNS = (
    Column("key", "branch", 18, 8, 0),
    Column("operator", "operator", 30, 14, 1),
    Column("status", "status", 14, 9, 0),
    Column("outcome", "stop or fallback", 50, 22, 0, grow=2),
    Column("attempt", "attempt", 7, 7, 5),
    Column("decision", "decision", 28, 12, 3),
    Column("flags", "flags", 30, 11, 2, grow=1),
    Column("time", "when", 21, 16, 6),
    Column("took", "took", 7, 4, 7, align="right"),
)


class ChainSource:
    """The rows of a chain, a group a step. `take` the rows before they are shown."""

    has_headings = True

    def __init__(self) -> None:
        self.columns: Sequence[Column] = _COLUMNS
        self._place: Mapping[str, int] = {}
        self._above: Mapping[int, tuple[LaneSign, ...]] = {}
        self._parallels: Mapping[int, int] = {}
        self._shows_lanes = False

    def take(self, rows: Sequence[ChainRow]) -> None:
        """The rows that are about to be shown: their places, and the lanes they need."""
        lanes = len(rows[0].lanes) if rows else 0
        self._shows_lanes = 0 < lanes <= MOST_LANES
        # A column in which nothing stands would take the room of those that say something.
        used = [c for c in _COLUMNS if any(_CELLS[c.id](row) for row in rows)]
        lane_column = Column("lanes", "", lanes, lanes, 0)
        self.columns = (lane_column, *used) if self._shows_lanes else used
        self._place = {row.key: place for place, row in enumerate(rows)}
        above: dict[int, tuple[LaneSign, ...]] = {}
        parallels: dict[int, int] = {}
        for row in rows:
            above.setdefault(row.step, row.lanes_above)
            parallels[row.step] = parallels.get(row.step, 0) + (row.exchange is None)
        self._above, self._parallels = above, parallels

    def identity(self, row: ChainRow) -> Hashable:
        """The key."""
        return row.key

    def order(self, row: ChainRow) -> tuple[int, Any]:
        """By step, then as they were given."""
        return row.step, (self._place.get(row.key, len(self._place)), sort_key(row.key))

    def heading(self, group: int, count: int) -> Content:
        """The step, with the lanes that pass it."""
        lanes = self._above.get(group, ()) if self._shows_lanes else ()
        head = render_run.step_heading(group, self._parallels.get(group, 0), lanes)
        return head.pad_left(GUTTER) if lanes else head

    def cell(self, row: ChainRow, column: Column, width: int) -> Content:
        """One cell."""
        if column.id == "lanes":
            return render_run.lanes_content(row.lanes)
        return _CELLS[column.id](row)


_CELLS: dict[str, Callable[[ChainRow], Content]] = {
    "key": render_run.key_cell,
    "operator": render_run.operator_cell,
    "status": render_run.status_cell,
    "outcome": render_run.outcome_cell,
    "attempt": render_run.attempt_cell,
    "decision": render_run.decision_cell,
    "flags": render_run.flags_cell,
    "time": render_run.time_cell,
    "took": render_run.took_cell,
}


class TextsSource:
    """The texts of a branch by path from the run root, in the order they were found in."""

    has_headings = False
    columns: Sequence[Column] = (Column("path", "texts to read", 200, 12, 0, grow=1),)

    def __init__(self) -> None:
        self._place: Mapping[str, int] = {}
        self._folder = ""

    def take(self, folder: str, paths: Sequence[str]) -> None:
        """The paths that are about to be shown, and the branch's folder, which they begin with."""
        self._place = {path: place for place, path in enumerate(paths)}
        self._folder = folder

    def identity(self, row: str) -> Hashable:
        """The path."""
        return row

    def order(self, row: str) -> tuple[int, Any]:
        """As they were found."""
        return 0, self._place.get(row, len(self._place))

    def heading(self, group: int, count: int) -> Content:
        """There are no groups."""
        return Content("")

    def cell(self, row: str, column: Column, width: int) -> Content:
        """The path from the branch, its folder apart."""
        inside = row.removeprefix(f"{self._folder}/")
        folder, slash, name = inside.rpartition("/")
        return styled((line(f"{folder}{slash}").plain, MUTED), line(name))
