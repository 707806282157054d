"""What many recipes share: a bound workspace, a choice between designs, a response.md."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stopview_core.demo import (
    Alternative,
    RunBuilder,
    Section,
    architecture_markdown,
    document,
    fallbacks_section,
    stack_model,
    table_section,
)

ARCHITECTURE, FRONTEND = "architecture.decide", "frontend.direction.decide"
BUSINESS, BIND, PLATFORM = "business.decide", "workspace.bind", "platform.operate"
BACKEND, DEPENDENCY, PUBLISH = "backend.source.apply", "dependency.update", "git.publish"
RELEASE = "release.deploy"
CHOICE, DIRECTION = "CHOICE_REQUIRED", "DIRECTION_CHOICE_REQUIRED"
ASKED = {"selectionPolicy": "approval-required", "objective": "Keep orders when a region is lost"}
AUTOMATIC = {"selectionPolicy": "automatic", "objective": "Keep orders when a region is lost"}
TOOK_THE_BEST = "the highest total was selected"

QUEUE = Alternative("queue", {"cost": 3, "complexity": 2, "reversibility": 5}, "A queue between.")
TABLE = Alternative("table", {"cost": 4, "complexity": 4, "reversibility": 3}, "One more table.")
CACHE = Alternative("cache", {"cost": 2, "complexity": 3, "reversibility": 2}, "A cache in front.")
DESIGNS = (QUEUE, TABLE, CACHE)
TOTALS = {"queue": 10, "table": 11, "cache": 7}
IDS = ("queue", "table", "cache")

COLUMNS = "Alternative | Status | Assessment | Rejected because"
SCORES = "Candidate | Viewport | Criterion | Score | Verdict"

EVIDENCE = (
    "request/request.json",
    "response/response.json",
    "response/response.md",
    "response/data/stack-model.json",
)
"""What a choice rests on, as `choice` writes it (contracts 1.7, Fingerprint)."""


def bound(run: RunBuilder, key: str = "1/1", **more: Any) -> None:
    """A branch that is done: the workspace was confirmed."""
    run.branch(key, BIND, **{"files": {"response.md": report()}, **more})


def choice(
    run: RunBuilder,
    key: str,
    *,
    policy: str | None = "approval-required",
    designs: Sequence[Alternative] = DESIGNS,
    selected: str | None = None,
    taken: Mapping[str, str] | None = None,
    files: Mapping[str, Any] | None = None,
    requirements: Mapping[str, Any] | None = None,
    **more: Any,
) -> None:
    """An architecture decision: blocked on CHOICE_REQUIRED unless `more` says otherwise.

    `taken` are the fallbacks that both places record; `files` are laid over what is written.
    """
    asked = {"objective": "Keep orders when a region is lost", "selectionPolicy": policy}
    if policy is None:
        del asked["selectionPolicy"]
    settled: dict[str, Any] = {"status": "blocked", "stop": CHOICE, "fallbacks": list(taken or {})}
    if taken or "status" in more:
        settled = {"status": "done", "fallbacks": list(taken or {})}
    run.branch(
        key,
        ARCHITECTURE,
        **{
            **settled,
            "requirements": {**asked, **(requirements or {})},
            "files": {
                "response.md": architecture_markdown(
                    "order-store",
                    objective=str(asked["objective"]),
                    policy=policy or "automatic",
                    alternatives=designs,
                    selected=selected,
                    fallbacks=taken,
                ),
                "data/stack-model.json": stack_model("order-store", designs, selected=selected),
                **(files or {}),
            },
            **more,
        },
    )


def report(*sections: Section, taken: Mapping[str, str] | None = None) -> str:
    """A response.md with these sections and the fallbacks taken."""
    return document("report", [*sections, fallbacks_section(taken or {})])


def table(heading: str, columns: str, *rows: str) -> Section:
    """A section with one table; columns and cells are parted by ` | `, `¦` is a pipe in a cell."""
    cells = [[cell.replace("¦", "|") for cell in row.split(" | ")] for row in rows]
    return table_section(heading, columns.split(" | "), cells)


def date(path: Path, at_ns: int) -> None:
    """Give a file this time of change."""
    os.utime(path, ns=(at_ns, at_ns))


def stopped_choice(name: str, **more: Any) -> RunBuilder:
    """One branch blocked on CHOICE_REQUIRED with just these files."""
    run = RunBuilder(name)
    settled: dict[str, Any] = {
        "status": "blocked",
        "stop": CHOICE,
        "requirements": ASKED,
        **more,
    }
    run.branch("1/1", ARCHITECTURE, **settled)
    return run


def stopped_direction(name: str, *sections: Any, **more: Any) -> RunBuilder:
    """One branch blocked on DIRECTION_CHOICE_REQUIRED with these sections in response.md."""
    run = RunBuilder(name)
    files = {"response.md": report(*sections), **more.pop("files", {})}
    run.branch(
        "1/1",
        FRONTEND,
        **{
            "status": "blocked",
            "stop": DIRECTION,
            "requirements": {"target": "/cart", "selectionPolicy": "approval-required"},
            "files": files,
            **more,
        },
    )
    return run


def data(*alternatives: Any, **more: Any) -> dict[str, Any]:
    return {"data/stack-model.json": {"alternatives": list(alternatives), **more}}


def scored(name: str, **scores: Any) -> dict[str, Any]:
    return {"alternativeId": name, "status": "viable", "scores": scores}


def question(*options: str, identifier: str | None = "store-question") -> dict[str, Any]:
    return {
        "kind": "choice",
        "decisionId": identifier,
        "options": [
            {"id": option, "label": option.title(), "tradeoff": "costs time"} for option in options
        ],
    }
