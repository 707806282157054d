"""Turns the columns and rows of a score grid into lines: the ones that stay, the ones that scroll.

Only the columns in view are drawn; each line holds a text a column, none wider than its column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from textual.content import Content

from stopview_tui.render import GOOD, MUTED, STRONG, WARNING
from stopview_tui.render_scores import shortened, text_cell, total_cell
from stopview_tui.widgets.score_rows import Column, Grid, Row
from stopview_tui.widgets.score_widths import Widths

LineKind = Literal["cells", "title", "heading", "note", "pages", "rule", "artifacts"]

_LABEL_CAP = 6
_TITLE_CAP = 2
_MARK_WIDTH = 4
_ID_PART = re.compile(r"[^-_./]*[-_./]?")


@dataclass(frozen=True, slots=True)
class Marks:
    """What stands over the columns: the pick, and the decision in force with its seq.

    `picked` and `standing` hold an id, or None for "none of these"; `has_pick` and `seq` say
    whether there is one.
    """

    has_pick: bool = False
    picked: str | None = None
    seq: str | None = None
    standing: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A label and the text of each column in view; of some kinds one text across all of them."""

    label: Content
    cells: tuple[Content, ...] = ()
    kind: LineKind = "cells"


@dataclass(frozen=True, slots=True)
class LineMaker:
    """Makes the lines of a grid for a width; `totals_before` are totals that changed, as text."""

    grid: Grid
    widths: Widths
    marks: Marks
    width: int
    totals_before: Mapping[str, str]

    def head(self) -> Iterator[Line]:
        """The lines that stay: which columns are out of sight, titles, marks, totals."""
        before, after = self.widths.first, len(self.grid.columns) - self.widths.last
        if before or after:
            yield Line(_pages(before, after, self.width), kind="pages")
        legend = Content.styled(self.grid.legend, MUTED)
        yield from self._lines(legend, (self._title(*each) for each in self._shown), "title")
        badges = [self._badge(*each) for each in self._shown]
        if any(badges):
            yield from self._lines(Content(""), badges, "cells")
        if self.grid.table.axes:
            label = "total of means" if self.grid.table.uses_means else "total"
            totals = [self._total(*each) for each in self._shown]
            yield from self._lines(Content.styled(label, STRONG), totals, "cells")
        yield Line(Content(""), kind="rule")

    def body(self) -> Iterator[Line]:
        """The lines that scroll."""
        for row in self.grid.rows:
            yield from self._row(row)

    @property
    def _shown(self) -> Iterator[tuple[Column, int]]:
        columns = self.grid.columns[self.widths.first : self.widths.last]
        return zip(columns, self.widths.columns, strict=True)

    def _row(self, row: Row) -> Iterable[Line]:
        if row.kind == "heading":
            return [Line(Content(shortened(row.label.plain, self.width)), kind="heading")]
        if row.kind == "note":
            return [Line(line, kind="note") for line in row.label.wrap(self.width)]
        cells = row.cells[self.widths.first : self.widths.last]
        drawn = [
            cell(max(width - 2, 1)) if cell else ()
            for cell, width in zip(cells, self.widths.columns, strict=True)
        ]
        return self._lines(row.label, drawn, "artifacts" if row.kind == "artifacts" else "cells")

    def _lines(
        self, label: Content, cells: Iterable[tuple[Content, ...]], kind: LineKind
    ) -> Iterator[Line]:
        labels = text_cell(label, cap=_LABEL_CAP)(max(self.widths.label - 1, 1))
        drawn = list(cells)
        height = max(1, len(labels), *(len(lines) for lines in drawn))
        for y in range(height):
            yield Line(
                labels[y] if y < len(labels) else Content(""),
                tuple(lines[y] if y < len(lines) else Content("") for lines in drawn),
                kind,
            )

    def _title(self, column: Column, width: int) -> tuple[Content, ...]:
        is_picked = self.marks.has_pick and self.marks.picked == column.id
        mark = "(●) " if is_picked else "( ) " if column.is_offered else "    "
        lines = wrapped_id(column.title, max(width - _MARK_WIDTH, 1), _TITLE_CAP)
        return tuple(
            Content(f"{' ' * _MARK_WIDTH if place else mark}{line}")
            for place, line in enumerate(lines)
        )

    def _badge(self, column: Column, width: int) -> tuple[Content, ...]:
        told: list[Content] = []
        if self.marks.seq is not None and self.marks.standing == column.id:
            told.append(Content.styled(f"in force, {self.marks.seq}", GOOD))
        if column.is_new:
            told.append(Content.styled("new", WARNING))
        if not column.is_offered:
            told.append(Content.styled("not offered", WARNING))
        return text_cell(Content(" ").join(told))(max(width - 2, 1))

    def _total(self, column: Column, width: int) -> tuple[Content, ...]:
        alternative = column.alternative
        if alternative is None:
            return ()
        before = self.totals_before.get(alternative.id)
        return total_cell(alternative, self.grid.table, before)(max(width - 2, 1))


def wrapped_id(text: str, width: int, cap: int) -> list[str]:
    """An id broken after its dashes, dots and slashes; a cut is marked."""
    lines = [""]
    for part in _ID_PART.findall(text):
        if lines[-1] and Content(lines[-1] + part).cell_length > width:
            lines.append("")
        lines[-1] += part
    if len(lines) > cap:
        lines = [*lines[: cap - 1], "".join(lines[cap - 1 :])]
    return [shortened(line, width) for line in lines]


def _pages(left: int, right: int, width: int) -> Content:
    """How many columns are out of sight on either side."""
    before = f"◂ {left} more" if left else ""
    after = f"{right} more ▸" if right else ""
    gap = max(width - len(before) - len(after), 1)
    return Content(f"{before}{' ' * gap}{after}")
