"""Turns routing.json into routes by operator and domain, with the faults it shows by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stopview_core.records import JsonValue
from stopview_core.registry.faults import FaultList, shown, shown_value
from stopview_core.registry.model import EVERY, KINDS_WITH_TARGET, ROUTE_KINDS, Route
from stopview_core.registry.source import ROUTING
from stopview_core.registry.texts import pick
from stopview_core.text import clean

Routes = dict[str, dict[str, Route]]


@dataclass(frozen=True, slots=True)
class Routing:
    """routing.json. A route that cannot be read has the kind "", so that its domain is named."""

    routes: Mapping[str, Mapping[str, Route]]
    kinds: Mapping[str, str]


def parse_routing(raw: Mapping[str, JsonValue], lang: str | None, faults: FaultList) -> Routing:
    """The routing map (contracts 1.1, 1.3)."""
    kinds = raw.get("kinds")
    described = kinds if isinstance(kinds, dict) else {}
    routes = raw.get("routes")
    if not isinstance(routes, dict):
        faults.add("ROUTES_INVALID", ROUTING, "routes", "an object", shown(raw, "routes"))
        routes = {}
    return Routing(
        {clean(name): _table(clean(name), table, faults) for name, table in routes.items()},
        {clean(kind): pick(text, lang) for kind, text in described.items()},
    )


def _table(operator: str, value: JsonValue, faults: FaultList) -> dict[str, Route]:
    if not isinstance(value, dict):
        faults.add(
            "ROUTES_INVALID",
            ROUTING,
            f"routes.{operator}",
            "an object",
            shown_value(value),
            routes=((operator, EVERY),),
        )
        return {}
    return {
        clean(name): _route(operator, clean(name), item, faults) for name, item in value.items()
    }


def _route(operator: str, domain: str, value: JsonValue, faults: FaultList) -> Route:
    path = f"routes.{operator}.{domain}"

    def add(rule: str, key: str, expected: str, found: str) -> None:
        faults.add(rule, ROUTING, f"{path}{key}", expected, found, routes=((operator, domain),))

    if not isinstance(value, dict):
        add("ROUTES_INVALID", "", "an object", shown_value(value))
        return Route("", None)
    kind, target = value.get("kind"), value.get("target")
    if not isinstance(kind, str) or kind not in ROUTE_KINDS:
        add("ROUTE_KIND_UNKNOWN", ".kind", ", ".join(ROUTE_KINDS), shown(value, "kind"))
        return Route("", None)
    if kind in KINDS_WITH_TARGET:
        if not isinstance(target, str) or not target.strip():
            add("ROUTE_TARGET_MISSING", ".target", "an operator", shown(value, "target"))
            return Route(kind, None)
        if clean(target) == operator:
            add("ROUTE_TARGET_SELF", ".target", "another operator", shown(value, "target"))
        return Route(kind, clean(target))
    if target is not None:
        add("ROUTE_TARGET_UNWANTED", ".target", f"nothing for {kind}", shown(value, "target"))
    return Route(kind, None)
