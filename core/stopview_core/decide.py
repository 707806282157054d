"""Decides a blocked branch: checks, writes the receipt once, and says the outcome (1.7)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from stopview_core.commit import Created, Failed, Lost, create_once
from stopview_core.compose import Actor, Draft, Pick, compose
from stopview_core.decisions import FOLDER, DecisionFile
from stopview_core.dossier import Dossier, NotOpened, open_branch
from stopview_core.errors import EXIT_DONE, EXIT_REFUSED, EXIT_WRITE_FAILED, UsageError
from stopview_core.evidence import Evidence, NoEvidence
from stopview_core.files import Unreadable, open_folder, open_folder_inside
from stopview_core.records import JsonValue
from stopview_core.registry.model import Registry
from stopview_core.sacp import STATUS_CODES
from stopview_core.system_calls import SystemCalls
from stopview_core.text import clean
from stopview_core.yamltext import write

_SYSTEM = SystemCalls()


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person wants written, and on which conditions.

    `expect` is the fingerprint of the evidence they saw (None: whatever is there now);
    `supersede` the seq they mean to replace, four digits.
    """

    pick: Pick
    expect: str | None = None
    supersede: str | None = None
    is_dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: a SACP code, whether a file was written, and what to do next.

    `where` is the receipt's path, new or already in force; `changed` names the evidence files that
    are not what they were, by path from the branch. `alternatives` lists what can be picked where
    the id was none of them.
    """

    status_code: int
    is_written: bool
    message: str
    where: str | None = None
    receipt: Mapping[str, JsonValue] | None = None
    is_settled: bool = False
    is_stale: bool = False
    changed: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    fingerprint: str | None = None

    @property
    def name(self) -> str:
        """The code's name."""
        return STATUS_CODES[self.status_code].name

    @property
    def exit_code(self) -> int:
        """The exit code of the command (contracts 1.7)."""
        if self.status_code == 301 or self.is_settled:
            return EXIT_DONE
        return EXIT_WRITE_FAILED if self.status_code == 500 else EXIT_REFUSED


def decide(
    run: Path,
    key: str,
    wish: Wish,
    registry: Registry,
    actor: Actor,
    *,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    calls: SystemCalls = _SYSTEM,
) -> Outcome:
    """Write the decision, or refuse: the first outcome that fits, in the order of contracts 1.7.

    UsageError where the run or the branch is not there, or nothing is selected without a reason.
    """
    if wish.pick.selected is None and wish.pick.reason is None:
        raise UsageError("selecting none of the alternatives needs a reason")
    dossier = open_branch(run, key, registry)
    if isinstance(dossier, NotOpened):
        if dossier.is_missing:
            raise UsageError(dossier.why)
        return Outcome(400, False, f"{dossier.why}. Look again when the runtime is done with it.")
    refusal = _refusal(dossier, wish)
    if refusal is not None:
        return refusal
    assert isinstance(dossier.evidence, Evidence)
    draft = compose(dossier, dossier.evidence, wish.pick, actor, registry.sha256, now())
    if wish.is_dry_run:
        return Outcome(
            301,
            False,
            f"Would write {draft.where}; nothing was written.",
            where=_path(dossier, draft),
            receipt=draft.receipt,
            fingerprint=dossier.evidence.fingerprint,
        )
    # Read again as late as can be: what a person saw has to be what the receipt speaks of.
    again = open_branch(run, key, registry)
    if isinstance(again, NotOpened):
        return Outcome(400, False, f"{again.why}. Nothing was written.")
    changed = _changed_meanwhile(dossier.evidence, again, wish)
    if changed is not None:
        return changed
    return _write(dossier, dossier.evidence, draft, registry, calls)


def _path(dossier: Dossier, draft: Draft) -> str:
    return clean(os.fspath(dossier.run.path / draft.where))


def _refusal(dossier: Dossier, wish: Wish) -> Outcome | None:
    able = dossier.decidability
    if not able.is_decidable:
        return Outcome(able.status_code or 412, False, _with_next_step(able.why, able.status_code))
    selected = wish.pick.selected
    if selected is not None and selected not in dossier.alternatives.offered:
        offered = dossier.alternatives.offered
        return Outcome(
            412,
            False,
            f"{clean(selected)} is not among the alternatives: pick one of {', '.join(offered)}.",
            alternatives=offered,
        )
    if isinstance(dossier.evidence, NoEvidence):
        return Outcome(400, False, dossier.evidence.why)
    if wish.expect is not None and wish.expect != dossier.evidence.fingerprint:
        return Outcome(
            202,
            False,
            "The evidence is not what it was when you looked, so nothing was written. "
            "Look at the branch again and decide on what is there now.",
            fingerprint=dossier.evidence.fingerprint,
        )
    return _in_force(dossier, wish)


_NEXT_STEPS = {
    200: "Nothing is left to decide: the attempt that resumed it is done.",
    204: "Nothing was written: there is nothing to decide here.",
    400: "Repair or restore what cannot be read, then look again.",
    412: "Nothing was written.",
}


def _with_next_step(why: str, status_code: int | None) -> str:
    return f"{why} {_NEXT_STEPS.get(status_code or 412, '')}".strip()


