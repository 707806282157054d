"""Keeps the rows of a list in order, and one of them in its place while the cursor is on it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from textual.content import Content

from stopview_tui.widgets.row_layout import Column

R = TypeVar("R")
R_contra = TypeVar("R_contra", contravariant=True)

Change: TypeAlias = Literal["new", "changed", "moved", "gone", "same"]


class RowSource(Protocol[R_contra]):
    """What a list has to know about its rows. All of it is pure and cheap: no disk, no widget.

    `identity` names a row over updates. `order` sorts the rows: the group's number (0 where there
    are no groups), then what sorts inside it. Where `has_headings`, `heading` is the text above a
    group, given its number and how many of its rows are shown. `cell` is a row's content in a
    column, without a line feed; the list cuts it to `width`, with a mark.
    """

    @property
    def columns(self) -> Sequence[Column]: ...

    @property
    def has_headings(self) -> bool: ...

    def identity(self, row: R_contra) -> Hashable: ...

    def order(self, row: R_contra) -> tuple[int, Any]: ...

    def heading(self, group: int, count: int) -> Content: ...

    def cell(self, row: R_contra, column: Column, width: int) -> Content: ...


@dataclass(frozen=True, slots=True)
class HeadingLine:
    """A line with the heading of a group."""

    group: int
    count: int


@dataclass(frozen=True, slots=True)
class RowLine:
    """A line with a row."""

    identity: Hashable


@dataclass(frozen=True, slots=True)
class _Group:
    """A group that has rows: its number, the line of its heading, the index of its first row."""

    number: int
    line: int
    index: int


Line: TypeAlias = HeadingLine | RowLine
_Key: TypeAlias = tuple[tuple[int, Any], int]


class RowOrder(Generic[R]):
    """Rows by identity and in order. The held row does not move or go before it is let go.

    Putting, dropping and finding a row takes O(log n) comparisons, whatever the number of rows.
    """

    def __init__(self, source: RowSource[R]) -> None:
        self.source = source
        self._rows: dict[Hashable, R] = {}
        self._keys: dict[Hashable, _Key] = {}
        self._sorted: list[tuple[_Key, Hashable]] = []
        self._counts: Counter[int] = Counter()
        self._next_serial = 0
        self._held: Hashable | None = None
        self._awaited: _Key | Literal["gone"] | None = None
        self._known_groups: list[_Group] | None = None

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, identity: Hashable) -> bool:
        return identity in self._rows

    def __iter__(self) -> Iterator[Hashable]:
        """The identities in order."""
        return (identity for _, identity in self._sorted)

    def rows(self) -> Iterator[R]:
        """The rows in order."""
        return (self._rows[identity] for _, identity in self._sorted)

    def get(self, identity: Hashable) -> R | None:
        """The row of that identity."""
        return self._rows.get(identity)

    @property
    def held(self) -> Hashable | None:
        """The row that keeps its place."""
        return self._held

    @property
    def held_is_gone(self) -> bool:
        """Whether the held row is there only because it is held."""
        return self._awaited == "gone"

    @property
    def held_is_misplaced(self) -> bool:
        """Whether the held row would stand elsewhere were it not held."""
        return self._awaited is not None

    def replace(self, rows: Iterable[R]) -> None:
        """Forget all rows, the held one too, and take these."""
        self._rows = {self.source.identity(row): row for row in rows}
        self._held, self._awaited = None, None
        serials = {identity: key[1] for identity, key in self._keys.items()}
        self._keys = {}
        for identity, row in self._rows.items():
            serial = serials.get(identity)
            self._keys[identity] = (self.source.order(row), self._serial(serial))
        self._sorted = sorted((key, identity) for identity, key in self._keys.items())
        self._counts = Counter(key[0][0] for key in self._keys.values())
        self._known_groups = None

    def put(self, row: R) -> Change:
        """Take a row that is new or may have changed."""
        identity = self.source.identity(row)
        before = self._rows.get(identity)
        self._rows[identity] = row
        if before is None:
            self._place(identity, (self.source.order(row), self._serial(None)))
            return "new"
        placed = self._keys[identity]
        wanted = (self.source.order(row), placed[1])
        if identity == self._held:
            self._awaited = wanted if wanted != placed else None
            return "same" if before == row else "changed"
        if wanted == placed:
            return "same" if before == row else "changed"
        self._unplace(identity)
        self._place(identity, wanted)
        return "moved"

    def drop(self, identity: Hashable) -> Change:
        """Take a row away; the held one stays and counts as gone."""
        if identity not in self._rows:
            return "same"
        if identity == self._held:
            self._awaited = "gone"
        else:
            self._unplace(identity)
            del self._rows[identity]
        return "gone"

    def hold(self, identity: Hashable | None) -> bool:
        """Keep this row in its place, and let the one before go to its own; whether that moved."""
        if identity == self._held:
            return False
        held, awaited = self._held, self._awaited
        self._held, self._awaited = identity, None
        if held is None or awaited is None:
            return False
        self._unplace(held)
        if awaited == "gone":
            del self._rows[held]
        else:
            self._place(held, awaited)
        return True

    def index_of(self, identity: Hashable) -> int:
        """How many rows stand before it. KeyError where it is not here."""
        return bisect_left(self._sorted, (self._keys[identity],))

    def at_index(self, index: int) -> Hashable:
        """The identity at that place."""
        return self._sorted[index][1]

    @property
    def line_count(self) -> int:
        """Lines of all rows and headings."""
        return len(self._sorted) + (len(self._counts) if self.source.has_headings else 0)

    def line_of(self, identity: Hashable) -> int:
        """The line, from 0, on which the row stands. KeyError where it is not here."""
        index = self.index_of(identity)
        if not self.source.has_headings:
            return index
        group = self._keys[identity][0][0]
        return index + bisect_right(self._groups, group, key=lambda one: one.number)

    def at_line(self, line: int) -> Line | None:
        """What stands on a line."""
        if not 0 <= line < self.line_count:
            return None
        if not self.source.has_headings:
            return RowLine(self._sorted[line][1])
        place = bisect_right(self._groups, line, key=lambda one: one.line) - 1
        group = self._groups[place]
        if line == group.line:
            return HeadingLine(group.number, self._shown_count(group.number))
        return RowLine(self._sorted[group.index + line - group.line - 1][1])

    @property
    def _groups(self) -> list[_Group]:
        if self._known_groups is None:
            self._known_groups = []
            index = 0
            for place, number in enumerate(sorted(self._counts)):
                self._known_groups.append(_Group(number, index + place, index))
                index += self._counts[number]
        return self._known_groups

    def _shown_count(self, group: int) -> int:
        """How many rows truly belong to the group: a held row that has left it does not count."""
        count = self._counts[group]
        if self._held is not None and self._awaited is not None:
            if self._keys[self._held][0][0] == group:
                count -= 1
            if self._awaited != "gone" and self._awaited[0][0] == group:
                count += 1
        return count

    def _serial(self, known: int | None) -> int:
        if known is not None:
            return known
        self._next_serial += 1
        return self._next_serial

    def _place(self, identity: Hashable, key: _Key) -> None:
        self._keys[identity] = key
        insort(self._sorted, (key, identity))
        self._counts[key[0][0]] += 1
        self._known_groups = None

    def _unplace(self, identity: Hashable) -> None:
        key = self._keys.pop(identity)
        del self._sorted[bisect_left(self._sorted, (key,))]
        self._counts[key[0][0]] -= 1
        if not self._counts[key[0][0]]:
            del self._counts[key[0][0]]
        self._known_groups = None
