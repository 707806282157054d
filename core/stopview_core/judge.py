"""Judges a run: resolves its stops, finds what is open, decidable, decided, and broken."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

from stopview_core.alternatives import AlternativeTable, read_alternatives
from stopview_core.coverage import is_covered_by, named_operator, notice_of
from stopview_core.decidability import decidability_of
from stopview_core.decisions import Decisions, decision_status, read_decisions, recorded
from stopview_core.evidence import (
    Evidence,
    NoEvidence,
    evidence_paths,
    evidence_problem,
    read_evidence,
)
from stopview_core.fallbacks import read_exchange_fallbacks, read_fallbacks
from stopview_core.files import Unreadable, normalise
from stopview_core.folder import Reader
from stopview_core.judged import Context, Judged
from stopview_core.lineage import Lineage, is_open, latest, read_lineage
from stopview_core.quiet_branches import done_reading
from stopview_core.readings import (
    BranchReading,
    DecisionStatus,
    ExchangeReading,
    FallbackRecord,
    RecordedDecision,
    RunReading,
    Stamp,
    Standing,
)
from stopview_core.records import Branch, Exchange, JsonValue, Run
from stopview_core.registry.model import Registry
from stopview_core.resolve import Resolution, ResolvedRoute, resolve
from stopview_core.rules.decisions import decision_ignored
from stopview_core.run_times import file_stamp, last_change
from stopview_core.tables import Section, sections
from stopview_core.violations import find_violations


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


class _Judge:
    def __init__(self, run: Run, registry: Registry, reader: Reader) -> None:
        self.run = run
        self.registry = registry
        self.reader = reader
        self.lineage = read_lineage(run)
        self.is_covered = is_covered_by(run, registry)
        self.last_step = max((b.step for b in run.branches.values() if _has_moved(b)), default=0)
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
            notice=None if self.is_covered else notice_of(self.run, self.registry),
            changed_at=last_change(
                self.run, (made.at for read in branches.values() for made in read.decisions)
            ),
        )
        return Judgement(reading, self.lineage, judged, self.tables)

    def _judged(self, branch: Branch) -> Judged:
        operator = named_operator(branch, self.run)
        response = branch.response
        table = _NO_TABLE
        document = sections(branch.document) if branch.document is not None else ()
        if branch.document is not None or branch.data or (response and response.interaction):
            table = read_alternatives(branch, _requirements(branch), document)
        self.tables[branch.key] = table
        if branch.is_import:
            return Judged(branch, operator, None, (), Decisions(), self._exchanges(branch))
        written = self._written_code(branch)
        return Judged(
            branch,
            operator,
            self._resolve(branch, operator, written) if written is not None else None,
            self._fallbacks(branch, document, operator, table),
            self._decisions(branch, operator),
            self._exchanges(branch),
        )

    def _resolve(self, branch: Branch, operator: str | None, code: str) -> Resolution:
        """The resolution; a person looks where the requirement that may flip it is not known."""
        resolution = resolve(self.registry, operator, code, _requirements(branch))
        unless = resolution.entry.unless if resolution.entry else None
        if branch.request is not None or unless is None:
            return resolution
        why = (
            f"What {resolution.code} asks for depends on {unless.param}, and the request that says "
            f"it cannot be read, so a person looks at it."
        )
        return replace(
            resolution,
            disposition=None,
            flipped_by=None,
            route=ResolvedRoute("user", None, resolution.route.unrouted),
            why=(why,),
        )

    def _written_code(self, branch: Branch) -> str | None:
        """The stop as the operator wrote it, also where the runtime read it as UNKNOWN_STOP."""
        stop = branch.response.stop if branch.response else None
        state = self.run.state
        if stop is None or state is None:
            return stop
        substituted = state.substitutions.get(branch.key)
        return substituted if substituted and stop == "UNKNOWN_STOP" else stop

    def _fallbacks(
        self,
        branch: Branch,
        document: tuple[Section, ...],
        operator: str | None,
        table: AlternativeTable,
    ) -> tuple[FallbackRecord, ...]:
        told = branch.response.fallbacks if branch.response else ()
        if not told and branch.document is None and not branch.exchanges:
            return ()
        at = self._stamp(branch, "done")
        found = read_fallbacks(
            branch, document, table, at, lambda code: self._resolve(branch, operator, code)
        )
        for exchange in branch.exchanges:
            if exchange.response is not None and exchange.response.fallbacks:
                asked = self._exchange(branch, exchange).operator
                found += read_exchange_fallbacks(
                    exchange,
                    file_stamp(exchange.response.mtime_ns),
                    lambda code, asked=asked: self._resolve(branch, asked, code),  # type: ignore[misc]
                )
        return found

    def _decisions(self, branch: Branch, operator: str | None) -> Decisions:
        path, response = os.fspath(self.run.path), branch.response
        stop = response.stop if response else None
        found = read_decisions(path, branch, operator, stop, self.reader)
        if response is not None or not found.files:
            return found
        # Nothing says any more what the branch stopped with, so the receipts' own word is taken.
        named = next((stop for file in found.files if (stop := file.text("stop"))), None)
        return read_decisions(path, branch, operator, named, self.reader)

    def _stamp(self, branch: Branch, event: str) -> Stamp | None:
        """When a branch blocked or was done: its latest transition, else response.json's mtime."""
        at = latest(self.run.state, branch.key, event)
        if at is not None:
            return Stamp(at, "transition")
        return file_stamp(branch.response.mtime_ns) if branch.response is not None else None

    def _reading(self, context: Context, judged: Judged) -> BranchReading:
        branch = judged.branch
        if self._tells_nothing(judged):
            return done_reading(self.run.id, self.run.path, branch.key, judged.operator)
        table = self.tables[branch.key]
        opened = is_open(self.run, self.lineage, branch)
        evidence = self._evidence(judged, table)
        answered = self._answered(branch)
        decision = self._decision(judged, answered, evidence)
        violations = find_violations(context, judged)
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
                context,
                judged,
                table,
                is_open=opened,
                evidence=evidence,
                answered=answered,
                problem_of=lambda: self._evidence_problem(branch, table),
            ),
            offered=table.offered,
            highest_total=table.highest_total,
            decision=decision,
            decisions=self._recorded(context, judged, decision),
            fallbacks=judged.fallbacks,
            violations=violations,
            exchanges=judged.exchanges,
            resumes=self.lineage.resumes.get(branch.key),
            resumed_by=self.lineage.resumed_by.get(branch.key, ()),
            unreadable=branch.unreadable,
        )

    def _recorded(
        self, context: Context, judged: Judged, decision: DecisionStatus
    ) -> tuple[RecordedDecision, ...]:
        """The valid receipts, each with what became of it."""
        if not judged.decisions.files:
            return ()
        ignored = {
            violation.about
            for key in self.lineage.resumed_by.get(judged.key, ())
            for violation in decision_ignored(context, context.judged[key])
        }
        found = (
            recorded(file, _standing(file.seq, decision, is_ignored=file.seq in ignored))
            for file in judged.decisions.files
        )
        return tuple(made for made in found if made is not None)

    def _tells_nothing(self, judged: Judged) -> bool:
        """Whether the branch is done and no rule has anything to look at: most branches are so."""
        branch, response, state = judged.branch, judged.branch.response, self.run.state
        named = state.steps.get(branch.key) if state else None
        return (
            response is not None
            and response.status == "done"
            and response.stop is None
            and response.reason is None
            and response.interaction is None
            and branch.request is None
            and branch.document is None
            and not branch.data
            and not branch.unreadable
            and not branch.has_decisions
            and not branch.is_import
            and not judged.fallbacks
            and not judged.exchanges
            and named in (None, judged.operator)
            and self.run.unread_state is None
            and branch.key not in self.lineage.resumes
            and branch.key not in self.lineage.resumed_by
        )

    def _evidence(self, judged: Judged, table: AlternativeTable) -> Evidence | NoEvidence | None:
        """The evidence's fingerprint, taken only where the standing of a decision rests on it."""
        if judged.decisions.newest_valid is None or judged.key in self.lineage.resumed_by:
            return None
        branch = judged.branch
        folder = os.path.join(self.run.path, branch.folder)
        for path in evidence_paths(branch, table):
            self.reader.touch(f"{folder}/{path}")
        return read_evidence(folder, branch, table)

    def _evidence_problem(self, branch: Branch, table: AlternativeTable) -> str | None:
        folder = os.path.join(self.run.path, branch.folder)
        return evidence_problem(folder, evidence_paths(branch, table), self.reader)

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

    def _exchanges(self, branch: Branch) -> tuple[ExchangeReading, ...]:
        return tuple(self._exchange(branch, exchange) for exchange in branch.exchanges)

    def _exchange(self, branch: Branch, exchange: Exchange) -> ExchangeReading:
        response = exchange.response
        own = (response.operator if response else None) or (
            exchange.request.operator if exchange.request else None
        )
        operator = own or named_operator(branch, self.run)
        stop = response.stop if response else None
        return ExchangeReading(
            exchange.key,
            exchange.name,
            _exchange_status(exchange),
            operator,
            self._resolve(branch, operator, stop) if stop else None,
        )

    def _mtime_of(self, path: str) -> int | None:
        inside = normalise(path)
        if isinstance(inside, Unreadable):
            return None
        found = self.reader.lstat(os.path.join(self.run.path, inside))
        return found.st_mtime_ns if found is not None else None


_NO_TABLE = AlternativeTable()


def _standing(seq: str, decision: DecisionStatus, *, is_ignored: bool) -> Standing:
    """What became of a valid receipt: only the newest can stand (contracts 1.7, Status)."""
    if is_ignored:
        return "ignored"
    if seq != decision.seq or decision.status == "none" or decision.status == "answered":
        return "superseded"
    if decision.selected is None and decision.status == "resumed":
        # There was nothing to carry on with.
        return "withdrawn"
    return decision.status


def _requirements(branch: Branch) -> Mapping[str, JsonValue]:
    return branch.request.requirements if branch.request else {}


def _exchange_status(exchange: Exchange) -> str:
    if exchange.response is not None:
        return exchange.response.status or "unknown"
    if exchange.has_response:
        return "unreadable"
    return "running" if exchange.has_request else "unknown"


def _has_moved(branch: Branch) -> bool:
    """Whether something of this run's own was begun there."""
    return not branch.is_import and (branch.has_request or branch.has_response)
