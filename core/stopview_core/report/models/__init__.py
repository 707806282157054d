"""The shape of every `--json` document (architecture 2.3); docs/schemas/ is made from these."""

from __future__ import annotations

from stopview_core.report.models.base import (
    BranchBase,
    DecisionDoc,
    Document,
    FlipDoc,
    RegistryDoc,
    RouteDoc,
    SkippedDoc,
    ViolationDoc,
)
from stopview_core.report.models.deciding import DecideDocument, ResumeDocument
from stopview_core.report.models.history import HistoryCounts, HistoryDocument, HistoryRecordDoc
from stopview_core.report.models.listing import ListCounts, ListDocument, ListedBranch, NoticeDoc
from stopview_core.report.models.registry import (
    CheckDocument,
    CodeDoc,
    CodesDocument,
    FaultDoc,
    ResolveDocument,
    UnlessDoc,
)
from stopview_core.report.models.showing import (
    AlternativeDoc,
    DecisionFileDoc,
    ExchangeDoc,
    FallbackDoc,
    MissingDoc,
    NoteDoc,
    OfferDoc,
    ReceiptDoc,
    ScoreReadingDoc,
    ShowBranchDocument,
    ShownBranch,
    ShowRunDocument,
)

__all__ = [
    "DOCUMENTS",
    "AlternativeDoc",
    "BranchBase",
    "CheckDocument",
    "CodeDoc",
    "CodesDocument",
    "DecideDocument",
    "DecisionDoc",
    "DecisionFileDoc",
    "Document",
    "ExchangeDoc",
    "FallbackDoc",
    "FaultDoc",
    "FlipDoc",
    "HistoryCounts",
    "HistoryDocument",
    "HistoryRecordDoc",
    "ListCounts",
    "ListDocument",
    "ListedBranch",
    "MissingDoc",
    "NoteDoc",
    "NoticeDoc",
    "OfferDoc",
    "ReceiptDoc",
    "RegistryDoc",
    "ResolveDocument",
    "ResumeDocument",
    "RouteDoc",
    "ScoreReadingDoc",
    "ShowBranchDocument",
    "ShowRunDocument",
    "ShownBranch",
    "SkippedDoc",
    "UnlessDoc",
    "ViolationDoc",
]

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
