"""Finds what broke a rule in a run: every row of the table in contracts 1.6, one function each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from stopview_core.decisions import DecisionFile, Decisions
from stopview_core.lineage import Lineage, latest
from stopview_core.progress import has_delta
from stopview_core.readings import FallbackRecord, Violation
from stopview_core.records import Branch, JsonValue, Request, Run
from stopview_core.registry.model import UNKNOWN_STOP, Registry
from stopview_core.resolve import Resolution, resolve, value_text
from stopview_core.text import clean, one_line, shorten

DOCUMENT = "response/response.md"
_NEXT_KINDS = frozenset({"user", "external"})


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known of a branch before its violations are looked for."""

    branch: Branch
    operator: str | None
    resolution: Resolution | None
    fallbacks: tuple[FallbackRecord, ...]
    decisions: Decisions

    @property
    def key(self) -> str:
        """The branch's key."""
        return self.branch.key

    @property
    def requirements(self) -> Mapping[str, JsonValue]:
        """The request's requirements; none where it was not read."""
        return self.branch.request.requirements if self.branch.request else {}

    @property
    def is_blocked(self) -> bool:
        """Whether its status is blocked."""
        return self.branch.response is not None and self.branch.response.status == "blocked"

    def at(self, file: str) -> str:
        """A file of the branch, by path from the run root."""
        return f"{self.branch.folder}/{file}"


@dataclass(frozen=True, slots=True)
class Context:
    """What a rule may look at: the run, its resumes, the registry, and all judged branches."""

    run: Run
    lineage: Lineage
    registry: Registry
    judged: Mapping[str, Judged]
    mtime_of: Callable[[str], int | None]
    is_covered: bool


Rule = Callable[[Context, Judged], Iterator[Violation]]


def find_violations(context: Context, judged: Judged) -> tuple[Violation, ...]:
    """All violations of one branch; a bypassed approval first (contracts 1.6)."""
    if judged.branch.is_import:
        return ()
    found = (violation for rule in _RULES for violation in rule(context, judged))
    return tuple(sorted(found, key=lambda violation: violation.code != "APPROVAL_BYPASSED"))


def _fallbacks(context: Context, judged: Judged) -> Iterator[Violation]:
    for record in judged.fallbacks:
        resolution = resolve(context.registry, judged.operator, record.code, judged.requirements)
        where = judged.at("response/response.json" if record.in_response else DOCUMENT)
        bypass = _bypass(context, judged, record.code, resolution)
        if bypass is not None:
            yield Violation("APPROVAL_BYPASSED", bypass, where, record.code)
        elif resolution.disposition == "terminate" and (
            context.is_covered or resolution.code != UNKNOWN_STOP
        ):
            yield Violation(
                "FALLBACK_NOT_ALLOWED",
                f"The operator went on past {record.code}, where it had to stop. "
                f"{resolution.why[0]}",
                where,
                record.code,
            )


def _bypass(context: Context, judged: Judged, code: str, resolution: Resolution) -> str | None:
    """The sentence for a person who was promised a choice and did not get it, or None."""
    flip = resolution.flipped_by
    if flip is not None and resolution.disposition == "terminate":
        return (
            f"A person had been promised this choice ({flip.param} was {_shown(flip.value)}), "
            f"and the operator made it without asking ({code})."
        )
    for earlier in context.lineage.earlier(judged.key):
        before = context.judged.get(earlier)
        if before is None or not before.is_blocked or before.resolution is None:
            continue
        if _promised(before, code) and not _was_answered(context, before, judged):
            return (
                f"A person had been promised this choice when {earlier} stopped with {code}; "
                f"nobody answered, and the operator made it without asking."
            )
    return None


def _promised(before: Judged, code: str) -> bool:
    resolution = before.resolution
    return (
        resolution is not None
        and resolution.written_code == code
        and resolution.flipped_by is not None
        and resolution.disposition == "terminate"
    )


def _was_answered(context: Context, before: Judged, judged: Judged) -> bool:
    """Whether a decision or an approval came between the stop and the fallback."""
    if any(file.is_valid and file.selected is not None for file in before.decisions.files):
        return True
    answers = context.run.state.choices if context.run.state else {}
    response = before.branch.response
    asked = response.interaction if response else None
    if asked is not None and asked.decision_id in answers:
        return True
    between = [judged.key, *context.lineage.earlier(judged.key)]
    for key in between[: between.index(before.key)]:
        request = context.judged[key].branch.request
        if request is not None and (
            request.requirements.get("approval") is not None or request.selected_option is not None
        ):
            return True
    return False


