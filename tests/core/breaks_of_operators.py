"""Breaks of the rules for operator files and Stops tables (contracts 1.2), and what follows."""

from __future__ import annotations

from registry_changes import (
    Change,
    Place,
    add_row,
    both,
    codes,
    drop_row,
    edit,
    put,
)
from small_registry import MAKE, MAKE_CODES, MAKE_MD, ROUTING, SHARED, SHIP_CODES, SHIP_MD

MAKE_CHOICE = "codes.CHOICE_REQUIRED"

BREAKS_OF_OPERATORS: list[tuple[str, Change, list[Place]]] = [
    (
        "a Stops row has the base disposition",
        edit(MAKE_MD, "| `CHOICE_REQUIRED` | fallback |", "| `CHOICE_REQUIRED` | terminate |"),
        [("STOPS_DISPOSITION_DIFFERS", MAKE_MD, "Stops.CHOICE_REQUIRED.Disposition")],
    ),
    (
        "a Stops row has the base disposition: the entry changed",
        both(
            put(SHIP_CODES, "RETRY_LATER", "disposition", "fallback"),
            put(SHIP_CODES, "RETRY_LATER", "fallback", "Wait."),
        ),
        [("STOPS_DISPOSITION_DIFFERS", SHIP_MD, "Stops.RETRY_LATER.Disposition")],
    ),
    (
        "a Stops row has the base disposition: not an empty cell",
        edit(MAKE_MD, "| `SHIP_NEEDED` | terminate |", "| `SHIP_NEEDED` | |"),
        [("STOPS_DISPOSITION_DIFFERS", MAKE_MD, "Stops.SHIP_NEEDED.Disposition")],
    ),
    (
        "a Stops row names a registered code",
        add_row(MAKE_MD, "NOT_THERE", "terminate"),
        [("STOPS_CODE_UNKNOWN", MAKE_MD, "Stops.NOT_THERE")],
    ),
    (
        "a Stops row names a registered code: the entry is gone",
        lambda files: codes(files, MAKE_CODES).pop("SHIP_NEEDED"),
        [
            ("STOPS_CODE_UNKNOWN", MAKE_MD, "Stops.SHIP_NEEDED"),
            ("ROUTE_UNREACHED", ROUTING, "routes.plan.make.ship"),
        ],
    ),
    (
        "a Stops row names a code in scope: another operator's",
        add_row(SHIP_MD, "CHOICE_REQUIRED", "fallback"),
        [("STOPS_CODE_OUT_OF_SCOPE", SHIP_MD, "Stops.CHOICE_REQUIRED")],
    ),
    (
        "a Stops row names a code in scope: a shared one",
        put(SHARED, "OWNER_CONFLICT", "scope", ["plan.ship", "plan.ship2"]),
        [
            ("STOPS_CODE_OUT_OF_SCOPE", MAKE_MD, "Stops.OWNER_CONFLICT"),
            ("SCOPE_OPERATOR_UNKNOWN", SHARED, "codes.OWNER_CONFLICT.scope"),
        ],
    ),
    (
        "a local code is in a Stops row",
        drop_row(MAKE_MD, "CHOICE_REQUIRED"),
        [("CODE_UNLISTED", MAKE_CODES, MAKE_CHOICE)],
    ),
    (
        "a local code is in a Stops row: the last that reached a domain",
        drop_row(SHIP_MD, "TARGET_DOWN"),
        [
            ("CODE_UNLISTED", SHIP_CODES, "codes.TARGET_DOWN"),
            ("ROUTE_UNREACHED", ROUTING, "routes.plan.ship.outside"),
        ],
    ),
    (
        "a Stops table lists a code once",
        add_row(MAKE_MD, "SHIP_NEEDED", "terminate"),
        [("STOPS_ROW_TWICE", MAKE_MD, "Stops.SHIP_NEEDED")],
    ),
    (
        "operator.md has a Stops table",
        edit(MAKE_MD, "## Stops", "## Halts"),
        [
            ("STOPS_MISSING", MAKE_MD, "Stops"),
            ("CODE_UNLISTED", MAKE_CODES, MAKE_CHOICE),
            ("CODE_UNLISTED", MAKE_CODES, "codes.SHIP_NEEDED"),
            ("ROUTE_UNREACHED", ROUTING, "routes.plan.make.caller"),
            ("ROUTE_UNREACHED", ROUTING, "routes.plan.make.plan"),
            ("ROUTE_UNREACHED", ROUTING, "routes.plan.make.ship"),
        ],
    ),
    (
        "a Requirements table declares a field once",
        edit(
            MAKE_MD,
            "| `limit` |",
            "| `selectionPolicy` | choice | approval-required | |\n| `limit` |",
        ),
        [("FIELD_TWICE", MAKE_MD, "Requirements.selectionPolicy")],
    ),
    (
        "`codes` is an object",
        lambda files: files[MAKE_CODES].__setitem__("codes", []),
        [
            ("CODES_INVALID", MAKE_CODES, "codes"),
        ],
    ),
    (
        "an entry is an object",
        lambda files: codes(files, MAKE_CODES).__setitem__("SHIP_NEEDED", None),
        [
            ("ENTRY_INVALID", MAKE_CODES, "codes.SHIP_NEEDED"),
            ("ROUTE_UNREACHED", ROUTING, "routes.plan.make.ship"),
        ],
    ),
    (
        "an operator has an id",
        lambda files: files[f"{MAKE}/operator.json"].pop("id"),
        [("OPERATOR_ID_INVALID", f"{MAKE}/operator.json", "id")],
    ),
    (
        "an operator has an own domain",
        lambda files: files[f"{MAKE}/operator.json"].pop("domain"),
        [
            ("OPERATOR_DOMAIN_INVALID", f"{MAKE}/operator.json", "domain"),
            ("ROUTE_UNREACHED", ROUTING, "routes.plan.make.plan"),
        ],
    ),
    (
        "an operator has one id key",
        edit(f"{MAKE}/operator.json", '"id"', '"id": "x", "id"'),
        [("KEY_TWICE", f"{MAKE}/operator.json", "id")],
    ),
    (
        "an operator id belongs to one folder",
        lambda files: files.update(
            {
                "operators/plan-twin/operator.json": {"id": "plan.make", "domain": "plan"},
                "operators/plan-twin/operator.md": files[MAKE_MD],
            }
        ),
        [("OPERATOR_TWICE", "operators/plan-twin/operator.json", "id")],
    ),
]
