"""Finds the top-level headings and pipe tables of a Markdown text, line by line.

Fenced and indented code, HTML blocks, quotes and lists are passed over: what stands in them is not
at the top level. The rules are CommonMark's, and GitHub's for tables, as markdown-it reads them,
save that a reference definition is one line and that lists in lists are not told apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_WHITE_SPACE = (
    "\t\n\x0b\x0c\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_RULE = re.compile(r"([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_LIST_ITEM = re.compile(r"(?:[-+*]|(\d{1,9})[.)])(?:(?P<gap>[ \t]+)(?=[^ \t])|[ \t]*$)", re.A)
_HEADING = re.compile(r"(#{1,6})(?:[ \t](.*))?$")
_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+$")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
_PIPE = re.compile(r"(?<!\\)\|")
_DELIMITER_LINE = re.compile(
    r"(?=[|:][-:| \t]|-[-:|])\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*"
)
_REFERENCE = re.compile(
    r"\[(?=.*[^ \t\]])(?:[^\[\]\\]|\\.)+\]:[ \t]*[^\s<]\S*"
    r"(?:[ \t]+(?:\"[^\"\\]*\"|'[^'\\]*'|\([^()\\]*\)))?[ \t]*$"
)
_STARTS_A_BLOCK = frozenset("`~>-_*+#<=[0123456789")

_HIDES_LINES = ("```", "~~~", "<", "\r")

_HTML_NAMES = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|"
    "dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|"
    "hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|"
    "search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
_ATTRIBUTE = r"""\s+[a-z_:][a-z0-9_:.-]*(?:\s*=\s*(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*"))?"""
_VERBATIM = "(?:script|pre|style|textarea)"
# How an HTML block starts, and what ends it: None for a blank line.
_HTML_BLOCKS = (
    (re.compile(rf"<(?a:{_VERBATIM})(?=\s|>|$)", re.I), re.compile(f"</(?a:{_VERBATIM})>", re.I)),
    (re.compile("<!--"), re.compile("-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile("<![A-Za-z]"), re.compile(">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(rf"</?(?a:{_HTML_NAMES})(?=\s|/?>|$)", re.I), None),
)
_LONE_TAG = re.compile(
    rf"(?:<[a-z][a-z0-9-]*(?:{_ATTRIBUTE})*\s*/?>|</[a-z][a-z0-9-]*\s*>)\s*$", re.I | re.A
)


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


def split_cells(line: str) -> list[str]:
    """The raw cells of one table line; an escaped pipe belongs to its cell, as a plain one."""
    cells = _PIPE.split(line.strip(_WHITE_SPACE))
    if cells and not cells[0]:
        del cells[0]
    if cells and not cells[-1]:
        del cells[-1]
    return [cell.strip(_WHITE_SPACE).replace("\\|", "|") for cell in cells]


def _count_cells(line: str) -> int:
    line = line.strip(_WHITE_SPACE)
    pipes = line.count("|") - line.count("\\|")
    return pipes + 1 - line.startswith("|") - (line.endswith("|") and not line.endswith("\\|"))


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
        elif line[0] in " \t" and _is_indented(line, text):
            pass
        elif "|" in text and (after := _table_end(lines, at)):
            yield TableLines(at, after)
            paragraph, at = None, after
            continue
        elif text[0] not in _STARTS_A_BLOCK:
            paragraph = at if paragraph is None else paragraph
        elif paragraph is not None and _UNDERLINE.match(text):
            title = "\n".join(lines[paragraph:at])
            yield Heading(1 if text[0] == "=" else 2, title.strip(_WHITE_SPACE), paragraph + 1)
            paragraph = None
        elif text[0] == "#" and (found := _HEADING.match(text)):
            yield Heading(len(found[1]), _heading_text(found[2] or ""), at + 1)
            paragraph = None
        elif after := _container_end(lines, at, text, paragraph is not None):
            paragraph, at = None, after
            continue
        elif paragraph is None:
            paragraph = at
        at += 1


def _heading_text(text: str) -> str:
    return _CLOSING_HASHES.sub("", text.rstrip(" \t")).strip(_WHITE_SPACE)


def _is_indented(line: str, text: str) -> bool:
    """Whether the line starts in column 4 or later: code, or the rest of a paragraph."""
    return line[0] in " \t" and _column(line, len(line) - len(text)) > 3


def _column(line: str, width: int) -> int:
    return len(line[:width].expandtabs(4))


def _table_end(lines: list[str], at: int) -> int:
    """The index after the table whose header is the line `at`, 0 where there is no table."""
    if at + 1 >= len(lines):
        return 0
    line = lines[at + 1]
    text = line.lstrip(" \t")
    if not _DELIMITER_LINE.fullmatch(text) or _is_indented(line, text):
        return 0
    if _count_cells(lines[at]) != _count_cells(text):
        return 0
    for after in range(at + 2, len(lines)):
        row = lines[after]
        if row.startswith("|"):
            continue
        text = row.lstrip(" \t")
        if not text or _is_indented(row, text):
            return after
        if text[0] in _STARTS_A_BLOCK and _interrupts(text, False):
            return after
    return len(lines)


def _interrupts(text: str, is_in_paragraph: bool) -> bool:
    """Whether the line ends a table, a quote's or list item's last paragraph, or a paragraph."""
    first = text[0]
    if first == "#":
        return _HEADING.match(text) is not None
    if first == ">" or (first in "`~" and _FENCE.match(text)):
        return True
    if first in "-*_" and _RULE.match(text):
        return True
    if first == "<":
        return any(start.match(text) for start, _ in _HTML_BLOCKS)
    return _opens_list(text, is_in_paragraph) is not None


def _opens_list(text: str, is_in_paragraph: bool) -> re.Match[str] | None:
    """The marker of a list item; a paragraph only gives way to one with text, numbered 1."""
    found = _LIST_ITEM.match(text)
    if found and is_in_paragraph and (not found["gap"] or (found[1] and int(found[1]) != 1)):
        return None
    return found


def _container_end(lines: list[str], at: int, text: str, is_in_paragraph: bool) -> int:
    """The index after what starts here, 0 where that is nothing but a paragraph."""
    if text[0] in "`~":
        fence = _FENCE.match(text)
        return _fence_end(lines, at, fence[1] or fence[2]) if fence else 0
    if text[0] == ">":
        return _quote_end(lines, at)
    if text[0] == "<":
        return _html_end(lines, at, text, is_in_paragraph)
    if _RULE.match(text) or (not is_in_paragraph and _REFERENCE.match(text)):
        return at + 1
    item = _opens_list(text, is_in_paragraph)
    return _list_end(lines, at, item) if item else 0


def _fence_end(lines: list[str], at: int, fence: str) -> int:
    for after in range(at + 1, len(lines)):
        line = lines[after]
        text = line.lstrip(" \t")
        if _closes_fence(text, fence) and not _is_indented(line, text):
            return after + 1
    return len(lines)


def _closes_fence(text: str, fence: str) -> bool:
    return text.startswith(fence) and not text.rstrip(" \t").strip(fence[0])


def _html_end(lines: list[str], at: int, text: str, is_in_paragraph: bool) -> int:
    closings = [closing for start, closing in _HTML_BLOCKS if start.match(text)]
    if not closings and (is_in_paragraph or not _LONE_TAG.match(text)):
        return 0
    closing = closings[0] if closings else None
    for after in range(at, len(lines)):
        if closing is not None and closing.search(lines[after]):
            return after + 1
        if closing is None and not lines[after].strip(" \t"):
            return after
    return len(lines)


def _quote_end(lines: list[str], at: int) -> int:
    inside = _Inside()
    for after in range(at, len(lines)):
        line = lines[after]
        text = line.lstrip(" \t")
        if not text:
            return after
        if text[0] == ">" and not _is_indented(line, text):
            inside.read(text.expandtabs(4)[1:].removeprefix(" "))
        elif not inside.has_open_paragraph or _starts_outside(line, text):
            return after
    return len(lines)


def _list_end(lines: list[str], at: int, item: re.Match[str]) -> int:
    """The index after the list whose first item starts in the line `at`."""
    indent, inside = _item(lines[at], item)
    for after in range(at + 1, len(lines)):
        line = lines[after]
        text = line.lstrip(" \t")
        if not text:
            if not item["gap"] and after == at + 1:
                return after
            inside.read("")
        elif _column(line, len(line) - len(text)) >= indent:
            inside.read(line.expandtabs(4)[indent:])
        elif (following := _LIST_ITEM.match(text)) and _is_next_item(line, text, item, following):
            at, item = after, following
            indent, inside = _item(line, item)
        elif not inside.has_open_paragraph or _starts_outside(line, text):
            return after
        elif (
            "|" in text and _column_of_text(lines, after + 1) >= indent and _table_end(lines, after)
        ):
            # A delimiter line inside the item ends its paragraph, though the header is outside.
            return after
    return len(lines)


def _item(line: str, item: re.Match[str]) -> tuple[int, _Inside]:
    """The column in which the content of a list item starts, and the item with its first line."""
    before = len(line) - len(line.lstrip(" \t"))
    start = _column(line, before + item.end() - len(item["gap"] or ""))
    content = _column(line, before + item.end())
    indent = content if item["gap"] and content - start <= 4 else start + 1
    inside = _Inside()
    inside.read(line.expandtabs(4)[indent:])
    return indent, inside


def _is_next_item(line: str, text: str, item: re.Match[str], following: re.Match[str]) -> bool:
    """Whether a marker goes on with the list: the same bullet, or the same mark after a number."""
    is_same = item[0].rstrip(" \t")[-1] == following[0].rstrip(" \t")[-1]
    return is_same and not _is_indented(line, text) and not _RULE.match(text)


def _column_of_text(lines: list[str], at: int) -> int:
    line = lines[at] if at < len(lines) else ""
    return _column(line, len(line) - len(line.lstrip(" \t")))


def _starts_outside(line: str, text: str) -> bool:
    return text[0] in _STARTS_A_BLOCK and not _is_indented(line, text) and _interrupts(text, False)


class _Inside:
    """What a quote or list item holds, as far as it says whether a paragraph is still open."""

    def __init__(self) -> None:
        self.fence = ""
        self.has_open_paragraph = False

    def read(self, line: str) -> None:
        text = line.lstrip(" \t")
        if self.fence:
            if _closes_fence(text, self.fence):
                self.fence = ""
            return
        if not text:
            self.has_open_paragraph = False
        elif _is_indented(line, text):
            return
        elif found := _FENCE.match(text):
            self.fence = found[1] or found[2]
            self.has_open_paragraph = False
        elif item := (text[0] == ">" and _QUOTE.match(text)) or _opens_list(
            text, self.has_open_paragraph
        ):
            self.read(text[item.end() :])
        elif self.has_open_paragraph and _UNDERLINE.match(text):
            self.has_open_paragraph = False
        else:
            self.has_open_paragraph = not _interrupts(text, self.has_open_paragraph)


_QUOTE = re.compile("> ?")
