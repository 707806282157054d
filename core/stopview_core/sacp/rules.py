"""What a field of a packet may hold, and how a field that holds something else is reported."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from stopview_core.parse import parse_time
from stopview_core.sacp.codes import STATUS_CODES
from stopview_core.text import clean, shorten

METHODS: Final = ("READ", "CLAIM", "COMPLETE", "FAIL", "BLOCK", "RETRY", "PROPOSE", "PROMOTE")
RESOURCE_TYPES: Final = (
    "task",
    "handoff",
    "attempt",
    "receipt",
    "claim",
    "memory_item",
    "skill_candidate",
    "human_decision",
)
CLAIM_TYPES: Final = ("user_statement", "retrieved_fact", "tool_result", "inference")
SUPPORT_STATUSES: Final = ("supported", "unsupported", "unverified", "not_applicable")
VERIFICATION_STATUSES: Final = ("passed", "failed", "not_run", "blocked")

QUOTED_WIDTH: Final = 80
"""How many characters of a found value a fault shows."""

_ABSENT: Final = object()
_NO_OWNER: Final = frozenset({"", "someone", "later", "unknown", "tbd"})
_NO_SOURCE: Final = frozenset({"", "none"})
_TIME_SHAPE: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?"
    r"(?:Z|[-+][0-9]{2}(?::?[0-9]{2})?)"
)


@dataclass(frozen=True, slots=True)
class PacketFault:
    """One thing wrong with a packet; `path` is dotted, such as `claims[1].source_id`."""

    path: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.path}: expected {self.expected}, found {self.found}"


@dataclass(frozen=True, slots=True)
class Rule:
    """What a field must hold: in words, and as a test of the value."""

    expected: str
    allows: Callable[[object], bool]


def one_of(*words: str) -> Rule:
    """The rule that the value is one of these words."""
    expected = f"one of {', '.join(words)}" if len(words) > 1 else repr(words[0])
    return Rule(expected, lambda value: isinstance(value, str) and value in words)


def is_text(value: object) -> bool:
    """Whether the value is text with something in it besides white space."""
    return isinstance(value, str) and value.strip() != ""


def names_a_source(value: object) -> bool:
    """Whether the value is a source id: text, and neither empty nor `none` (contracts 1.7)."""
    return isinstance(value, str) and value.strip().casefold() not in _NO_SOURCE


def _is_time(value: object) -> bool:
    return (
        isinstance(value, str)
        and _TIME_SHAPE.fullmatch(value) is not None
        and parse_time(value) is not None
    )


def _is_owner(value: object) -> bool:
    return isinstance(value, str) and value.strip().casefold() not in _NO_OWNER


def _is_status_code(value: object) -> bool:
    return type(value) is int and value in STATUS_CODES


TEXT: Final = Rule("text that is not empty", is_text)
TIME: Final = Rule("an ISO 8601 time with its offset from UTC", _is_time)
OWNER: Final = Rule("an owner by name, not someone, later, unknown, tbd or nothing", _is_owner)
BOOLEAN: Final = Rule("true or false", lambda value: isinstance(value, bool))
LIST: Final = Rule("a list", lambda value: isinstance(value, list))
MAPPING: Final = Rule("a mapping", lambda value: isinstance(value, Mapping))
STATUS_CODE: Final = Rule(
    f"one of the status codes {', '.join(map(str, STATUS_CODES))}", _is_status_code
)
METHOD: Final = one_of(*METHODS)
RESOURCE_TYPE: Final = one_of(*RESOURCE_TYPES)


def broken_rules(
    fields: Mapping[str, object], rules: Mapping[str, Rule], prefix: str = ""
) -> Iterator[PacketFault]:
    """A fault for each rule whose field is missing or not allowed, in the order of the rules."""
    for name, rule in rules.items():
        value = fields.get(name, _ABSENT)
        if value is _ABSENT or not rule.allows(value):
            yield fault(f"{prefix}{name}", rule.expected, value)


def fault(path: str, expected: str, value: object) -> PacketFault:
    """The fault for a value that was found at a path."""
    return PacketFault(path, expected, "nothing" if value is _ABSENT else quoted(value))


def quoted(value: object) -> str:
    """The value's repr, cleaned and cut to `QUOTED_WIDTH` characters, the cut marked with `…`."""
    try:
        return shorten(clean(repr(value)), QUOTED_WIDTH)
    except (RecursionError, ValueError):
        return f"{type(value).__name__}, too large to show"
