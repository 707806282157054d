"""Prints tables for people: to the terminal's width, or one full line a row into a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from stopview_core.text import one_line

_PIPE_WIDTH = 400


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """The rows under their columns; texts are cleaned and never read as markup."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, emoji=False, width=_PIPE_WIDTH)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(Text(column), overflow="fold")
    for row in rows:
        table.add_row(*(Text(one_line(cell)) for cell in row))
    console.print(table)
