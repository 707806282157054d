"""Draws a Markdown table in columns, or, where they would be too narrow, a row as a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content

from stopview_core.markdown_scan.table_lines import split_cells
from stopview_core.text import clean
from stopview_tui.render import MUTED, STRONG, WARNING, styled
from stopview_tui.render_markdown_text import wrapped

_BETWEEN = " │ "
_NARROWEST = 8
_LONGEST_WORD = 24
_MOST_COLUMNS = 64


@dataclass(frozen=True, slots=True)
class TableCells:
    """One row: its cells, how each is aligned, and the line it is written on ("" for a header).

    A row may have more cells than the header has columns; the parser leaves those out, they are
    read from the line.
    """

    cells: tuple[Content, ...]
    aligns: tuple[str, ...]
    is_header: bool
    written: str

    @property
    def beyond(self) -> str:
        """What stands in the cells that are too many, or nothing."""
        cells = split_cells(self.written.lstrip(" \t>"))[len(self.cells) :]
        return clean(" | ".join(cell for cell in cells if cell))


def table_lines(rows: Sequence[TableCells], width: int) -> list[Content]:
    """The table in lines of at most `width` cells; the first row is the header."""
    widths = _widths(rows, width)
    return _as_list(rows, width) if widths is None else _as_columns(rows, widths, width)


def _widths(rows: Sequence[TableCells], width: int) -> list[int] | None:
    """The width of each column; None where some could not even have `_NARROWEST`.

    No column has more than its widest cell, and, while there is room, none less than its longest
    word; the rest is shared evenly.
    """
    columns = list(zip(*(row.cells for row in rows), strict=True))
    room = width - len(_BETWEEN) * (len(columns) - 1)
    if len(columns) > _MOST_COLUMNS:
        return None
    wanted = [max(_widest(cells), 1) for cells in columns]
    for most in (_LONGEST_WORD, _NARROWEST):
        least = [min(max(_longest_word(cells), _NARROWEST), most) for cells in columns]
        shared = [min(pair) for pair in zip(wanted, least, strict=True)]
        if sum(shared) <= room:
            return _shared_out(shared, wanted, room - sum(shared))
    return None


def _shared_out(shared: list[int], wanted: Sequence[int], left: int) -> list[int]:
    while left > 0:
        open_columns = [at for at, cells in enumerate(shared) if cells < wanted[at]]
        if not open_columns:
            break
        share = max(left // len(open_columns), 1)
        for at in open_columns:
            given = min(share, wanted[at] - shared[at], left)
            shared[at] += given
            left -= given
    return shared


def _widest(cells: Sequence[Content]) -> int:
    return max(line.cell_length for cell in cells for line in cell.split(allow_blank=True))


def _longest_word(cells: Sequence[Content]) -> int:
    return max((cell_len(word) for cell in cells for word in cell.plain.split()), default=0)


def _as_columns(rows: Sequence[TableCells], widths: Sequence[int], width: int) -> list[Content]:
    drawn: list[Content] = []
    was_tall = False
    for place, row in enumerate(rows):
        cells = [wrapped(cell, widths[at]) for at, cell in enumerate(_shown(row))]
        is_tall = any(len(lines) > 1 for lines in cells)
        if place > 1 and (is_tall or was_tall):
            drawn.append(_ruled("╌┼╌", "╌", widths))
        drawn += _row_lines(cells, widths, row.aligns)
        drawn += _beyond(row, width)
        if place == 0:
            drawn.append(_ruled("─┼─", "─", widths))
        was_tall = is_tall
    return drawn


def _row_lines(
    cells: Sequence[Sequence[Content]], widths: Sequence[int], aligns: Sequence[str]
) -> list[Content]:
    drawn = []
    for line in range(max(len(lines) for lines in cells)):
        pieces = [
            _fitted(lines[line] if line < len(lines) else Content(""), widths[at], aligns[at])
            for at, lines in enumerate(cells)
        ]
        drawn.append(styled((_BETWEEN, MUTED)).join(pieces).rstrip())
    return drawn


def _ruled(between: str, rule: str, widths: Sequence[int]) -> Content:
    return styled((between.join(rule * cells for cells in widths), MUTED))


def _as_list(rows: Sequence[TableCells], width: int) -> list[Content]:
    header, *body = rows
    names = [cell.plain.replace("\n", " ") for cell in header.cells]
    drawn: list[Content] = wrapped(styled((" │ ".join(names), STRONG)), width)
    for row in body:
        drawn.append(styled(("─" * width, MUTED)))
        for name, cell in zip(names, row.cells, strict=True):
            if cell:
                drawn += wrapped(styled((f"{name}: " if name else "", STRONG), cell), width)
        drawn += _beyond(row, width)
    return drawn


def _shown(row: TableCells) -> tuple[Content, ...]:
    return tuple(cell.stylize(STRONG) for cell in row.cells) if row.is_header else row.cells


def _beyond(row: TableCells, width: int) -> list[Content]:
    text = row.beyond if row.written else ""
    if not text:
        return []
    return wrapped(styled(("beyond the last column: ", WARNING), text), width)


def _fitted(cell: Content, width: int, align: str) -> Content:
    missing = width - cell.cell_length
    if missing <= 0:
        return cell
    if align == "right":
        return cell.pad_left(missing)
    if align == "center":
        return cell.pad_left(missing // 2).pad_right(missing - missing // 2)
    return cell.pad_right(missing)
