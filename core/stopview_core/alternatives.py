"""Merges the alternatives of a branch from every source that is there (contracts 1.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from stopview_core.alternative_records import (
    Alternative,
    AlternativeTable,
    Note,
    Score,
    mean_of,
)
from stopview_core.exact_numbers import exact, exact_sum, number, of_text
from stopview_core.records import Branch, Interaction, JsonValue, Skipped
from stopview_core.tables import Section, Table
from stopview_core.text import clean, is_clean

__all__ = [
    "DOCUMENT",
    "NOTHING",
    "RESPONSE",
    "Alternative",
    "AlternativeTable",
    "Note",
    "Score",
    "exact",
    "number",
    "read_alternatives",
]

DOCUMENT = "response/response.md"
RESPONSE = "response/response.json"
NOTHING = frozenset({"", "—", "–", "-"})
MOST_ALTERNATIVES = 500
MOST_AXES = 500
"""How many alternatives, and axes by viewport, are compared: more is no choice to lay out."""
_SCORE = re.compile(r"[+-]?\d{1,15}(\.\d{1,15})?", re.ASCII)
_SCORE_COLUMNS = ("Candidate", "Criterion", "Score")
_REJECTED = "Rejected because"

_Place: TypeAlias = "tuple[str, str | None]"
"""An axis by viewport."""


@dataclass(slots=True)
class _Draft:
    id: str
    texts: dict[str, str] = field(default_factory=dict)
    scores: dict[str, dict[str, list[Score]]] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    is_option: bool = False
    is_evidence: bool = False

    def say(self, name: str, text: object, source: str) -> None:
        """Keep the first text given under a name, with its source."""
        if isinstance(text, str) and text.strip() not in NOTHING and name not in self.texts:
            self.texts[name] = clean(text.strip())
            self.sources[name] = source

    def shown(self, axis: str) -> tuple[Score, ...]:
        """The scores of an axis from the first source that gives any."""
        for scores in self.scores[axis].values():
            return tuple(scores)
        return ()


def read_alternatives(
    branch: Branch, requirements: Mapping[str, JsonValue], document: Sequence[Section]
) -> AlternativeTable:
    """The branch's alternatives, merged by id (contracts 1.6). `document` is its response.md.

    Raises nothing: what contradicts or cannot be read is in `problems`, by path from the branch.
    """
    merge = _Merge(branch)
    if branch.response is not None and branch.response.interaction is not None:
        merge.add_options(branch.response.interaction)
    for path in sorted(branch.data):
        merge.add_data(clean(path), branch.data[path])
    merge.add_document(document)
    return merge.finish(requirements.get("tradeoffAxes"))


class _Merge:
    def __init__(self, branch: Branch) -> None:
        self.branch = branch
        self.drafts: dict[str, _Draft] = {}
        self.axes: dict[str, None] = {}
        self.scored: set[_Place] = set()
        self.too_many: str | None = None
        self.problems: list[Skipped] = []

    def add_options(self, interaction: Interaction) -> None:
        for option in interaction.options:
            draft = self._draft(option.id, RESPONSE)
            if draft is None:
                continue
            draft.is_option = True
            draft.say("label", option.label, RESPONSE)
            draft.say("tradeoff", option.tradeoff, RESPONSE)

    def add_data(self, path: str, value: JsonValue) -> None:
        listed = value.get("alternatives") if isinstance(value, dict) else None
        items = listed if isinstance(listed, list) else []
        if not any(isinstance(item, dict) and "alternativeId" in item for item in items):
            # A list of something else that happens to be called so.
            return
        for place, item in enumerate(items):
            identifier = item.get("alternativeId") if isinstance(item, dict) else None
            if not isinstance(item, dict) or not isinstance(identifier, str):
                self._problem(path, f"alternatives[{place}]: no alternativeId")
                continue
            draft = self._draft(identifier, path)
            if draft is None:
                continue
            draft.is_evidence = True
            for name, key in _DATA_TEXTS:
                draft.say(name, item.get(key), path)
            self._add_data_scores(draft, path, f"alternatives[{place}].scores", item.get("scores"))

    def _add_data_scores(self, draft: _Draft, path: str, place: str, scores: JsonValue) -> None:
        if scores is None:
            return
        if not isinstance(scores, dict):
            self._problem(path, f"{place}: expected an object")
            return
        for axis, value in scores.items():
            number = exact(value)
            if number is None:
                if value is not None:
                    self._problem(path, f"{place}.{clean(axis)}: expected a number")
                self._add_axis(clean(axis), path)
            else:
                self._add_score(draft, clean(axis), Score(number, None, None, path))

    def add_document(self, found: Sequence[Section]) -> None:
        noted = []
        for section in found:
            for table in section.tables:
                if section.heading == "Alternatives" and table.has_columns("Alternative"):
                    self._add_alternatives(table)
                elif section.heading == "Scores" and table.has_columns(*_SCORE_COLUMNS):
                    self._add_scores(table)
                else:
                    noted.append((section.heading, table))
        for heading, table in noted:
            self._add_notes(heading, table)

    def _add_alternatives(self, table: Table) -> None:
        for row in table.records():
            draft = self._draft(row["Alternative"], DOCUMENT)
            if draft is None:
                continue
            draft.is_evidence = True
            for name, column in _TABLE_TEXTS:
                draft.say(name, row.get(column), DOCUMENT)

    def _add_scores(self, table: Table) -> None:
        for row in table.records():
            draft = self._draft(row["Candidate"], DOCUMENT)
            if draft is None:
                continue
            draft.is_evidence = True
            axis, text = clean(row["Criterion"]), row["Score"]
            viewport = clean(row.get("Viewport", "")) or None
            if _SCORE.fullmatch(text) is None:
                if text not in NOTHING:
                    self._problem(DOCUMENT, f"Scores: {draft.id} on {axis}: expected a number")
                self._add_axis(axis, DOCUMENT)
                continue
            verdict = clean(row.get("Verdict", "")) or None
            self._add_score(draft, axis, Score(of_text(text), viewport, verdict, DOCUMENT))

    def _add_notes(self, heading: str, table: Table) -> None:
        named = next((c for c in ("Alternative", "Candidate") if c in table.columns), None)
        if named is None:
            return
        for row in table.records():
            draft = self.drafts.get(row[named])
            if draft is not None:
                cells = tuple((clean(c), clean(t)) for c, t in row.items() if c != named)
                draft.notes.append(Note(clean(heading), cells, DOCUMENT))
                draft.say("rejected_because", row.get(_REJECTED), DOCUMENT)

    def _draft(self, identifier: str, source: str) -> _Draft | None:
        if identifier.strip() in NOTHING:
            return None
        if not is_clean(identifier) or "\n" in identifier:
            self._problem(source, f"{clean(repr(identifier))} cannot be an alternative's id")
            return None
        draft = self.drafts.get(identifier)
        if draft is None:
            if len(self.drafts) == MOST_ALTERNATIVES:
                self._leave_out(source, f"more than {MOST_ALTERNATIVES:,} alternatives")
                return None
            draft = self.drafts[identifier] = _Draft(identifier)
            draft.sources["id"] = source
        return draft

    def _add_axis(self, axis: str, source: str) -> bool:
        if axis not in self.axes and len(self.axes) == MOST_AXES:
            self._leave_out(source, f"more than {MOST_AXES:,} axes")
            return False
        self.axes[axis] = None
        return True

    def _add_score(self, draft: _Draft, axis: str, score: Score) -> None:
        if not self._add_axis(axis, score.source):
            return
        place = axis, score.viewport
        if place not in self.scored and len(self.scored) == MOST_AXES:
            self._leave_out(score.source, f"more than {MOST_AXES:,} axes by viewport")
            return
        self.scored.add(place)
        held = draft.scores.setdefault(axis, {}).setdefault(score.source, [])
        same = next((s for s in held if s.viewport == score.viewport), None) if held else None
        if same is None:
            held.append(score)
        elif same.value != score.value:
            self._contradiction(draft, axis, score.value, score.source, same.value, same.source)

    def _leave_out(self, source: str, why: str) -> None:
        if self.too_many is None:
            self.too_many = f"{source}: {why}, the rest is not read"
            self._problem(source, f"{why}, the rest is not read")

    def _compare_sources(self, draft: _Draft) -> None:
        """Say where a later source contradicts the one that is shown."""
        for axis, by_source in draft.scores.items():
            if len(by_source) == 1:
                continue
            shown = draft.shown(axis)
            by_viewport = {score.viewport: score.value for score in shown}
            for source, scores in list(by_source.items())[1:]:
                if {score.viewport for score in scores} <= by_viewport.keys():
                    pairs = [(score.value, by_viewport[score.viewport]) for score in scores]
                else:
                    pairs = [(mean_of(tuple(scores)), mean_of(shown))]
                for other, own in pairs:
                    if other != own:
                        self._contradiction(draft, axis, other, source, own, shown[0].source)

    def _contradiction(
        self, draft: _Draft, axis: str, here: Fraction, source: str, shown: Fraction, there: str
    ) -> None:
        self._problem(
            source,
            f"{draft.id} on {axis}: {number(here)} here, {number(shown)} in {there}, "
            f"which is shown",
        )

    def _problem(self, path: str, why: str) -> None:
        self.problems.append(Skipped(clean(path), why))

    def finish(self, asked: JsonValue) -> AlternativeTable:
        for draft in self.drafts.values():
            self._compare_sources(draft)
        axes = _asked_axes(asked)
        others = tuple(axis for axis in self.axes if axis not in axes) if axes else ()
        summed = axes or tuple(self.axes)
        shown = [
            {axis: draft.shown(axis) for axis in draft.scores} for draft in self.drafts.values()
        ]
        has = [_places_of(scores) for scores in shown]
        scored = frozenset().union(*has)
        alternatives = tuple(
            [
                self._alternative(draft, summed, scores, scored - places)
                for draft, scores, places in zip(self.drafts.values(), shown, has, strict=True)
            ]
        )
        has_options = any(a.is_option for a in alternatives)
        can_be_picked = [a for a in alternatives if a.is_option or not has_options]
        return AlternativeTable(
            alternatives=alternatives,
            axes=summed,
            other_axes=others,
            offered=tuple(a.id for a in can_be_picked),
            highest_total=_highest(can_be_picked),
            uses_means=any(
                len(a.scores.get(axis, ())) > 1 for a in alternatives for axis in summed
            ),
            has_options=has_options,
            problems=tuple(self.problems),
            too_many=self.too_many,
        )

    def _alternative(
        self,
        draft: _Draft,
        axes: tuple[str, ...],
        scores: dict[str, tuple[Score, ...]],
        lacks: frozenset[_Place],
    ) -> Alternative:
        missing = tuple(sorted(lacks, key=lambda pair: (pair[0], pair[1] or "")))
        means = [mean_of(scores[axis]) for axis in axes if axis in scores]
        is_ranked = bool(means) and not any(axis in axes for axis, _ in missing)
        return Alternative(
            id=draft.id,
            label=draft.texts.get("label"),
            status=draft.texts.get("status"),
            assessment=draft.texts.get("assessment"),
            rejected_because=draft.texts.get("rejected_because"),
            tradeoff=draft.texts.get("tradeoff"),
            scores=scores,
            missing=missing,
            total=exact_sum(means) if is_ranked else None,
            artifacts=_artifacts_of(draft.id, self.branch.artifacts),
            notes=tuple(draft.notes),
            sources=dict(draft.sources),
            is_option=draft.is_option,
            is_evidence=draft.is_evidence,
        )


_DATA_TEXTS = (
    ("label", "label"),
    ("status", "status"),
    ("assessment", "assessment"),
    ("rejected_because", "rejectedBecause"),
)
_TABLE_TEXTS = (
    ("status", "Status"),
    ("assessment", "Assessment"),
    ("rejected_because", _REJECTED),
)


def _places_of(scores: Mapping[str, tuple[Score, ...]]) -> frozenset[_Place]:
    return frozenset([(axis, score.viewport) for axis, shown in scores.items() for score in shown])


def _asked_axes(asked: JsonValue) -> tuple[str, ...]:
    if not isinstance(asked, list):
        return ()
    return tuple(dict.fromkeys(clean(axis) for axis in asked if isinstance(axis, str)))


def _highest(alternatives: Iterable[Alternative]) -> tuple[str, ...] | None:
    ranked = [(a.total, a.id) for a in alternatives if a.total is not None]
    if not ranked:
        return None
    highest = max(total for total, _ in ranked)
    return tuple(identifier for total, identifier in ranked if total == highest)


def _artifacts_of(identifier: str, artifacts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        path for path in artifacts if path.rpartition("/")[2].rpartition(".")[0] == identifier
    )
