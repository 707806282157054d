"""Answers one stop: what its code means here, who it goes to, and why (contracts 1.4)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from stopview_core.records import JsonValue
from stopview_core.registry.model import (
    SELF,
    UNKNOWN_STOP,
    Disposition,
    Entry,
    Operator,
    Registry,
)
from stopview_core.text import one_line, shorten

_SHOWN_VALUE_WIDTH = 60


@dataclass(frozen=True, slots=True)
class Flip:
    """The requirement that turned the disposition; `is_default` when it was declared, not given."""

    param: str
    value: JsonValue
    equals: JsonValue
    is_default: bool = False


@dataclass(frozen=True, slots=True)
class ResolvedRoute:
    """Where a stop goes; `unrouted` when the map has no answer and a person has to look."""

    kind: str
    target: str | None
    unrouted: bool


@dataclass(frozen=True, slots=True)
class Resolution:
    """The answer for one stop of one operator.

    `code` is UNKNOWN_STOP where `written_code` is not registered or not in scope. `disposition` is
    the one in force, `base_disposition` the entry's own; both None without a valid one. `why` holds
    one plain sentence each for the code where it was substituted, the disposition, the domain, the
    route, and the registry fault where one touches it.
    """

    code: str
    written_code: str
    operator: str | None
    entry: Entry | None
    disposition: Disposition | None
    base_disposition: Disposition | None
    flipped_by: Flip | None
    domain: str | None
    route: ResolvedRoute
    meaning: str
    fallback: str | None
    resume: str
    why: tuple[str, ...]
    is_faulty: bool
    domain_why: str = ""

    @property
    def why_for_people(self) -> tuple[str, ...]:
        """`why` without the domain: who decides asks to whom it goes, which the route says."""
        return tuple(sentence for sentence in self.why if sentence != self.domain_why)


def resolve(
    registry: Registry,
    operator: str | None,
    code: str,
    requirements: Mapping[str, JsonValue] | None,
) -> Resolution:
    """What the stop `code` of `operator` means under `requirements` (contracts 1.4). Total, pure.

    A code that a registry fault touches, or whose route one touches, is `is_faulty` and goes to a
    person (contracts 1.2).
    """
    known = registry.operators.get(operator) if operator is not None else None
    entry, substituted = _entry(registry, operator, known, code)
    base = entry.disposition if entry else None
    in_force, flip = _in_force(entry, known, requirements or {})
    domain = entry.domain_for(known.domain if known else None) if entry else None
    resolved = entry.code if entry else UNKNOWN_STOP
    mapped = _mapped_route(registry, operator if known else None, domain)
    is_faulty = _is_faulty(registry, (code, resolved), operator, domain)
    domain_why = _why_domain(entry, domain, operator)
    why = (
        substituted,
        _why_disposition(entry, in_force, flip),
        domain_why,
        _why_route(mapped, domain, operator, in_force),
        "A registry fault touches this stop, so a person looks at it." if is_faulty else "",
    )
    for_a_person = is_faulty or in_force is None
    return Resolution(
        code=resolved,
        written_code=code,
        operator=operator,
        entry=entry,
        disposition=in_force,
        base_disposition=base,
        flipped_by=flip,
        domain=domain,
        route=ResolvedRoute("user", None, mapped.unrouted) if for_a_person else mapped,
        meaning=entry.meaning if entry else "",
        fallback=entry.fallback if entry else None,
        resume=entry.resume if entry else "",
        why=tuple(sentence for sentence in why if sentence),
        is_faulty=is_faulty,
        domain_why=domain_why,
    )


def value_text(value: JsonValue) -> str:
    """The text by which `unless` compares: text as it is, other JSON values as compact JSON.

    Numbers keep the form they were written in as far as parsing keeps it: 1 and 1.0 differ, 1.0 and
    1.00 do not. The text "1" and the number 1 are equal, since a declared default is always text.
    Keys keep their order.
    """
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def requirement_value(
    operator: Operator | None, requirements: Mapping[str, JsonValue], param: str
) -> tuple[JsonValue, bool]:
    """The value in force of a requirement and whether it is the operator's declared default.

    The request's own value, or the default where it is missing or null; None where neither is
    (contracts 1.4).
    """
    given = requirements.get(param)
    if given is not None:
        return given, False
    declared = operator.requirements.get(param) if operator else None
    return (declared.default, True) if declared and declared.default else (None, False)


def _entry(
    registry: Registry, operator: str | None, known: Operator | None, code: str
) -> tuple[Entry | None, str]:
    """The entry that answers for the code, and why it is not the code's own, or ""."""
    own = registry.entries.get(code)
    unknown = registry.entries.get(UNKNOWN_STOP)
    if known is None:
        named = f"{_shown(operator)} is not an operator of the registry"
        why = named if operator else "no operator is named"
        return unknown, f"It is read as {UNKNOWN_STOP}: {why}."
    if own is None:
        return unknown, f"It is read as {UNKNOWN_STOP}: {_shown(code)} is not a registered code."
    if not own.covers(known.id) and own.code != UNKNOWN_STOP:
        return unknown, (
            f"It is read as {UNKNOWN_STOP}: {own.code} is not in scope for {_shown(operator)}."
        )
    return own, ""


