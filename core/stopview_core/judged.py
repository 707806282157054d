"""What is known of a branch, and of its run, before rules are held against it (contracts 1.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from stopview_core.decisions import Decisions
from stopview_core.lineage import Lineage
from stopview_core.readings import ExchangeReading, FallbackRecord
from stopview_core.records import Branch, JsonValue, Run
from stopview_core.registry.model import Registry
from stopview_core.resolve import Resolution

DOCUMENT = "response/response.md"
RESPONSE = "response/response.json"
REQUEST = "request/request.json"


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known of a branch before its violations are looked for."""

    branch: Branch
    operator: str | None
    resolution: Resolution | None
    fallbacks: tuple[FallbackRecord, ...]
    decisions: Decisions
    exchanges: tuple[ExchangeReading, ...] = ()

    @property
    def key(self) -> str:
        """The branch's key."""
        return self.branch.key

    @property
    def requirements(self) -> Mapping[str, JsonValue]:
        """The request's requirements; none where it was not read."""
        return self.branch.request.requirements if self.branch.request else {}

    @property
    def is_blocked(self) -> bool:
        """Whether its status is blocked."""
        return self.branch.response is not None and self.branch.response.status == "blocked"

    def at(self, file: str) -> str:
        """A file of the branch, by path from the run root."""
        return f"{self.branch.folder}/{file}"


@dataclass(frozen=True, slots=True)
class Context:
    """What a rule may look at: the run, its resumes, the registry, and all judged branches.

    `mtime_of` gives the modification time in nanoseconds of a path from the run root, or None.
    `is_covered` tells whether the registry knows the run's operators.
    """

    run: Run
    lineage: Lineage
    registry: Registry
    judged: Mapping[str, Judged]
    mtime_of: Callable[[str], int | None]
    is_covered: bool
