"""The shape of every `--json` document (architecture 2.3); docs/schemas/ is made from these."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Number = int | float


class Document(BaseModel):
    """The base of all: nothing unknown, null where a value is not there, built when first used."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        defer_build=True,
        populate_by_name=True,
        json_schema_serialization_defaults_required=True,
    )


class SkippedDoc(Document):
    """What could not be read: the path, and why."""

    path: str
    why: str


class RegistryDoc(Document):
    """The registry in use: its folder, how it was chosen, its sha256, how many faults it has."""

    path: str
    chosen_by: str
    sha256: str
    faults: int


class FlipDoc(Document):
    """The requirement whose value flipped the disposition."""

    param: str
    value: Any
    equals: Any


class RouteDoc(Document):
    """Who a stop goes to; unrouted when the map has no answer and a person looks."""

    kind: str
    target: str | None
    unrouted: bool


class ViolationDoc(Document):
    """A broken rule: its code, a sentence, and where, from the run root."""

    code: str
    text: str
    where: str


class DecisionDoc(Document):
    """The standing of a branch's decision."""

    status: Literal["none", "answered", "in_force", "withdrawn", "stale", "resumed"]
    selected: str | None
    seq: str | None
    by: str | None
    at: str | None


class BranchBase(Document):
    """What `list` and `show` say of a branch alike; `path` is its folder, `run` the run's id."""

    run: str
    path: str
    branch: str
    operator: str | None
    status: str
    code: str | None
    written_code: str | None
    disposition: Literal["terminate", "fallback"] | None
    flipped_by: FlipDoc | None
    domain: str | None
    route: RouteDoc | None
    blocked_at: str | None
    blocked_at_source: Literal["transition", "mtime"] | None
    decidable: bool
    decision: DecisionDoc
    violations: list[ViolationDoc]


class ListedBranch(BranchBase):
    """A branch in `list`: the alternatives by id."""

    alternatives: list[str]


class ListCounts(Document):
    """How many there are in all, how many are listed, and how many a filter hides."""

    runs: int
    branches: int
    open: int
    listed: int
    needs_choice: int
    bypassed: int
    hidden: int
    hidden_bypassed: int


class NoticeDoc(Document):
    """Something said once about a whole run."""

    path: str
    text: str


class ListDocument(Document):
    """`stopview list --json`."""

    schema_: Annotated[Literal["stopview.list/1"], Field(alias="schema")] = "stopview.list/1"
    registry: RegistryDoc
    counts: ListCounts
    branches: list[ListedBranch]
    notices: list[NoticeDoc]
    skipped: list[SkippedDoc]


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
    project: str | None
    goal: str | None
    status: str | None
    started_at: str | None
    chain: list[list[str]]
    notice: str | None
    branches: list[ShownBranch]
    skipped: list[SkippedDoc]


class DecideDocument(Document):
    """`stopview decide --json`: the outcome, whichever it is."""

    schema_: Annotated[Literal["stopview.decide/1"], Field(alias="schema")] = "stopview.decide/1"
    status_code: int
    name: str
    written: bool
    path: str | None
    receipt: dict[str, Any] | None
    message: str
    stale: bool
    changed: list[str]
    alternatives: list[str]
    fingerprint: str | None


class ResumeDocument(Document):
    """`stopview resume --json`: the packet, or why there is none."""

    schema_: Annotated[Literal["stopview.resume/1"], Field(alias="schema")] = "stopview.resume/1"
    branch: str | None
    request: dict[str, Any] | None
    requestText: str | None
    state: dict[str, Any] | None
    receipt: str | None
    status_code: int | None
    message: str | None


class HistoryRecordDoc(Document):
    """A fallback taken or a decision made."""

    kind: Literal["fallback", "decision"]
    run: str
    path: str
    branch: str
    operator: str | None
    code: str
    at: str | None
    at_source: Literal["transition", "mtime", "receipt"] | None
    action: str | None
    exchange: str | None
    selected: str | None
    alternatives: list[OfferDoc]
    highest_total: list[str] | None
    seq: str | None
    by: str | None
    reason: str | None
    via: str | None
    in_force: bool | None
    violations: list[ViolationDoc]


class HistoryCounts(Document):
    """Counts of the records shown, and of those a filter hides."""

    fallbacks: int
    decisions: int
    by_code: dict[str, int]
    by_operator: dict[str, int]
    hidden: int
    hidden_bypassed: int


class HistoryDocument(Document):
    """`stopview history --json`."""

    schema_: Annotated[Literal["stopview.history/1"], Field(alias="schema")] = "stopview.history/1"
    registry: RegistryDoc
    counts: HistoryCounts
    records: list[HistoryRecordDoc]
    skipped: list[SkippedDoc]


class FaultDoc(Document):
    """One broken rule of the registry."""

    code: str
    file: str
    path: str
    expected: str
    found: str


class CheckDocument(Document):
    """`stopview check --json`."""

    schema_: Annotated[Literal["stopview.check/1"], Field(alias="schema")] = "stopview.check/1"
    path: str
    closed: bool
    counts: dict[str, int]
    faults: list[FaultDoc]


class ResolveDocument(Document):
    """`stopview resolve --json`."""

    schema_: Annotated[Literal["stopview.resolve/1"], Field(alias="schema")] = "stopview.resolve/1"
    registry: RegistryDoc
    operator: str
    code: str
    written_code: str
    disposition: Literal["terminate", "fallback"] | None
    base_disposition: Literal["terminate", "fallback"] | None
    flipped_by: FlipDoc | None
    domain: str | None
    route: RouteDoc
    meaning: str
    fallback: str | None
    resume: str
    why: list[str]
    faulty: bool


class UnlessDoc(Document):
    """What flips a disposition."""

    param: str
    equals: Any
    then: str


class CodeDoc(Document):
    """One stop code of the merged registry."""

    code: str
    scope: list[str]
    domain: str | None
    disposition: str | None
    meaning: str
    fallback: str | None
    unless: UnlessDoc | None
    resume: str


class CodesDocument(Document):
    """`stopview codes --json`."""

    schema_: Annotated[Literal["stopview.codes/1"], Field(alias="schema")] = "stopview.codes/1"
    registry: RegistryDoc
    codes: list[CodeDoc]


DOCUMENTS: dict[str, tuple[type[Document], ...]] = {
    "list": (ListDocument,),
    "show": (ShowRunDocument, ShowBranchDocument),
    "decide": (DecideDocument,),
    "resume": (ResumeDocument,),
    "history": (HistoryDocument,),
    "check": (CheckDocument,),
    "resolve": (ResolveDocument,),
    "codes": (CodesDocument,),
}
"""The documents of each command; one schema a command, a choice where there are two."""
