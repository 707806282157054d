"""Points in time of a sample run: ISO 8601 in, ISO 8601 in UTC out."""

from __future__ import annotations

from datetime import UTC, datetime


def instant(text: str) -> datetime:
    """The point in time that an ISO 8601 text with an offset names; ValueError for any other."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"{text!r} has no offset from UTC")
    return at.astimezone(UTC)


def stamp(at: datetime) -> str:
    """The point in time as the runtime writes it, to the second: `2026-11-02T08:14:00Z`."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def nanoseconds(at: datetime) -> int:
    """Nanoseconds since 1970, exact to the microsecond, for file times."""
    since = at - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * 1_000_000_000 + since.microseconds * 1_000
