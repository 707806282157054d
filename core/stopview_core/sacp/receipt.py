"""Reads a receipt found in a run: its code, what to do about it, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from stopview_core import yamltext
from stopview_core.records import JsonValue
from stopview_core.sacp.codes import STATUS_CODES, Retry, StatusCode
from stopview_core.sacp.packet import validate
from stopview_core.sacp.rules import PacketFault

RECEIPT_CAP: Final = 256 * 1024
"""How many bytes a receipt may have to be read."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A packet as parsed, with every fault of it; its texts are as written, not cleaned.

    `status_code` is the integer that the packet carries, known or not; `code` is what SACP says
    about it, None for an unknown one and where there is none, as in a handoff.
    """

    status_code: int | None
    code: StatusCode | None
    packet: Mapping[str, JsonValue]
    faults: tuple[PacketFault, ...]

    @property
    def is_valid(self) -> bool:
        """Whether the packet breaks no rule."""
        return not self.faults

    @property
    def name(self) -> str | None:
        """The name of the code."""
        return self.code.name if self.code else None

    @property
    def retry(self) -> Retry | None:
        """Whether the code asks for another try."""
        return self.code.retry if self.code else None

    @property
    def fix(self) -> str | None:
        """What usually mends the code."""
        return self.code.fix if self.code else None


def read_receipt(data: bytes) -> Receipt | yamltext.Fault:
    """The receipt in the bytes, however faulty; a Fault where they are no YAML mapping at all.

    Never raises. More than `RECEIPT_CAP` bytes are refused.
    """
    value = yamltext.read(data, cap=RECEIPT_CAP)
    if isinstance(value, yamltext.Fault):
        return value
    if not isinstance(value, dict):
        return yamltext.Fault("it holds no mapping, so it is no packet")
    return receipt_of(value)


def receipt_of(packet: Mapping[str, JsonValue]) -> Receipt:
    """The receipt that a parsed mapping is."""
    number = packet.get("status_code")
    carried = number if type(number) is int else None
    code = None if carried is None else STATUS_CODES.get(carried)
    return Receipt(carried, code, packet, tuple(validate(packet)))
