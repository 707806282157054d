"""Changes that leave a registry sound."""

from __future__ import annotations

from registry_changes import (
    Change,
    both,
    drop_route,
    drop_row,
    edit,
    put,
    route,
)
from small_registry import MAKE_CODES, MAKE_MD, SHARED, SHIP, SHIP_MD, written

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
