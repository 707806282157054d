"""Says in plain words what is asked on a branch, why a person is asked, and what stands there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime

from textual.content import Content

from stopview_core.alternatives import AlternativeTable
from stopview_core.dossier import Dossier
from stopview_core.readings import DecisionStatus
from stopview_core.records import JsonValue
from stopview_core.resolve import Resolution
from stopview_core.text import clean
from stopview_tui.moments import moment
from stopview_tui.render import BAD, GOOD, MUTED, STRONG, WARNING, long_text
from stopview_tui.render_scores import shown_number
from stopview_tui.words import count_of, run_words

LABEL = "$text-secondary bold"
_HEADED = ("objective", "constraints", "tradeoffAxes")
_NOTHING = "—"
_NOTHING_COUNTS = (
    "An earlier decision does not count any more, and the branch waits for a person again."
)


def title(dossier: Dossier) -> Content:
    """One line: what is open here."""
    return Content.assemble(
        ("Decide ", STRONG),
        (f"{clean(dossier.run.id)} {dossier.reading.key}", STRONG),
        (f"  {clean(dossier.reading.operator or 'no operator')}", MUTED),
    )


def brief(dossier: Dossier, *, is_changing: bool = False) -> Content:
    """What is asked and why, the agent's own words, what is required, and what is wrong.

    `is_changing` while the decision in force is being replaced.
    """
    parts = [
        _question(dossier),
        *_standing_parts(dossier, is_changing),
        *_agent_words(dossier.reading.reason),
        *_problems(dossier),
        *_requirement("Objective", _required(dossier).get("objective")),
        *_requirement("Constraints", _required(dossier).get("constraints")),
        *_why_a_person(dossier.reading.resolution),
        *_requirement("Tradeoff axes", _required(dossier).get("tradeoffAxes")),
        *_other_requirements(dossier),
        *_history(dossier),
    ]
    return Content("\n").join(parts)


def labelled(label: str, text: str | Content, style: str = "") -> Content:
    """A label and its text."""
    body = text if isinstance(text, Content) else long_text(text).stylize(style)
    return Content.assemble((f"{label}  ", LABEL), body)


def when(at: datetime | None) -> str:
    """A time as it is said everywhere, or that it is not known."""
    return moment(at) if at else "at an unknown time"


def named(selected: str | None) -> str:
    """A pick in words."""
    return "none of these" if selected is None else clean(selected)


def standing(decision: DecisionStatus, *, is_changing: bool = False) -> Content | None:
    """The decision that was made on the branch, with what it means now; None where none was.

    How to change it is said only where it is not being changed already.
    """
    if decision.status == "none":
        return None
    what = made(decision)
    how = "" if is_changing else " Press u to change it or take it back."
    told, style = {
        "in_force": (f"In force: {what}.{how}", GOOD),
        "withdrawn": (
            f"No alternative is selected: {what}. {_NOTHING_COUNTS}",
            WARNING,
        ),
        "stale": (f"Stale: {what}. The evidence changed after it, so decide again.", WARNING),
        "resumed": (f"Carried on: {what}. Nothing is left to decide here.", MUTED),
        "answered": (f"Answered by the runtime's own record: {what}.", MUTED),
    }[decision.status]
    reason = ("\n“", long_text(decision.reason), "”") if decision.reason else ()
    return Content.assemble((told, style), *reason)


def made(decision: DecisionStatus) -> str:
    """A decision in words: what, by whom, when, and its receipt."""
    who = clean(decision.by or "somebody")
    receipt = f" (receipt {decision.seq})" if decision.seq else ""
    return f"{named(decision.selected)}, by {who}, {when(decision.at)}{receipt}"


def replacing(seq: str) -> Content:
    """What is being done once a person started to change a decision."""
    return Content.assemble(
        (f"You are replacing receipt {seq}. ", WARNING),
        "Pick another, or none of these to take it back. Nothing changes until you write. "
        "u leaves it as it is.",
    )


def leader(dossier: Dossier) -> Content:
    """The highest total, or why there is none, and what the fallback would have done.

    Empty where nothing is scored and there is no fallback.
    """
    resolution = dossier.reading.resolution
    parts = [_highest(dossier.alternatives)] if dossier.alternatives.axes else []
    if resolution is not None and resolution.fallback:
        parts.append(labelled("What the fallback would have done", resolution.fallback))
    return Content("\n").join(parts)


def _highest(table: AlternativeTable) -> Content:
    highest = table.highest_total
    if highest is None:
        return labelled("Highest total", "none: no alternative has all its scores")
    if len(highest) > 1:
        names = f"{', '.join(highest[:-1])} and {highest[-1]}"
        return labelled("▲ Highest total", Content.styled(f"tie between {names}", GOOD))
    only = table.get(highest[0])
    total = f", {shown_number(only.total)}" if only and only.total is not None else ""
    return labelled("▲ Highest total", Content.styled(f"{highest[0]}{total}", GOOD))


def value_text(value: JsonValue) -> str:
    """A requirement's value as people read it: texts bare, lists by commas, the rest as JSON."""
    if value is None:
        return _NOTHING
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
        return ", ".join(value_text(item) for item in value) or _NOTHING
    return clean(json.dumps(value, ensure_ascii=False))


