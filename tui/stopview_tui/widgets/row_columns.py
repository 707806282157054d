"""Fits a list's columns to its rows and its width, and puts the cells of a row side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Generic, Literal, TypeAlias, TypeVar

from rich.cells import cell_len
from textual.content import Content

from stopview_tui.terminal_safety import safe_cell
from stopview_tui.widgets.row_layout import GAP, Column, Placed, lay_out
from stopview_tui.widgets.row_order import RowSource

R = TypeVar("R")

Mark: TypeAlias = Literal["new", "changed", "gone"]
SIGNS: Mapping[Mark | None, str] = MappingProxyType(
    {"new": "●", "changed": "~", "gone": "×", None: " "}
)
GUTTER = 3
"""Cells before the first column: the sign of the cursor, the mark, and a space."""
_CURSOR_SIGN = "▌"


class RowColumns(Generic[R]):
    """The columns as they stand. A column wants no more room than the rows it was measured on."""

    def __init__(self, source: RowSource[R]) -> None:
        self.source = source
        self.placed: tuple[Placed, ...] = ()
        self.width = 0
        self._widest: dict[str, int] = {}

    def place(self, width: int) -> None:
        """Lay the columns out in `width` cells, the gutter among them."""
        self.width = width
        columns = [self._narrowed(column) for column in self.source.columns]
        self.placed = lay_out(columns, max(width - GUTTER, 0))

    @property
    def is_measured(self) -> bool:
        """Whether rows were measured. Columns then keep their width, whatever is filtered out."""
        return bool(self._widest)

    def measure(self, rows: Iterable[R]) -> bool:
        """See how wide the cells of these rows are; whether a column wants more than before."""
        grew = False
        for row in rows:
            for column in self.source.columns:
                width = self.source.cell(row, column, column.width).cell_length
                if width > self._widest.get(column.id, 0):
                    self._widest[column.id] = width
                    grew = True
        return grew

    def header(self) -> Content:
        """The titles."""
        titles = [_fitted(Content(placed.column.title), placed) for placed in self.placed]
        return Content(" " * GUTTER) + Content(" " * GAP).join(titles)

    def content(self, row: R, *, is_cursor: bool, mark: Mark | None) -> Content:
        """One row's line."""
        parts: list[Content | tuple[str, str] | str] = [
            _CURSOR_SIGN if is_cursor else " ",
            (SIGNS[mark], ".rows--mark"),
            " ",
        ]
        for place, placed in enumerate(self.placed):
            if place:
                parts.append(" " * GAP)
            cell = safe_cell(self.source.cell(row, placed.column, placed.width))
            if mark == "gone":
                cell = Content.assemble((cell.plain, ".rows--gone"))
            parts.append(_fitted(cell, placed))
        return Content.assemble(*parts)

    def _narrowed(self, column: Column) -> Column:
        widest = max(self._widest.get(column.id, 0), cell_len(column.title))
        return replace(column, width=min(column.width, widest), least=min(column.least, widest))


def _fitted(cell: Content, placed: Placed) -> Content:
    """The cell in exactly its width, the cut marked."""
    cut = cell.truncate(placed.width, ellipsis=True)
    missing = placed.width - cut.cell_length
    if missing <= 0:
        return cut
    return cut.pad_left(missing) if placed.column.align == "right" else cut.pad_right(missing)
