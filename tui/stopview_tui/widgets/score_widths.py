"""Shares the width of the terminal among the columns of a score grid; none is ever half shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

_NARROWEST, _WIDEST = 18, 46
_NONE_WIDTH = 17
_LABEL_LEAST, _LABEL_MOST = 15, 24
_ROOMY = 100  # from this width on, long labels get room too


@dataclass(frozen=True, slots=True)
class Widths:
    """The label's width and each visible column's; every column has a line of one cell before it.

    `first` is the index of the first visible column.
    """

    label: int
    first: int
    columns: tuple[int, ...]

    @property
    def last(self) -> int:
        """The index after the last visible column."""
        return self.first + len(self.columns)

    def column_at(self, x: int) -> int | None:
        """The index of the column at a cell of the line, None on the labels and past the end."""
        left = self.label
        for index, width in enumerate(self.columns, self.first):
            left += width + 1
            if x < left:
                return index if x >= self.label else None
        return None


def share_width(
    width: int, names: Sequence[str], topics: Sequence[str], count: int, first: int
) -> Widths:
    """The widths of as many of `count` columns as fit, from `first` on.

    `names` are labels to be read at a glance, `topics` those that may wrap. The last column is the
    narrow "none of these", which keeps its width where all fit.
    """
    label = _label_width(width, names, topics)
    room = max(width - label - 1, 2)  # one cell for the line after the last column
    others = count - 1
    if others and room - (_NONE_WIDTH + 1) >= others * (_NARROWEST + 1):
        each = (room - _NONE_WIDTH - 1) // others - 1
        return Widths(label, 0, (*[min(each, _WIDEST)] * others, _NONE_WIDTH))
    fitting = max(1, min(count, room // (_NARROWEST + 1)))
    first = max(0, min(first, count - fitting))
    each = min(room // fitting - 1, _WIDEST)
    return Widths(label, first, tuple([max(each, 1)] * fitting))


def _label_width(width: int, names: Sequence[str], topics: Sequence[str]) -> int:
    wanted = [*names, *(topics if width >= _ROOMY else ())]
    longest = max((cell_len(label) for label in wanted), default=0) + 1
    return min(max(longest, _LABEL_LEAST), _LABEL_MOST, max(width // 2, 1))
