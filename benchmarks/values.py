"""What a benchmark is and what comes of it."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchmarks.data import Data


@dataclass(frozen=True)
class Samples:
    """Repeated measurements of one thing, in `unit`."""

    values: tuple[float, ...]
    unit: str = "ms"

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def spread(self) -> float:
        """Half the distance between the quartiles, as a share of the median."""
        if len(self.values) < 3 or not self.median:
            return 0.0
        first, _, third = statistics.quantiles(self.values, n=4)
        return (third - first) / 2 / self.median


@dataclass(frozen=True)
class Row:
    """One line of the table: `goal` is the most that the ratio (or the value) may be."""

    name: str
    what: str
    goal: float
    run: Callable[[Row, Data], Outcome]
    is_ratio: bool = True


@dataclass(frozen=True)
class Outcome:
    """A row measured. `floor` is None where the value itself has a goal; `skipped` says why it
    could not be measured. `others` is the share of the machine that other programs used meanwhile,
    `more` holds further numbers for the JSON.
    """

    row: Row
    measured: Samples | None = None
    floor: Samples | None = None
    skipped: str = ""
    more: dict[str, object] = field(default_factory=dict)
    is_also_met: bool = True
    others: float | None = None

    @property
    def result(self) -> float | None:
        """What the goal is about: the ratio of the medians, or the median."""
        if self.measured is None:
            return None
        if self.floor is None:
            return self.measured.median
        return self.measured.median / self.floor.median

    @property
    def is_met(self) -> bool | None:
        """Whether the goal is met; None where it was not measured."""
        return None if self.result is None else self.result <= self.row.goal and self.is_also_met


def interleaved(
    measured: Callable[[], float], floor: Callable[[], float], repeat: int, unit: str = "ms"
) -> tuple[Samples, Samples]:
    """Both in turn, so that what else the machine does falls on both; each once before, unmeasured.

    Every second round begins with the other one.
    """
    measured()
    floor()
    first: list[float] = []
    second: list[float] = []
    turns: Sequence[tuple[Callable[[], float], list[float]]] = ((measured, first), (floor, second))
    for round_number in range(repeat):
        for take, values in turns if round_number % 2 == 0 else reversed(turns):
            values.append(take())
    return Samples(tuple(first), unit), Samples(tuple(second), unit)
