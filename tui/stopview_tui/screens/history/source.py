"""Tells the shared list about the records of the history."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from textual.content import Content

from stopview_core.history import HistoryRecord
from stopview_tui import render_history
from stopview_tui.history_rows import HistoryRow
from stopview_tui.render import line
from stopview_tui.widgets.row_layout import Column

COLUMNS = (
    Column("when", " when (UTC)", 17, 17, 0),
    Column("run", "run", 32, 14, 3),
    Column("branch", "at", 6, 3, 6),
    Column("operator", "operator", 26, 16, 5),
    Column("code", "code", 26, 20, 0),
    Column("by", "by", 22, 6, 2),
    Column("selected", "selected", 26, 15, 4),
    Column("over", "over", 44, 16, 7, grow=1),
    Column("told", "what was done, or the reason", 60, 14, 8, grow=2),
    Column("flags", "flags", 34, 10, 1),
)


class HistorySource:
    """Rows of records, newest first; bypassed approvals apart where only violations are shown."""

    def __init__(self, wanted: Sequence[str]) -> None:
        by_id = {column.id: column for column in COLUMNS}
        self.columns: Sequence[Column] = [by_id[name] for name in wanted if name in by_id]
        self.columns = self.columns or COLUMNS
        self.only_violations = False

    @property
    def has_headings(self) -> bool:
        """Whether there are groups."""
        return self.only_violations

    def identity(self, row: HistoryRow) -> Hashable:
        """Run path, branch, and code or receipt."""
        return row.identity

    def order(self, row: HistoryRow) -> tuple[int, Any]:
        """Newest first, inside its group."""
        group = int(self.only_violations and not row.is_bypassed)
        return group, row.newest_first

    def heading(self, group: int, count: int) -> Content:
        """Bypassed approvals, or the other violations."""
        return render_history.group_heading(group, count)

    def cell(self, row: HistoryRow, column: Column, width: int) -> Content:
        """One cell."""
        return _CELLS[column.id](row.record)


_CELLS: dict[str, Callable[[HistoryRecord], Content]] = {
    "when": render_history.when_cell,
    "run": lambda record: line(record.run_id),
    "branch": lambda record: line(record.branch),
    "operator": lambda record: line(record.operator or ""),
    "code": render_history.code_cell,
    "by": render_history.by_cell,
    "selected": render_history.selected_cell,
    "over": render_history.over_cell,
    "told": render_history.told_cell,
    "flags": render_history.flags_cell,
}
