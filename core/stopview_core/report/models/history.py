"""The document of `history`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from stopview_core.report.models.base import Document, RegistryDoc, SkippedDoc, ViolationDoc
from stopview_core.report.models.showing import OfferDoc


class HistoryRecordDoc(Document):
    """A fallback taken or a decision made."""

    kind: Literal["fallback", "decision"]
    run: str
    path: str
    path_bytes: str | None
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