def _in_force(
    entry: Entry | None, operator: Operator | None, requirements: Mapping[str, JsonValue]
) -> tuple[Disposition | None, Flip | None]:
    """The disposition in force, and the requirement that flipped it (contracts 1.4, step 2)."""
    if entry is None or entry.disposition is None or entry.unless is None:
        return (entry.disposition if entry else None), None
    unless = entry.unless
    value, is_default = requirement_value(operator, requirements, unless.param)
    if value is None or value_text(value) != value_text(unless.equals):
        return entry.disposition, None
    return unless.then, Flip(unless.param, value, unless.equals, is_default)


def _is_faulty(
    registry: Registry, codes: Iterable[str], operator: str | None, domain: str | None
) -> bool:
    if any(registry.touches(code) for code in codes):
        return True
    return operator is not None and registry.touches_route(operator, domain or "")


def _mapped_route(registry: Registry, operator: str | None, domain: str | None) -> ResolvedRoute:
    table = registry.routes.get(operator, {}) if operator is not None else {}
    route = table.get(domain) if domain is not None else None
    if route is None:
        return ResolvedRoute("user", None, True)
    return ResolvedRoute(route.kind, route.target, False)


_OUTCOMES = {
    "terminate": "terminates: the branch ends blocked",
    "fallback": "falls back: the named action is taken, and the work goes on",
}


def _why_disposition(entry: Entry | None, in_force: Disposition | None, flip: Flip | None) -> str:
    if entry is None or in_force is None:
        return f"The registry gives {entry.code if entry else UNKNOWN_STOP} no valid disposition."
    if flip is None:
        return f"{entry.code} {_OUTCOMES[in_force]}."
    how = "by default" if flip.is_default else "in the request"
    value = _shown(value_text(flip.value))
    return f"{entry.code} {_OUTCOMES[in_force]}, because {flip.param} is {value} {how}."


def _why_domain(entry: Entry | None, domain: str | None, operator: str | None) -> str:
    if domain is None:
        return "It hands to no known domain."
    if entry is not None and entry.domain == SELF:
        return f"Its domain is {SELF}, which for {_shown(operator)} is {domain}."
    return f"Its domain is {domain}."


def _why_route(
    route: ResolvedRoute, domain: str | None, operator: str | None, in_force: Disposition | None
) -> str:
    named = f"from {_shown(operator)} to {domain}" if domain and operator else "for it"
    if route.unrouted:
        return f"There is no route {named}, so a person looks at it."
    goes = "Where it ends a branch, it goes to" if in_force == "fallback" else "It goes to"
    if route.kind == "operator":
        return f"{goes} {route.target}, which runs next."
    if route.kind == "chain":
        return f"{goes} a sibling run, which has {route.target} produce its outcome."
    if route.kind == "resume":
        return f"{goes} {_shown(operator)} again, once something has changed."
    if route.kind == "external":
        return f"{goes} something outside the runtime."
    return f"{goes} a person, who decides."


def _shown(text: str | None) -> str:
    return shorten(one_line(text or ""), _SHOWN_VALUE_WIDTH)
