"""Work that is under way: one branch runs, the one beside it awaits its critique."""

from __future__ import annotations

from stopview_core.demo.architecture import Alternative, stack_model
from stopview_core.demo.branch import Exchange
from stopview_core.demo.builder import RunBuilder
from stopview_core.demo.stories.common import BACKEND, FRONTEND, published_promise
from stopview_core.demo.stories.decisions import (
    architecture_requirements,
    direction_requirements,
)
from stopview_core.demo.values import context, head

_OBJECTIVE = "Rebuild the product search index in under an hour while searches go on."
_COMMIT = head("bookbarn/main/2026-11-23")
_ALTERNATIVES = (
    Alternative(
        "two-indexes-one-alias",
        {"cost": 3, "complexity": 4, "reversibility": 5},
        "Build the new index beside the old one, then move the alias. Twice the disk for an hour.",
    ),
)


def build() -> RunBuilder:
    """architecture.decide waiting (2/1), frontend.direction.decide running (2/2)."""
    run = RunBuilder(
        "search-index-rebuild",
        project="bookbarn",
        started="2026-11-23T09:00:00Z",
        mission={"goal": _OBJECTIVE},
    )
    published_promise(
        run,
        "1/1",
        at="2026-11-23T09:24:00Z",
        feature="search",
        promise="A book that is in stock is found by its title within a minute of its arrival.",
        commit=_COMMIT,
        claims=[
            ("Stock changes reach the index through a queue", "search/feed/consumer.py:30-77"),
            ("The shop reads the alias, never an index by name", "search/client.py:12"),
        ],
        dimensions=["finding", "freshness", "rebuilding"],
        next=["architecture.decide", "frontend.direction.decide"],
    )
    _waiting(run)
    _running(run)
    return run


def _waiting(run: RunBuilder) -> None:
    decision = "index-rebuild"
    run.branch(
        "2/1",
        "architecture.decide",
        status="waiting",
        began="2026-11-23T09:25:00Z",
        at="2026-11-23T09:51:00Z",
        requirements=architecture_requirements(
            decision,
            _OBJECTIVE,
            constraints=[
                ("no-gap", "fixed-intent", "Every search gets an answer meanwhile."),
                ("one-hour", "measurable", "6.2 million books in under an hour."),
            ],
        ),
        inputs={"model": "step-1/parallel-1/response/data/model.json"},
        contexts=[context(BACKEND, _COMMIT)],
        awaiting={"exchange": "critique", "kind": "independent-critique"},
        exchanges={
            "critique": Exchange(
                status="running",
                asked="2026-11-23T09:51:00Z",
                inputs={"stack-model": "step-2/parallel-1/response/data/stack-model.json"},
                response=None,
            )
        },
        files={
            "data/current-state.json": {"head": _COMMIT, "books": 6200000, "rebuildMinutes": 340},
            "data/stack-model.json": stack_model(decision, _ALTERNATIVES),
        },
    )


def _running(run: RunBuilder) -> None:
    run.branch(
        "2/2",
        "frontend.direction.decide",
        status="running",
        began="2026-11-23T09:26:00Z",
        requirements=direction_requirements(
            "/search", intent="modify", change_level="refine", owner_ceiling="surface-only"
        ),
        inputs={"business-promise-authority": "step-1/parallel-1/response/response.md"},
        contexts=[context(FRONTEND, head("bookbarn/web/2026-11-23"))],
        lease={"agent": "frontend-2", "holds": ["web/search"]},
    )
