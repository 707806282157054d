"""Times as persons read them, and as they type them: a date, a time, or how long ago."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

FORMS = "2026-11-30, 2026-11-30 14:00, 7d, 36h or 90m"
"""What can be typed, for people."""

_AGO = re.compile(r"(\d{1,6})\s*([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def moment(at: datetime) -> str:
    """A time to the minute: `2026-11-02 09:31 UTC`."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def parse_moment(text: str, now: datetime) -> datetime | None:
    """The time, or None where the text is none. Without an offset it is UTC, as everywhere.

    `7d` is seven days before `now`; a date alone is its midnight.
    """
    written = text.strip()
    ago = _AGO.fullmatch(written.lower())
    try:
        if ago is not None:
            return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        at = datetime.fromisoformat(written)
        return at.astimezone(UTC) if at.tzinfo is not None else at.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
