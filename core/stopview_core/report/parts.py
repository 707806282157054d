"""Parts that several documents share, as models."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from stopview_core.alternatives import number
from stopview_core.readings import Offer, Stamp, Violation
from stopview_core.records import Skipped
from stopview_core.registry.load import RegistryChoice
from stopview_core.registry.model import Registry
from stopview_core.report.models import (
    FlipDoc,
    OfferDoc,
    RegistryDoc,
    RouteDoc,
    SkippedDoc,
    ViolationDoc,
)
from stopview_core.report.plain import (
    branch_values,
    flip_values,
    registry_values,
    route_values,
    skipped_values,
    time_text,
    violation_values,
)
from stopview_core.resolve import Flip, ResolvedRoute

branch_fields = branch_values
__all__ = [
    "branch_fields",
    "flip_part",
    "offer_part",
    "registry_part",
    "route_part",
    "score_text",
    "skipped_part",
    "stamp_texts",
    "time_text",
    "violation_part",
]


def registry_part(registry: Registry, choice: RegistryChoice) -> RegistryDoc:
    """Which registry is in use, and how it came to be."""
    return RegistryDoc(**registry_values(registry, choice))


def skipped_part(skipped: Iterable[Skipped]) -> list[SkippedDoc]:
    """What could not be read, each once."""
    return [SkippedDoc(**values) for values in skipped_values(skipped)]


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
    values = flip_values(flip)
    return FlipDoc(**values) if values is not None else None


def route_part(route: ResolvedRoute) -> RouteDoc:
    """Who a stop goes to."""
    return RouteDoc(**route_values(route))


def violation_part(violation: Violation) -> ViolationDoc:
    """A broken rule."""
    return ViolationDoc(**violation_values(violation))
