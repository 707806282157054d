"""Which output kind a sample file is, by operator: the facts of the operators' Outputs tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from stopview_core.demo.values import JsonValue

# Paths from the branch's folder. A pattern with a wildcard is a list in `response.fields`.
_KINDS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "architecture.decide": (
        ("response/response.md", "architecture-decision"),
        ("response/data/current-state.json", "current-state"),
        ("response/data/stack-model.json", "stack-model"),
        ("response/artifacts/*-alternatives.html", "alternatives"),
        ("critique/response/critique.md", "independent-critique"),
    ),
    "backend.source.apply": (
        ("response/response.md", "backend-source-application"),
        ("response/changes.md", "changes"),
        ("response/data/mutations.json", "mutations"),
        ("response/data/conformance/*.json", "conformance"),
        ("response/data/proofs/*.json", "proof"),
    ),
    "business.decide": (
        ("response/response.md", "business-promise-authority"),
        ("response/data/claims.json", "claims"),
        ("response/data/coverage-matrix.json", "coverage-matrix"),
        ("response/data/model.json", "model"),
    ),
    "content.generate": (
        ("response/response.md", "content-generation-receipt"),
        ("response/brief.md", "content-brief"),
        ("response/data/e2e.json", "e2e"),
        ("review/response/review.md", "content-review"),
        ("response/artifacts/article.*.md", "article"),
    ),
    "dependency.update": (
        ("response/data/dependency.json", "dependency-update"),
        ("response/data/proofs/*.json", "dependency-proof"),
        ("response/artifacts/proofs/*.log", "dependency-log"),
        ("response/changes.md", "changes"),
    ),
    "frontend.direction.decide": (
        ("response/response.md", "frontend-direction-decision"),
        ("response/data/coverage.json", "ui-coverage"),
        ("response/artifacts/*.html", "candidates"),
        ("response/artifacts/host.json", "host"),
    ),
    "frontend.presentation.resolve": (
        ("response/response.md", "frontend-presentation-resolution"),
        ("response/data/inventory.json", "inventory"),
        ("response/artifacts/*.resolved.tsx", "resolved-tree"),
    ),
    "frontend.source.apply": (
        ("response/response.md", "frontend-source-application"),
        ("response/changes.md", "changes"),
        ("response/data/writes.json", "writes"),
    ),
    "frontend.surface.audit": (
        ("response/response.md", "frontend-surface-audit"),
        ("response/data/captures/*.json", "capture"),
        ("response/artifacts/*.png", "screenshot"),
        ("response/data/verdicts.json", "verdicts"),
    ),
    "git.publish": (("response/response.md", "git-publication"),),
    "library.source.apply": (
        ("response/data/library.json", "library-source-application"),
        ("response/data/proofs/*.json", "library-proof"),
        ("response/changes.md", "changes"),
    ),
    "platform.operate": (
        ("response/response.md", "platform-operation-receipt"),
        ("response/data/delta.json", "delta"),
        ("response/data/checks.json", "checks"),
        ("response/data/account.json", "uat-account"),
        ("response/changes.md", "changes"),
    ),
    "quality.verify": (
        ("response/response.md", "quality-verification"),
        ("response/data/gates/*.json", "gate-result"),
        ("response/data/coverage.json", "coverage"),
    ),
    "release.deploy": (
        ("response/response.md", "release-deployment"),
        ("response/data/probes.json", "probes"),
    ),
    "uat.verify": (
        ("response/response.md", "uat-flow-verification"),
        ("response/data/snapshot.json", "uat-snapshot"),
        ("response/data/captures/*.json", "uat-capture"),
        ("response/data/verdicts.json", "uat-verdicts"),
    ),
    "workspace.bind": (
        ("response/response.md", "workspace-route-binding"),
        ("response/data/route.json", "route"),
    ),
}


def fields_of(operator: str, paths: Iterable[str]) -> dict[str, JsonValue]:
    """`response.fields` for files given by path from the branch: kind to path, or to paths.

    A file that is none of the operator's outputs is named nowhere.
    """
    fields: dict[str, JsonValue] = {}
    listed = list(paths)
    for pattern, kind in _KINDS.get(operator, ()):
        found = [path for path in listed if fnmatchcase(path, pattern)]
        if found:
            fields[kind] = list(found) if "*" in pattern else found[0]
    return fields
