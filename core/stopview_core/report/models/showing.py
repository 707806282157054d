"""The documents of `show`: a run, a branch."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from stopview_core.report.models.base import (
    BranchBase,
    Document,
    Number,
    RegistryDoc,
    RouteDoc,
    SkippedDoc,
)


class ScoreReadingDoc(Document):
    """One score as it stands in a file: on which viewport, with which verdict."""

    value: Number
    viewport: str | None
    verdict: str | None
    source: str


class NoteDoc(Document):
    """A row of another table that names the alternative."""

    heading: str
    cells: dict[str, str]


class MissingDoc(Document):
    """A score that others have and this alternative lacks: on which axis and viewport."""

    axis: str
    viewport: str | None


class AlternativeDoc(Document):
    """One thing a person can pick; a missing score and a total that rests on one are null."""

    id: str
    label: str | None
    scores: dict[str, Number | None]
    total: Number | None
    status: str | None
    assessment: str | None
    rejected_because: str | None
    tradeoff: str | None
    artifacts: list[str]
    sources: dict[str, str]
    readings: dict[str, list[ScoreReadingDoc]]
    missing: list[MissingDoc]
    notes: list[NoteDoc]
    selectable: bool


class OfferDoc(Document):
    """An alternative in short, as it was weighed."""

    id: str
    scores: dict[str, Number | None]
    total: Number | None


class FallbackDoc(Document):
    """A fallback taken, joined from both places."""

    code: str
    action: str | None
    in_response: bool
    in_document: bool
    exchange: str | None
    selected: str | None
    alternatives: list[OfferDoc]
    highest_total: list[str] | None
    at: str | None
    at_source: Literal["transition", "mtime", "receipt"] | None


class DecisionFileDoc(Document):
    """One file of `decision/`, valid or not."""

    seq: str
    path: str
    valid: bool
    problems: list[str]
    selected: str | None
    by: str | None
    at: str | None
    reason: str | None
    via: str | None
    supersedes: str | None
    alternatives: list[str]
    highest_total: list[str] | None


class ReceiptDoc(Document):
    """A SACP receipt found in a branch, with what its code asks for and what is wrong with it."""

    path: str
    status_code: int | None
    name: str | None
    family: str | None
    meaning: str | None
    typical_fix: str | None
    retry: str | None
    guidance: str | None
    faults: list[str]


class ExchangeDoc(Document):
    """A nested exchange, shown with its branch."""

    branch: str
    status: str
    operator: str | None
    code: str | None
    written_code: str | None
    route: RouteDoc | None


class ShownBranch(BranchBase):
    """A branch in full."""

    alternatives: list[AlternativeDoc]
    axes: list[str]
    uses_means: bool
    highest_total: list[str] | None
    meaning: str | None
    fallback: str | None
    resume: str | None
    why: list[str]
    not_decidable_because: str | None
    reason: str | None
    requirements: dict[str, Any]
    fallbacks: list[FallbackDoc]
    decisions: list[DecisionFileDoc]
    receipts: list[ReceiptDoc]
    lineage: list[str]
    resumes: str | None
    resumed_by: list[str]
    exchanges: list[ExchangeDoc]
    evidence: list[str]
    fingerprint: str | None


class ShowBranchDocument(ShownBranch):
    """`stopview show RUN BRANCH --json`."""

    schema_: Annotated[Literal["stopview.show/1"], Field(alias="schema")] = "stopview.show/1"
    registry: RegistryDoc
    skipped: list[SkippedDoc]


class ShowRunDocument(Document):
    """`stopview show RUN --json`: the run and every branch of it in full."""

    schema_: Annotated[Literal["stopview.show/1"], Field(alias="schema")] = "stopview.show/1"
    registry: RegistryDoc
    run: str
    path: str
    path_bytes: str | None
    project: str | None
    goal: str | None
    status: str | None
    started_at: str | None
    chain: list[list[str]]
    notice: str | None
    branches: list[ShownBranch]
    skipped: list[SkippedDoc]