def _stops(context: Context, judged: Judged) -> Iterator[Violation]:
    response = judged.branch.response
    if response is None:
        return
    where = judged.at("response/response.json")
    if judged.is_blocked and response.stop is None:
        yield Violation("STOP_MISSING", "The branch is blocked and names no stop code.", where)
    if not judged.is_blocked and response.stop is not None:
        yield Violation(
            "STOP_UNEXPECTED",
            f"The branch names the stop {response.stop}, and its status is "
            f"{response.status or 'not given'}, not blocked.",
            where,
        )
    if response.stop is not None and context.is_covered:
        yield from _unlisted(context, judged, response.stop, where)
    resolution = judged.resolution
    if judged.is_blocked and resolution is not None and resolution.disposition == "fallback":
        yield Violation(
            "SHOULD_HAVE_CONTINUED",
            f"The branch stopped, and its code asks to go on with the fallback. "
            f"{resolution.why[0]}",
            where,
        )


def _unlisted(context: Context, judged: Judged, stop: str, where: str) -> Iterator[Violation]:
    entry = context.registry.entries.get(stop)
    operator = context.registry.operators.get(judged.operator or "")
    named = judged.operator or "an operator that is not named"
    if stop == UNKNOWN_STOP or (entry is not None and entry.writer is not None):
        return
    if entry is None:
        text = f"{stop} is not a registered code."
    elif operator is None:
        text = f"{stop} was used by {named}, which the registry does not know."
    elif not entry.covers(operator.id):
        text = f"{stop} is not in scope for {named}."
    elif stop not in operator.stops:
        text = f"{stop} is not in the Stops table of {named}."
    else:
        return
    yield Violation("STOP_UNLISTED", text, where)


def _unrecorded(context: Context, judged: Judged) -> Iterator[Violation]:
    operator = context.registry.operators.get(judged.operator or "")
    if operator is not None and not any(o.file == DOCUMENT for o in operator.outputs):
        return
    document = judged.branch.document
    was_unreadable = any(s.path.endswith(f"/{DOCUMENT}") for s in judged.branch.unreadable)
    if was_unreadable or (document is None and operator is None):
        return
    for record in judged.fallbacks:
        if not record.in_document:
            yield Violation(
                "FALLBACK_UNRECORDED",
                f"The fallback {record.code} stands in response.json and not under "
                f"`## Fallbacks taken` in response.md.",
                judged.at(DOCUMENT),
                record.code,
            )
        elif not record.in_response:
            yield Violation(
                "FALLBACK_UNRECORDED",
                f"The fallback {record.code} stands under `## Fallbacks taken` in response.md and "
                f"not in response.json.",
                judged.at("response/response.json"),
                record.code,
            )


def _operators(context: Context, judged: Judged) -> Iterator[Violation]:
    branch, state = judged.branch, context.run.state
    named = {
        "response.json": branch.response.operator if branch.response else None,
        "request.json": branch.request.operator if branch.request else None,
        "state.json": state.steps.get(branch.key) if state else None,
    }
    if len({operator for operator in named.values() if operator}) > 1:
        listed = ", ".join(f"{op} in {file}" for file, op in named.items() if op)
        yield Violation(
            "OPERATOR_MISMATCH",
            f"The files name different operators: {listed}.",
            judged.at("response/response.json"),
        )


def _next(context: Context, judged: Judged) -> Iterator[Violation]:
    response, resolution = judged.branch.response, judged.resolution
    if not judged.is_blocked or response is None or resolution is None:
        return
    operator = context.registry.operators.get(judged.operator or "")
    if operator is None:
        return
    route = resolution.route
    allowed = {*operator.next}
    if route.target:
        allowed.add(route.target)
    if route.kind == "resume":
        allowed.add(operator.id)
    if route.kind in _NEXT_KINDS:
        allowed.add(route.kind)
    for entry in response.next:
        if entry not in allowed:
            yield Violation(
                "NEXT_DISAGREES",
                f"The response names {entry} to come next; {resolution.code} leads to "
                f"{route.target or route.kind}.",
                judged.at("response/response.json"),
            )


