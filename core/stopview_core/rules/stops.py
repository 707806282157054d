"""Rules about stops: whether there had to be one, whether it is known, and who comes next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stopview_core.judged import RESPONSE, Context, Judged
from stopview_core.readings import Violation
from stopview_core.records import Response
from stopview_core.registry.model import UNKNOWN_STOP
from stopview_core.resolve import Resolution

_NEXT_KINDS = frozenset({"user", "external"})


@dataclass(frozen=True, slots=True)
class _Answer:
    """One response.json, the branch's own or that of an exchange in it, and how it is called."""

    who: str
    response: Response
    operator: str | None
    resolution: Resolution | None
    where: str


def stops(context: Context, judged: Judged) -> Iterator[Violation]:
    """STOP_MISSING, STOP_UNEXPECTED, STOP_UNLISTED and SHOULD_HAVE_CONTINUED.

    An exchange is held to them as well: it is judged with its branch's requirements (1.1).
    """
    for answer in _answers(judged):
        yield from _stop(context, answer)


def next_disagrees(context: Context, judged: Judged) -> Iterator[Violation]:
    """NEXT_DISAGREES; silent where the registry at hand is not the one that the run was made by."""
    response, resolution = judged.branch.response, judged.resolution
    operator = context.registry.operators.get(judged.operator or "")
    if not judged.is_blocked or response is None or resolution is None or operator is None:
        return
    if resolution.is_faulty or not context.is_covered:
        return
    route = resolution.route
    allowed = {*operator.next}
    if route.target:
        allowed.add(route.target)
    if route.kind == "resume":
        allowed.add(operator.id)
    if route.kind in _NEXT_KINDS:
        allowed.add(route.kind)
    for entry in dict.fromkeys(response.next):
        if entry not in allowed:
            yield Violation(
                "NEXT_DISAGREES",
                f"The response names {entry} to come next; {resolution.code} leads to "
                f"{_leads_to(resolution, operator.id)}.",
                judged.at(RESPONSE),
            )


def _answers(judged: Judged) -> Iterator[_Answer]:
    own = judged.branch.response
    if own is not None:
        place = judged.at(RESPONSE)
        yield _Answer("The branch", own, judged.operator, judged.resolution, place)
    for exchange, read in zip(judged.branch.exchanges, judged.exchanges, strict=True):
        if exchange.response is not None:
            who, where = f"The exchange {exchange.name}", judged.at(f"{exchange.name}/{RESPONSE}")
            yield _Answer(who, exchange.response, read.operator, read.resolution, where)


def _stop(context: Context, answer: _Answer) -> Iterator[Violation]:
    response, where = answer.response, answer.where
    is_blocked = response.status == "blocked"
    if is_blocked and response.stop is None:
        yield Violation("STOP_MISSING", f"{answer.who} is blocked and names no stop code.", where)
    if not is_blocked and response.stop is not None:
        yield Violation(
            "STOP_UNEXPECTED",
            f"{answer.who} names the stop {response.stop}, and its status is "
            f"{response.status or 'not given'}, not blocked.",
            where,
        )
    if response.stop is not None and context.is_covered:
        yield from _unlisted(context, answer, response.stop)
    resolution = answer.resolution
    if is_blocked and resolution is not None and resolution.disposition == "fallback":
        yield Violation(
            "SHOULD_HAVE_CONTINUED",
            f"{answer.who} stopped, and its code asks to go on with the fallback. "
            f"{resolution.why[0]}",
            where,
        )


def _unlisted(context: Context, answer: _Answer, stop: str) -> Iterator[Violation]:
    entry = context.registry.entries.get(stop)
    operator = context.registry.operators.get(answer.operator or "")
    if stop == UNKNOWN_STOP or (entry is not None and entry.writer is not None):
        return
    if entry is None:
        text = f"{stop} is not a registered code."
    elif operator is None:
        named = f"{answer.operator}, which the registry does not know"
        text = f"{stop} was used by {named if answer.operator else 'an operator without a name'}."
    elif not entry.covers(operator.id):
        text = f"{stop} is not in scope for {operator.id}."
    elif stop not in operator.stops:
        text = f"{stop} is not in the Stops table of {operator.id}."
    else:
        return
    yield Violation("STOP_UNLISTED", text, answer.where)


def _leads_to(resolution: Resolution, operator: str) -> str:
    route = resolution.route
    if route.kind == "resume":
        return f"{operator} again"
    if route.kind == "user":
        return "a person (user)"
    return route.target or route.kind
