"""What came of the write: it failed, or the receipt is there and was read back (contracts 1.7)."""

from __future__ import annotations

from stopview_core.commit import Failed
from stopview_core.compose import Draft
from stopview_core.dossier import Dossier, NotOpened
from stopview_core.evidence import Evidence
from stopview_core.outcomes import Outcome
from stopview_core.refusals import changed_files, path_of, told
from stopview_core.text import clean


def would_write(dossier: Dossier, draft: Draft) -> Outcome:
    """The dry run: all checks passed."""
    return Outcome(
        301,
        False,
        f"Would write {draft.where}; nothing was written.",
        where=path_of(dossier, draft.where),
        receipt=draft.receipt,
        fingerprint=evidence_of(dossier).fingerprint,
    )


def failed(dossier: Dossier, draft: Draft, trouble: Failed) -> Outcome:
    """Nothing was created; where something is there nevertheless, it is named."""
    message = f"The decision was not written: {trouble.why}."
    if draft.name in trouble.left:
        return Outcome(
            500,
            False,
            f"The decision was not written safely: {trouble.why}. Until it is gone, "
            f"{draft.where} counts for everyone who reads it: look at the branch again.",
            where=path_of(dossier, draft.where),
        )
    if trouble.left:
        left = ", ".join(map(clean, trouble.left))
        return Outcome(500, False, f"{message} Left behind, and read by nobody: {left}.")
    return Outcome(
        500, False, f"{message} No file is left behind. Put that right, then decide again."
    )


def written(dossier: Dossier, draft: Draft, again: Dossier | NotOpened) -> Outcome:
    """The receipt is in place. `again` is the branch read after that: it may tell more."""
    before = evidence_of(dossier)
    problem = _problem_after(before, draft, again)
    now = again.evidence if isinstance(again, Dossier) else None
    changed = changed_files(before, now) if isinstance(now, Evidence) else ()
    return Outcome(
        301,
        True,
        f"Written: {draft.where}. {problem or _effect(dossier, draft)}",
        where=path_of(dossier, draft.where),
        receipt=draft.receipt,
        is_stale=not (isinstance(now, Evidence) and now.fingerprint == before.fingerprint),
        changed=changed,
        fingerprint=now.fingerprint if isinstance(now, Evidence) else before.fingerprint,
    )


def _effect(dossier: Dossier, draft: Draft) -> str:
    if draft.selected is None:
        return f"{dossier.reading.key} waits for a person again."
    return f"It takes effect when {dossier.reading.operator} resumes with it."


def _problem_after(before: Evidence, draft: Draft, again: Dossier | NotOpened) -> str | None:
    """What the branch, read once more after the write, says against the receipt just written."""
    if isinstance(again, NotOpened):
        return f"After that the branch could not be read: {clean(again.why)}. Look at it again."
    newest = again.decisions.newest_valid
    written = again.decisions.numbered(draft.number)
    if written is None or written.packet != draft.receipt:
        return "It does not read back as it was written: look at the branch again."
    if again.reading.resumed_by:
        by = again.reading.resumed_by[-1]
        return f"{by} resumed the branch at the same moment, so it comes too late: look at {by}."
    if not isinstance(again.evidence, Evidence) or (
        again.evidence.fingerprint != before.fingerprint
    ):
        return (
            "The evidence changed right after the write, so the decision is stale: "
            "look at the branch again and decide anew."
        )
    if newest is not None and newest.number > draft.number:
        return f"It has been superseded already: {told(newest)}. Look at the branch again."
    return None


def evidence_of(dossier: Dossier) -> Evidence:
    """The evidence of a decidable branch: it has some."""
    assert isinstance(dossier.evidence, Evidence)
    return dossier.evidence
