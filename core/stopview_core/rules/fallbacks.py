"""Rules about fallbacks taken: whether they were allowed, and whether both places say so."""

from __future__ import annotations

from collections.abc import Iterator

from stopview_core.judged import DOCUMENT, RESPONSE, Context, Judged
from stopview_core.readings import FallbackRecord, Violation
from stopview_core.records import JsonValue, Request
from stopview_core.registry.model import UNKNOWN_STOP
from stopview_core.resolve import Resolution, value_text
from stopview_core.text import one_line, shorten

_APPROVAL = "approval"
_UNFINISHED = frozenset({"running", "waiting"})


def fallbacks_not_allowed(context: Context, judged: Judged) -> Iterator[Violation]:
    """APPROVAL_BYPASSED, and FALLBACK_NOT_ALLOWED for the others that had to stop."""
    for record in judged.fallbacks:
        resolution = record.resolution
        if resolution is None:
            continue
        where = _place(judged, record)
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


def fallbacks_unrecorded(context: Context, judged: Judged) -> Iterator[Violation]:
    """FALLBACK_UNRECORDED, once both places are finished and could be read."""
    if not _keeps_both_records(context, judged):
        return
    for record in judged.fallbacks:
        if record.exchange is not None:
            continue
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
                judged.at(RESPONSE),
                record.code,
            )


def _place(judged: Judged, record: FallbackRecord) -> str:
    if record.exchange is not None:
        return judged.at(f"{record.exchange}/{RESPONSE}")
    return judged.at(RESPONSE if record.in_response else DOCUMENT)


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
        if _promised(before.resolution, code) and not _was_answered(context, before, judged):
            return (
                f"A person had been promised this choice when {earlier} stopped with {code}; "
                f"nobody answered, and the operator made it without asking."
            )
    return None


def _promised(resolution: Resolution, code: str) -> bool:
    return (
        resolution.written_code == code
        and resolution.flipped_by is not None
        and resolution.disposition == "terminate"
    )


def _was_answered(context: Context, before: Judged, judged: Judged) -> bool:
    """Whether a decision that stands, or an approval, came between the stop and the fallback."""
    newest = before.decisions.newest_valid
    if newest is not None and newest.selected is not None:
        return True
    answers = context.run.state.choices if context.run.state else {}
    response = before.branch.response
    asked = response.interaction if response else None
    if asked is not None and asked.decision_id in answers:
        return True
    later = [judged.key, *context.lineage.earlier(judged.key)]
    requests = (context.judged[key].branch.request for key in later[: later.index(before.key)])
    return any(request is not None and _is_approved(request) for request in requests)


def _is_approved(request: Request) -> bool:
    return bool(request.requirements.get(_APPROVAL)) or bool(request.selected_option)


def _keeps_both_records(context: Context, judged: Judged) -> bool:
    response, branch = judged.branch.response, judged.branch
    if response is None or response.status in _UNFINISHED:
        return False
    if any(item.path == DOCUMENT for item in branch.unread):
        return False
    operator = context.registry.operators.get(judged.operator or "")
    if operator is None:
        return branch.document is not None
    return any(output.file == DOCUMENT for output in operator.outputs)


def _shown(value: JsonValue) -> str:
    return shorten(one_line(value_text(value)), 60)
