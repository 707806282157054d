"""A small sound registry that tests build, change and write to disk."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

Files = dict[str, Any]
"""Path from the root to an object (written as JSON), a text, or bytes."""

SHARED = "operators/errors.json"
ROUTING = "routing.json"
MAKE = "operators/plan-make"
SHIP = "operators/plan-ship"
MAKE_CODES = f"{MAKE}/errors.json"
SHIP_CODES = f"{SHIP}/errors.json"
MAKE_MD = f"{MAKE}/operator.md"
SHIP_MD = f"{SHIP}/operator.md"

_MAKE_MD = """\
# plan.make

## Job

Make a plan.

## Requirements

| Field | Type | Default | Ask |
| --- | --- | --- | --- |
| `goal` | id | — | What the plan is for |
| `selectionPolicy` | choice | automatic | `automatic` or `approval-required` |
| `approval` | id | null | What a person picked |
| `sizes` | list | [] | Sizes to plan for |
| `limit` | number | 1 | How many at most |

## Outputs

| Kind | File | Type | Required |
| --- | --- | --- | --- |
| `plan` | `response/response.md` | md | yes |
| `scores` | `response/data/scores.json` | data | no |

## Stops

| Code | Disposition |
| --- | --- |
| `INVALID_INPUT` | terminate |
| `EVIDENCE_MISSING` | terminate |
| `OWNER_CONFLICT` | terminate |
| `CHOICE_REQUIRED` | fallback |
| `SHIP_NEEDED` | terminate |

## Next

| When | Operator |
| --- | --- |
| the plan is made | `plan.ship` |
| a person has to look | user |
"""

_SHIP_MD = """\
# plan.ship

## Requirements

| Field | Type | Default | Ask |
| --- | --- | --- | --- |
| `mode` | choice | full | `full` or `cheap` |

## Stops

| Code | Disposition |
| --- | --- |
| `INVALID_INPUT` | terminate |
| `OWNER_CONFLICT` | terminate |
| `TARGET_DOWN` | terminate |
| `TOO_COSTLY` | terminate |
| `REWORK_NEEDED` | terminate |
| `RETRY_LATER` | terminate |
"""


def _entry(domain: str, disposition: str, **more: Any) -> dict[str, Any]:
    texts = {"meaning": f"It met {domain}.", "resume": "Change something."}
    return {"domain": domain, "disposition": disposition, **texts, **more}


def _codes(**codes: dict[str, Any]) -> dict[str, Any]:
    return {"schemaVersion": 9, "note": "Codes.", "codes": codes}


_FILES: Files = {
    SHARED: _codes(
        INVALID_INPUT=_entry("caller", "terminate", scope=["*"]),
        EVIDENCE_MISSING=_entry("self", "terminate", scope=["*"]),
        UNKNOWN_STOP=_entry("caller", "terminate", scope=["*"], writer="runtime"),
        OWNER_CONFLICT=_entry("caller", "terminate", scope=["plan.make", "plan.ship"]),
    ),
    f"{MAKE}/operator.json": {"id": "plan.make", "domain": "plan", "job": "Make.", "tools": {}},
    MAKE_MD: _MAKE_MD,
    MAKE_CODES: _codes(
        CHOICE_REQUIRED=_entry(
            "caller",
            "fallback",
            fallback={"en": "Take the best.", "vi": "Lấy cái tốt nhất."},
            unless={
                "param": "selectionPolicy",
                "equals": "approval-required",
                "then": "terminate",
            },
        ),
        SHIP_NEEDED=_entry("ship", "terminate"),
    ),
    f"{SHIP}/operator.json": {"id": "plan.ship", "domain": "ship"},
    SHIP_MD: _SHIP_MD,
    SHIP_CODES: _codes(
        TARGET_DOWN=_entry("outside", "terminate"),
        TOO_COSTLY=_entry(
            "caller",
            "terminate",
            fallback="Ship less.",
            unless={"param": "mode", "equals": "cheap", "then": "fallback"},
        ),
        REWORK_NEEDED=_entry("plan", "terminate"),
        RETRY_LATER=_entry("ship", "terminate"),
    ),
    ROUTING: {
        "schemaVersion": 9,
        "kinds": {"operator": "Run the target.", "user": {"en": "A person.", "vi": "Người."}},
        "routes": {
            "plan.make": {
                "caller": {"kind": "user"},
                "plan": {"kind": "resume"},
                "ship": {"kind": "operator", "target": "plan.ship"},
            },
            "plan.ship": {
                "caller": {"kind": "user"},
                "outside": {"kind": "external"},
                "plan": {"kind": "chain", "target": "plan.make"},
                "ship": {"kind": "resume"},
            },
        },
    },
}


def small_registry() -> Files:
    """A fresh copy: two operators, ten codes, one route of each kind."""
    return copy.deepcopy(_FILES)


def written(value: Any) -> bytes:
    """The bytes of one file."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    return json.dumps(value, ensure_ascii=False, indent=2).encode()


def write(root: Path, files: Files) -> Path:
    """Write the files below `root` and give it back."""
    for path, value in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(written(value))
    return root


def read(root: Path) -> Files:
    """The files of a registry on disk: JSON as objects, the rest as text."""
    paths = [root / ROUTING, *sorted((root / "operators").rglob("*.*"))]
    return {
        path.relative_to(root).as_posix(): json.loads(path.read_bytes())
        if path.suffix == ".json"
        else path.read_text()
        for path in paths
    }