def _resume(context: Context, judged: Judged) -> Iterator[Violation]:
    target = context.lineage.resumes.get(judged.key)
    if target is None:
        return
    problem = _broken_resume(context, judged, target)
    if problem is not None:
        yield Violation("RESUME_BROKEN", problem, judged.at("request/request.json"))
        return
    before = context.judged[target]
    if _stopped_alike(before, judged) and not has_delta(
        context.run, before.branch, judged.branch, before.decisions, context.mtime_of
    ):
        stop = judged.branch.response.stop if judged.branch.response else None
        yield Violation(
            "RESUME_WITHOUT_DELTA",
            f"{judged.key} resumed {target}, brought nothing new and stopped at {stop} again.",
            judged.at("request/request.json"),
        )


def _broken_resume(context: Context, judged: Judged, target: str) -> str | None:
    before = context.judged.get(target)
    if before is None:
        named = target or "no branch"
        return f"{judged.key} says it resumes {named}, which is not in this run."
    if before.branch.step >= judged.branch.step:
        return f"{judged.key} says it resumes {target}, which is not in an earlier step."
    if before.branch.response is None:
        if before.branch.has_response:
            return None
        return f"{judged.key} says it resumes {target}, which did not block."
    if before.operator and judged.operator and before.operator != judged.operator:
        return (
            f"{judged.key} ({judged.operator}) says it resumes {target} ({before.operator}), "
            f"another operator."
        )
    if not before.is_blocked:
        return f"{judged.key} says it resumes {target}, which did not block."
    return None


def _stopped_alike(before: Judged, judged: Judged) -> bool:
    first, second = before.branch.response, judged.branch.response
    return (
        judged.is_blocked
        and first is not None
        and second is not None
        and first.stop is not None
        and first.stop == second.stop
    )


def _request(context: Context, judged: Judged) -> Iterator[Violation]:
    state, request = context.run.state, judged.branch.request
    recorded = state.request_hashes.get(judged.key) if state else None
    if request is None or recorded is None:
        return
    if recorded.removeprefix("sha256:").lower() != request.sha256:
        yield Violation(
            "REQUEST_ALTERED",
            "request.json is not the file that was dispatched: its sha256 differs from the one "
            "in state.json.",
            judged.at("request/request.json"),
        )


def _ignored(context: Context, judged: Judged) -> Iterator[Violation]:
    """Said at the attempt that resumed: it does not carry what a person had decided."""
    target = context.lineage.resumes.get(judged.key)
    before = context.judged.get(target) if target is not None else None
    request = judged.branch.request
    if (
        before is None
        or request is None
        or judged.key not in context.lineage.resumed_by.get(before.key, ())
    ):
        return
    started = _started(context, judged.key, request)
    receipt = before.decisions.valid_before(started) if started is not None else None
    if receipt is None or receipt.selected is None:
        return
    if not _carries(request, receipt):
        yield Violation(
            "DECISION_IGNORED",
            f"{clean(receipt.approver)} decided `{clean(receipt.selected)}` on {before.key} "
            f"(receipt {receipt.seq}), and {judged.key} resumed it without that.",
            judged.at("request/request.json"),
        )


def _started(context: Context, key: str, request: Request) -> datetime | None:
    at = latest(context.run.state, key, "dispatched", "resumed")
    if at is not None:
        return at
    return datetime.fromtimestamp(request.mtime_ns / 1e9, UTC)


def _carries(request: Request, receipt: DecisionFile) -> bool:
    param, decision = receipt.text("param"), receipt.text("decision")
    by_param = param is None or request.requirements.get(param) == receipt.selected
    by_option = decision is None or (
        request.decision_id == decision and request.selected_option == receipt.selected
    )
    return by_param and by_option


def _decisions(context: Context, judged: Judged) -> Iterator[Violation]:
    for where, problem in judged.decisions.chain_problems:
        yield Violation(
            "DECISION_CHAIN_BROKEN", f"The chain of decisions is broken: {problem}.", where
        )
    for file in judged.decisions.files:
        if not file.is_valid:
            listed = "; ".join(file.problems)
            yield Violation(
                "DECISION_INVALID",
                f"{file.seq} does not count as a decision: {listed}.",
                file.where,
            )


_RULES: tuple[Rule, ...] = (
    _fallbacks,
    _stops,
    _unrecorded,
    _operators,
    _next,
    _resume,
    _request,
    _ignored,
    _decisions,
)


def _shown(value: JsonValue) -> str:
    return shorten(one_line(value_text(value)), 60)


def file_mtime_ns(path: str) -> int | None:
    """A regular file's modification time, or None where it has none; links are not followed."""
    try:
        return os.lstat(path).st_mtime_ns
    except OSError:
        return None
