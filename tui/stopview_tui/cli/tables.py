"""Prints tables for people: to the terminal's width, or one full line a row into a pipe."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from stopview_core.text import one_line

_GAP = 2
_LONGEST = 300  # characters that are not broken: every row is as wide as the widest
_NARROWEST = 12  # columns that a text which may wrap keeps at least


def table_width(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """How many columns of the terminal the table takes where nothing in it is broken."""
    return sum(
        max(map(cell_len, (name, *(one_line(row[i]) for row in rows)))) + _GAP
        for i, name in enumerate(columns)
    )


def print_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    whole: Collection[str] = (),
    droppable: Sequence[str] = (),
) -> None:
    """The rows under their columns; texts are cleaned and never read as markup.

    What stands in `whole` columns is never broken, so that it can be copied. Where a terminal is
    too narrow, `droppable` columns go first to last, the rest wraps at words.
    """
    console = Console(highlight=False, markup=False, emoji=False)
    cells = [
        [
            _bounded(one_line(c)) if n in whole else one_line(c)
            for n, c in zip(columns, r, strict=True)
        ]
        for r in rows
    ]
    shown = list(range(len(columns)))
    widths = [max(map(cell_len, (name, *(r[i] for r in cells)))) for i, name in enumerate(columns)]
    if console.is_terminal:
        least = [
            w if n in whole else min(w, _NARROWEST) for n, w in zip(columns, widths, strict=True)
        ]
        for name in droppable:
            if sum(least[i] + _GAP for i in shown) <= console.width:
                break
            shown.remove(columns.index(name))
    else:
        console = Console(highlight=False, markup=False, emoji=False, width=sum(widths) + 80)
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for i in shown:
        is_whole = columns[i] in whole
        table.add_column(Text(columns[i]), overflow="fold", no_wrap=is_whole)
    for row in cells:
        table.add_row(*(Text(row[i]) for i in shown))
    console.print(table, soft_wrap=False)


def _bounded(text: str) -> str:
    """The text, one beyond all measure with its middle left out: its end is kept."""
    half = _LONGEST // 2
    return text if len(text) <= _LONGEST else f"{text[:half]}…{text[-half:]}"
