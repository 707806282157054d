"""Opens one run or branch in full: everything a person needs to see before deciding."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from stopview_core.alternatives import AlternativeTable
from stopview_core.decidability import unreadable_evidence
from stopview_core.decisions import Decisions
from stopview_core.evidence import ALWAYS, Evidence, NoEvidence, read_evidence
from stopview_core.folder import Reader
from stopview_core.judge import Judgement, judge_run
from stopview_core.readings import BranchReading, Decidability, RunReading
from stopview_core.receipts import FoundReceipt, find_receipts
from stopview_core.records import Branch, Run, Skipped
from stopview_core.registry.model import Registry
from stopview_core.scan import is_run, read_run
from stopview_core.text import clean

_TRIES = 3


@dataclass(frozen=True, slots=True)
class Dossier:
    """One branch in full, read at one moment: what is shown is what the fingerprint covers.

    `evidence` says why where it has no fingerprint. `receipts` are those found in the branch.
    """

    record: Run
    run: RunReading
    reading: BranchReading
    branch: Branch
    alternatives: AlternativeTable
    evidence: Evidence | NoEvidence
    decisions: Decisions
    receipts: tuple[FoundReceipt, ...]
    attempts: tuple[str, ...]
    first_attempt: str
    decidability: Decidability


@dataclass(frozen=True, slots=True)
class OpenedRun:
    """One run in full: its record, its judgement, each branch's receipts and evidence.

    `skipped` holds all that could not be read, receipts and evidence included.
    """

    run: Run
    judgement: Judgement
    receipts: Mapping[str, tuple[FoundReceipt, ...]]
    evidence: Mapping[str, Evidence | NoEvidence]
    skipped: tuple[Skipped, ...]

    @property
    def reading(self) -> RunReading:
        """The run as judged."""
        return self.judgement.reading

    def decidability(self, key: str) -> Decidability:
        """Whether the branch can be decided, its evidence taken into account."""
        return _with_evidence(self.reading.branches[key].decidability, self.evidence[key])


@dataclass(frozen=True, slots=True)
class NotOpened:
    """Why a run or branch was not opened; `is_missing` where it simply is not there."""

    why: str
    is_missing: bool = False


def open_run(path: Path, registry: Registry) -> OpenedRun | NotOpened:
    """A run, with every file of it opened."""
    reader = Reader()
    opened = _read(path, registry, reader)
    if isinstance(opened, NotOpened):
        return opened
    run, judgement = opened
    receipts = {
        key: find_receipts(os.fspath(run.path), branch, reader)
        for key, branch in run.branches.items()
    }
    evidence = {
        key: read_evidence(run.path / branch.folder, branch, judgement.alternatives[key])
        for key, branch in run.branches.items()
    }
    return OpenedRun(run, judgement, receipts, evidence, _skipped(run, reader, evidence))


def open_branch(path: Path, key: str, registry: Registry) -> Dossier | NotOpened:
    """A branch in full. Its files are read again until what was read is what was fingerprinted.

    `key` is `N/M`; a run or branch that is not there is NotOpened with `is_missing`.
    """
    for _ in range(_TRIES):
        reader = Reader(keeps_digests=True)
        opened = _read(path, registry, reader)
        if isinstance(opened, NotOpened):
            return opened
        run, judgement = opened
        branch = run.branches.get(key)
        if branch is None:
            return _no_branch(run, key)
        dossier = _dossier(run, judgement, branch, reader)
        if _was_read_as_fingerprinted(dossier, reader):
            return dossier
    return NotOpened(f"{key} is being rewritten, so it cannot be read in one piece")


def _no_branch(run: Run, key: str) -> NotOpened:
    """Why the run has no such branch: its folder cannot be read, or is not there."""
    step, _, parallel = key.partition("/")
    folder = clean(os.fspath(run.path / f"step-{step}"))
    for item in run.skipped:
        if item.path in (folder, f"{folder}/parallel-{parallel}"):
            return NotOpened(f"{item.path}: {item.why}")
    return NotOpened(f"{run.id} has no branch {key}", is_missing=True)


def _read(path: Path, registry: Registry, reader: Reader) -> tuple[Run, Judgement] | NotOpened:
    folder = reader.listing(os.fspath(path))
    if folder is None:
        return NotOpened(f"{path}: {reader.last_why}", is_missing=not path.exists())
    if not is_run(folder, reader):
        return NotOpened(f"{path} is not a run", is_missing=True)
    run = read_run(folder, reader, "full")
    return run, judge_run(run, registry, reader)


def _dossier(run: Run, judgement: Judgement, branch: Branch, reader: Reader) -> Dossier:
    reading = judgement.reading.branches[branch.key]
    table = judgement.alternatives[branch.key]
    evidence = read_evidence(run.path / branch.folder, branch, table)
    receipts = find_receipts(os.fspath(run.path), branch, reader)
    skipped = _skipped(run, reader, {branch.key: evidence})
    return Dossier(
        record=run,
        run=replace(judgement.reading, skipped=skipped),
        reading=reading,
        branch=branch,
        alternatives=table,
        evidence=evidence,
        decisions=judgement.judged[branch.key].decisions,
        receipts=receipts,
        attempts=judgement.lineage.attempts(branch.key),
        first_attempt=judgement.lineage.first(branch.key),
        decidability=_with_evidence(reading.decidability, evidence),
    )


def _with_evidence(able: Decidability, evidence: Evidence | NoEvidence) -> Decidability:
    if able.status_code in (None, 412) and isinstance(evidence, NoEvidence):
        return unreadable_evidence(evidence.why)
    return able


def _skipped(
    run: Run, reader: Reader, evidence: Mapping[str, Evidence | NoEvidence]
) -> tuple[Skipped, ...]:
    """What could not be read, each once; evidence only where nothing else says so already."""
    found = dict.fromkeys(reader.skipped)
    told = {item.path for item in found if not item.is_partial}
    for key, one in evidence.items():
        folder = clean(os.fspath(run.path / run.branches[key].folder))
        where = f"{folder}/{one.path}" if isinstance(one, NoEvidence) and one.path else folder
        if isinstance(one, NoEvidence) and told.isdisjoint(_at_or_above(where)):
            found[Skipped(where, one.why)] = None
    return tuple(found)


def _at_or_above(path: str) -> Iterator[str]:
    while path:
        yield path
        path = path.rpartition("/")[0]


def _was_read_as_fingerprinted(dossier: Dossier, reader: Reader) -> bool:
    """Whether every evidence file that was read had the bytes that were fingerprinted.

    A document that came only after it was looked for was fingerprinted and not read.
    """
    if isinstance(dossier.evidence, NoEvidence):
        return True
    folder = f"{os.fspath(dossier.run.path)}/{dossier.branch.folder}"
    files = dossier.evidence.files
    if dossier.reading.is_open:
        told = {item.path for item in reader.skipped}
        for name in ALWAYS:
            path = f"{folder}/{name}"
            is_known = path in reader.digests or clean(path) in told
            if files.get(name) is not None and not is_known:
                return False
    return all(
        reader.digests.get(f"{folder}/{name}", digest) == digest for name, digest in files.items()
    )
