"""Breaks of the closed routing map (contracts 1.3) and of unreadable files, and what follows."""

from __future__ import annotations

from registry_changes import (
    Change,
    Place,
    both,
    drop_route,
    edit,
    put,
    route,
)
from small_registry import MAKE_CODES, MAKE_MD, ROUTING, SHARED, SHIP_CODES, SHIP_MD

MAKE_CHOICE = "codes.CHOICE_REQUIRED"

BREAKS_OF_ROUTING: list[tuple[str, Change, list[Place]]] = [
    (
        "every reached domain has a route",
        drop_route("plan.make", "ship"),
        [("ROUTE_MISSING", ROUTING, "routes.plan.make.ship")],
    ),
    (
        "every reached domain has a route: self stands for the own domain",
        drop_route("plan.make", "plan"),
        [("ROUTE_MISSING", ROUTING, "routes.plan.make.plan")],
    ),
    (
        "every reached domain has a route: that of a fallback code too",
        both(
            put(MAKE_CODES, "CHOICE_REQUIRED", "domain", "outside"),
        ),
        [("ROUTE_MISSING", ROUTING, "routes.plan.make.outside")],
    ),
    (
        "every reached domain has a route: the only one that names the domain",
        drop_route("plan.ship", "outside"),
        [
            ("ROUTE_MISSING", ROUTING, "routes.plan.ship.outside"),
            ("DOMAIN_UNKNOWN", SHIP_CODES, "codes.TARGET_DOWN.domain"),
        ],
    ),
    (
        "every route is reached",
        route("plan.make", "outside", {"kind": "external"}),
        [("ROUTE_UNREACHED", ROUTING, "routes.plan.make.outside")],
    ),
    (
        "every route is reached: self is no domain of the map",
        route("plan.make", "self", {"kind": "resume"}),
        [("ROUTE_UNREACHED", ROUTING, "routes.plan.make.self")],
    ),
    (
        "a domain has one route: the same JSON key",
        edit(ROUTING, '"outside": {', '"outside": {"kind": "user"}, "outside": {'),
        [("ROUTE_TWICE", ROUTING, "routes.plan.ship.outside")],
    ),
    (
        "a domain has one route: an operator's table stands twice",
        edit(ROUTING, '"plan.make": {', '"plan.make": {}, "plan.make": {'),
        [("KEY_TWICE", ROUTING, "routes.plan.make")],
    ),
    (
        "a domain has one route: two kinds in it",
        edit(ROUTING, '"kind": "external"', '"kind": "user", "kind": "external"'),
        [("KEY_TWICE", ROUTING, "routes.plan.ship.outside.kind")],
    ),
    (
        "no operator lacks a table",
        lambda files: files[ROUTING]["routes"].pop("plan.make"),
        [("ROUTE_TABLE_MISSING", ROUTING, "routes.plan.make")],
    ),
    (
        "no table names an unknown operator",
        lambda files: files[ROUTING]["routes"].__setitem__("plan.gone", {}),
        [("ROUTE_TABLE_UNKNOWN", ROUTING, "routes.plan.gone")],
    ),
    (
        "a route is an object",
        route("plan.make", "ship", "plan.ship"),
        [("ROUTES_INVALID", ROUTING, "routes.plan.make.ship")],
    ),
    (
        "a table is an object",
        lambda files: files[ROUTING]["routes"].__setitem__("plan.make", []),
        [
            ("ROUTES_INVALID", ROUTING, "routes.plan.make"),
            ("ROUTE_MISSING", ROUTING, "routes.plan.make.caller"),
            ("ROUTE_MISSING", ROUTING, "routes.plan.make.plan"),
            ("ROUTE_MISSING", ROUTING, "routes.plan.make.ship"),
        ],
    ),
    (
        "a kind is known",
        route("plan.make", "ship", {"kind": "queue", "target": "plan.ship"}),
        [("ROUTE_KIND_UNKNOWN", ROUTING, "routes.plan.make.ship.kind")],
    ),
    (
        "a kind is there",
        route("plan.make", "ship", {}),
        [("ROUTE_KIND_UNKNOWN", ROUTING, "routes.plan.make.ship.kind")],
    ),
    (
        "an operator route has a target",
        route("plan.make", "ship", {"kind": "operator"}),
        [("ROUTE_TARGET_MISSING", ROUTING, "routes.plan.make.ship.target")],
    ),
    (
        "a chain route has a target",
        route("plan.ship", "plan", {"kind": "chain", "target": None}),
        [("ROUTE_TARGET_MISSING", ROUTING, "routes.plan.ship.plan.target")],
    ),
    (
        "a target exists",
        route("plan.make", "ship", {"kind": "operator", "target": "plan.gone"}),
        [("ROUTE_TARGET_UNKNOWN", ROUTING, "routes.plan.make.ship.target")],
    ),
    (
        "a target is not the operator itself",
        route("plan.make", "ship", {"kind": "chain", "target": "plan.make"}),
        [("ROUTE_TARGET_SELF", ROUTING, "routes.plan.make.ship.target")],
    ),
    (
        "a user route carries no target",
        route("plan.make", "caller", {"kind": "user", "target": "plan.ship"}),
        [("ROUTE_TARGET_UNWANTED", ROUTING, "routes.plan.make.caller.target")],
    ),
    (
        "a resume route carries no target",
        route("plan.make", "plan", {"kind": "resume", "target": "plan.make"}),
        [("ROUTE_TARGET_UNWANTED", ROUTING, "routes.plan.make.plan.target")],
    ),
    (
        "an external route carries no target",
        route("plan.ship", "outside", {"kind": "external", "target": "plan.make"}),
        [("ROUTE_TARGET_UNWANTED", ROUTING, "routes.plan.ship.outside.target")],
    ),
    (
        "routing.json holds an object of routes",
        lambda files: files[ROUTING].pop("routes"),
        [
            ("ROUTES_INVALID", ROUTING, "routes"),
            ("ROUTE_TABLE_MISSING", ROUTING, "routes.plan.make"),
            ("ROUTE_TABLE_MISSING", ROUTING, "routes.plan.ship"),
            *(
                ("DOMAIN_UNKNOWN", file, f"codes.{code}.domain")
                for file, code in (
                    (SHARED, "INVALID_INPUT"),
                    (SHARED, "OWNER_CONFLICT"),
                    (SHARED, "UNKNOWN_STOP"),
                    (MAKE_CODES, "CHOICE_REQUIRED"),
                    (MAKE_CODES, "SHIP_NEEDED"),
                    (SHIP_CODES, "REWORK_NEEDED"),
                    (SHIP_CODES, "RETRY_LATER"),
                    (SHIP_CODES, "TARGET_DOWN"),
                    (SHIP_CODES, "TOO_COSTLY"),
                )
            ),
        ],
    ),
    (
        "every file is readable: the routing map is gone",
        lambda files: files.pop(ROUTING),
        [("FILE_UNREADABLE", ROUTING, "")],
    ),
    (
        "every file is readable: JSON",
        lambda files: files.__setitem__(MAKE_CODES, b'{"codes": {'),
        [("FILE_UNREADABLE", MAKE_CODES, "")],
    ),
    (
        "every file is readable: an object",
        lambda files: files.__setitem__(SHARED, b"[]"),
        [("FILE_UNREADABLE", SHARED, "")],
    ),
    (
        "every file is readable: text in UTF-8",
        lambda files: files.__setitem__(MAKE_MD, b"\xff\xfe#"),
        [("FILE_UNREADABLE", MAKE_MD, "")],
    ),
    (
        "every file is readable: an operator has both of its files",
        lambda files: files.pop(SHIP_MD),
        [("FILE_UNREADABLE", SHIP_MD, "")],
    ),
]
