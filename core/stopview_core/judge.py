"""Judges a run: resolves its stops, finds what is open, decidable, decided, and broken."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from stopview_core.alternatives import AlternativeTable, read_alternatives
from stopview_core.decidability import decidability_of
from stopview_core.decisions import Decisions, decision_status, read_decisions, recorded
from stopview_core.evidence import Evidence, NoEvidence, read_evidence
from stopview_core.fallbacks import read_fallbacks
from stopview_core.folder import Reader
from stopview_core.lineage import Lineage, is_open, latest, read_lineage
from stopview_core.readings import (
    BranchReading,
    DecisionStatus,
    ExchangeReading,
    FallbackRecord,
    RunReading,
    Stamp,
)
from stopview_core.records import Branch, JsonValue, Run
from stopview_core.registry.model import Registry
from stopview_core.resolve import resolve
from stopview_core.violations import Context, Judged, file_mtime_ns, find_violations

MANY_UNKNOWN = 2


@dataclass(frozen=True, slots=True)
class Judgement:
    """A run judged, with what each branch's judgement rests on, by branch key."""

    reading: RunReading
    lineage: Lineage
    judged: Mapping[str, Judged]
    alternatives: Mapping[str, AlternativeTable]


def judge_run(run: Run, registry: Registry, reader: Reader) -> Judgement:
    """The run's reading. `reader` reads the decisions and collects what it cannot."""
    return _Judge(run, registry, reader).judge()


def is_covered_by(run: Run, registry: Registry) -> bool:
    """Whether the registry knows the operators of the run, but for a stray one (contracts 1.6)."""
    named = {
        operator for branch in run.branches.values() if (operator := named_operator(branch, run))
    }
    unknown = named - registry.operators.keys()
    return len(unknown) < MANY_UNKNOWN or 2 * len(unknown) < len(named)


def named_operator(branch: Branch, run: Run) -> str | None:
    """The operator that judges a branch: of response.json, else request.json, else state.json."""
    for record in (branch.response, branch.request):
        if record is not None and record.operator:
            return record.operator
    return run.state.steps.get(branch.key) if run.state else None


