"""Says everything that is wrong with a SACP packet, all at once (contracts 1.7)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeGuard

from stopview_core.records import JsonValue
from stopview_core.sacp.claims import claim_faults
from stopview_core.sacp.codes import STATUS_CODES
from stopview_core.sacp.rules import (
    BOOLEAN,
    LIST,
    MAPPING,
    METHOD,
    OWNER,
    RESOURCE_TYPE,
    STATUS_CODE,
    TEXT,
    TIME,
    VERIFICATION_STATUSES,
    PacketFault,
    Rule,
    broken_rules,
    fault,
    one_of,
    quoted,
)

PROTOCOL: Final = "SACP/0.1"

_EVERY_PACKET: Final = {
    "protocol": one_of(PROTOCOL),
    "type": one_of("receipt", "handoff"),
    "method": METHOD,
    "handoff_id": TEXT,
    "attempt_id": TEXT,
    "agent_id": TEXT,
    "source_fingerprint": TEXT,
}
_RECEIPT: Final[Mapping[str, Rule]] = {
    **_EVERY_PACKET,
    "status_code": STATUS_CODE,
    "processed_at": TIME,
    "claims": LIST,
    "verification": MAPPING,
    "residual_risk": TEXT,
    "next_owner": OWNER,
    "human_decision_required": BOOLEAN,
}
_HANDOFF: Final[Mapping[str, Rule]] = {
    **_EVERY_PACKET,
    "resource_type": RESOURCE_TYPE,
    "resource_id": TEXT,
    "created_at": TIME,
    "content_type": TEXT,
}
_VERIFICATION: Final = {"status": one_of(*VERIFICATION_STATUSES), "method": TEXT}
_REASON: Final = {"reason": Rule("a reason, since the verification was not run", TEXT.allows)}

CORE_FIELDS: Final = frozenset({*_RECEIPT, *_HANDOFF, "status_text", "extensions"})
"""The names that SACP 0.1 gives to the fields of a packet."""

_NAMESPACED: Final = re.compile(r"[^\s.]+(?:\.[^\s.]+)+")
_PLAIN_KEY: Final = re.compile(r"[A-Za-z0-9_.-]{1,80}")


def is_packet(value: object) -> TypeGuard[Mapping[str, JsonValue]]:
    """Whether the value is a mapping that names SACP 0.1 as its protocol."""
    return isinstance(value, Mapping) and value.get("protocol") == PROTOCOL


def validate(packet: object) -> list[PacketFault]:
    """Everything in the packet that breaks a rule of SACP 0.1; empty for a valid one.

    A receipt and a handoff have their own fields. A packet of no known type is held to a
    receipt's rules where it carries a status code, else to those that both share. Unknown keys
    are never a fault; extensions only by the shape of their names (contracts 1.7).
    """
    if not isinstance(packet, Mapping):
        return [fault("(packet)", MAPPING.expected, packet)]
    if packet.get("type") == "handoff":
        faults = [*broken_rules(packet, _HANDOFF)]
    elif packet.get("type") == "receipt" or "status_code" in packet:
        faults = [*_receipt_faults(packet)]
    else:
        faults = [*broken_rules(packet, _EVERY_PACKET)]
    return [*faults, *_extension_faults(packet.get("extensions"))]


def _receipt_faults(receipt: Mapping[str, object]) -> Iterator[PacketFault]:
    yield from broken_rules(receipt, _RECEIPT)
    yield from _status_text_faults(receipt)
    claims = receipt.get("claims")
    if isinstance(claims, list):
        for place, claim in enumerate(claims):
            yield from claim_faults(claim, f"claims[{place}]")
    verification = receipt.get("verification")
    if isinstance(verification, Mapping):
        yield from broken_rules(verification, _VERIFICATION, "verification.")
        if verification.get("status") == "not_run":
            yield from broken_rules(verification, _REASON, "verification.")


def _status_text_faults(receipt: Mapping[str, object]) -> Iterator[PacketFault]:
    """The text may be left out; with an unknown code there is no name for it to match."""
    text, number = receipt.get("status_text"), receipt.get("status_code")
    if text is None or not isinstance(number, int) or not STATUS_CODE.allows(number):
        return
    name = STATUS_CODES[number].name
    if text != name:
        yield fault("status_text", f"{name!r}, the name of {number}", text)


def _extension_faults(extensions: object) -> Iterator[PacketFault]:
    if extensions is None:
        return
    if not isinstance(extensions, Mapping):
        yield fault("extensions", MAPPING.expected, extensions)
        return
    for key in extensions:
        if not (isinstance(key, str) and _NAMESPACED.fullmatch(key)):
            yield fault(_extension_path(key), "a key in a namespace, such as vendor.area.key", key)
        elif key.rpartition(".")[2].casefold() in CORE_FIELDS:
            yield fault(_extension_path(key), "a key that does not end in a core field's name", key)


def _extension_path(key: object) -> str:
    if isinstance(key, str) and _PLAIN_KEY.fullmatch(key):
        return f"extensions.{key}"
    return f"extensions[{quoted(key)}]"
