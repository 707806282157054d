"""The documents of `stopview show`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from stopview_core.alternatives import Alternative, AlternativeTable
from stopview_core.decisions import DecisionFile, Decisions
from stopview_core.dossier import Dossier, OpenedRun
from stopview_core.evidence import Evidence, NoEvidence, evidence_paths
from stopview_core.readings import BranchReading, Decidability, ExchangeReading, FallbackRecord
from stopview_core.receipts import FoundReceipt
from stopview_core.records import Branch, JsonValue, Skipped
from stopview_core.registry.load import RegistryChoice
from stopview_core.registry.model import Registry
from stopview_core.report.models import (
    AlternativeDoc,
    DecisionFileDoc,
    ExchangeDoc,
    FallbackDoc,
    MissingDoc,
    NoteDoc,
    ReceiptDoc,
    ScoreReadingDoc,
    ShowBranchDocument,
    ShownBranch,
    ShowRunDocument,
)
from stopview_core.report.parts import (
    branch_fields,
    offer_part,
    registry_part,
    route_part,
    score_text,
    skipped_part,
    stamp_texts,
    time_text,
)
from stopview_core.report.plain import path_values
from stopview_core.text import clean


def branch_document(
    dossier: Dossier, registry: Registry, choice: RegistryChoice
) -> ShowBranchDocument:
    """`stopview.show/1` of one branch."""
    fields = _shown_fields(
        dossier.reading,
        dossier.branch,
        dossier.alternatives,
        dossier.decisions,
        dossier.receipts,
        dossier.attempts,
        dossier.decidability,
        dossier.evidence,
    )
    folder = clean(os.fspath(dossier.reading.path))
    state = f"{clean(os.fspath(dossier.run.path))}/state.json"
    skipped = [
        item
        for item in dossier.run.skipped
        if item.path in (folder, state) or item.path.startswith(f"{folder}/")
    ]
    return ShowBranchDocument(
        **fields,
        registry=registry_part(registry, choice),
        skipped=skipped_part([*skipped, *_problems(dossier.reading, dossier.alternatives)]),
    )


def run_document(opened: OpenedRun, registry: Registry, choice: RegistryChoice) -> ShowRunDocument:
    """`stopview.show/1` of a run."""
    run, judgement = opened.reading, opened.judgement
    branches = [
        ShownBranch(
            **_shown_fields(
                reading,
                opened.run.branches[key],
                judgement.alternatives[key],
                judgement.judged[key].decisions,
                opened.receipts[key],
                judgement.lineage.attempts(key),
                opened.decidability(key),
                opened.evidence[key],
            )
        )
        for key, reading in run.branches.items()
    ]
    problems = [
        problem
        for key, reading in run.branches.items()
        for problem in _problems(reading, judgement.alternatives[key])
    ]
    return ShowRunDocument(
        registry=registry_part(registry, choice),
        run=run.id,
        **path_values(run.path),  # type: ignore[arg-type]
        project=run.project,
        goal=run.goal,
        status=run.status,
        started_at=time_text(run.started_at),
        chain=[list(step) for step in run.chain],
        notice=run.notice,
        branches=branches,
        skipped=skipped_part([*opened.skipped, *problems]),
    )


def _problems(reading: BranchReading, table: AlternativeTable) -> Iterator[Skipped]:
    """What of the alternatives could not be read, or contradicts, by its full path."""
    folder = clean(os.fspath(reading.path))
    for problem in table.problems:
        yield Skipped(f"{folder}/{problem.path}", problem.why, is_partial=True)


def _shown_fields(
    reading: BranchReading,
    branch: Branch,
    table: AlternativeTable,
    decisions: Decisions,
    receipts: Sequence[FoundReceipt],
    attempts: Sequence[str],
    able: Decidability,
    evidence: Evidence | NoEvidence,
) -> dict[str, Any]:
    resolution = reading.resolution
    axes = (*table.axes, *table.other_axes)
    return {
        **branch_fields(reading),
        "decidable": able.is_decidable,
        "alternatives": [_alternative(a, axes, table) for a in table.alternatives],
        "axes": list(table.axes),
        "uses_means": table.uses_means,
        "highest_total": None if table.highest_total is None else list(table.highest_total),
        "meaning": resolution.meaning if resolution else None,
        "fallback": resolution.fallback if resolution else None,
        "resume": resolution.resume if resolution else None,
        "why": list(resolution.why) if resolution else [],
        "not_decidable_because": able.why or None,
        "reason": reading.reason,
        "requirements": _cleaned(branch.request.requirements) if branch.request else {},
        "fallbacks": [_fallback(record) for record in reading.fallbacks],
        "decisions": [_decision(file) for file in decisions.files],
        "receipts": [_receipt(found) for found in receipts],
        "lineage": list(attempts),
        "resumes": reading.resumes,
        "resumed_by": list(reading.resumed_by),
        "exchanges": [_exchange(exchange) for exchange in reading.exchanges],
        "evidence": [clean(path) for path in evidence_paths(branch, table)],
        "fingerprint": evidence.fingerprint if isinstance(evidence, Evidence) else None,
    }


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(key): _cleaned(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_cleaned(inner) for inner in value]
    return value


def _alternative(
    alternative: Alternative, axes: tuple[str, ...], table: AlternativeTable
) -> AlternativeDoc:
    return AlternativeDoc(
        id=alternative.id,
        label=alternative.label,
        scores={axis: score_text(alternative.mean(axis)) for axis in axes},
        total=score_text(alternative.total),
        status=alternative.status,
        assessment=alternative.assessment,
        rejected_because=alternative.rejected_because,
        tradeoff=alternative.tradeoff,
        artifacts=[clean(path) for path in alternative.artifacts],
        sources=dict(alternative.sources),
        readings={
            axis: [
                ScoreReadingDoc(
                    value=score_text(score.value) or 0,
                    viewport=score.viewport,
                    verdict=score.verdict,
                    source=score.source,
                )
                for score in scores
            ]
            for axis, scores in alternative.scores.items()
        },
        missing=[
            MissingDoc(axis=axis, viewport=viewport) for axis, viewport in alternative.missing
        ],
        notes=[NoteDoc(heading=note.heading, cells=dict(note.cells)) for note in alternative.notes],
        selectable=alternative.id in table.offered,
    )


def _fallback(record: FallbackRecord) -> FallbackDoc:
    return FallbackDoc(
        code=record.code,
        action=record.action,
        in_response=record.in_response,
        in_document=record.in_document,
        exchange=record.exchange,
        selected=record.selected,
        alternatives=[offer_part(offer) for offer in record.offers],
        highest_total=None if record.highest_total is None else list(record.highest_total),
        **stamp_texts(record.at),
    )


def _decision(file: DecisionFile) -> DecisionFileDoc:
    return DecisionFileDoc(
        seq=file.seq,
        path=clean(file.where),
        valid=file.is_valid,
        problems=list(file.problems),
        selected=_clean_or_none(file.selected),
        by=file.approver or None,
        at=time_text(file.processed_at),
        reason=_clean_or_none(file.text("reason")),
        via=_clean_or_none(file.text("via")),
        supersedes=_clean_or_none(file.text("supersedes")),
        alternatives=[clean(identifier) for identifier in file.offered],
        highest_total=_listed(file.extension("highest_total")),
    )


def _clean_or_none(text: str | None) -> str | None:
    return None if text is None else clean(text)


def _listed(value: JsonValue) -> list[str] | None:
    if not isinstance(value, list):
        return None
    return [clean(item) for item in value if isinstance(item, str)]


def _receipt(found: FoundReceipt) -> ReceiptDoc:
    code = found.receipt.code
    return ReceiptDoc(
        path=clean(found.where),
        status_code=found.receipt.status_code,
        name=code.name if code else None,
        family=f"{code.family.number}xx {code.family.meaning}" if code else None,
        meaning=code.meaning if code else None,
        typical_fix=code.fix if code else None,
        retry=str(code.retry) if code else None,
        guidance=code.guidance if code else None,
        faults=[clean(str(fault)) for fault in found.receipt.faults],
    )


def _exchange(exchange: ExchangeReading) -> ExchangeDoc:
    resolution = exchange.resolution
    return ExchangeDoc(
        branch=exchange.key,
        status=exchange.status,
        operator=exchange.operator,
        code=resolution.code if resolution else None,
        written_code=resolution.written_code if resolution else None,
        route=route_part(resolution.route) if resolution else None,
    )
