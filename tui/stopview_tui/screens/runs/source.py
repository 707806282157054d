"""Tells the shared list about runs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from datetime import datetime
from typing import Any

from textual.content import Content

from stopview_core.run_board import RunRow, run_order
from stopview_tui import render_runs
from stopview_tui.widgets.row_layout import Column

COLUMNS = (
    Column("run", "run", 40, 14, 0),
    Column("status", "status", 18, 9, 0),
    Column("project", "project", 22, 8, 7),
    Column("steps", "steps", 5, 5, 6, align="right"),
    Column("open", "open", 4, 4, 1, align="right"),
    Column("choices", "choices", 7, 7, 2, align="right"),
    Column("blocked", "blocked", 8, 7, 3, align="right"),
    Column("violations", "violations", 24, 10, 4),
    Column("changed", "changed", 8, 7, 5, align="right"),
    Column("goal", "goal", 60, 20, 8, grow=1),
)


class RunsSource:
    """Rows of runs, the last changed first. `now` is the time that ages are told from."""

    has_headings = False

    def __init__(self, wanted: Sequence[str], now: Callable[[], datetime]) -> None:
        by_id = {column.id: column for column in COLUMNS}
        self.columns: Sequence[Column] = [by_id[name] for name in wanted if name in by_id]
        self.columns = self.columns or COLUMNS
        self._now = now

    def identity(self, row: RunRow) -> Hashable:
        """The run's folder."""
        return row.identity

    def order(self, row: RunRow) -> tuple[int, Any]:
        """The last changed first."""
        return 0, run_order(row)

    def heading(self, group: int, count: int) -> Content:
        """There are no groups."""
        return Content("")

    def cell(self, row: RunRow, column: Column, width: int) -> Content:
        """One cell."""
        match column.id:
            case "blocked":
                return render_runs.blocked_cell(row, self._now())
            case "changed":
                return render_runs.changed_cell(row, self._now())
            case name:
                return _CELLS[name](row)


_CELLS: dict[str, Callable[[RunRow], Content]] = {
    "run": render_runs.run_cell,
    "status": render_runs.status_cell,
    "project": render_runs.project_cell,
    "steps": render_runs.steps_cell,
    "open": render_runs.open_cell,
    "choices": render_runs.choices_cell,
    "violations": render_runs.violations_cell,
    "goal": render_runs.goal_cell,
}
