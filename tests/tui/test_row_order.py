"""The order of a list's rows: as sorting gives it, but for the row that the cursor holds."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content

from stopview_tui.widgets.row_layout import GAP, Column, lay_out
from stopview_tui.widgets.row_order import HeadingLine, RowLine, RowOrder


@dataclass(frozen=True)
class Item:
    """A row of the tests: what it is called, its group, and its place in the group."""

    name: int
    group: int
    place: int


class Items:
    """Says how items are listed."""

    columns = (Column("name", "name", 10, 4, 0),)

    def __init__(self, *, has_headings: bool = True) -> None:
        self.has_headings = has_headings

    def identity(self, row: Item) -> Hashable:
        return row.name

    def order(self, row: Item) -> tuple[int, Any]:
        return row.group, (row.place, row.name)

    def heading(self, group: int, count: int) -> Content:
        return Content(f"{group}: {count}")

    def cell(self, row: Item, column: Column, width: int) -> Content:
        return Content(str(row.name))


ITEM = st.builds(Item, st.integers(0, 12), group=st.integers(0, 3), place=st.integers(0, 5))
STEP = st.one_of(
    st.tuples(st.just("put"), ITEM),
    st.tuples(st.just("drop"), st.integers(0, 12)),
    st.tuples(st.just("hold"), st.one_of(st.none(), st.integers(0, 12))),
    st.tuples(st.just("replace"), st.lists(ITEM, max_size=8, unique_by=lambda item: item.name)),
)


class Model:
    """The same by sorting anew each time."""

    def __init__(self) -> None:
        self.rows: dict[Hashable, Item] = {}
        self.held: Hashable | None = None
        self.kept: Item | None = None
        self.is_gone = False

    def put(self, item: Item) -> None:
        self.rows[item.name] = item
        if item.name == self.held:
            self.is_gone = False

    def drop(self, name: Hashable) -> None:
        if name == self.held and name in self.rows:
            self.is_gone = True
        else:
            self.rows.pop(name, None)

    def hold(self, name: Hashable | None) -> None:
        if name == self.held:
            return
        if self.is_gone:
            self.rows.pop(self.held, None)
        self.held, self.is_gone = name, False
        self.kept = self.rows.get(name) if name is not None else None

    def replace(self, items: list[Item]) -> None:
        self.rows = {item.name: item for item in items}
        self.held, self.kept, self.is_gone = None, None, False

    def placed(self) -> list[Item]:
        """Each row where it stands: the held one where it was when it was taken."""
        stands = {
            name: self.kept if name == self.held and self.kept else row
            for name, row in self.rows.items()
        }
        return sorted(stands.values(), key=Items().order)


@given(st.lists(STEP, max_size=40), st.booleans())
def test_rows_stand_as_sorting_puts_them_but_for_the_held_one(
    steps: list[tuple[str, Any]], has_headings: bool
) -> None:
    order = RowOrder(Items(has_headings=has_headings))
    model = Model()
    for name, value in steps:
        if name == "hold" and value is not None and value not in model.rows:
            continue
        getattr(order, name)(value)
        getattr(model, name)(value)
        placed = model.placed()
        assert list(order) == [item.name for item in placed]
        assert [order.get(item.name) for item in placed] == [
            model.rows[item.name] for item in placed
        ]
        expected: list[object] = []
        for item in placed:
            if has_headings and (not expected or last_group(placed, item) != item.group):
                expected.append(item.group)
            expected.append(RowLine(item.name))
        lines = [order.at_line(line) for line in range(order.line_count)]
        assert [line.group if isinstance(line, HeadingLine) else line for line in lines] == expected
        for item in placed:
            assert lines[order.line_of(item.name)] == RowLine(item.name)
        assert order.at_line(-1) is None
        assert order.at_line(order.line_count) is None
        assert order.held_is_gone == model.is_gone


def last_group(placed: list[Item], item: Item) -> int | None:
    """The group of the row before."""
    at = placed.index(item)
    return placed[at - 1].group if at else None


def test_a_heading_counts_what_truly_belongs_to_its_group() -> None:
    order = RowOrder(Items())
    order.replace([Item(1, 0, 0), Item(2, 0, 1), Item(3, 1, 0)])
    order.hold(2)
    order.put(Item(2, 1, 1))
    assert list(order) == [1, 2, 3]
    assert order.at_line(0) == HeadingLine(0, 1)
    assert order.at_line(3) == HeadingLine(1, 2)
    order.drop(2)
    assert order.at_line(3) == HeadingLine(1, 1)
    assert order.hold(3)
    assert list(order) == [1, 3]


@given(
    st.lists(
        st.builds(
            Column,
            st.text("abcdef", min_size=1, max_size=8),
            st.just("title"),
            width=st.integers(1, 30),
            least=st.integers(1, 30),
            rank=st.integers(0, 4),
            grow=st.integers(0, 2),
        ),
        max_size=8,
        unique_by=lambda column: column.id,
    ),
    st.integers(0, 160),
)
def test_columns_never_take_more_than_there_is_and_keep_their_order(
    columns: list[Column], width: int
) -> None:
    placed = lay_out(columns, width)
    assert sum(p.width for p in placed) + GAP * max(len(placed) - 1, 0) <= width or not placed
    order = [columns.index(p.column) for p in placed]
    assert order == sorted(order)
    assert all(p.width > 0 for p in placed)
    needed = sum(c.least for c in columns) + GAP * max(len(columns) - 1, 0)
    if needed <= width:
        assert len(placed) == len(columns)
        assert all(p.width >= p.column.least for p in placed)


@pytest.mark.parametrize(("width", "shown"), [(60, "abc"), (30, "ab"), (20, "a")])
def test_the_highest_rank_goes_first(width: int, shown: str) -> None:
    columns = [
        Column("a", "a", 20, 10, 0),
        Column("b", "b", 20, 15, 1),
        Column("c", "c", 20, 15, 2),
    ]
    assert "".join(placed.column.id for placed in lay_out(columns, width)) == shown
