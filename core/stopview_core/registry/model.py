"""What the registry and the routing map hold once read: frozen records that resolve works on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from stopview_core.records import JsonValue

Disposition: TypeAlias = Literal["terminate", "fallback"]

UNKNOWN_STOP = "UNKNOWN_STOP"
EVERY = "*"
"""In a scope: every operator. As the domain of a touched route: every route of the operator."""

SELF = "self"
ROUTE_KINDS = ("operator", "resume", "user", "external", "chain")
KINDS_WITH_TARGET = ("operator", "chain")


@dataclass(frozen=True, slots=True)
class Unless:
    """The one Requirements param whose value flips the disposition to `then` (contracts 1.2)."""

    param: str
    equals: JsonValue
    then: Disposition


@dataclass(frozen=True, slots=True)
class Entry:
    """One stop code. Texts are cleaned; `file` is the path of its file from the registry root.

    `scope` holds operator ids, or `*`; a local code's scope is its operator. `domain` and
    `disposition` are None, `meaning` and `resume` are "" where the file has no valid one.
    """

    code: str
    scope: tuple[str, ...]
    is_shared: bool
    domain: str | None
    disposition: Disposition | None
    meaning: str
    resume: str
    fallback: str | None
    unless: Unless | None
    writer: str | None
    file: str

    def covers(self, operator_id: str) -> bool:
        """Whether the scope holds the operator."""
        return EVERY in self.scope or operator_id in self.scope

    def domain_for(self, own_domain: str | None) -> str | None:
        """The domain it hands to, `self` replaced by the operator's own (contracts 1.3, 1.4)."""
        return own_domain if self.domain == SELF else self.domain


@dataclass(frozen=True, slots=True)
class Requirement:
    """One row of `## Requirements`; `default` is the text as declared, None where there is none."""

    field: str
    type: str
    default: str | None
    ask: str


@dataclass(frozen=True, slots=True)
class Output:
    """One row of `## Outputs`; `file` is a path from the branch and may hold `<placeholders>`."""

    kind: str
    file: str
    type: str
    required: bool


@dataclass(frozen=True, slots=True)
class Operator:
    """One operator: its identity and the tables of its operator.md, in the order of their rows.

    `stops` maps a code to its disposition cell as written, `next` holds operator ids and `user`.
    """

    id: str
    folder: str
    domain: str | None
    job: str
    requirements: Mapping[str, Requirement]
    stops: Mapping[str, str]
    outputs: tuple[Output, ...]
    next: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Route:
    """Where a domain leads from one operator; only `operator` and `chain` have a target."""

    kind: str
    target: str | None


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken rule of contracts 1.2 or 1.3: where, what was expected, what was found.

    `file` is a path from the registry root, `path` a dotted path in it, or table, row and column.
    `codes` and `routes` are what the fault touches; a route is (operator, domain), the domain `*`
    for every route of the operator.
    """

    code: str
    file: str
    path: str
    expected: str
    found: str
    codes: frozenset[str] = frozenset()
    routes: frozenset[tuple[str, str]] = frozenset()

    def touches(self, code: str) -> bool:
        """Whether the fault names the stop code."""
        return code in self.codes

    def touches_route(self, operator: str, domain: str) -> bool:
        """Whether the fault names the operator's route for the domain."""
        return (operator, domain) in self.routes or (operator, EVERY) in self.routes


@dataclass(frozen=True, slots=True)
class Registry:
    """The merged registry with its routing map. `sha256` covers the names and bytes of its files.

    `routes` maps operator and domain to a route, `kinds` a kind to what routing.json says of it.
    """

    root: Path
    sha256: str
    entries: Mapping[str, Entry]
    operators: Mapping[str, Operator]
    routes: Mapping[str, Mapping[str, Route]]
    kinds: Mapping[str, str]
    faults: tuple[Fault, ...] = ()
    _touched_codes: frozenset[str] = field(init=False, repr=False)
    _touched_routes: frozenset[tuple[str, str]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        codes = frozenset(code for fault in self.faults for code in fault.codes)
        routes = frozenset(route for fault in self.faults for route in fault.routes)
        object.__setattr__(self, "_touched_codes", codes)
        object.__setattr__(self, "_touched_routes", routes)

    def touches(self, code: str) -> bool:
        """Whether any fault names the stop code (contracts 1.2, last paragraph)."""
        return code in self._touched_codes

    def touches_route(self, operator: str, domain: str) -> bool:
        """Whether any fault names the operator's route for the domain."""
        touched = self._touched_routes
        return bool(touched) and ((operator, domain) in touched or (operator, EVERY) in touched)
