"""Compares two looks at a branch: which evidence changed, and what that changes for the pick."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from stopview_core.alternatives import Alternative, AlternativeTable
from stopview_core.decide import changed_files
from stopview_core.dossier import Dossier
from stopview_core.evidence import Evidence
from stopview_core.records import JsonValue

_TEXTS = ("label", "status", "assessment", "rejected_because", "tradeoff")


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """One score that is not what it was; None where there was, or is, none."""

    alternative: str
    axis: str
    viewport: str | None
    was: Fraction | None
    now: Fraction | None


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs between two looks. `files` maps a path to `changed`, `new` or `gone`.

    `texts` are (alternative, part) pairs, `requirements` the names of those that differ;
    `highest` holds the leading ids before and after, where they differ.
    """

    files: Mapping[str, str]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    scores: tuple[ScoreChange, ...]
    texts: tuple[tuple[str, str], ...]
    requirements: tuple[str, ...]
    highest: tuple[tuple[str, ...] | None, tuple[str, ...] | None] | None

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return not (self.files or self.added or self.removed or self.scores or self.texts)


def compare(before: Dossier, after: Dossier) -> Changes:
    """What changed for a person who looked at `before` and now has `after` in front of them."""
    was, now = before.alternatives, after.alternatives
    kept = [(old, new) for new in now.alternatives if (old := was.get(new.id)) is not None]
    return Changes(
        files=_files(before, after),
        added=tuple(a.id for a in now.alternatives if was.get(a.id) is None),
        removed=tuple(a.id for a in was.alternatives if now.get(a.id) is None),
        scores=tuple(change for old, new in kept for change in _scores(old, new)),
        texts=tuple(change for old, new in kept for change in _texts(old, new)),
        requirements=_requirements(before, after),
        highest=_highest(was, now),
    )


def _files(before: Dossier, after: Dossier) -> dict[str, str]:
    was, now = before.evidence, after.evidence
    if not isinstance(was, Evidence) or not isinstance(now, Evidence):
        return {}
    return {path: _how(was, now, path) for path in changed_files(was, now)}


def _how(was: Evidence, now: Evidence, path: str) -> str:
    if now.files.get(path) is None:
        return "gone"
    return "new" if was.files.get(path) is None else "changed"


def _scores(old: Alternative, new: Alternative) -> Iterator[ScoreChange]:
    for axis in dict.fromkeys((*old.scores, *new.scores)):
        was = {score.viewport: score.value for score in old.scores.get(axis, ())}
        now = {score.viewport: score.value for score in new.scores.get(axis, ())}
        for viewport in dict.fromkeys((*was, *now)):
            if was.get(viewport) != now.get(viewport):
                yield ScoreChange(new.id, axis, viewport, was.get(viewport), now.get(viewport))


def _texts(old: Alternative, new: Alternative) -> Iterator[tuple[str, str]]:
    for name in _TEXTS:
        if getattr(old, name) != getattr(new, name):
            yield new.id, name.replace("_", " ")
    if old.notes != new.notes:
        headings = {note.heading for note in {*old.notes} ^ {*new.notes}}
        yield from ((new.id, heading) for heading in sorted(headings))
    if old.artifacts != new.artifacts:
        yield new.id, "artifacts"


def _requirements(before: Dossier, after: Dossier) -> tuple[str, ...]:
    was, now = _required(before), _required(after)
    return tuple(name for name in dict.fromkeys((*was, *now)) if was.get(name) != now.get(name))


def _required(dossier: Dossier) -> Mapping[str, JsonValue]:
    request = dossier.branch.request
    return request.requirements if request else {}


def _highest(
    was: AlternativeTable, now: AlternativeTable
) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None] | None:
    before, after = was.highest_total, now.highest_total
    return None if before == after else (before, after)
