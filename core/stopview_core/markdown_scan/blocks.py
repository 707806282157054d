"""The headings and pipe tables at the top level of a Markdown text, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from stopview_core.markdown_scan.containers import container_end
from stopview_core.markdown_scan.starts import HEADING, STARTS_A_BLOCK, UNDERLINE, is_indented
from stopview_core.markdown_scan.table_lines import WHITE_SPACE, table_end

_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+$")
_HIDES_LINES = ("```", "~~~", "<", "\r")


class Heading(NamedTuple):
    """A heading of level 1 to 6 with its raw text; `line` counts from 1."""

    level: int
    text: str
    line: int


class TableLines(NamedTuple):
    """A pipe table: the index of its header line, and of the first line after it."""

    start: int
    end: int


def split_lines(text: str) -> list[str]:
    """The lines of a Markdown text, without a byte order mark, whatever ends them."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def skippable_before(text: str, heading: str) -> int:
    """How many characters to leave out before `## <heading>` first stands in the text.

    More than 0 only where a few searches can tell that the heading is at the top level: at the
    start of its line, with no code fence and no HTML before it.
    """
    at = text.find(f"\n## {heading}\n") + 1
    if at and heading not in text[:at] and not any(mark in text[:at] for mark in _HIDES_LINES):
        return at
    return 0


def top_level_blocks(lines: list[str]) -> Iterator[Heading | TableLines]:
    """The headings and tables of the text, in order."""
    at, end = 0, len(lines)
    paragraph: int | None = None
    while at < end:
        line = lines[at]
        text = line.lstrip(" \t")
        if not text:
            paragraph = None
        elif line[0] in " \t" and is_indented(line, text):
            pass
        elif "|" in text and (after := table_end(lines, at)):
            yield TableLines(at, after)
            paragraph, at = None, after
            continue
        elif text[0] not in STARTS_A_BLOCK:
            paragraph = at if paragraph is None else paragraph
        elif paragraph is not None and UNDERLINE.match(text):
            title = "\n".join(lines[paragraph:at])
            yield Heading(1 if text[0] == "=" else 2, title.strip(WHITE_SPACE), paragraph + 1)
            paragraph = None
        elif text[0] == "#" and (found := HEADING.match(text)):
            yield Heading(len(found[1]), _heading_text(found[2] or ""), at + 1)
            paragraph = None
        elif after := container_end(lines, at, text, paragraph is not None):
            paragraph, at = None, after
            continue
        elif paragraph is None:
            paragraph = at
        at += 1


def _heading_text(text: str) -> str:
    return _CLOSING_HASHES.sub("", text.rstrip(" \t")).strip(WHITE_SPACE)