def _required(dossier: Dossier) -> dict[str, JsonValue]:
    request = dossier.branch.request
    return dict(request.requirements) if request else {}


def _question(dossier: Dossier) -> Content:
    reading, count = dossier.reading, len(dossier.alternatives.offered)
    code = reading.resolution.code if reading.resolution else "no stop code"
    things = "option" if dossier.alternatives.has_options else "alternative"
    waiting = f" It has waited since {when(reading.blocked_at.at)}." if reading.blocked_at else ""
    operator = clean(reading.operator or "an operator that is not named")
    run = run_words(clean(dossier.run.id), dossier.run.path)
    if not dossier.decidability.is_decidable:
        return Content.assemble((f"Nothing to decide here. {dossier.decidability.why}", WARNING))
    return Content.assemble(
        (f"{operator} asks you to pick one of {count_of(count, things)}", STRONG),
        f", or none of them, in run {run}, branch {reading.key} ",
        (f"({code})", MUTED),
        f".{waiting}",
    )


def _standing_parts(dossier: Dossier, is_changing: bool) -> Iterable[Content]:
    said = standing(dossier.reading.decision, is_changing=is_changing)
    if said is not None:
        yield said


def _why_a_person(resolution: Resolution | None) -> Iterable[Content]:
    if resolution is None:
        return
    why = " ".join((resolution.meaning, *resolution.why_for_people)).strip()
    yield labelled("Why you", why)


def _agent_words(reason: str | None) -> Iterable[Content]:
    if reason:
        yield labelled("The agent says", f"“{reason}”", "italic")


def _requirement(label: str, value: JsonValue) -> Iterable[Content]:
    if value in (None, [], ""):
        return
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        yield Content.styled(label, LABEL)
        yield from (Content.assemble("  · ", _statement(item)) for item in value)
        return
    yield labelled(label, value_text(value))


def _statement(item: JsonValue) -> Content:
    """A constraint `{id, kind, statement}` as a sentence, anything else as it is."""
    if not isinstance(item, dict) or not isinstance(item.get("statement"), str):
        return long_text(value_text(item))
    rest = {key: value for key, value in item.items() if key not in ("id", "kind", "statement")}
    kind = item.get("kind")
    return Content.assemble(
        long_text(str(item["statement"])),
        (f" ({value_text(kind)})" if kind is not None else "", MUTED),
        (f" {value_text(item['id'])}" if item.get("id") is not None else "", MUTED),
        (f" {value_text(rest)}" if rest else "", MUTED),
    )


def _other_requirements(dossier: Dossier) -> Iterable[Content]:
    others = {k: v for k, v in _required(dossier).items() if k not in _HEADED}
    if others:
        yield Content.styled("Other requirements", LABEL)
        yield from (
            Content.assemble((f"  {clean(name)}: ", MUTED), long_text(value_text(value)))
            for name, value in others.items()
        )
    request = dossier.branch.request
    for kind, path in (request.inputs if request else {}).items():
        yield Content.assemble((f"  input {clean(kind)}: ", MUTED), clean(path))


def _history(dossier: Dossier) -> Iterable[Content]:
    if len(dossier.attempts) > 1:
        yield labelled("Attempts so far", ", ".join(dossier.attempts))


def _problems(dossier: Dossier) -> Iterable[Content]:
    yield from _listed("Look closer", _contradictions(dossier), BAD)
    violations = [f"{v.code}: {v.text}" for v in dossier.reading.violations]
    yield from _listed("Violations", violations, WARNING)
    unread = [f"{clean(s.path)}: {s.why}" for s in dossier.reading.unreadable]
    yield from _listed("Could not be read", unread, WARNING)


def _contradictions(dossier: Dossier) -> Sequence[str]:
    return [f"{problem.path}: {problem.why}" for problem in dossier.alternatives.problems]


def _listed(label: str, texts: Sequence[str], style: str) -> Iterable[Content]:
    if texts:
        yield Content.styled(label, style)
        yield from (Content.assemble("  · ", long_text(text)) for text in texts)
