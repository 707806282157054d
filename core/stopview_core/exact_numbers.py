"""Numbers as their decimal text says them: sums of scores are exact, not nearly so."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from stopview_core.records import JsonValue

_LARGEST = 10**15


def number(value: Fraction) -> int | float:
    """An exact number as JSON shows it: whole numbers as integers, others as nearest float."""
    return value.numerator if value.denominator == 1 else float(value)


def exact(value: JsonValue) -> Fraction | None:
    """A JSON number as its decimal text says; None for anything else, and beyond 10^15."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return of_text(repr(value)) if abs(value) < _LARGEST else None


@lru_cache(maxsize=4096)
def of_text(text: str) -> Fraction:
    """The number that a decimal text says. Scores are few different numbers, met again and again.

    ValueError for a text that is none.
    """
    return Fraction(text)


def exact_sum(values: Sequence[Fraction]) -> Fraction:
    """The exact sum; whole numbers, the usual scores, are summed as such."""
    if all(value.denominator == 1 for value in values):
        return of_text(str(sum([value.numerator for value in values])))
    return sum(values, Fraction())
