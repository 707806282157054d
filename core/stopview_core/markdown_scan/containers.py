"""Passes over what is not at the top level: code, HTML, quotes and lists."""

from __future__ import annotations

import re

from stopview_core.markdown_scan.starts import (
    LIST_ITEM,
    RULE,
    UNDERLINE,
    closes_fence,
    column,
    fence_of,
    html,
    interrupts,
    is_indented,
    is_reference,
    opens_list,
)
from stopview_core.markdown_scan.table_lines import starts_table, table_end

_MAX_DEPTH = 20
"""How many quotes and lists in one line are looked through; markdown-it stops there as well."""

_QUOTE = re.compile("> ?")


def container_end(lines: list[str], at: int, text: str, is_in_paragraph: bool) -> int:
    """The index after the code, HTML, quote, rule or list that starts in the line `at`.

    `text` is the line without its indent. 0 where nothing but a paragraph starts.
    """
    if text[0] == ">":
        return _quote_end(lines, at)
    if text[0] == "<":
        return _html_end(lines, at, text, is_in_paragraph)
    if fence := fence_of(text):
        return _fence_end(lines, at, fence)
    if RULE.match(text) or (not is_in_paragraph and is_reference(text)):
        return at + 1
    item = opens_list(text, is_in_paragraph)
    return _list_end(lines, at, item) if item else 0


def _fence_end(lines: list[str], at: int, fence: str) -> int:
    for after in range(at + 1, len(lines)):
        line = lines[after]
        text = line.lstrip(" \t")
        if closes_fence(text, fence) and not is_indented(line, text):
            return after + 1
    return len(lines)


def _html_end(lines: list[str], at: int, text: str, is_in_paragraph: bool) -> int:
    closings = [closing for start, closing in html().blocks if start.match(text)]
    if not closings and (is_in_paragraph or not html().tag.match(text)):
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
        if text[0] == ">" and not is_indented(line, text):
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
        elif column(line, len(line) - len(text)) >= indent:
            inside.read(line.expandtabs(4)[indent:])
        elif (following := LIST_ITEM.match(text)) and _is_next_item(line, text, item, following):
            at, item = after, following
            indent, inside = _item(line, item)
        elif not inside.has_open_paragraph or _starts_outside(line, text):
            return after
        elif _text_column(lines, after + 1) >= indent and table_end(lines, after):
            # A delimiter line inside the item ends its paragraph, though the header is outside.
            return after
    return len(lines)


def _item(line: str, item: re.Match[str]) -> tuple[int, _Inside]:
    """The column in which the content of a list item starts, and the item with its first line."""
    before = len(line) - len(line.lstrip(" \t"))
    start = column(line, before + item.end() - len(item["gap"] or ""))
    content = column(line, before + item.end())
    indent = content if item["gap"] and content - start <= 4 else start + 1
    inside = _Inside()
    inside.read(line.expandtabs(4)[indent:])
    return indent, inside


def _is_next_item(line: str, text: str, item: re.Match[str], following: re.Match[str]) -> bool:
    """Whether a marker goes on with the list: the same bullet, or the same mark after a number."""
    is_same = item[0].rstrip(" \t")[-1] == following[0].rstrip(" \t")[-1]
    return is_same and not is_indented(line, text) and not RULE.match(text)


def _text_column(lines: list[str], at: int) -> int:
    line = lines[at] if at < len(lines) else ""
    return column(line, len(line) - len(line.lstrip(" \t")))


def _starts_outside(line: str, text: str) -> bool:
    return not is_indented(line, text) and interrupts(text, False)


class _Inside:
    """What a quote or list item holds, as far as it says whether a paragraph is still open."""

    def __init__(self) -> None:
        self.fence = ""
        self.has_open_paragraph = False
        self.is_in_table = False
        self.last_text = ""

    def read(self, line: str) -> None:
        """Take in one line of the content."""
        text = line.lstrip(" \t")
        if self.fence:
            self.fence = "" if closes_fence(text, self.fence) else self.fence
            return
        for _ in range(_MAX_DEPTH):
            if not text or is_indented(line, text):
                break
            item = _QUOTE.match(text) or opens_list(text, self.has_open_paragraph)
            if item is None or RULE.match(text):
                break
            line = text[item.end() :]
            text = line.lstrip(" \t")
            self.last_text, self.is_in_table = "", False
        if not text or not is_indented(line, text):
            self.read_innermost(line, text)
        self.last_text = text

    def read_innermost(self, line: str, text: str) -> None:
        self.fence = fence_of(text)
        if not text or self.fence:
            self.has_open_paragraph = self.is_in_table = False
        elif starts_table(self.last_text, line):
            self.has_open_paragraph, self.is_in_table = False, True
        elif interrupts(text, self.has_open_paragraph):
            self.has_open_paragraph = self.is_in_table = False
        elif self.has_open_paragraph and UNDERLINE.match(text):
            self.has_open_paragraph = False
        else:
            self.has_open_paragraph = not self.is_in_table
