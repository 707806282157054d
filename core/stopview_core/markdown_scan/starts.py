"""How the lines of Markdown start: which of them open a block or end another one."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

STARTS_A_BLOCK = frozenset("`~>-_*+#<=[0123456789")
"""The first characters of lines that may be more than text."""

HEADING = re.compile(r"(#{1,6})(?:[ \t](.*))?$")
UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
RULE = re.compile(r"([-*_])[ \t]*+(?:\1[ \t]*+){2,}+$")
LIST_ITEM = re.compile(r"(?:[-+*]|(\d{1,9})[.)])(?:(?P<gap>[ \t]++)(?=.)|[ \t]*+$)", re.A)
_FENCE = re.compile(r"(`{3,}+)[^`]*+$|(~{3,}+)")
_REFERENCE = (
    r"\[(?=.*[^ \t\]])(?:[^\[\]\\]|\\.)++\]:[ \t]*+[^\s<]\S*+"
    r"(?:[ \t]++(?:\"[^\"\\]*\"|'[^'\\]*'|\([^()\\]*\)))?[ \t]*+$"
)
_HTML_NAMES = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|"
    "dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|"
    "hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|"
    "search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
_ATTRIBUTE = r"""\s+[a-z_:][a-z0-9_:.-]*(?:\s*=\s*(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*"))?"""
_VERBATIM = "(?:script|pre|style|textarea)"


class Html(NamedTuple):
    """How HTML blocks start, each with what ends it: None for a blank line.

    A lone `tag` ends at a blank line as well, but never interrupts a paragraph.
    """

    blocks: tuple[tuple[re.Pattern[str], re.Pattern[str] | None], ...]
    tag: re.Pattern[str]


@cache
def html() -> Html:
    """The patterns of HTML blocks."""
    # Compiled on first use: most texts hold no HTML, and importing has to be quick.
    i = re.I
    verbatim = re.compile(f"</(?a:{_VERBATIM})>", i)
    return Html(
        (
            (re.compile(rf"<(?a:{_VERBATIM})(?=\s|>|$)", i), verbatim),
            (re.compile("<!--"), re.compile("-->")),
            (re.compile(r"<\?"), re.compile(r"\?>")),
            (re.compile("<![A-Za-z]"), re.compile(">")),
            (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
            (re.compile(rf"</?(?a:{_HTML_NAMES})(?=\s|/?>|$)", i), None),
        ),
        re.compile(
            rf"(?:<[a-z][a-z0-9-]*(?:{_ATTRIBUTE})*\s*/?>|</[a-z][a-z0-9-]*\s*>)\s*$", i | re.A
        ),
    )


def fence_of(text: str) -> str:
    """The marks that open fenced code in this line, "" where none do."""
    found = _FENCE.match(text) if text[:1] in ("`", "~") else None
    return (found[1] or found[2]) if found else ""


def closes_fence(text: str, fence: str) -> bool:
    """Whether the line ends the code that `fence` opened."""
    return text.startswith(fence) and not text.rstrip(" \t").strip(fence[0])


def is_reference(text: str) -> bool:
    """Whether the line is a reference definition, `[label]: target "title"`."""
    return text[:1] == "[" and re.match(_REFERENCE, text) is not None


def is_indented(line: str, text: str) -> bool:
    """Whether the line starts in column 4 or later: code, or the rest of a paragraph."""
    return line[0] in " \t" and column(line, len(line) - len(text)) > 3


def column(line: str, width: int) -> int:
    """The column that the first `width` characters reach, with tab stops every 4 columns."""
    return len(line[:width].expandtabs(4))


def opens_list(text: str, is_in_paragraph: bool) -> re.Match[str] | None:
    """The marker of a list item; a paragraph only gives way to one with text, numbered 1."""
    found = LIST_ITEM.match(text)
    if found and is_in_paragraph and (not found["gap"] or (found[1] and int(found[1]) != 1)):
        return None
    return found


def interrupts(text: str, is_in_paragraph: bool) -> bool:
    """Whether the line ends a table, or a paragraph of a quote or list item, or any paragraph."""
    first = text[0]
    if first not in STARTS_A_BLOCK:
        return False
    if first == "#":
        return HEADING.match(text) is not None
    if first == "<":
        return any(start.match(text) for start, _ in html().blocks)
    if first == ">" or fence_of(text) or (first in "-*_" and RULE.match(text)):
        return True
    return opens_list(text, is_in_paragraph) is not None
