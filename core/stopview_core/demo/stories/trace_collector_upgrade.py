"""A wait outside the runtime: the provider of the tracing service is down."""

from __future__ import annotations

from stopview_core.demo.branch import Handoff
from stopview_core.demo.builder import RunBuilder
from stopview_core.demo.markdown import code, document, fallbacks_section, table_section
from stopview_core.demo.stories.common import bound_route
from stopview_core.demo.values import JsonValue, context, head

_COMMIT = head("northwind-tram/main/2026-11-16")
_RESOURCES = ("collector/eu-1", "collector/eu-2")


def build() -> RunBuilder:
    """platform.operate blocked on SERVICE_UNAVAILABLE (2/1); the route leads outside."""
    run = RunBuilder(
        "trace-collector-upgrade",
        project="northwind-tram",
        started="2026-11-16T21:40:00Z",
        mission={"goal": "Both trace collectors on 0.112 before the timetable change."},
    )
    bound_route(
        run,
        "1/1",
        at="2026-11-16T21:46:00Z",
        role="be",
        commit=_COMMIT,
        write_roots=["ops/collector"],
        next=["platform.operate"],
    )
    run.branch(
        "2/1",
        "platform.operate",
        status="blocked",
        stop="SERVICE_UNAVAILABLE",
        began="2026-11-16T21:48:00Z",
        at="2026-11-16T22:07:00Z",
        requirements=_requirements(),
        contexts=[context("@worktrees/sessions/central-runtime", head("central-runtime/311"))],
        reason="collector/eu-1 runs 0.112 and is healthy. For collector/eu-2 the provider's API "
        "has answered 503 since 21:52; its status page names an incident in eu-2. Nothing more "
        "was changed.",
        handoff=Handoff("provider", "external"),
        files={
            "response.md": _markdown(),
            "data/delta.json": {
                "applied": [{"resource": _RESOURCES[0], "from": "0.104", "to": "0.112"}],
                "pending": [{"resource": _RESOURCES[1], "from": "0.104", "to": "0.112"}],
            },
            "data/checks.json": {
                "checks": [
                    {"check": "health", "resource": _RESOURCES[0], "result": "passed"},
                    {"check": "spans arrive", "resource": _RESOURCES[0], "result": "passed"},
                    {"check": "health", "resource": _RESOURCES[1], "result": "not run"},
                ]
            },
        },
    )
    return run


def _requirements() -> dict[str, JsonValue]:
    return {
        "service": "trace-collector",
        "desiredState": {
            "planSha256": head("collector-plan") + head("0.112")[:24],
            "serviceKind": "observability",
            "resourceRefs": list(_RESOURCES),
            "effects": ["replace-image", "restart"],
            "mutableResourceRefs": list(_RESOURCES),
            "observationOnlyResourceRefs": ["dashboard/traces"],
        },
        "portClaims": [],
        "approval": "OPS-2231",
        "routeKey": None,
        "operation": "restart",
        "commit": None,
        "flow": None,
        "identityRotation": None,
        "env": "staging",
        "resume": None,
    }


def _markdown() -> str:
    rows = [
        (code(_RESOURCES[0]), "0.104", "0.112", "healthy"),
        (code(_RESOURCES[1]), "0.104", "0.104", "provider answers 503"),
    ]
    return document(
        "platform-operation-receipt — trace-collector",
        [
            table_section("Resources", ("Resource", "Before", "Now", "State"), rows),
            table_section(
                "Observed",
                ("Time", "What"),
                [
                    ("21:50", "collector/eu-1 replaced and restarted"),
                    ("21:52", "first 503 for collector/eu-2"),
                    ("22:07", "twelve tries in fifteen minutes, all 503"),
                ],
            ),
            fallbacks_section({}),
        ],
    )
