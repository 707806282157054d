"""The rules of a claim: its fields, and when it needs a source for what it says (contracts 1.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from stopview_core.sacp.rules import (
    CLAIM_TYPES,
    MAPPING,
    SUPPORT_STATUSES,
    TEXT,
    PacketFault,
    Rule,
    broken_rules,
    fault,
    names_a_source,
    one_of,
)

_CLAIM: Final = {
    "text": TEXT,
    "claim_type": one_of(*CLAIM_TYPES),
    "support_status": one_of(*SUPPORT_STATUSES),
}
_OPTIONAL_SOURCE: Final = Rule("text", lambda value: value is None or isinstance(value, str))


def claim_faults(claim: object, path: str) -> Iterator[PacketFault]:
    """Everything wrong with one claim; `path` is its place in the packet, such as `claims[1]`."""
    if not isinstance(claim, Mapping):
        yield fault(path, MAPPING.expected, claim)
        return
    yield from broken_rules(claim, _CLAIM, f"{path}.")
    why = _why_it_needs_a_source(claim)
    if why is not None:
        needed = {"source_id": Rule(f"a source that is not none, since {why}", names_a_source)}
        yield from broken_rules(claim, needed, f"{path}.")
    elif "source_id" in claim:
        yield from broken_rules(claim, {"source_id": _OPTIONAL_SOURCE}, f"{path}.")


def _why_it_needs_a_source(claim: Mapping[str, object]) -> str | None:
    if claim.get("claim_type") == "retrieved_fact":
        return "the claim is a retrieved_fact"
    if claim.get("support_status") != "supported":
        return None
    if claim.get("claim_type") == "tool_result":
        return "the claim is a supported tool_result"
    return "the claim is supported"
