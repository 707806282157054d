"""What a person can pick from: alternatives with their scores, totals and sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from stopview_core.exact_numbers import exact_sum
from stopview_core.records import Skipped


@dataclass(frozen=True, slots=True)
class Score:
    """One reading of one axis: on which viewport (None: no viewport), and where it stands."""

    value: Fraction
    viewport: str | None
    verdict: str | None
    source: str


@dataclass(frozen=True, slots=True)
class Note:
    """A row of another table that names the alternative: its heading and its other columns."""

    heading: str
    cells: tuple[tuple[str, str], ...]
    source: str


@dataclass(frozen=True, slots=True)
class Alternative:
    """One thing a person can pick. `total` is None where a score is missing or none was given.

    `sources` says for each text of this record which file it was read from.
    """

    id: str
    label: str | None
    status: str | None
    assessment: str | None
    rejected_because: str | None
    tradeoff: str | None
    scores: Mapping[str, tuple[Score, ...]]
    missing: tuple[tuple[str, str | None], ...]
    total: Fraction | None
    artifacts: tuple[str, ...]
    notes: tuple[Note, ...]
    sources: Mapping[str, str]
    is_option: bool
    is_evidence: bool

    def mean(self, axis: str) -> Fraction | None:
        """The axis's score: the mean where several viewports were scored."""
        scores = self.scores.get(axis)
        return mean_of(scores) if scores else None


@dataclass(frozen=True, slots=True)
class AlternativeTable:
    """All alternatives of a branch. `axes` are summed, in order; `other_axes` are shown only.

    `offered` are the ids that can be picked; `highest_total` holds the leading ids (several: a
    tie), or None where none is ranked; `uses_means` tells that a total sums means; `too_many`
    says what was left out where there was more than can be compared.
    """

    alternatives: tuple[Alternative, ...] = ()
    axes: tuple[str, ...] = ()
    other_axes: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    highest_total: tuple[str, ...] | None = None
    uses_means: bool = False
    has_options: bool = False
    problems: tuple[Skipped, ...] = ()
    too_many: str | None = None

    def get(self, identifier: str) -> Alternative | None:
        """The alternative of that id."""
        return next((a for a in self.alternatives if a.id == identifier), None)

    @property
    def option_ids_are_alternatives(self) -> bool:
        """Whether every option of the interaction is an alternative of the evidence too.

        Where the evidence names no alternative the options are the alternatives (contracts 1.6).
        """
        if not any(a.is_evidence for a in self.alternatives):
            return True
        return all(a.is_evidence for a in self.alternatives if a.is_option)


def mean_of(scores: tuple[Score, ...]) -> Fraction:
    """The mean of at least one score."""
    if len(scores) == 1:
        return scores[0].value
    return exact_sum([score.value for score in scores]) / len(scores)
