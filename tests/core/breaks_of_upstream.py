"""Breaks of a real registry, and what follows from each."""

from __future__ import annotations

from registry_changes import (
    Change,
    Place,
    copy_code,
    drop,
    drop_route,
    drop_row,
    edit,
    put,
    route,
)
from small_registry import ROUTING, SHARED

CHOICE_FILE = "operators/architecture-decide/errors.json"
CHOICE_MD = "operators/architecture-decide/operator.md"

UPSTREAM_BREAKS: list[tuple[str, Change, list[Place]]] = [
    (
        "a disposition is there",
        drop(CHOICE_FILE, "CHOICE_REQUIRED", "disposition"),
        [("DISPOSITION_INVALID", CHOICE_FILE, "codes.CHOICE_REQUIRED.disposition")],
    ),
    (
        "a code that falls back has a fallback text",
        drop(CHOICE_FILE, "CHOICE_REQUIRED", "fallback"),
        [("FALLBACK_MISSING", CHOICE_FILE, "codes.CHOICE_REQUIRED.fallback")],
    ),
    (
        "the param of unless is a Requirements field",
        drop_row(CHOICE_MD, "selectionPolicy"),
        [("UNLESS_PARAM_UNKNOWN", CHOICE_FILE, "codes.CHOICE_REQUIRED.unless.param")],
    ),
    (
        "a Stops row has the base disposition",
        edit(CHOICE_MD, "| `CHOICE_REQUIRED` | fallback |", "| `CHOICE_REQUIRED` | terminate |"),
        [("STOPS_DISPOSITION_DIFFERS", CHOICE_MD, "Stops.CHOICE_REQUIRED.Disposition")],
    ),
    (
        "a local code is in a Stops row",
        drop_row(CHOICE_MD, "CHOICE_REQUIRED"),
        [("CODE_UNLISTED", CHOICE_FILE, "codes.CHOICE_REQUIRED")],
    ),
    (
        "a code is defined twice",
        copy_code(CHOICE_FILE, "CHOICE_REQUIRED", "operators/business-decide/errors.json"),
        [("CODE_TWICE", "operators/business-decide/errors.json", "codes.CHOICE_REQUIRED")],
    ),
    (
        "a shared code belongs to several operators",
        put(SHARED, "UNKNOWN_RULE", "scope", ["frontend.surface.audit"]),
        [
            ("SCOPE_SINGLE", SHARED, "codes.UNKNOWN_RULE.scope"),
            (
                "STOPS_CODE_OUT_OF_SCOPE",
                "operators/frontend-presentation-resolve/operator.md",
                "Stops.UNKNOWN_RULE",
            ),
        ],
    ),
    (
        "a scope names operators that exist",
        put(SHARED, "AUTHORITY_DRIFT", "scope", ["platform.operate", "uat.verify", "uat.check"]),
        [("SCOPE_OPERATOR_UNKNOWN", SHARED, "codes.AUTHORITY_DRIFT.scope")],
    ),
    (
        "every reached domain has a route",
        drop_route("frontend.direction.decide", "grammar"),
        [("ROUTE_MISSING", ROUTING, "routes.frontend.direction.decide.grammar")],
    ),
    (
        "every route is reached",
        route("quality.verify", "grammar", {"kind": "user"}),
        [("ROUTE_UNREACHED", ROUTING, "routes.quality.verify.grammar")],
    ),
    (
        "a target is not the operator itself",
        route(
            "frontend.direction.decide",
            "business",
            {"kind": "operator", "target": "frontend.direction.decide"},
        ),
        [("ROUTE_TARGET_SELF", ROUTING, "routes.frontend.direction.decide.business.target")],
    ),
    (
        "no operator lacks a table",
        lambda files: files[ROUTING]["routes"].pop("quality.verify"),
        [("ROUTE_TABLE_MISSING", ROUTING, "routes.quality.verify")],
    ),
    (
        "a domain has one route",
        edit(
            ROUTING,
            '"frontend.direction.decide": {',
            '"frontend.direction.decide": {"grammar": {}, ',
        ),
        [("ROUTE_TWICE", ROUTING, "routes.frontend.direction.decide.grammar")],
    ),
]
