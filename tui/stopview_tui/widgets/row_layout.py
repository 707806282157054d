"""Decides which columns of a list are shown at a width, and how wide each is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

GAP = 2
"""Cells between two columns."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a list.

    `width` is what it wants, `least` the narrowest it is still worth showing at, both in cells.
    `rank` 0 is never dropped; where there is no room, the highest rank goes first. `grow` is its
    share of the room that is left over.
    """

    id: str
    title: str
    width: int
    least: int
    rank: int
    grow: int = 0
    align: Literal["left", "right"] = "left"


@dataclass(frozen=True, slots=True)
class Placed:
    """A column that is shown, and the cells it has."""

    column: Column
    width: int


def lay_out(columns: Sequence[Column], width: int) -> tuple[Placed, ...]:
    """The columns that fit into `width` cells, in their order, filling it as far as they grow.

    Those of rank 0 stay: where not even they fit, the widest of them give way.
    """
    shown = list(columns)
    while _needed(shown) > width:
        dropped = max(shown, key=lambda column: column.rank, default=None)
        if dropped is None or dropped.rank == 0:
            break
        shown.remove(_last_of_rank(shown, dropped.rank))
    widths = [column.least for column in shown]
    room = width - _gaps(shown) - sum(widths)
    if room < 0:
        return _squeezed(shown, width)
    room = _widen(shown, widths, room)
    _grow(shown, widths, room)
    return tuple(Placed(column, cells) for column, cells in zip(shown, widths, strict=True))


def _last_of_rank(columns: Sequence[Column], rank: int) -> Column:
    return next(column for column in reversed(columns) if column.rank == rank)


def _gaps(columns: Sequence[Column]) -> int:
    return GAP * max(len(columns) - 1, 0)


def _needed(columns: Sequence[Column]) -> int:
    return sum(column.least for column in columns) + _gaps(columns)


def _widen(columns: Sequence[Column], widths: list[int], room: int) -> int:
    """Give each column what it wants, the low ranks first; the room that is left."""
    for place in sorted(range(len(columns)), key=lambda at: columns[at].rank):
        given = min(max(columns[place].width - widths[place], 0), room)
        widths[place] += given
        room -= given
    return room


def _grow(columns: Sequence[Column], widths: list[int], room: int) -> None:
    shares = sum(column.grow for column in columns)
    given = 0
    for place, column in enumerate(columns):
        part = room * column.grow // shares if shares else 0
        widths[place] += part
        given += part
    growing = [place for place, column in enumerate(columns) if column.grow]
    if growing:
        widths[growing[-1]] += room - given


def _squeezed(columns: Sequence[Column], width: int) -> tuple[Placed, ...]:
    """Columns that do not fit even at their least: the widest give way, the last go."""
    kept = list(columns)
    while len(kept) > 1 and _gaps(kept) + len(kept) > width:
        kept.pop()
    widths = [column.least for column in kept]
    room = max(width - _gaps(kept), 0)
    while sum(widths) > room:
        widths[widths.index(max(widths))] -= 1
    return tuple(Placed(column, cells) for column, cells in zip(kept, widths, strict=True) if cells)
