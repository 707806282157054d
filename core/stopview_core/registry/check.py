"""Says whether a registry is sound and its routing map closed, with every fault at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from stopview_core.registry.faults import RULES
from stopview_core.registry.model import Fault
from stopview_core.registry.parse import parse_registry
from stopview_core.registry.source import read_source
from stopview_core.registry.tree import Tree

__all__ = ["RULES", "CheckReport", "Counts", "check"]


@dataclass(frozen=True, slots=True)
class Counts:
    """How much was read: `stops` are the rows of all Stops tables, `kinds` routes by kind."""

    operators: int
    routes: int
    codes: int
    shared: int
    own: int
    stops: int
    kinds: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Every fault of a registry, and what it holds; sound and closed where there is no fault."""

    faults: tuple[Fault, ...]
    counts: Counts

    @property
    def is_closed(self) -> bool:
        return not self.faults


def check(root: Path) -> CheckReport:
    """Check the registry at `root` by every rule of contracts 1.2 and 1.3; raises nothing."""
    tree, faults = parse_registry(read_source(root))
    return CheckReport(faults, _counts(tree))


def _counts(tree: Tree) -> Counts:
    routes = [
        route
        for table in (tree.routing.routes if tree.routing else {}).values()
        for route in table.values()
    ]
    shared = sum(entry.is_shared for entry in tree.entries.values())
    return Counts(
        operators=len(tree.operators),
        routes=len(routes),
        codes=len(tree.entries),
        shared=shared,
        own=len(tree.entries) - shared,
        stops=sum(1 for _ in tree.stops()),
        kinds=dict(sorted(Counter(route.kind for route in routes if route.kind).items())),
    )
