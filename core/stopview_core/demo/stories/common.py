"""The steps that many sample runs begin with: a bound checkout, a published promise."""

from __future__ import annotations

from collections.abc import Sequence

from stopview_core.demo.branch import Branch
from stopview_core.demo.builder import RunBuilder
from stopview_core.demo.markdown import code, document, fallbacks_section, table_section
from stopview_core.demo.values import JsonValue, context

BACKEND = "@workspaces/be"
FRONTEND = "@workspaces/fe"
GRAMMAR = "@grammar/core"


def bound_route(
    run: RunBuilder,
    key: str,
    *,
    at: str,
    role: str,
    commit: str,
    write_roots: Sequence[str],
    next: Sequence[str],
) -> Branch:
    """A done workspace.bind: this role's checkout, clean at this commit."""
    checkout = f"worktrees/{run.id}/{role}"
    mutation_branch = f"session/{run.id}"
    return run.branch(
        key,
        "workspace.bind",
        at=at,
        requirements=bind_requirements(run, role, write_roots),
        contexts=[context("@workspaces/device-state"), context(_alias(role), commit)],
        next=next,
        files={
            "response.md": _route_markdown(run, role, commit, checkout, write_roots),
            "data/route.json": {
                "project": run.project,
                "role": role,
                "checkout": checkout,
                "branch": mutation_branch,
                "head": commit,
                "isClean": True,
                "writeRoots": list(write_roots),
                "runtime": None,
            },
        },
    )


def bind_requirements(
    run: RunBuilder, role: str, write_roots: Sequence[str]
) -> dict[str, JsonValue]:
    """The Requirements of workspace.bind for a checkout on the run's own branch."""
    return {
        "project": run.project,
        "role": role,
        "checkout": "session",
        "gitPolicy": [{"worktreeBranches": ["session/*"], "mutationBranch": "main"}],
        "declaredWriteRoots": list(write_roots),
        "runtimeNeed": "none",
        "resume": None,
    }


def published_promise(
    run: RunBuilder,
    key: str,
    *,
    at: str,
    feature: str,
    promise: str,
    commit: str,
    claims: Sequence[tuple[str, str]],
    dimensions: Sequence[str],
    next: Sequence[str],
) -> Branch:
    """A done business.decide: the promise, with a line of source behind each claim."""
    return run.branch(
        key,
        "business.decide",
        at=at,
        requirements=promise_requirements(feature, promise, dimensions),
        contexts=[context(BACKEND, commit)],
        next=next,
        files={
            "response.md": _promise_markdown(feature, promise, claims, dimensions),
            "data/claims.json": {
                "featureId": feature,
                "claims": [
                    {"id": f"C{place}", "statement": statement, "source": f"{source}@{commit[:12]}"}
                    for place, (statement, source) in enumerate(claims, 1)
                ],
            },
            "data/coverage-matrix.json": {
                "featureId": feature,
                "rows": [{"dimension": name, "disposition": "enforced"} for name in dimensions],
            },
            "data/model.json": {"featureId": feature, "state": "in-progress", "promise": promise},
        },
    )


def promise_requirements(
    feature: str, promise: str, dimensions: Sequence[str]
) -> dict[str, JsonValue]:
    """The Requirements of business.decide for a promise that is being worked on."""
    return {
        "featureId": feature,
        "mode": "model",
        "promise": promise,
        "targetState": "in-progress",
        "dimensions": list(dimensions),
        "approval": None,
        "resume": None,
    }


def _alias(role: str) -> str:
    return FRONTEND if role == "fe" else BACKEND


def _route_markdown(
    run: RunBuilder, role: str, commit: str, checkout: str, write_roots: Sequence[str]
) -> str:
    rows = [
        ("Project", code(run.project)),
        ("Role", code(role)),
        ("Checkout", code(checkout)),
        ("Branch", code(f"session/{run.id}")),
        ("Commit", code(commit)),
        ("Uncommitted changes", "none"),
        ("May be written", ", ".join(code(root) for root in write_roots)),
    ]
    return document(
        f"workspace-route-binding — {run.project} {role}",
        [table_section("Route", ("Field", "Value"), rows), fallbacks_section({})],
    )


def _promise_markdown(
    feature: str, promise: str, claims: Sequence[tuple[str, str]], dimensions: Sequence[str]
) -> str:
    return document(
        f"business-promise-authority — {feature}",
        [
            table_section(
                "Promise", ("Field", "Value"), [("Feature", code(feature)), ("Promise", promise)]
            ),
            table_section(
                "Claims",
                ("Claim", "Statement", "Source"),
                [
                    (f"C{place}", statement, code(source))
                    for place, (statement, source) in enumerate(claims, 1)
                ],
            ),
            table_section(
                "Coverage",
                ("Dimension", "Disposition"),
                [(name, "enforced") for name in dimensions],
            ),
            fallbacks_section({}),
        ],
    )
