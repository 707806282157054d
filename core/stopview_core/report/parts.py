"""Parts that several documents share."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from stopview_core.alternatives import number
from stopview_core.readings import BranchReading, Offer, Stamp, Violation
from stopview_core.records import Skipped
from stopview_core.registry.load import RegistryChoice
from stopview_core.registry.model import Registry
from stopview_core.report.models import (
    DecisionDoc,
    FlipDoc,
    OfferDoc,
    RegistryDoc,
    RouteDoc,
    SkippedDoc,
    ViolationDoc,
)
from stopview_core.resolve import Flip, Resolution, ResolvedRoute
from stopview_core.text import clean


def registry_part(registry: Registry, choice: RegistryChoice) -> RegistryDoc:
    """Which registry is in use, and how it came to be."""
    return RegistryDoc(
        path=clean(os.fspath(registry.root)),
        chosen_by=choice.how,
        sha256=registry.sha256,
        faults=len(registry.faults),
    )


def skipped_part(skipped: Iterable[Skipped]) -> list[SkippedDoc]:
    """What could not be read, each once."""
    told = dict.fromkeys((item.path, item.why) for item in skipped)
    return [SkippedDoc(path=path, why=why) for path, why in told]


def time_text(at: datetime | None) -> str | None:
    """A time as ISO 8601 in UTC with milliseconds, or null."""
    if at is None:
        return None
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def stamp_texts(stamp: Stamp | None) -> dict[str, Any]:
    """`at` and `at_source`."""
    return {
        "at": time_text(stamp.at) if stamp else None,
        "at_source": stamp.source if stamp else None,
    }


def score_text(score: Fraction | None) -> int | float | None:
    """A score or total as a JSON number, null where it is missing."""
    return None if score is None else number(score)


def offer_part(offer: Offer) -> OfferDoc:
    """An alternative in short."""
    return OfferDoc(
        id=offer.id,
        scores={axis: score_text(score) for axis, score in offer.scores.items()},
        total=score_text(offer.total),
    )


def flip_part(flip: Flip | None) -> FlipDoc | None:
    """What flipped the disposition."""
    return FlipDoc(param=flip.param, value=flip.value, equals=flip.equals) if flip else None


def route_part(route: ResolvedRoute) -> RouteDoc:
    """Who a stop goes to."""
    return RouteDoc(kind=route.kind, target=route.target, unrouted=route.unrouted)


def violation_part(violation: Violation) -> ViolationDoc:
    """A broken rule."""
    return ViolationDoc(code=violation.code, text=violation.text, where=violation.where)


def branch_fields(branch: BranchReading) -> dict[str, Any]:
    """The fields that `list` and `show` give a branch alike."""
    resolution: Resolution | None = branch.resolution
    decision = branch.decision
    return {
        "run": branch.run_id,
        "path": clean(os.fspath(branch.path)),
        "branch": branch.key,
        "operator": branch.operator,
        "status": branch.status,
        "code": resolution.code if resolution else None,
        "written_code": resolution.written_code if resolution else None,
        "disposition": resolution.disposition if resolution else None,
        "flipped_by": flip_part(resolution.flipped_by) if resolution else None,
        "domain": resolution.domain if resolution else None,
        "route": route_part(resolution.route) if resolution else None,
        "blocked_at": time_text(branch.blocked_at.at) if branch.blocked_at else None,
        "blocked_at_source": branch.blocked_at.source if branch.blocked_at else None,
        "decidable": branch.decidability.is_decidable,
        "decision": DecisionDoc(
            status=decision.status,
            selected=decision.selected,
            seq=decision.seq,
            by=decision.by,
            at=time_text(decision.at),
        ),
        "violations": [violation_part(violation) for violation in branch.violations],
    }
