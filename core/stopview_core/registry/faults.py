"""The rules of a sound registry, one fault code each, and the list that faults are gathered in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from stopview_core.records import JsonValue
from stopview_core.registry.model import Fault
from stopview_core.text import one_line, shorten

_SHOWN_WIDTH = 100
NOTHING = "nothing"

RULES: Mapping[str, str] = {
    "FILE_UNREADABLE": "Every file of the registry can be read: a regular file, no link, in UTF-8, "
    "and a JSON object where it is JSON.",
    "KEY_TWICE": "No JSON object holds a key twice.",
    "CODE_TWICE": "A code is defined once, over all files.",
    "CODES_INVALID": "`codes` is an object that maps each code to its entry.",
    "CODE_NAME_INVALID": "A code is UPPER_SNAKE: capitals, digits and underscores, a capital "
    "first, two characters or more.",
    "ENTRY_INVALID": "A code's entry is an object.",
    "DISPOSITION_INVALID": "A code has one disposition: terminate or fallback.",
    "DOMAIN_INVALID": "A code has one domain, a text.",
    "DOMAIN_UNKNOWN": "A code's domain is self or one that routing.json names.",
    "MEANING_MISSING": "A code says what it means.",
    "RESUME_MISSING": "A code says what a person or operator does instead.",
    "FALLBACK_MISSING": "A code that falls back, by itself or when flipped, says what the fallback "
    "does.",
    "FALLBACK_UNWANTED": "A code that never falls back has no fallback text.",
    "UNLESS_INCOMPLETE": "`unless` names a param, the value it equals and a disposition.",
    "UNLESS_SAME": "`unless` flips to the other disposition.",
    "UNLESS_PARAM_UNKNOWN": "The param of `unless` is a Requirements field of every operator that "
    "lists the code.",
    "SCOPE_MISSING": 'A shared code\'s scope is a list of operator ids, or ["*"].',
    "SCOPE_SINGLE": "A code of exactly one operator stands in that operator's own file.",
    "SCOPE_OPERATOR_UNKNOWN": "A scope names operators that exist.",
    "SCOPE_UNWANTED": "A local code carries no scope: its operator is the scope.",
    "STOPS_MISSING": "operator.md has a table Code, Disposition under `## Stops`.",
    "STOPS_ROW_TWICE": "A Stops table lists a code once.",
    "STOPS_CODE_UNKNOWN": "A Stops row names a registered code.",
    "STOPS_CODE_OUT_OF_SCOPE": "A Stops row names a code whose scope holds the operator.",
    "STOPS_DISPOSITION_DIFFERS": "The disposition in a Stops row is the code's base disposition.",
    "CODE_UNLISTED": "A local code stands in its operator's Stops table, unless its entry names "
    "another writer.",
    "FIELD_TWICE": "A Requirements table declares a field once.",
    "OPERATOR_ID_INVALID": "operator.json has one id, a text.",
    "OPERATOR_DOMAIN_INVALID": "operator.json has one domain, a text.",
    "OPERATOR_TWICE": "An operator id belongs to one folder.",
    "ROUTES_INVALID": "`routes` maps each operator to an object that maps a domain to a route, an "
    "object.",
    "ROUTE_TABLE_MISSING": "Every operator has a table in routing.json.",
    "ROUTE_TABLE_UNKNOWN": "Every table in routing.json belongs to an operator that exists.",
    "ROUTE_MISSING": "Every domain that a listed code hands to has a route.",
    "ROUTE_TWICE": "A domain of an operator has one route.",
    "ROUTE_UNREACHED": "Every route's domain is reached by a code in the operator's Stops table.",
    "ROUTE_KIND_UNKNOWN": "A route's kind is operator, resume, user, external or chain.",
    "ROUTE_TARGET_MISSING": "A route to an operator or a chain has a target.",
    "ROUTE_TARGET_UNKNOWN": "A route's target is an operator that exists.",
    "ROUTE_TARGET_SELF": "A route's target is not the operator itself.",
    "ROUTE_TARGET_UNWANTED": "A route of any other kind carries no target.",
}
"""Every fault code and the rule that it breaks (contracts 1.2, 1.3)."""

REFUSING = frozenset({"FILE_UNREADABLE", "CODE_TWICE"})
"""The faults with which a registry is refused; with any other one the work goes on."""


class FaultList:
    """Gathers faults; what was found is made safe to show here."""

    def __init__(self) -> None:
        self.found: list[Fault] = []

    def add(
        self,
        code: str,
        file: str,
        path: str,
        expected: str,
        found: str,
        *,
        codes: Iterable[str] = (),
        routes: Iterable[tuple[str, str]] = (),
    ) -> None:
        self.found.append(
            Fault(
                code,
                one_line(file),
                one_line(path),
                expected,
                shorten(one_line(found), _SHOWN_WIDTH),
                frozenset(codes),
                frozenset(routes),
            )
        )


def shown(raw: Mapping[str, JsonValue], key: str) -> str:
    """What stands under the key, as compact JSON, or `nothing`."""
    return shown_value(raw[key]) if key in raw else NOTHING


def shown_value(value: JsonValue) -> str:
    """The value as compact JSON, not yet cleaned."""
    return json.dumps(value, ensure_ascii=False)