class _Judge:
    def __init__(self, run: Run, registry: Registry, reader: Reader) -> None:
        self.run = run
        self.registry = registry
        self.reader = reader
        self.lineage = read_lineage(run)
        self.is_covered = is_covered_by(run, registry)
        self.last_step = max((b.step for b in run.branches.values() if not b.is_import), default=0)
        self.tables: dict[str, AlternativeTable] = {}

    def judge(self) -> Judgement:
        first = len(self.reader.skipped)
        judged = {key: self._judged(branch) for key, branch in self.run.branches.items()}
        context = Context(
            self.run, self.lineage, self.registry, judged, self._mtime_of, self.is_covered
        )
        branches = {key: self._reading(context, one) for key, one in judged.items()}
        state = self.run.state
        reading = RunReading(
            id=self.run.id,
            path=self.run.path,
            project=state.project if state else None,
            goal=state.goal if state else None,
            status=state.status if state else None,
            started_at=state.started_at if state else None,
            branches=branches,
            chain=state.chain if state else (),
            skipped=self.run.skipped + tuple(self.reader.skipped[first:]),
            notice=None if self.is_covered else _notice(self.run, self.registry),
        )
        return Judgement(reading, self.lineage, judged, self.tables)

    def _judged(self, branch: Branch) -> Judged:
        operator = named_operator(branch, self.run)
        response, requirements = branch.response, _requirements(branch)
        written = self._written_code(branch)
        needs = response is not None and (branch.document is not None or bool(branch.data))
        has_question = response is not None and response.interaction is not None
        table = read_alternatives(branch, requirements) if needs or has_question else _NO_TABLE
        self.tables[branch.key] = table
        if response is None or branch.is_import:
            return Judged(branch, operator, None, (), Decisions())
        resolution = (
            resolve(self.registry, operator, written, requirements) if written is not None else None
        )
        decisions = read_decisions(
            os.fspath(self.run.path), branch, operator, response.stop, self.reader
        )
        return Judged(branch, operator, resolution, self._fallbacks(branch, table), decisions)

    def _written_code(self, branch: Branch) -> str | None:
        """The stop as the operator wrote it, also where the runtime read it as UNKNOWN_STOP."""
        stop = branch.response.stop if branch.response else None
        state = self.run.state
        if stop is None or state is None:
            return stop
        substituted = state.substitutions.get(branch.key)
        return substituted if substituted and stop == "UNKNOWN_STOP" else stop

    def _fallbacks(self, branch: Branch, table: AlternativeTable) -> tuple[FallbackRecord, ...]:
        if branch.response is None or not (branch.response.fallbacks or branch.document):
            return ()
        return read_fallbacks(branch, table, self._stamp(branch, "done"))

    def _stamp(self, branch: Branch, event: str) -> Stamp | None:
        """When a branch blocked or was done: its latest transition, else response.json's mtime."""
        if branch.response is None:
            return None
        at = latest(self.run.state, branch.key, event)
        if at is not None:
            return Stamp(at, "transition")
        written = datetime.fromtimestamp(branch.response.mtime_ns / 1e9, UTC)
        return Stamp(written, "mtime")

    def _reading(self, context: Context, judged: Judged) -> BranchReading:
        branch = judged.branch
        table = self.tables[branch.key]
        opened = is_open(self.run, self.lineage, branch)
        evidence = self._evidence(judged, table, opened)
        answered = self._answered(branch)
        decision = self._decision(judged, answered, evidence)
        violations = find_violations(context, judged)
        in_force = decision.seq if decision.status in ("in_force", "withdrawn") else None
        return BranchReading(
            run_id=self.run.id,
            run_path=self.run.path,
            key=branch.key,
            operator=judged.operator,
            status=self._status(branch),
            written_code=judged.resolution.written_code if judged.resolution else None,
            resolution=judged.resolution,
            reason=branch.response.reason if branch.response else None,
            blocked_at=self._stamp(branch, "blocked") if judged.is_blocked else None,
            is_open=opened,
            is_import=branch.is_import,
            decidability=decidability_of(
                context, judged, table, is_open=opened, evidence=evidence, answered=answered
            ),
            offered=table.offered,
            highest_total=table.highest_total,
            decision=decision,
            decisions=tuple(
                shown
                for file in judged.decisions.files
                if (shown := recorded(file, is_in_force=file.seq == in_force)) is not None
            ),
            fallbacks=judged.fallbacks,
            violations=violations,
            exchanges=tuple(self._exchanges(judged)),
            resumes=self.lineage.resumes.get(branch.key),
            resumed_by=self.lineage.resumed_by.get(branch.key, ()),
            unreadable=branch.unreadable,
        )

    def _evidence(
        self, judged: Judged, table: AlternativeTable, is_open: bool
    ) -> Evidence | NoEvidence | None:
        """The evidence's fingerprint, taken only where a decision rests on it."""
        if not is_open or judged.decisions.newest_valid is None:
            return None
        return read_evidence(self.run.path / judged.branch.folder, judged.branch, table)

    def _decision(
        self,
        judged: Judged,
        answered: DecisionStatus | None,
        evidence: Evidence | NoEvidence | None,
    ) -> DecisionStatus:
        return decision_status(
            judged.decisions,
            answered=answered,
            is_resumed=judged.key in self.lineage.resumed_by,
            fingerprint=lambda: evidence.fingerprint if isinstance(evidence, Evidence) else None,
        )

    def _answered(self, branch: Branch) -> DecisionStatus | None:
        """The runtime's own record of an interaction's answer (contracts 1.7, Decidable)."""
        asked = branch.response.interaction if branch.response else None
        state = self.run.state
        if asked is None or asked.decision_id is None or state is None:
            return None
        choice = state.choices.get(asked.decision_id)
        if choice is None:
            return None
        return DecisionStatus("answered", choice.selected, None, choice.selected_by, None)

    def _status(self, branch: Branch) -> str:
        if branch.response is not None:
            return branch.response.status or "unknown"
        if branch.has_response:
            return "unreadable"
        if not branch.has_request:
            return "unknown"
        return "abandoned" if branch.step < self.last_step else "running"

    def _exchanges(self, judged: Judged) -> list[ExchangeReading]:
        found = []
        for exchange in judged.branch.exchanges:
            response = exchange.response
            operator = (response.operator if response else None) or judged.operator
            stop = response.stop if response else None
            resolution = (
                resolve(self.registry, operator, stop, judged.requirements) if stop else None
            )
            status = (response.status if response else None) or "unknown"
            found.append(ExchangeReading(exchange.key, exchange.name, status, operator, resolution))
        return found

    def _mtime_of(self, path: str) -> int | None:
        return file_mtime_ns(os.path.join(self.run.path, path))


_NO_TABLE = AlternativeTable()


def _requirements(branch: Branch) -> Mapping[str, JsonValue]:
    return branch.request.requirements if branch.request else {}


def _notice(run: Run, registry: Registry) -> str:
    named = {op for branch in run.branches.values() if (op := named_operator(branch, run))}
    unknown = sorted(named - registry.operators.keys())
    return (
        f"This run was made by another registry: {len(unknown)} of its {len(named)} operators are "
        f"not in the one in use ({', '.join(unknown[:3])}{', …' if len(unknown) > 3 else ''})."
    )
