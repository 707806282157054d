"""Puts the files of a registry together: one parse that serves loading and checking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from stopview_core.jsontext import duplicate_keys, parse_json
from stopview_core.records import JsonValue
from stopview_core.registry.entries import CodesFile, parse_entries
from stopview_core.registry.faults import FaultList
from stopview_core.registry.model import Entry, Fault
from stopview_core.registry.operators import ReadOperator, operator_id, parse_operator
from stopview_core.registry.routing import Routing, parse_routing
from stopview_core.registry.rules import check_rules
from stopview_core.registry.source import ROUTING, SHARED_CODES, Source
from stopview_core.text import clean
from stopview_core.unreadable import Unreadable


@dataclass(frozen=True, slots=True)
class Tree:
    """A registry as read, sound or not; of what is defined twice the first one counts.

    `routing` is None where routing.json cannot be read. `has_all_codes` and `has_all_operators`
    tell whether what is missing here may stand in a file that cannot be read.
    """

    entries: Mapping[str, Entry]
    operators: Mapping[str, ReadOperator]
    routing: Routing | None
    has_all_codes: bool
    has_all_operators: bool
    faults: tuple[Fault, ...]


def parse_tree(source: Source, lang: str | None = None) -> Tree:
    """The registry in the source with every fault of contracts 1.2 and 1.3; raises nothing."""
    return _Parser(source, lang).parse()
