"""Cuts a long Markdown text into parts that can each be drawn in a moment."""

from __future__ import annotations

import re

PART = 32_000
"""Characters of a part, at most (and a reopened fence)."""

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_LEAST_SHARE = 2


def parts(text: str, size: int = PART) -> tuple[str, ...]:
    """The text in parts of at most `size` characters, together all of it; at least one.

    It is cut before a heading, else at an empty line, else at a line's end, else anywhere. Code
    that is cut goes on as code in the next part.
    """
    found: list[str] = []
    fence = ""
    while len(text) > size:
        end, fence_after = _cut(text, size, fence)
        found.append(_reopened(fence, text[:end]))
        text, fence = text[end:], fence_after
    return (*found, _reopened(fence, text))


def _reopened(fence: str, text: str) -> str:
    return f"{fence}\n{text}" if fence else text


def _cut(text: str, size: int, fence: str) -> tuple[int, str]:
    """Where to cut, and the line that opens the fence that is open there, or ""."""
    best: dict[int, tuple[int, str]] = {}
    at = 0
    for line in text[: size + 1].splitlines(keepends=True):
        is_whole = line.endswith("\n")
        if at and at >= size // _LEAST_SHARE:
            best[_rank(line, fence)] = (at, fence)
        if not is_whole:
            break
        fence = _fence_after(line, fence)
        at += len(line)
    if not best:
        return (at, fence) if 0 < at <= size else (size, fence)
    return best[min(best)]


def _rank(line: str, fence: str) -> int:
    """How good a place it is to cut before the line; 0 is the best."""
    if fence:
        return 3
    if _HEADING.match(line):
        return 0
    return 1 if not line.strip() else 2


def _fence_after(line: str, fence: str) -> str:
    found = _FENCE.match(line)
    if found is None:
        return fence
    marks, info = found.groups()
    if not fence:
        return "" if marks[0] == "`" and "`" in info else line.strip("\n")
    opened = _FENCE.match(fence)
    closes = opened is not None and marks[0] == opened[1][0] and len(marks) >= len(opened[1])
    return "" if closes and not info.strip() else fence
