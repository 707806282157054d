"""The ten status codes of SACP 0.1: what each says, how it is mended, and whether to try again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

Retry: TypeAlias = Literal["no", "not yet", "after fix", "later", "yes"]


@dataclass(frozen=True, slots=True)
class Family:
    """A hundred of codes: its first digit, and what its codes have in common."""

    number: int
    meaning: str


@dataclass(frozen=True, slots=True)
class StatusCode:
    """One code: `fix` is what usually mends it, `guidance` says when and how to try again."""

    number: int
    name: str
    family: Family
    meaning: str
    fix: str
    retry: Retry
    guidance: str


_SETTLED: Final = Family(2, "The work is finished, taken on, or was not needed.")
_REDIRECTED: Final = Family(3, "Someone with more authority has since changed the direction.")
_REQUEST: Final = Family(4, "Something is wrong with the packet or with what it asks for.")
_EXECUTION: Final = Family(5, "The agent or its lease gave out while the work ran.")

_TABLE: Final = (
    StatusCode(
        200,
        "completed",
        _SETTLED,
        "The attempt finished, and a valid receipt shows it.",
        "Hand over to the next owner.",
        "no",
        "Nothing is left to try; the next owner takes it from here.",
    ),
    StatusCode(
        202,
        "accepted_processing",
        _SETTLED,
        "The work was taken on and no receipt closes it yet; also rework, "
        "when a known handoff comes back over changed evidence. It is not a success.",
        "Wait until a receipt arrives or the lease runs out.",
        "not yet",
        "Hold back until a receipt arrives or the lease runs out.",
    ),
    StatusCode(
        204,
        "no_action_needed",
        _SETTLED,
        "The packet is sound, and nothing in it asks for new work.",
        "Stop here, or file it away.",
        "no",
        "There is nothing to do.",
    ),
    StatusCode(
        301,
        "superseded_by_human_decision",
        _REDIRECTED,
        "A person has decided since, and that decision takes the place of the work asked for.",
        "Do what the person decided.",
        "no",
        "The person's decision stands where the task stood.",
    ),
    StatusCode(
        400,
        "invalid_packet",
        _REQUEST,
        "Core fields are absent or hold something they must not, so the packet cannot be read.",
        "Correct the packet.",
        "no",
        "Correct the packet before it is sent anywhere.",
    ),
    StatusCode(
        409,
        "duplicate_handoff",
        _REQUEST,
        "This handoff was already carried out over the very same evidence.",
        "Give back the receipt that exists, or do nothing.",
        "no",
        "The receipt that exists is the answer; the work is not done twice.",
    ),
    StatusCode(
        412,
        "missing_evidence",
        _REQUEST,
        "A claim stands without the evidence that its kind or its support calls for.",
        "Supply the evidence, or claim less.",
        "after fix",
        "Supply the evidence, or change what kind of claim it is or how far it is supported.",
    ),
    StatusCode(
        423,
        "lease_active",
        _REQUEST,
        "Someone else holds the lease on this work right now.",
        "Wait, or turn to the coordinator.",
        "later",
        "Wait until the lease runs out or its owner lets it go; do not race.",
    ),
    StatusCode(
        500,
        "agent_error",
        _EXECUTION,
        "The agent broke down on the inside before it could give a valid receipt.",
        "Run it again as a new attempt of the same handoff.",
        "yes",
        "Make a new attempt; the handoff keeps its id.",
    ),
    StatusCode(
        504,
        "lease_expired",
        _EXECUTION,
        "The lease ran out and the work was not finished.",
        "Run it again, or give it to someone else.",
        "yes",
        "Make a new attempt; the handoff keeps its id.",
    ),
)

STATUS_CODES: Final[Mapping[int, StatusCode]] = MappingProxyType(
    {code.number: code for code in _TABLE}
)
"""Every code of SACP 0.1 by its number, in ascending order."""
