"""Says what a receipt means: its code and family, what mends it, when to retry, what is wrong."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

from stopview_core.decision_file import SUPERSEDED_BY_HUMAN_DECISION
from stopview_core.sacp import Receipt
from stopview_core.text import clean, one_line
from stopview_tui.render import BAD, GOOD, MUTED, STRONG, WARNING, bullets, lines, long_text, styled

_SHOWN_FIELDS = (
    ("agent_id", "Agent"),
    ("attempt_id", "Attempt"),
    ("handoff_id", "Handoff"),
    ("processed_at", "Processed"),
    ("next_owner", "Next owner"),
    ("residual_risk", "Residual risk"),
)


def receipt_part(receipt: Receipt) -> Content:
    """A receipt in words."""
    return lines([_code_line(receipt), *_guidance(receipt), *_fields(receipt), *_faults(receipt)])


def _code_line(receipt: Receipt) -> Content:
    code = receipt.code
    if code is None:
        if receipt.status_code is None:
            return styled(("It carries no status code.", MUTED))
        said = f"{receipt.status_code}: not a status code of SACP 0.1"
        return styled((said, WARNING))
    family = code.family
    is_trouble = family.number >= 4
    return styled(
        (f"{code.number} {code.name}", BAD if is_trouble else GOOD),
        (f"  {family.number}xx: {family.meaning}", MUTED),
    )


def _guidance(receipt: Receipt) -> Iterable[Content]:
    code = receipt.code
    if code is None:
        return
    yield Content(code.meaning)
    yield styled(("Typical fix: ", STRONG), code.fix)
    yield styled(("Retry: ", STRONG), f"{code.retry}. {code.guidance}")


def _fields(receipt: Receipt) -> Iterable[Content]:
    fields: tuple[tuple[str, str], ...] = _SHOWN_FIELDS
    if receipt.status_code != SUPERSEDED_BY_HUMAN_DECISION:
        # A decision supersedes an attempt that blocked: BLOCK is its method, and tells no news.
        fields = (("method", "Method"), *fields)
    for name, label in fields:
        value = receipt.packet.get(name)
        if isinstance(value, str) and value:
            yield styled((f"{label}: ", MUTED), long_text(value))
    claims = receipt.packet.get("claims")
    for claim in claims if isinstance(claims, list) else ():
        if isinstance(claim, dict) and isinstance(claim.get("text"), str):
            support = claim.get("support_status")
            said = f" ({clean(support)})" if isinstance(support, str) else ""
            yield styled(("Claim: ", MUTED), long_text(str(claim["text"])), (said, MUTED))


def _faults(receipt: Receipt) -> Iterable[Content]:
    if receipt.is_valid:
        yield styled(("It breaks no rule of SACP 0.1.", MUTED))
        return
    yield styled(("What is wrong with it:", WARNING))
    yield bullets(
        styled(
            (f"{one_line(fault.path)}: ", STRONG),
            f"expected {one_line(fault.expected)}, found {one_line(fault.found)}",
        )
        for fault in receipt.faults
    )
