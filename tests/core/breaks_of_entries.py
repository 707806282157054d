"""Breaks of the rules that hold for one errors.json (contracts 1.2), and what follows from each."""

from __future__ import annotations

from registry_changes import (
    Change,
    Place,
    both,
    copy_code,
    drop,
    drop_row,
    drop_unless,
    edit,
    put,
    put_unless,
    rename_code,
)
from small_registry import MAKE_CODES, MAKE_MD, ROUTING, SHARED, SHIP_CODES, SHIP_MD

MAKE_CHOICE = "codes.CHOICE_REQUIRED"

BREAKS_OF_ENTRIES: list[tuple[str, Change, list[Place]]] = [
    (
        "a code is defined twice: shared and own",
        copy_code(MAKE_CODES, "SHIP_NEEDED", SHIP_CODES),
        [("CODE_TWICE", SHIP_CODES, "codes.SHIP_NEEDED")],
    ),
    (
        "a code is defined twice: in a shared file and in an operator's",
        both(
            copy_code(SHARED, "INVALID_INPUT", MAKE_CODES),
            drop(MAKE_CODES, "INVALID_INPUT", "scope"),
        ),
        [("CODE_TWICE", MAKE_CODES, "codes.INVALID_INPUT")],
    ),
    (
        "a code is defined twice: the same JSON key",
        edit(MAKE_CODES, '"SHIP_NEEDED": {', '"SHIP_NEEDED": {}, "SHIP_NEEDED": {'),
        [("CODE_TWICE", MAKE_CODES, "codes.SHIP_NEEDED")],
    ),
    (
        "a code is defined twice: `codes` itself stands twice",
        edit(MAKE_CODES, '"codes": {', '"codes": {}, "codes": {'),
        [("CODE_TWICE", MAKE_CODES, "codes")],
    ),
    (
        "a disposition is one string: not two under one key",
        edit(
            MAKE_CODES,
            '"disposition": "fallback"',
            '"disposition": "terminate", "disposition": "fallback"',
        ),
        [("KEY_TWICE", MAKE_CODES, f"{MAKE_CHOICE}.disposition")],
    ),
    (
        "a code is UPPER_SNAKE: small letters",
        both(
            rename_code(MAKE_CODES, "SHIP_NEEDED", "ship_needed"),
            edit(MAKE_MD, "SHIP_NEEDED", "ship_needed"),
        ),
        [("CODE_NAME_INVALID", MAKE_CODES, "codes.ship_needed")],
    ),
    (
        "a code is UPPER_SNAKE: one letter is too short",
        both(rename_code(MAKE_CODES, "SHIP_NEEDED", "S"), edit(MAKE_MD, "SHIP_NEEDED", "S")),
        [("CODE_NAME_INVALID", MAKE_CODES, "codes.S")],
    ),
    (
        "a code is UPPER_SNAKE: a line feed at its end is none",
        rename_code(MAKE_CODES, "SHIP_NEEDED", "SHIP_NEEDED\n"),
        [
            ("CODE_NAME_INVALID", MAKE_CODES, "codes.SHIP_NEEDED"),
            ("CODE_UNLISTED", MAKE_CODES, "codes.SHIP_NEEDED"),
            ("STOPS_CODE_UNKNOWN", MAKE_MD, "Stops.SHIP_NEEDED"),
            ("ROUTE_UNREACHED", ROUTING, "routes.plan.make.ship"),
        ],
    ),
    (
        "a disposition is there",
        drop(MAKE_CODES, "SHIP_NEEDED", "disposition"),
        [("DISPOSITION_INVALID", MAKE_CODES, "codes.SHIP_NEEDED.disposition")],
    ),
    (
        "a disposition is known",
        put(SHARED, "INVALID_INPUT", "disposition", "Terminate"),
        [("DISPOSITION_INVALID", SHARED, "codes.INVALID_INPUT.disposition")],
    ),
    (
        "a disposition is one string",
        put(MAKE_CODES, "CHOICE_REQUIRED", "disposition", ["fallback", "terminate"]),
        [("DISPOSITION_INVALID", MAKE_CODES, f"{MAKE_CHOICE}.disposition")],
    ),
    (
        "a domain is there",
        drop(MAKE_CODES, "SHIP_NEEDED", "domain"),
        [
            ("DOMAIN_INVALID", MAKE_CODES, "codes.SHIP_NEEDED.domain"),
            ("ROUTE_UNREACHED", ROUTING, "routes.plan.make.ship"),
        ],
    ),
    (
        "a domain is one string",
        put(SHARED, "UNKNOWN_STOP", "domain", ["caller"]),
        [("DOMAIN_INVALID", SHARED, "codes.UNKNOWN_STOP.domain")],
    ),
    (
        "a domain is self or one that routing.json names",
        put(SHARED, "UNKNOWN_STOP", "domain", "nowhere"),
        [("DOMAIN_UNKNOWN", SHARED, "codes.UNKNOWN_STOP.domain")],
    ),
    (
        "a domain is self or one that routing.json names: a listed code",
        put(MAKE_CODES, "SHIP_NEEDED", "domain", "nowhere"),
        [
            ("DOMAIN_UNKNOWN", MAKE_CODES, "codes.SHIP_NEEDED.domain"),
            ("ROUTE_MISSING", ROUTING, "routes.plan.make.nowhere"),
            ("ROUTE_UNREACHED", ROUTING, "routes.plan.make.ship"),
        ],
    ),
    (
        "a meaning is there",
        drop(SHIP_CODES, "TARGET_DOWN", "meaning"),
        [("MEANING_MISSING", SHIP_CODES, "codes.TARGET_DOWN.meaning")],
    ),
    (
        "a meaning is there: not blank in every language",
        put(SHIP_CODES, "TARGET_DOWN", "meaning", {"en": " ", "vi": ""}),
        [("MEANING_MISSING", SHIP_CODES, "codes.TARGET_DOWN.meaning")],
    ),
    (
        "a resume is there",
        put(SHARED, "EVIDENCE_MISSING", "resume", 3),
        [("RESUME_MISSING", SHARED, "codes.EVIDENCE_MISSING.resume")],
    ),
    (
        "a code that falls back by itself has a fallback text",
        drop(MAKE_CODES, "CHOICE_REQUIRED", "fallback"),
        [("FALLBACK_MISSING", MAKE_CODES, f"{MAKE_CHOICE}.fallback")],
    ),
    (
        "a code that falls back when flipped has a fallback text",
        put(SHIP_CODES, "TOO_COSTLY", "fallback", ""),
        [("FALLBACK_MISSING", SHIP_CODES, "codes.TOO_COSTLY.fallback")],
    ),
    (
        "a code that never falls back has no fallback text",
        put(SHARED, "INVALID_INPUT", "fallback", {"en": "Guess."}),
        [("FALLBACK_UNWANTED", SHARED, "codes.INVALID_INPUT.fallback")],
    ),
    (
        "unless has a param",
        drop_unless(MAKE_CODES, "CHOICE_REQUIRED", "param"),
        [("UNLESS_INCOMPLETE", MAKE_CODES, f"{MAKE_CHOICE}.unless.param")],
    ),
    (
        "unless has a value to equal",
        drop_unless(MAKE_CODES, "CHOICE_REQUIRED", "equals"),
        [("UNLESS_INCOMPLETE", MAKE_CODES, f"{MAKE_CHOICE}.unless.equals")],
    ),
    (
        "unless has a disposition",
        drop_unless(MAKE_CODES, "CHOICE_REQUIRED", "then"),
        [("UNLESS_INCOMPLETE", MAKE_CODES, f"{MAKE_CHOICE}.unless.then")],
    ),
    (
        "unless has a known disposition",
        put_unless(MAKE_CODES, "CHOICE_REQUIRED", "then", "ask"),
        [("UNLESS_INCOMPLETE", MAKE_CODES, f"{MAKE_CHOICE}.unless.then")],
    ),
    (
        "unless is an object",
        put(MAKE_CODES, "CHOICE_REQUIRED", "unless", "approval-required"),
        [("UNLESS_INCOMPLETE", MAKE_CODES, f"{MAKE_CHOICE}.unless")],
    ),
    (
        "unless flips to the other disposition",
        put_unless(MAKE_CODES, "CHOICE_REQUIRED", "then", "fallback"),
        [("UNLESS_SAME", MAKE_CODES, f"{MAKE_CHOICE}.unless.then")],
    ),
    (
        "the param of unless is a Requirements field: the name changed",
        put_unless(MAKE_CODES, "CHOICE_REQUIRED", "param", "policy"),
        [("UNLESS_PARAM_UNKNOWN", MAKE_CODES, f"{MAKE_CHOICE}.unless.param")],
    ),
    (
        "the param of unless is a Requirements field: the row is gone",
        drop_row(MAKE_MD, "selectionPolicy"),
        [("UNLESS_PARAM_UNKNOWN", MAKE_CODES, f"{MAKE_CHOICE}.unless.param")],
    ),
    (
        "the param of unless is a Requirements field of each operator that lists a shared code",
        both(
            put(SHARED, "OWNER_CONFLICT", "fallback", "Go on."),
            put(
                SHARED,
                "OWNER_CONFLICT",
                "unless",
                {"param": "mode", "equals": "cheap", "then": "fallback"},
            ),
        ),
        [("UNLESS_PARAM_UNKNOWN", SHARED, "codes.OWNER_CONFLICT.unless.param")],
    ),
    (
        "a shared code has a scope",
        drop(SHARED, "OWNER_CONFLICT", "scope"),
        [("SCOPE_MISSING", SHARED, "codes.OWNER_CONFLICT.scope")],
    ),
    (
        "a shared code has a scope: not an empty one",
        put(SHARED, "OWNER_CONFLICT", "scope", []),
        [("SCOPE_MISSING", SHARED, "codes.OWNER_CONFLICT.scope")],
    ),
    (
        "a shared code has a scope: a list",
        put(SHARED, "INVALID_INPUT", "scope", "*"),
        [("SCOPE_MISSING", SHARED, "codes.INVALID_INPUT.scope")],
    ),
    (
        "a shared code belongs to several operators",
        both(
            put(SHARED, "OWNER_CONFLICT", "scope", ["plan.make"]),
            drop_row(SHIP_MD, "OWNER_CONFLICT"),
        ),
        [("SCOPE_SINGLE", SHARED, "codes.OWNER_CONFLICT.scope")],
    ),
    (
        "a shared code belongs to several operators: not one named twice",
        both(
            put(SHARED, "OWNER_CONFLICT", "scope", ["plan.make", "plan.make"]),
            drop_row(SHIP_MD, "OWNER_CONFLICT"),
        ),
        [("SCOPE_SINGLE", SHARED, "codes.OWNER_CONFLICT.scope")],
    ),
    (
        "a scope names operators that exist",
        put(SHARED, "OWNER_CONFLICT", "scope", ["plan.make", "plan.ship", "plan.gone"]),
        [("SCOPE_OPERATOR_UNKNOWN", SHARED, "codes.OWNER_CONFLICT.scope")],
    ),
    (
        "a scope names operators that exist: the star stands alone",
        put(SHARED, "OWNER_CONFLICT", "scope", ["plan.make", "*"]),
        [("SCOPE_OPERATOR_UNKNOWN", SHARED, "codes.OWNER_CONFLICT.scope")],
    ),
    (
        "a local code carries no scope",
        put(MAKE_CODES, "SHIP_NEEDED", "scope", ["plan.make"]),
        [("SCOPE_UNWANTED", MAKE_CODES, "codes.SHIP_NEEDED.scope")],
    ),
]