def _in_force(dossier: Dossier, wish: Wish) -> Outcome | None:
    standing = dossier.reading.decision
    newest = dossier.decisions.newest_valid
    if standing.status != "in_force" or newest is None:
        return None
    told = _told(newest)
    where = clean(os.fspath(dossier.run.path / newest.where))
    receipt = newest.receipt.packet if newest.receipt else None
    if newest.selected == wish.pick.selected:
        return Outcome(
            409,
            False,
            f"The same selection is already in force: {told}. Nothing was written.",
            where=where,
            receipt=receipt,
            is_settled=True,
        )
    if wish.supersede == newest.seq:
        return None
    return Outcome(
        409,
        False,
        f"Another selection is in force: {told}. To replace it, supersede {newest.seq}.",
        where=where,
        receipt=receipt,
    )


def _told(file: DecisionFile) -> str:
    picked = "none of these" if file.selected is None else f"`{clean(file.selected)}`"
    at = file.processed_at
    when = at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC") if at else "an unknown time"
    return f"{file.approver} selected {picked} on {when} (receipt {file.seq})"


def _write(
    dossier: Dossier, evidence: Evidence, draft: Draft, registry: Registry, calls: SystemCalls
) -> Outcome:
    run_fd = open_folder(dossier.run.path)
    if isinstance(run_fd, Unreadable):
        return Outcome(500, False, f"Nothing was written: the run's folder: {run_fd.why}.")
    try:
        branch_fd = open_folder_inside(run_fd, dossier.branch.folder)
    finally:
        os.close(run_fd)
    if isinstance(branch_fd, Unreadable):
        return Outcome(500, False, f"Nothing was written: the branch's folder: {branch_fd.why}.")
    try:
        return _commit(dossier, evidence, draft, registry, branch_fd, calls)
    finally:
        os.close(branch_fd)


def _commit(
    dossier: Dossier,
    evidence: Evidence,
    draft: Draft,
    registry: Registry,
    branch_fd: int,
    calls: SystemCalls,
) -> Outcome:
    data = write(draft.receipt)
    result = create_once(branch_fd, name=draft.name, data=data, folder=FOLDER, calls=calls)
    if isinstance(result, Failed):
        left = f" Left behind: {', '.join(result.left)}." if result.left else ""
        kept = "" if result.left else " Nothing is left behind."
        return Outcome(500, False, f"The decision was not written: {result.why}.{left}{kept}")
    if isinstance(result, Lost):
        return _lost(dossier, draft, registry)
    assert isinstance(result, Created)
    return _written(dossier, evidence, draft, registry)


def _changed_meanwhile(before: Evidence, again: Dossier, wish: Wish) -> Outcome | None:
    refusal = _refusal(again, replace(wish, expect=before.fingerprint))
    if refusal is None or refusal.status_code != 202:
        return refusal
    changed = changed_files(before, again.evidence) if isinstance(again.evidence, Evidence) else ()
    return replace(
        refusal,
        message="The evidence changed while you decided, so nothing was written: "
        f"{', '.join(map(clean, changed))}. Look at the branch again.",
        changed=changed,
    )


def changed_files(before: Evidence, after: Evidence) -> tuple[str, ...]:
    """The evidence files that differ between two readings, by path from the branch."""
    names = sorted({*before.files, *after.files})
    missing = object()
    return tuple(
        name for name in names if before.files.get(name, missing) != after.files.get(name, missing)
    )


def _lost(dossier: Dossier, draft: Draft, registry: Registry) -> Outcome:
    again = open_branch(dossier.run.path, dossier.reading.key, registry)
    if isinstance(again, NotOpened):
        return Outcome(409, False, f"Someone else wrote receipt {draft.seq} first. {again.why}.")
    winner = next((f for f in again.decisions.files if f.number == draft.number), None)
    if winner is None:
        return Outcome(
            409, False, f"Someone else was writing receipt {draft.seq} first. Look again."
        )
    if not winner.is_valid:
        told = f"receipt {draft.seq} was there first, and it is not valid"
    else:
        told = f"{_told(winner)} just before you"
    return Outcome(
        409,
        False,
        f"Nothing was written: {told}. Look at the branch again.",
        where=clean(os.fspath(dossier.run.path / winner.where)),
        receipt=winner.receipt.packet if winner.receipt else None,
    )


def _written(dossier: Dossier, evidence: Evidence, draft: Draft, registry: Registry) -> Outcome:
    again = open_branch(dossier.run.path, dossier.reading.key, registry)
    now = again.evidence if isinstance(again, Dossier) else None
    is_stale = now != evidence
    changed = changed_files(evidence, now) if isinstance(now, Evidence) else ()
    message = f"Written: {draft.where}."
    if is_stale:
        message += (
            " The evidence changed right after the write, so the decision is stale: "
            "look at the branch again and decide anew."
        )
    return Outcome(
        301,
        True,
        message,
        where=_path(dossier, draft),
        receipt=draft.receipt,
        is_stale=is_stale,
        changed=changed,
        fingerprint=evidence.fingerprint,
    )
