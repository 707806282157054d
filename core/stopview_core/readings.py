"""What core works out about runs and branches: the words every screen and document shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Literal, TypeAlias

from stopview_core.records import Skipped
from stopview_core.resolve import Resolution

ViolationCode: TypeAlias = Literal[
    "APPROVAL_BYPASSED",
    "FALLBACK_NOT_ALLOWED",
    "SHOULD_HAVE_CONTINUED",
    "STOP_UNEXPECTED",
    "STOP_MISSING",
    "STOP_UNLISTED",
    "FALLBACK_UNRECORDED",
    "OPERATOR_MISMATCH",
    "NEXT_DISAGREES",
    "RESUME_BROKEN",
    "RESUME_WITHOUT_DELTA",
    "REQUEST_ALTERED",
    "DECISION_IGNORED",
    "DECISION_CHAIN_BROKEN",
    "DECISION_INVALID",
]
TimeSource: TypeAlias = Literal["transition", "mtime", "receipt"]
DecisionState: TypeAlias = Literal["none", "answered", "resumed", "stale", "withdrawn", "in_force"]
Standing: TypeAlias = Literal["in_force", "superseded", "withdrawn", "stale", "resumed", "ignored"]


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule of contracts 1.6: its code, a sentence, and the path from the run root.

    `about` is the stop code of the one fallback, or the number of the one decision, it speaks of;
    None where it is about the branch.
    """

    code: ViolationCode
    text: str
    where: str
    about: str | None = None


@dataclass(frozen=True, slots=True)
class Stamp:
    """A time and where it was read: a transition, a receipt, or a file's modification time."""

    at: datetime
    source: TimeSource


@dataclass(frozen=True, slots=True)
class Decidability:
    """Whether a person can decide the branch here, and if not, the sentence that says why.

    `takes_approval` and `interaction_id` say which ways the pick goes (`.param`, `.decision`).
    `status_code` is the SACP code of the refusal (contracts 1.7), None where it is decidable.
    """

    is_decidable: bool
    why: str
    status_code: int | None
    takes_approval: bool = False
    interaction_id: str | None = None


@dataclass(frozen=True, slots=True)
class DecisionStatus:
    """The standing of a branch's decision, from the highest-numbered valid receipt (1.7).

    `by` is the approver without `human:`; for `answered` it is who the runtime recorded.
    """

    status: DecisionState
    selected: str | None = None
    seq: str | None = None
    by: str | None = None
    at: datetime | None = None
    reason: str | None = None


NO_DECISION = DecisionStatus("none")


@dataclass(frozen=True, slots=True)
class Offer:
    """One alternative in short: its score by axis (None: missing) and its total."""

    id: str
    scores: Mapping[str, Fraction | None]
    total: Fraction | None


@dataclass(frozen=True, slots=True)
class FallbackRecord:
    """One fallback taken, joined by code from response.json and `## Fallbacks taken` (1.6).

    `selected` is what the operator went on with, `offers` what it weighed and on which scores.
    `resolution` is what its code asks for under the request; `exchange` names the exchange that
    took it, None for the branch itself.
    """

    code: str
    action: str | None
    in_response: bool
    in_document: bool
    selected: str | None
    offers: tuple[Offer, ...]
    highest_total: tuple[str, ...] | None
    at: Stamp | None
    resolution: Resolution | None = None
    exchange: str | None = None


@dataclass(frozen=True, slots=True)
class ExchangeReading:
    """A nested exchange: shown with its branch, never decidable."""

    key: str
    name: str
    status: str
    operator: str | None
    resolution: Resolution | None


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """One valid receipt as history shows it, oldest first in a branch.

    `standing` is what became of it: the status of 1.7 for the newest, superseded for an older one,
    ignored where an attempt resumed the branch without its selection (DECISION_IGNORED).
    """

    seq: str
    selected: str | None
    by: str
    at: datetime
    reason: str | None
    code: str
    offers: tuple[Offer, ...]
    highest_total: tuple[str, ...] | None
    via: str | None
    standing: Standing

    @property
    def is_in_force(self) -> bool:
        """Whether it waits for the operator to resume with it."""
        return self.standing == "in_force"


@dataclass(frozen=True, slots=True)
class BranchReading:
    """One branch, judged. `status` is as written, or running, abandoned, unreadable, unknown.

    `resolution` is there for a stop. `blocked_at` is when it stopped; `finished_at` when it was
    done. `offered` are the ids that can be picked.
    """

    run_id: str
    run_path: Path
    key: str
    operator: str | None
    status: str
    written_code: str | None
    resolution: Resolution | None
    reason: str | None
    blocked_at: Stamp | None
    is_open: bool
    is_import: bool
    decidability: Decidability
    offered: tuple[str, ...]
    highest_total: tuple[str, ...] | None
    decision: DecisionStatus
    decisions: tuple[RecordedDecision, ...]
    fallbacks: tuple[FallbackRecord, ...]
    violations: tuple[Violation, ...]
    exchanges: tuple[ExchangeReading, ...]
    resumes: str | None
    resumed_by: tuple[str, ...]
    unreadable: tuple[Skipped, ...]

    @property
    def path(self) -> Path:
        """The branch's folder."""
        step, _, parallel = self.key.partition("/")
        return self.run_path / f"step-{step}" / f"parallel-{parallel}"

    @property
    def is_bypassed(self) -> bool:
        """Whether a person had been promised this choice and did not get it."""
        return any(violation.code == "APPROVAL_BYPASSED" for violation in self.violations)


@dataclass(frozen=True, slots=True)
class RunReading:
    """One run, judged. `notice` is said once for a run that this registry does not cover.

    `changed_at` is its last transition or decision, else the time of its newest file. `is_quiet`
    where every branch is done and tells nothing else, so that no list has to look at them.
    """

    id: str
    path: Path
    project: str | None
    goal: str | None
    status: str | None
    started_at: datetime | None
    branches: Mapping[str, BranchReading]
    chain: tuple[tuple[str, ...], ...]
    skipped: tuple[Skipped, ...]
    notice: str | None
    changed_at: Stamp | None = None
    is_quiet: bool = field(default=False, compare=False)

    @property
    def open_branches(self) -> tuple[BranchReading, ...]:
        """The branches that wait."""
        if self.is_quiet:
            return ()
        return tuple(branch for branch in self.branches.values() if branch.is_open)
