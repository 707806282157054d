"""The lines of a pipe table: where it ends, and the cells of a line (GitHub's Markdown)."""

from __future__ import annotations

import re

from stopview_core.markdown_scan.starts import interrupts, is_indented

WHITE_SPACE = (
    "\t\n\x0b\x0c\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""What Markdown trims."""

_PIPE = re.compile(r"(?<!\\)\|")
_DELIMITER_LINE = re.compile(
    r"(?=[|:][-:| \t]|-[-:|])\|?+[ \t]*+:?+-++:?+[ \t]*+(?:\|[ \t]*+:?+-++:?+[ \t]*+)*+\|?[ \t]*+"
)


def split_cells(line: str) -> list[str]:
    """The raw cells of one table line; an escaped pipe belongs to its cell, as a plain one."""
    if line[:2] == "| " and line[-2:] == " |" and "  " not in line and line.isprintable():
        # Nothing to trim: whatever Markdown trims, but the single space, is not printable.
        plain = line[2:-2].split(" | ")
        if line.count("|") == len(plain) + 1:
            return plain
    line = line.strip(WHITE_SPACE)
    has_escapes = "\\|" in line
    cells = _PIPE.split(line) if has_escapes else line.split("|")
    if cells and not cells[0]:
        del cells[0]
    if cells and not cells[-1]:
        del cells[-1]
    if has_escapes:
        return [cell.strip(WHITE_SPACE).replace("\\|", "|") for cell in cells]
    return [cell.strip(WHITE_SPACE) for cell in cells]


def starts_table(header: str, delimiter: str) -> bool:
    """Whether two lines are a table's header and the delimiter line below it."""
    text = delimiter.lstrip(" \t")
    return (
        "|" in header
        and _DELIMITER_LINE.fullmatch(text) is not None
        and not is_indented(delimiter, text)
        and _count_cells(header) == _count_cells(text)
    )


def table_end(lines: list[str], at: int) -> int:
    """The index after the table whose header is the line `at`, 0 where there is no table."""
    if at + 1 >= len(lines) or not starts_table(lines[at], lines[at + 1]):
        return 0
    for after in range(at + 2, len(lines)):
        row = lines[after]
        if row.startswith("|"):
            continue
        text = row.lstrip(" \t")
        if not text or is_indented(row, text) or interrupts(text, False):
            return after
    return len(lines)


def _count_cells(line: str) -> int:
    line = line.strip(WHITE_SPACE)
    pipes = line.count("|") - line.count("\\|")
    return pipes + 1 - line.startswith("|") - (line.endswith("|") and not line.endswith("\\|"))
