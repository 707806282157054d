"""Every rule of a sound registry: one break, that fault at that place, and only what follows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_registry import (
    MAKE,
    MAKE_CODES,
    MAKE_MD,
    ROUTING,
    SHARED,
    SHIP,
    SHIP_CODES,
    SHIP_MD,
    Files,
    read,
    small_registry,
    write,
    written,
)

from stopview_core.errors import RegistryRefused
from stopview_core.registry.check import RULES, CheckReport, check
from stopview_core.registry.load import load
from stopview_core.resolve import resolve

UPSTREAM = Path(__file__).parents[2] / ".." / "shared" / "upstream"
needs_upstream = pytest.mark.skipif(not UPSTREAM.is_dir(), reason="../shared/upstream is absent")

Place = tuple[str, str, str]
Change = Callable[[Files], object]


def places(report: CheckReport) -> list[Place]:
    return sorted((fault.code, fault.file, fault.path) for fault in report.faults)


# --- how a registry is broken -------------------------------------------------------------------


def codes(files: Files, file: str) -> dict[str, Any]:
    return files[file]["codes"]


def put(file: str, code: str, key: str, value: object) -> Change:
    return lambda files: codes(files, file)[code].__setitem__(key, value)


def drop(file: str, code: str, key: str) -> Change:
    return lambda files: codes(files, file)[code].pop(key)


def put_unless(file: str, code: str, key: str, value: object) -> Change:
    return lambda files: codes(files, file)[code]["unless"].__setitem__(key, value)


def drop_unless(file: str, code: str, key: str) -> Change:
    return lambda files: codes(files, file)[code]["unless"].pop(key)


def route(operator: str, domain: str, value: object) -> Change:
    return lambda files: files[ROUTING]["routes"][operator].__setitem__(domain, value)


def drop_route(operator: str, domain: str) -> Change:
    return lambda files: files[ROUTING]["routes"][operator].pop(domain)


def edit(file: str, old: str, new: str) -> Change:
    """Replace text that stands in the file exactly once."""

    def change(files: Files) -> None:
        text = files[file] if isinstance(files[file], str) else written(files[file]).decode()
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
        files[file] = text.replace(old, new)

    return change


def drop_row(file: str, code: str) -> Change:
    def change(files: Files) -> None:
        lines = files[file].splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith(f"| `{code}` |")]
        assert len(kept) == len(lines) - 1
        files[file] = "".join(kept)

    return change


def add_row(file: str, code: str, disposition: str) -> Change:
    return edit(
        file,
        "## Stops\n\n| Code | Disposition |\n| --- | --- |\n",
        (f"## Stops\n\n| Code | Disposition |\n| --- | --- |\n| `{code}` | {disposition} |\n"),
    )


def both(*changes: Change) -> Change:
    return lambda files: [change(files) for change in changes]


def copy_code(from_file: str, code: str, to_file: str, name: str | None = None) -> Change:
    return lambda files: codes(files, to_file).__setitem__(
        name or code, dict(codes(files, from_file)[code])
    )


def rename_code(file: str, code: str, name: str) -> Change:
    return lambda files: codes(files, file).__setitem__(name, codes(files, file).pop(code))


# Each row: the rule it breaks, the break, and the faults: its own first, then what follows.
# What follows what:
#   a code that is gone or renamed   -> its Stops row names an unknown code, its route may lead
#                                       nowhere, and under its new name it is unlisted
#   a domain that is gone or changed -> its old route is unreached
#   a domain that no map names       -> also has no route
#   a Stops row that is gone         -> its domain's route may be unreached
MAKE_CHOICE = "codes.CHOICE_REQUIRED"
TEXTS = {"meaning": "What.", "resume": "Do."}

BREAKS: list[tuple[str, Change, list[Place]]] = [
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
        "a disposition is one string: not two of one key",
        edit(SHARED, '"scope": [\n        "plan.make"', '"domain": "x", "scope": [\n"plan.make"'),
        [("KEY_TWICE", SHARED, "codes.OWNER_CONFLICT.domain")],
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


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    return write(tmp_path, small_registry())


def test_the_small_registry_is_sound_and_counted(sound: Path) -> None:
    report = check(sound)
    assert places(report) == []
    counts = report.counts
    assert (counts.operators, counts.routes, counts.codes) == (2, 7, 10)
    assert (counts.shared, counts.own, counts.stops) == (4, 6, 11)
    assert counts.kinds == {"chain": 1, "external": 1, "operator": 1, "resume": 2, "user": 2}


@pytest.mark.parametrize(
    ("change", "expected"), [row[1:] for row in BREAKS], ids=[row[0] for row in BREAKS]
)
def test_a_broken_rule_is_found_in_its_place_and_nothing_else(
    tmp_path: Path, change: Change, expected: list[Place]
) -> None:
    files = small_registry()
    change(files)
    report = check(write(tmp_path, files))
    assert places(report) == sorted(expected)
    for fault in report.faults:
        assert fault.expected
        assert fault.found


def test_every_rule_is_broken_by_a_row_and_every_fault_has_a_rule() -> None:
    broken = {expected[0][0] for _, _, expected in BREAKS}
    assert broken | {"OPERATOR_ID_INVALID"} == set(RULES)
    assert len({row[0] for row in BREAKS}) == len(BREAKS) >= 35


@pytest.mark.parametrize("value", [None, "", 7, ["plan.make"]])
def test_an_operator_without_an_id_is_found(tmp_path: Path, value: object) -> None:
    files = small_registry()
    files[f"{MAKE}/operator.json"]["id"] = value
    # The codes and tables of the nameless operator are not blamed on the others.
    assert places(check(write(tmp_path, files))) == [
        ("OPERATOR_ID_INVALID", f"{MAKE}/operator.json", "id")
    ]


def test_many_faults_are_listed_at_once(tmp_path: Path) -> None:
    files = small_registry()
    chosen = [
        drop(SHARED, "INVALID_INPUT", "meaning"),
        put(MAKE_CODES, "SHIP_NEEDED", "scope", ["plan.make"]),
        drop_route("plan.ship", "ship"),
        add_row(SHIP_MD, "NOT_THERE", "terminate"),
    ]
    both(*chosen)(files)
    assert [place[0] for place in places(check(write(tmp_path, files)))] == [
        "MEANING_MISSING",
        "ROUTE_MISSING",
        "SCOPE_UNWANTED",
        "STOPS_CODE_UNKNOWN",
    ]


# --- what must keep working ---------------------------------------------------------------------

STOPS_HEAD = "| Code | Disposition |\n| --- | --- |\n| `INVALID_INPUT` | terminate |\n| `EVI"

FINE: list[tuple[str, Change]] = [
    (
        "an escaped pipe in a Stops cell",
        edit(
            MAKE_MD,
            STOPS_HEAD,
            "| Code | Disposition | Note |\n| --- | --- | --- |\n"
            "| `INVALID_INPUT` | terminate | this \\| that |\n| `EVI",
        ),
    ),
    (
        "CRLF line ends",
        lambda files: files.__setitem__(MAKE_MD, files[MAKE_MD].replace("\n", "\r\n")),
    ),
    (
        "a byte order mark in operator.md",
        lambda files: files.__setitem__(MAKE_MD, "\ufeff" + files[MAKE_MD]),
    ),
    (
        "a byte order mark in JSON",
        lambda files: files.__setitem__(SHARED, b"\xef\xbb\xbf" + written(files[SHARED])),
    ),
    (
        "reordered columns",
        lambda files: files.__setitem__(
            SHIP_MD,
            "## Stops\n\n| Disposition | Code |\n|---|---|\n"
            "| terminate | INVALID_INPUT |\n| terminate | OWNER_CONFLICT |\n"
            "| terminate | TARGET_DOWN |\n| terminate | TOO_COSTLY |\n"
            "| terminate | REWORK_NEEDED |\n| terminate | RETRY_LATER |\n\n"
            "## Requirements\n\n| Ask | Field |\n|---|---|\n| How | mode |\n",
        ),
    ),
    (
        "backquoted dispositions",
        lambda files: files.__setitem__(
            MAKE_MD, files[MAKE_MD].replace("| terminate |", "| `terminate` |")
        ),
    ),
    (
        "no pipes at the ends of a row",
        edit(MAKE_MD, "| `SHIP_NEEDED` | terminate |", "`SHIP_NEEDED` | terminate"),
    ),
    (
        "unknown keys anywhere, and twice",
        both(
            put(MAKE_CODES, "SHIP_NEEDED", "since", {"a": 1}),
            lambda files: files[MAKE_CODES].__setitem__("retired", {"OLD_CODE": {}}),
            edit(f"{SHIP}/operator.json", '"id"', '"more": 1, "more": 2, "id"'),
        ),
    ),
    (
        "a local code that something else writes stands in no Stops table",
        both(
            put(MAKE_CODES, "CHOICE_REQUIRED", "writer", "runtime"),
            drop_row(MAKE_MD, "CHOICE_REQUIRED"),
        ),
    ),
    (
        "nulls for what is not there",
        both(
            put(SHARED, "INVALID_INPUT", "fallback", None),
            put(SHARED, "INVALID_INPUT", "unless", None),
            put(MAKE_CODES, "SHIP_NEEDED", "scope", None),
            route("plan.make", "caller", {"kind": "user", "target": None}),
        ),
    ),
    (
        "texts of languages without English",
        put(MAKE_CODES, "SHIP_NEEDED", "meaning", {"vi": "Cần giao."}),
    ),
    (
        "a domain spelt out instead of self",
        put(SHARED, "EVIDENCE_MISSING", "domain", "plan"),
    ),
    (
        "folders and files that are no part of the registry",
        lambda files: files.update(
            {"operators/README.md": "# Notes", "operators/.cache/x.txt": "", "LICENSE": ""}
        ),
    ),
    (
        "an operator without codes of its own and without the file",
        both(
            lambda files: files.pop(MAKE_CODES),
            drop_row(MAKE_MD, "CHOICE_REQUIRED"),
            drop_row(MAKE_MD, "SHIP_NEEDED"),
            drop_route("plan.make", "ship"),
        ),
    ),
    (
        "a table in a comment or in code is no table",
        edit(
            MAKE_MD,
            "## Stops\n",
            "## Stops\n\n<!--\n| Code | Disposition |\n| --- | --- |\n| `NO` | x |\n-->\n\n"
            "```\n| Code | Disposition |\n| --- | --- |\n| `NO` | x |\n```\n",
        ),
    ),
]


@pytest.mark.parametrize("change", [row[1] for row in FINE], ids=[row[0] for row in FINE])
def test_what_is_no_fault(tmp_path: Path, change: Change) -> None:
    files = small_registry()
    change(files)
    assert places(check(write(tmp_path, files))) == []


def test_an_escaped_pipe_belongs_to_the_stops_code(tmp_path: Path) -> None:
    files = small_registry()
    add_row(MAKE_MD, "A\\|B", "terminate")(files)
    assert places(check(write(tmp_path, files))) == [("STOPS_CODE_UNKNOWN", MAKE_MD, "Stops.A|B")]


def test_what_was_found_is_safe_to_show(tmp_path: Path) -> None:
    files = small_registry()
    codes(files, MAKE_CODES)["SHIP_NEEDED"]["domain"] = "\x1b[31mred\u202e" + "x" * 500
    fault = check(write(tmp_path, files)).faults[0]
    assert fault.code == "DOMAIN_UNKNOWN"
    assert fault.found.startswith("\\x1b[31mred\\u202e")
    assert len(fault.found) <= 100


# --- files that are no files --------------------------------------------------------------------


def test_links_are_not_followed(tmp_path: Path) -> None:
    root = write(tmp_path / "registry", small_registry())
    (root / MAKE).rename(tmp_path / "elsewhere")
    (root / MAKE).symlink_to(tmp_path / "elsewhere")
    (root / SHIP_MD).rename(tmp_path / "operator.md")
    (root / SHIP_MD).symlink_to(tmp_path / "operator.md")
    found = check(root).faults
    assert {(fault.code, fault.file) for fault in found} >= {
        ("FILE_UNREADABLE", MAKE),
        ("FILE_UNREADABLE", SHIP_MD),
    }
    assert all("link" in fault.found for fault in found if fault.code == "FILE_UNREADABLE")


def test_a_pipe_and_a_large_file_are_unreadable(tmp_path: Path) -> None:
    import os

    root = write(tmp_path, small_registry())
    (root / SHARED).unlink()
    os.mkfifo(root / SHARED)
    (root / ROUTING).write_bytes(b" " * 2_000_000 + b"{}")
    assert [fault.file for fault in check(root).faults] == [SHARED, ROUTING]


@pytest.mark.parametrize("name", ["", "nothing-here", "routing.json"])
def test_a_root_that_is_no_registry(tmp_path: Path, name: str) -> None:
    (tmp_path / "routing.json").write_text("{}")
    report = check(tmp_path / name)
    assert ("FILE_UNREADABLE", SHARED, "") in places(report)
    assert report.counts.codes == 0


# --- a real registry ----------------------------------------------------------------------------

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
            '"grammar": {"kind": "user"}, "w',
            '"grammar": {}, "grammar": {"kind": "user"}, "w',
        ),
        [("ROUTE_TWICE", ROUTING, "routes.frontend.direction.decide.grammar")],
    ),
]


@needs_upstream
def test_a_real_registry_closes() -> None:
    report = check(UPSTREAM)
    assert places(report) == []
    counts = report.counts
    assert (counts.operators, counts.routes, counts.codes) == (16, 76, 103)
    assert (counts.shared, counts.own, counts.stops) == (15, 88, 161)
    assert counts.kinds == {"external": 7, "operator": 32, "resume": 13, "user": 24}


@needs_upstream
@pytest.mark.parametrize(
    ("change", "expected"),
    [row[1:] for row in UPSTREAM_BREAKS],
    ids=[row[0] for row in UPSTREAM_BREAKS],
)
def test_a_broken_rule_is_found_in_a_real_registry(
    tmp_path: Path, change: Change, expected: list[Place]
) -> None:
    files = read(UPSTREAM)
    if isinstance(files[ROUTING], dict):
        pass
    change(files)
    assert places(check(write(tmp_path, files))) == sorted(expected)


# --- whatever the files hold --------------------------------------------------------------------

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from(["", "*", "self", "caller", "plan.make", "fallback", "terminate", "x\x1b"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["codes", "routes", "SHIP_NEEDED", "plan.make", "caller", "scope", "unless", "domain",
             "disposition", "then", "param", "equals", "kind", "target", "id", "meaning", "en"]
        ),
        inner,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip
any_path = st.sampled_from(sorted(small_registry()))


def survives(root: Path) -> None:
    """Checking lists known faults; loading works or is refused; every stop then resolves."""
    report = check(root)
    assert {fault.code for fault in report.faults} <= set(RULES)
    try:
        registry = load(root)
    except RegistryRefused:
        assert {fault.code for fault in report.faults} & {"FILE_UNREADABLE", "CODE_TWICE"}
        return
    assert registry.faults == report.faults
    for operator in (*registry.operators, "plan.gone", None):
        for code in (*registry.entries, "NOT_THERE"):
            found = resolve(registry, operator, code, {"selectionPolicy": "approval-required"})
            if found.is_faulty or found.disposition is None:
                assert found.route.kind == "user"


@given(path=any_path, data=st.binary(max_size=200))
def test_any_bytes_in_any_file(
    tmp_path_factory: pytest.TempPathFactory, path: str, data: bytes
) -> None:
    files = small_registry() | {path: data}
    survives(write(tmp_path_factory.mktemp("any"), files))


@given(path=any_path, value=anything)
def test_any_json_in_any_file(
    tmp_path_factory: pytest.TempPathFactory, path: str, value: Any
) -> None:
    files = small_registry() | {path: json.dumps(value)}
    survives(write(tmp_path_factory.mktemp("any"), files))


@given(data=st.data())
def test_any_value_in_any_place(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    files = small_registry()
    path = data.draw(st.sampled_from([path for path in sorted(files) if path.endswith(".json")]))
    spot = files[path]
    while True:
        key = data.draw(st.sampled_from(sorted(spot)))
        if not isinstance(spot[key], dict) or not spot[key] or data.draw(st.booleans()):
            break
        spot = spot[key]
    spot[key] = data.draw(anything)
    survives(write(tmp_path_factory.mktemp("any"), files))


@given(path=st.sampled_from([MAKE_MD, SHIP_MD]), data=st.data())
def test_any_cut_and_paste_of_a_document(
    tmp_path_factory: pytest.TempPathFactory, path: str, data: st.DataObject
) -> None:
    files = small_registry()
    lines = files[path].splitlines()
    files[path] = "\n".join(
        data.draw(st.lists(st.sampled_from([*lines, "```", "<!--"]), max_size=40))
    )
    survives(write(tmp_path_factory.mktemp("any"), files))
