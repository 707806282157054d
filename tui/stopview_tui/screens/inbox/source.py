"""Tells the shared list about the Inbox's rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from datetime import datetime
from typing import Any

from textual.content import Content

from stopview_core.board import Group, Row, row_order
from stopview_core.readings import BranchReading
from stopview_tui import render_rows
from stopview_tui.widgets.row_layout import Column

COLUMNS = (
    Column("wait", "wait", 8, 4, 0, align="right"),
    Column("run", "run", 32, 18, 0),
    Column("branch", "at", 6, 3, 1),
    Column("operator", "operator", 30, 19, 4),
    Column("code", "code", 28, 19, 0),
    Column("route", "route", 24, 9, 3),
    Column("offered", "offered", 16, 7, 5),
    Column("flags", "flags", 40, 11, 2, grow=1),
)
_GROUPS = tuple(Group)


class InboxSource:
    """Rows of the board, in the board's order.

    `now` is the time that waits are told from; `is_seen` tells of a branch whether its violations
    are marked as seen.
    """

    has_headings = True

    def __init__(
        self,
        wanted: Sequence[str],
        now: Callable[[], datetime],
        is_seen: Callable[[BranchReading], bool] = lambda _: False,
    ) -> None:
        self.columns: Sequence[Column] = chosen_columns(wanted)
        self._now = now
        self._is_seen = is_seen

    def identity(self, row: Row) -> Hashable:
        """Run path and branch."""
        return row.identity

    def order(self, row: Row) -> tuple[int, Any]:
        """The board's order, which starts with the group's number."""
        group, *rest = row_order(row)
        return group, rest

    def heading(self, group: int, count: int) -> Content:
        """The group's name and how many rows are in it."""
        return render_rows.heading(_GROUPS[group], count)

    def cell(self, row: Row, column: Column, width: int) -> Content:
        """One cell."""
        match column.id:
            case "wait":
                return render_rows.wait_cell(row, self._now())
            case "offered":
                return render_rows.offered_cell(row, width)
            case "flags":
                is_seen = row.branch is not None and self._is_seen(row.branch)
                return render_rows.flags_cell(row, is_seen=is_seen)
            case name:
                return _CELLS[name](row)


_CELLS: dict[str, Callable[[Row], Content]] = {
    "run": render_rows.run_cell,
    "branch": render_rows.branch_cell,
    "operator": render_rows.operator_cell,
    "code": render_rows.code_cell,
    "route": render_rows.route_cell,
}


def chosen_columns(wanted: Sequence[str]) -> Sequence[Column]:
    """The columns named in the settings, in that order; all where none of them is one."""
    by_id = {column.id: column for column in COLUMNS}
    return [by_id[name] for name in wanted if name in by_id] or COLUMNS
