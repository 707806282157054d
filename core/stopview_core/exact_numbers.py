"""Numbers as their decimal text says them: sums of scores are exact, not nearly so."""

from __future__ import annotations

from fractions import Fraction

from stopview_core.records import JsonValue

_LARGEST = 10**15


def number(value: Fraction) -> int | float:
    """An exact number as JSON shows it: whole numbers as integers, others as nearest float."""
    return value.numerator if value.denominator == 1 else float(value)


def exact(value: JsonValue) -> Fraction | None:
    """A JSON number as its decimal text says; None for anything else, and beyond 10^15."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return Fraction(repr(value)) if abs(value) < _LARGEST else None
