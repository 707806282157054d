"""Reads the pipe tables under the headings of a Markdown file, without a full Markdown parser."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from stopview_core.markdown_scan.blocks import (
    Heading,
    TableLines,
    skippable_before,
    split_lines,
    top_level_blocks,
)
from stopview_core.markdown_scan.table_lines import split_cells

MAX_FILLED_CELLS = 0x10000
"""How many cells that rows left out may be filled in a table, so that few bytes stay few cells."""


@dataclass(frozen=True, slots=True)
class Table:
    """One pipe table: raw texts, one cell a column in every row, as GitHub's Markdown reads it.

    A cell wholly in backquotes comes without them, an escaped pipe as a pipe; nothing else is
    changed or cleaned. `heading` is the level 2 heading above, "" where there is none. `line` is
    the header's, `lines` those of the rows, counted from 1.
    """

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    line: int
    lines: tuple[int, ...]

    def records(self) -> list[dict[str, str]]:
        """Each row by column name, in the order of the columns; of one name the first counts."""
        places = {name: self.columns.index(name) for name in self.columns}
        return [{name: row[place] for name, place in places.items()} for row in self.rows]

    def has_columns(self, *names: str) -> bool:
        """Whether each of the names is a column."""
        return all(name in self.columns for name in names)


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one `## Heading` down to the next heading of level 1 or 2."""

    heading: str
    line: int
    tables: tuple[Table, ...]


def sections(text: str) -> tuple[Section, ...]:
    """Every level 2 section in order, with its tables, also those without any."""
    lines = split_lines(text)
    heads: list[tuple[Heading, list[Table]]] = []
    current: list[Table] | None = None
    for block in top_level_blocks(lines):
        if not isinstance(block, Heading):
            if current is not None:
                current.append(_table(lines, heads[-1][0].text, block))
        elif block.level <= 2:
            current = [] if block.level == 2 else None
            if current is not None:
                heads.append((block, current))
    return tuple(Section(head.text, head.line, tuple(tables)) for head, tables in heads)


def all_tables(text: str) -> tuple[Table, ...]:
    """Every table of the text in order, also those under no level 2 heading."""
    return tuple(_scan(split_lines(text), None))


def tables_under(text: str, headings: Collection[str]) -> tuple[Table, ...]:
    """Every table under one of the `## <heading>`s, in order."""
    return tuple(_scan(split_lines(text), headings))


def tables(text: str, heading: str) -> tuple[Table, ...]:
    """Every table under `## <heading>`, in order, over all sections of that name."""
    return tuple(_scan_one(text, heading))


def table(text: str, heading: str) -> Table | None:
    """The first table under `## <heading>`, None where there is none."""
    return next(_scan_one(text, heading), None)


def without_backquotes(cell: str) -> str:
    """The cell without the one pair of backquotes (of any length) around the whole of it."""
    if cell[:1] != "`" or cell[-1] != "`":
        return cell
    if cell.count("`") == 2 and len(cell) > 2 and cell[1] != " ":
        return cell[1:-1]
    inner = cell.strip("`")
    marks = len(cell) - len(cell.lstrip("`"))
    if not inner or len(cell) != len(inner) + 2 * marks:
        return cell
    if any(len(run) == marks for run in re.findall("`+", inner)):
        return cell
    is_padded = inner[0] == inner[-1] == " " and not inner.isspace()
    return inner[1:-1] if is_padded else inner


def _scan_one(text: str, heading: str) -> Iterator[Table]:
    if heading not in text:
        return iter(())
    skipped = skippable_before(text, heading)
    lines_before = text.count("\n", 0, skipped)
    return _scan(split_lines(text[skipped:]), (heading,), lines_before)


def _scan(
    lines: list[str], wanted: Collection[str] | None, lines_before: int = 0
) -> Iterator[Table]:
    heading = ""
    for block in top_level_blocks(lines):
        if isinstance(block, Heading):
            if block.level <= 2:
                heading = block.text if block.level == 2 else ""
        elif wanted is None or heading in wanted:
            yield _table(lines, heading, block, lines_before)


def _table(lines: list[str], heading: str, block: TableLines, lines_before: int = 0) -> Table:
    columns = _cells(lines[block.start])
    width = len(columns)
    rows: list[tuple[str, ...]] = []
    room = MAX_FILLED_CELLS
    for line in lines[block.start + 2 : block.end]:
        cells = _cells(line)
        missing = width - len(cells)
        room -= missing
        if room < 0:
            break
        rows.append(cells + ("",) * missing if missing > 0 else cells[:width])
    line_number = lines_before + block.start + 1
    row_numbers = tuple(range(line_number + 2, line_number + 2 + len(rows)))
    return Table(heading, columns, tuple(rows), line_number, row_numbers)


def _cells(line: str) -> tuple[str, ...]:
    cells = split_cells(line)
    return tuple([without_backquotes(cell) if "`" in cell else cell for cell in cells])
