"""One branch of a sample run as a recipe describes it, with the times and texts it implies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from stopview_core.demo.times import instant
from stopview_core.demo.values import DERIVED, Content, JsonValue, Mark, Override


@dataclass(frozen=True, slots=True)
class Handoff:
    """Whom a stop goes to: the code's domain, and the route's kind and target (contracts 1.1)."""

    domain: str
    kind: str
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Resume:
    """What `request.resume` says: the branch that is resumed, and its token."""

    key: str
    token: str
    stop: str | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """A nested request and response inside a branch, such as a critique.

    `files` are paths from the exchange's response folder. `asked` and `answered` are ISO 8601;
    left out, they lie in the second half of the branch's own time.
    """

    status: str = "done"
    stop: str | None = None
    reason: str | None = None
    inputs: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Content | None] = field(default_factory=dict)
    fields: Mapping[str, JsonValue] | Literal[Mark.DERIVED] = DERIVED
    asked: str | None = None
    answered: str | None = None
    request: Override = DERIVED
    response: Override = DERIVED


@dataclass(frozen=True, slots=True)
class Branch:
    """One attempt of one operator, all of it settled. `began` and `ended` are in UTC."""

    key: str
    step: int
    parallel: int
    operator: str
    status: str
    began: datetime
    ended: datetime
    stop: str | None = None
    requirements: Mapping[str, JsonValue] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    contexts: Sequence[Mapping[str, JsonValue]] = ()
    resume: Resume | None = None
    reason: str | None = None
    next: Sequence[str] = ()
    fallbacks: Sequence[str] = ()
    fields: Mapping[str, JsonValue] | Literal[Mark.DERIVED] = DERIVED
    interaction: Mapping[str, JsonValue] | None = None
    awaiting: Mapping[str, JsonValue] | None = None
    commits: Sequence[str] = ()
    files: Mapping[str, Content | None] = field(default_factory=dict)
    branch_files: Mapping[str, Content | None] = field(default_factory=dict)
    exchanges: Mapping[str, Exchange] = field(default_factory=dict)
    handoff: Handoff | None = None
    lease: Mapping[str, JsonValue] | None = None
    decision_id: str | None = None
    selected_option: str | None = None
    request: Override = DERIVED
    response: Override = DERIVED
    transitions: Sequence[Mapping[str, JsonValue]] | Literal[Mark.DERIVED] = DERIVED

    @property
    def folder(self) -> str:
        """The branch's path from the run root."""
        return f"step-{self.step}/parallel-{self.parallel}"

    @property
    def token(self) -> str:
        """The token that resumes this branch; ValueError where it did not stop."""
        if self.stop is None:
            raise ValueError(f"branch {self.key} did not stop: it has no resume token")
        return resume_token(self.step, self.parallel, self.stop)

    def exchange_times(self, name: str) -> tuple[datetime, datetime]:
        """When the exchange was asked and answered, as said or within this branch's time."""
        exchange = self.exchanges[name]
        span = self.ended - self.began
        asked = instant(exchange.asked) if exchange.asked else self.began + span * 0.5
        answered = instant(exchange.answered) if exchange.answered else self.began + span * 0.75
        return asked, answered


def resume_token(step: int, parallel: int, stop: str) -> str:
    """The token of a stop: `step-<N>-parallel-<M>-<code in lower case, dashed>` (contracts 1.8)."""
    return f"step-{step}-parallel-{parallel}-{stop.lower().replace('_', '-')}"


def split_key(key: str) -> tuple[int, int]:
    """The step and the parallel of a branch key `N/M`; ValueError for any other text."""
    step, slash, parallel = key.partition("/")
    if not (slash and step.isdecimal() and parallel.isdecimal()):
        raise ValueError(f"{key!r} is no branch key such as '2/1'")
    return int(step), int(parallel)
