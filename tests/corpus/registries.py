"""The registries that the corpus is read with: the shipped one, one with more, a broken one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from corpus.recipe import RegistryName
from stopview_core.registry.load import load, shipped_root
from stopview_core.registry.model import Registry

WRITTEN_BY_THE_RUNTIME = "BUDGET_SPENT"
FLIPS_TO_FALLBACK = "WORDING_OPEN"


def registry(name: RegistryName, where: Path) -> Registry:
    """The registry of that name; one that is not the shipped one is written below `where`."""
    if name == "shipped":
        return load(shipped_root())
    root = where / name
    if not root.exists():
        shutil.copytree(shipped_root() / "operators", root / "operators")
        shutil.copy(shipped_root() / "routing.json", root / "routing.json")
        (_patch if name == "patched" else _break)(root)
    return load(root)


def _patch(root: Path) -> None:
    """A code that the runtime itself writes, one that flips to a fallback, a route to a chain."""
    text = {"meaning": "It happens.", "resume": "Change something."}

    def shared(value: Any) -> None:
        value["codes"][WRITTEN_BY_THE_RUNTIME] = {
            "scope": ["*"],
            "domain": "caller",
            "disposition": "terminate",
            "writer": "runtime",
            **text,
        }

    def own(value: Any) -> None:
        value["codes"][FLIPS_TO_FALLBACK] = {
            "domain": "caller",
            "disposition": "terminate",
            "fallback": "The published wording is kept.",
            "unless": {"param": "mode", "equals": "reconcile", "then": "fallback"},
            **text,
        }

    def routes(value: Any) -> None:
        value["routes"]["architecture.decide"]["business"]["kind"] = "chain"

    _change(root / "operators" / "errors.json", shared)
    _change(root / "operators" / "business-decide" / "errors.json", own)
    _change(root / "routing.json", routes)
    document = root / "operators" / "business-decide" / "operator.md"
    stops = document.read_text(encoding="utf-8").replace(
        "| `INVALID_INPUT` | terminate |",
        f"| `INVALID_INPUT` | terminate |\n| `{FLIPS_TO_FALLBACK}` | terminate |",
    )
    document.write_text(stops, encoding="utf-8")


def _break(root: Path) -> None:
    """CHOICE_REQUIRED lacks its fallback, and one route has gone."""

    def own(value: Any) -> None:
        del value["codes"]["CHOICE_REQUIRED"]["fallback"]

    def routes(value: Any) -> None:
        del value["routes"]["workspace.bind"]["workspace"]

    _change(root / "operators" / "architecture-decide" / "errors.json", own)
    _change(root / "routing.json", routes)


def _change(path: Path, change: Callable[[Any], None]) -> None:
    value = json.loads(path.read_text(encoding="utf-8"))
    change(value)
    path.write_text(json.dumps(value), encoding="utf-8")
