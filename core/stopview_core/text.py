"""Makes text from disk safe to show: every string an agent wrote passes through here once."""

from __future__ import annotations

import re

# What reaches a terminal as a command, or hides or reorders what is shown (hazards 4.1):
# C0 and C1 controls but tab and line feed, invisible and bidirectional format characters,
# fillers, tag characters, lone surrogates, non-characters.
_UNSAFE = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff"
    "\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_UNSAFE_CHARACTER = re.compile(f"\r\n|[{_UNSAFE}]")
_WRITTEN_CONTROL = re.compile("\r\n|[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_NAME_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_DROPPED = {"\ufe0e": "", "\ufe0f": "", "\r\n": "\n"}


def clean(text: str) -> str:
    """The text with every unsafe character replaced by its visible escape, such as `\\x1b`.

    Line feeds and tabs stay; a carriage return before a line feed and the emoji presentation
    selectors go. Nothing else is lost. Cleaning twice changes nothing.
    """
    if (text.isascii() and text.isprintable()) or _UNSAFE_CHARACTER.search(text) is None:
        return text
    return _UNSAFE_CHARACTER.sub(_visible, text)


def is_clean(text: str) -> bool:
    """Whether the text can be shown as it is."""
    return (text.isascii() and text.isprintable()) or _UNSAFE_CHARACTER.search(text) is None


def one_line(text: str) -> str:
    """Cleaned text on one line: each run of white space becomes one space."""
    return " ".join(clean(text).split())


def without_controls(text: str) -> str:
    """What a person typed, without control characters; line feeds stay, a tab becomes a space.

    Invisible format characters stay: they belong to scripts and emoji, and are made visible
    where the text is shown. Used for what a receipt records (contracts 1.7).
    """
    return _WRITTEN_CONTROL.sub(
        lambda found: {"\r\n": "\n", "\t": " "}.get(found.group(), ""), text
    )


def has_controls(text: str) -> bool:
    """Whether the text holds a control character, line feeds, tabs and those of direction too."""
    return _NAME_CONTROL.search(text) is not None


def is_blank(text: str) -> bool:
    """Whether nothing of the text can be seen."""
    return not _UNSAFE_CHARACTER.sub("", text).strip()


def shorten(text: str, width: int) -> str:
    """The text in at most `width` characters, the cut marked with an ellipsis."""
    return text if len(text) <= width else text[: max(width - 1, 0)] + "…"


def _visible(found: re.Match[str]) -> str:
    character = found.group()
    replaced = _DROPPED.get(character)
    if replaced is not None:
        return replaced
    point = ord(character)
    if point <= 0xFF:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"
