"""Puts an entry of the registry together with its routes and faults: a page for each stop code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from stopview_core.registry.codes import codes_in_order
from stopview_core.registry.model import SELF, Entry, Fault, Operator, Registry, Route


@dataclass(frozen=True, slots=True)
class RouteLine:
    """Where a code leads from one operator; `route` is None where the map has none: unrouted.

    `is_listed` tells that the operator's own Stops table names the code: it may stop with it.
    """

    operator: str
    domain: str | None
    route: Route | None
    is_listed: bool
    is_faulty: bool


@dataclass(frozen=True, slots=True)
class CodePage:
    """One stop code in full: its entry, its route from each operator in scope, and its faults."""

    entry: Entry
    routes: tuple[RouteLine, ...]
    faults: tuple[Fault, ...]

    @property
    def unrouted(self) -> int:
        """How many operators that list the code have no route for it."""
        return sum(line.route is None and line.is_listed for line in self.routes)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its routes, each once, `unrouted` among them.

        From the operators that list it; where none does (the runtime writes it), from all.
        """
        listed = [line for line in self.routes if line.is_listed]
        return tuple(dict.fromkeys(_kind(line) for line in listed or self.routes))


def code_pages(registry: Registry) -> tuple[CodePage, ...]:
    """A page for each code: the shared ones first, then each operator's own."""
    return tuple(_page(registry, entry) for entry in codes_in_order(registry))


def unplaced_faults(registry: Registry) -> tuple[Fault, ...]:
    """The faults that no code's page shows."""
    placed = {fault for page in code_pages(registry) for fault in page.faults}
    return tuple(fault for fault in registry.faults if fault not in placed)


def _page(registry: Registry, entry: Entry) -> CodePage:
    lines = tuple(_lines(registry, entry))
    faults = tuple(fault for fault in registry.faults if _concerns(fault, entry, lines))
    return CodePage(entry, lines, faults)


def _lines(registry: Registry, entry: Entry) -> Iterable[RouteLine]:
    """The operators that list the code first, then the others in its scope."""
    in_scope = [
        operator
        for operator in registry.operators.values()
        if entry.covers(operator.id) or entry.code in operator.stops
    ]
    for operator in sorted(in_scope, key=lambda one: (entry.code not in one.stops, one.id)):
        domain = entry.domain_for(operator.domain)
        yield RouteLine(
            operator=operator.id,
            domain=domain,
            route=_route(registry, operator, domain),
            is_listed=entry.code in operator.stops,
            is_faulty=registry.touches_route(operator.id, domain or SELF),
        )


def _route(registry: Registry, operator: Operator, domain: str | None) -> Route | None:
    if domain is None:
        return None
    route = registry.routes.get(operator.id, {}).get(domain)
    return route if route is not None and route.kind else None


def _concerns(fault: Fault, entry: Entry, lines: tuple[RouteLine, ...]) -> bool:
    if fault.touches(entry.code):
        return True
    return any(
        line.is_listed and fault.touches_route(line.operator, line.domain or SELF) for line in lines
    )


def _kind(line: RouteLine) -> str:
    return line.route.kind if line.route is not None else "unrouted"
