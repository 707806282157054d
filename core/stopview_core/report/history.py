"""The document of `stopview history`."""

from __future__ import annotations

from stopview_core.history import History, HistoryRecord
from stopview_core.registry.load import RegistryChoice
from stopview_core.registry.model import Registry
from stopview_core.report.models import (
    HistoryCounts,
    HistoryDocument,
    HistoryRecordDoc,
    OfferDoc,
)
from stopview_core.report.parts import (
    offer_part,
    registry_part,
    skipped_part,
    stamp_texts,
    violation_part,
)
from stopview_core.report.plain import path_values
from stopview_core.snapshot import Snapshot


def history_document(
    history: History, snapshot: Snapshot, registry: Registry, choice: RegistryChoice
) -> HistoryDocument:
    """`stopview.history/1`."""
    decisions = sum(record.kind == "decision" for record in history.records)
    return HistoryDocument(
        registry=registry_part(registry, choice),
        counts=HistoryCounts(
            fallbacks=len(history.records) - decisions,
            decisions=decisions,
            by_code=dict(history.by_code),
            by_operator=dict(history.by_operator),
            hidden=history.hidden,
            hidden_bypassed=history.hidden_bypassed,
        ),
        records=[_record(record) for record in history.records],
        skipped=skipped_part(snapshot.all_skipped()),
    )


def _record(record: HistoryRecord) -> HistoryRecordDoc:
    fallback, decision = record.fallback, record.decision
    step, _, parallel = record.branch.partition("/")
    highest = (fallback or decision).highest_total if fallback or decision else None  # type: ignore[union-attr]
    return HistoryRecordDoc(
        kind=record.kind,
        run=record.run_id,
        **path_values(record.run_path / f"step-{step}" / f"parallel-{parallel}"),  # type: ignore[arg-type]
        branch=record.branch,
        operator=record.operator,
        code=record.code,
        **stamp_texts(record.at),
        action=fallback.action if fallback else None,
        exchange=fallback.exchange if fallback else None,
        selected=record.selected,
        alternatives=_offers(record),
        highest_total=None if highest is None else list(highest),
        seq=decision.seq if decision else None,
        by=decision.by if decision else None,
        reason=decision.reason if decision else None,
        via=decision.via if decision else None,
        in_force=decision.is_in_force if decision else None,
        violations=[violation_part(violation) for violation in record.violations],
    )


def _offers(record: HistoryRecord) -> list[OfferDoc]:
    if record.fallback is not None:
        return [offer_part(offer) for offer in record.fallback.offers]
    return [offer_part(offer) for offer in record.decision.offers] if record.decision else []
