"""Parts of documents as plain values, for the documents that are made without pydantic.

Importing pydantic takes longer than listing a thousand runs. The models say what shapes these are.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

from stopview_core.readings import BranchReading, DecisionStatus, Violation
from stopview_core.records import Skipped
from stopview_core.registry.load import RegistryChoice
from stopview_core.registry.model import Registry
from stopview_core.resolve import Flip, ResolvedRoute
from stopview_core.text import clean


def registry_values(registry: Registry, choice: RegistryChoice) -> dict[str, Any]:
    """`RegistryDoc`: which registry is in use, and how it came to be."""
    return {
        "path": clean(os.fspath(registry.root)),
        "chosen_by": choice.how,
        "sha256": registry.sha256,
        "faults": len(registry.faults),
    }


def path_values(path: PurePath) -> dict[str, str | None]:
    """`path` as text that can be shown, and `path_bytes` where that is not the path itself.

    `path_bytes` is base64 of the bytes that name the folder on disk: those of a name that holds a
    control character, or is no text at all, cannot be had back from `path`.
    """
    written = os.fspath(path)
    shown = clean(written)
    if shown == written:
        return {"path": shown, "path_bytes": None}
    from binascii import b2a_base64

    return {"path": shown, "path_bytes": b2a_base64(os.fsencode(written), newline=False).decode()}


def skipped_values(skipped: Iterable[Skipped]) -> list[dict[str, Any]]:
    """`SkippedDoc`s: what could not be read, each once."""
    told = dict.fromkeys((item.path, item.why) for item in skipped)
    return [{"path": path, "why": why} for path, why in told]


def time_text(at: datetime | None) -> str | None:
    """A time as ISO 8601 in UTC with milliseconds, or null."""
    if at is None:
        return None
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def flip_values(flip: Flip | None) -> dict[str, Any] | None:
    """`FlipDoc`: what flipped the disposition."""
    return {"param": flip.param, "value": flip.value, "equals": flip.equals} if flip else None


def route_values(route: ResolvedRoute) -> dict[str, Any]:
    """`RouteDoc`: who a stop goes to."""
    return {"kind": route.kind, "target": route.target, "unrouted": route.unrouted}


def violation_values(violation: Violation) -> dict[str, Any]:
    """`ViolationDoc`: a broken rule."""
    return {"code": violation.code, "text": violation.text, "where": violation.where}


def branch_values(branch: BranchReading) -> dict[str, Any]:
    """`BranchBase`: the fields that `list` and `show` give a branch alike."""
    resolution = branch.resolution
    return {
        "run": branch.run_id,
        **path_values(branch.path),
        "branch": branch.key,
        "operator": branch.operator,
        "status": branch.status,
        "code": resolution.code if resolution else None,
        "written_code": resolution.written_code if resolution else None,
        "disposition": resolution.disposition if resolution else None,
        "flipped_by": flip_values(resolution.flipped_by) if resolution else None,
        "domain": resolution.domain if resolution else None,
        "route": route_values(resolution.route) if resolution else None,
        "blocked_at": time_text(branch.blocked_at.at) if branch.blocked_at else None,
        "blocked_at_source": branch.blocked_at.source if branch.blocked_at else None,
        "decidable": branch.decidability.is_decidable,
        "decision": _decision_values(branch.decision),
        "violations": [violation_values(violation) for violation in branch.violations],
    }


def _decision_values(decision: DecisionStatus) -> dict[str, Any]:
    return {
        "status": decision.status,
        "selected": decision.selected,
        "seq": decision.seq,
        "by": decision.by,
        "at": time_text(decision.at),
    }
