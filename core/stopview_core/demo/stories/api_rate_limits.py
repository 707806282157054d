"""The source moved under the work: a stop that another operator clears, no person needed."""

from __future__ import annotations

from stopview_core.demo.architecture import Alternative, architecture_markdown, stack_model
from stopview_core.demo.branch import Handoff
from stopview_core.demo.builder import RunBuilder
from stopview_core.demo.markdown import (
    Attack,
    code,
    document,
    fallbacks_section,
    table_section,
)
from stopview_core.demo.stories.common import BACKEND, published_promise
from stopview_core.demo.stories.decisions import architecture_requirements, critique
from stopview_core.demo.values import context, head

_DECISION = "rate-limit-store"
_OBJECTIVE = (
    "Limit each API key to its plan's requests a minute, the same number whichever of the six "
    "gateways answers."
)
_COMMIT = head("parcel-api/main/2026-11-05")
_MOVED = head("parcel-api/main/hotfix-4182")
_ALTERNATIVES = (
    Alternative(
        "shared-counter",
        {"cost": 4, "complexity": 4, "reversibility": 5},
        "One counter an API key in the Redis that the gateways already use for sessions, "
        "with a sliding window of a minute. 0.6 ms a request.",
        status="selected",
    ),
)


def build() -> RunBuilder:
    """backend.source.apply blocked on SOURCE_DRIFT (3/1); workspace.bind is next."""
    run = RunBuilder(
        "api-rate-limits",
        project="parcel-api",
        started="2026-11-05T12:30:00Z",
        mission={"goal": _OBJECTIVE},
    )
    published_promise(
        run,
        "1/1",
        at="2026-11-05T12:58:00Z",
        feature="rate-limits",
        promise="A customer can use every request the plan names, and is told how long to wait "
        "when there are none left.",
        commit=_COMMIT,
        claims=[
            ("Plans name requests a minute", "plans/catalogue.yaml:8-61"),
            ("A refused request answers 429 with Retry-After", "gateway/middleware/throttle.py:44"),
        ],
        dimensions=["counting", "refusing", "telling the customer"],
        next=["architecture.decide"],
    )
    _decision(run)
    _drift(run)
    return run


def _decision(run: RunBuilder) -> None:
    run.branch(
        "2/1",
        "architecture.decide",
        at="2026-11-05T13:20:00Z",
        requirements=architecture_requirements(
            _DECISION,
            _OBJECTIVE,
            constraints=[
                ("one-number", "fixed-intent", "All gateways count together."),
                ("two-ms", "measurable", "At most 2 ms added to a request at p99."),
            ],
        ),
        inputs={"model": "step-1/parallel-1/response/data/model.json"},
        contexts=[context(BACKEND, _COMMIT)],
        next=["backend.source.apply"],
        files={
            "response.md": architecture_markdown(
                _DECISION,
                objective=_OBJECTIVE,
                policy="automatic",
                alternatives=_ALTERNATIVES,
                selected="shared-counter",
                attacks=[
                    Attack(
                        "Redis fails over",
                        "shared-counter",
                        "holds",
                        "the gateways let requests through for the 4 s and log it",
                    )
                ],
            ),
            "data/current-state.json": {"head": _COMMIT, "gateways": 6, "stores": ["Redis 7.2"]},
            "data/stack-model.json": stack_model(
                _DECISION, _ALTERNATIVES, selected="shared-counter"
            ),
        },
        exchanges={
            "critique": critique(
                _DECISION,
                "step-2/parallel-1/response/data/stack-model.json",
                [
                    (
                        "one hot key overloads one Redis shard",
                        "answered",
                        "9,000 requests a second on one key: 11 % CPU",
                    )
                ],
            )
        },
    )


def _drift(run: RunBuilder) -> None:
    files = ["gateway/middleware/throttle.py", "gateway/limits/window.py"]
    run.branch(
        "3/1",
        "backend.source.apply",
        status="blocked",
        stop="SOURCE_DRIFT",
        began="2026-11-05T13:22:00Z",
        at="2026-11-05T13:26:00Z",
        requirements={
            "featureId": "rate-limits",
            "outcome": "The gateways share one sliding window an API key.",
            "mutableFileRefs": files,
            "contractFingerprint": None,
            "mode": "apply",
            "resume": None,
        },
        inputs={
            "architecture-decision": "step-2/parallel-1/response/response.md",
            "model": "step-1/parallel-1/response/data/model.json",
        },
        contexts=[context(BACKEND, _COMMIT)],
        reason=f"main moved from {_COMMIT[:12]} to {_MOVED[:12]}: the hotfix for ticket 4182 "
        "changed gateway/middleware/throttle.py, which this work may write. Nothing was written.",
        next=["workspace.bind"],
        handoff=Handoff("workspace", "operator", "workspace.bind"),
        files={
            "response.md": document(
                "backend-source-application — rate-limits",
                [
                    table_section(
                        "Observed",
                        ("Item", "Asked for", "Found"),
                        [
                            ("main", code(_COMMIT[:12]), code(_MOVED[:12])),
                            (code(files[0]), "unchanged", "changed by ticket 4182"),
                        ],
                    ),
                    fallbacks_section({}),
                ],
            )
        },
    )
