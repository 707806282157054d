"""SACP 0.1 as stopview needs it: status codes, packet rules, receipts (contracts 1.7)."""

from __future__ import annotations

from stopview_core.sacp.codes import STATUS_CODES, Family, Retry, StatusCode
from stopview_core.sacp.packet import CORE_FIELDS, PROTOCOL, is_packet, validate
from stopview_core.sacp.receipt import RECEIPT_CAP, Receipt, read_receipt, receipt_of
from stopview_core.sacp.rules import (
    CLAIM_TYPES,
    METHODS,
    RESOURCE_TYPES,
    SUPPORT_STATUSES,
    VERIFICATION_STATUSES,
    PacketFault,
)

__all__ = [
    "CLAIM_TYPES",
    "CORE_FIELDS",
    "METHODS",
    "PROTOCOL",
    "RECEIPT_CAP",
    "RESOURCE_TYPES",
    "STATUS_CODES",
    "SUPPORT_STATUSES",
    "VERIFICATION_STATUSES",
    "Family",
    "PacketFault",
    "Receipt",
    "Retry",
    "StatusCode",
    "is_packet",
    "read_receipt",
    "receipt_of",
    "validate",
]
