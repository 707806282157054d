"""Turns words into styled text: the styles, times and quotations that every place shows alike.

Nothing here reads markup: a text from disk is a part of its own, never put into a style or a
template. Colour is never the only sign of anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from textual.content import Content

from stopview_core.text import clean, one_line

MUTED = "dim"
STRONG = "bold"
TITLE = "bold $text-primary"
GOOD = "bold $text-success"
WARNING = "bold $text-warning"
BAD = "bold $text-error"
ACCENT = "bold $text-accent"
KEY = "bold $text-accent"

SHOWN_HEAD = 12_000
SHOWN_TAIL = 2_000
_MINUTE, _HOUR, _DAY = 60, 3600, 86400

Part = Content | str | tuple[str, str]


def styled(*parts: Part) -> Content:
    """Parts put together: contents, plain texts, and texts with one of the styles above."""
    return Content.assemble(*parts)


def line(text: str, style: str = "") -> Content:
    """A text from disk on one line."""
    return styled((one_line(text), style))


def lines(contents: Iterable[Content]) -> Content:
    """One content a line."""
    return Content("\n").join(list(contents))


def bullets(contents: Iterable[Content]) -> Content:
    """One content a line, each behind a dash."""
    return lines(styled(("- ", MUTED), content) for content in contents)


def long_text(text: str) -> Content:
    """A text from disk in its own lines. Of a very long one the middle is left out, and said."""
    cleaned = clean(text).strip("\n")
    if len(cleaned) <= SHOWN_HEAD + SHOWN_TAIL:
        return Content(cleaned)
    left_out = len(cleaned) - SHOWN_HEAD - SHOWN_TAIL
    return styled(
        cleaned[:SHOWN_HEAD],
        (f"\n… {left_out} characters are left out here; open the file to read them …\n", WARNING),
        cleaned[-SHOWN_TAIL:],
    )


def waiting(since: datetime | None, now: datetime) -> str:
    """How long something has waited, coarsely and in steps of a minute: `2h 14m`, `3d 4h`."""
    if since is None:
        return ""
    seconds = max(int((now - since).total_seconds()), 0)
    if seconds < _MINUTE:
        return "<1m"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE}m"
    if seconds < _DAY:
        return f"{seconds // _HOUR}h {seconds % _HOUR // _MINUTE:02}m"
    days = seconds // _DAY
    return f"{days}d {seconds % _DAY // _HOUR}h" if days < 10 else f"{days}d"


def key_hint(key: str, verb: str) -> Content:
    """A key and what it does."""
    return styled((key, KEY), f" {verb}")
