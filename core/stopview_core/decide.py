"""Decides a blocked branch: checks, writes the receipt once, and says the outcome (1.7)."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from stopview_core.actor import Actor
from stopview_core.commit import Created, Failed, create_once
from stopview_core.compose import Draft, Pick, compose
from stopview_core.decision_file import FOLDER, Place, read_file
from stopview_core.dossier import Dossier, NotOpened, open_branch
from stopview_core.errors import UsageError
from stopview_core.files import Unreadable, open_folder, open_folder_inside
from stopview_core.outcomes import Outcome, Wish
from stopview_core.refusals import (
    changed_files,
    changed_meanwhile,
    exchange,
    lost,
    other_number,
    refusal,
    unreadable,
)
from stopview_core.registry.model import Registry
from stopview_core.sacp import RECEIPT_CAP
from stopview_core.system_calls import SystemCalls
from stopview_core.text import has_controls, is_blank
from stopview_core.writing import evidence_of, failed, would_write, written
from stopview_core.yamltext import write

__all__ = ["Actor", "Outcome", "Pick", "Wish", "changed_files", "decide"]

_SYSTEM = SystemCalls()


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

    UsageError where the run, the branch or its exchange is not there, nothing is selected without
    a reason, or the approver has no name.
    """
    wish = _checked(wish, actor)
    opened = _open(run, key, registry)
    if isinstance(opened, Outcome):
        return opened
    refused = refusal(opened, wish)
    if refused is not None:
        return refused
    draft = compose(opened, evidence_of(opened), wish.pick, actor, registry.sha256, now())
    data = _record(opened, draft, wish)
    if isinstance(data, Outcome):
        return data
    if wish.is_dry_run:
        return would_write(opened, draft)
    return _write(opened, draft, data, wish, registry, calls)


def _checked(wish: Wish, actor: Actor) -> Wish:
    """The wish with its reason cleaned, whoever made it."""
    pick = Pick.of(wish.pick.selected, wish.pick.reason)
    if pick.selected is None and pick.reason is None:
        raise UsageError("selecting none of the alternatives needs a reason")
    if is_blank(actor.approver) or has_controls(actor.approver):
        raise UsageError("the approver needs a name without control characters")
    return replace(wish, pick=pick)


def _open(run: Path, key: str, registry: Registry) -> Dossier | Outcome:
    step, _, rest = key.partition("/")
    parallel, _, name = rest.partition("/")
    branch = f"{step}/{parallel}"
    opened = open_branch(run, branch, registry)
    if isinstance(opened, NotOpened):
        if opened.is_missing:
            raise UsageError(opened.why)
        return unreadable(opened)
    if not name:
        return opened
    if all(one.key != key for one in opened.reading.exchanges):
        raise UsageError(f"{branch} has no exchange {name}")
    return exchange(key, branch)


def _record(dossier: Dossier, draft: Draft, wish: Wish) -> bytes | Outcome:
    """The receipt's bytes, read as every reader will read them: what they refuse is not written."""
    refused = other_number(dossier, draft, wish)
    if refused is not None:
        return refused
    data = write(draft.receipt)
    if len(data) > RECEIPT_CAP:
        return _too_large(len(data), wish.pick.reason or "")
    problems = _problems(dossier, draft, data)
    if problems:
        return Outcome(
            412,
            False,
            "The receipt would not count as a decision, so nothing was written: "
            f"{'; '.join(problems)}. Put right what the branch's files say, then decide again.",
        )
    return data


def _too_large(size: int, reason: str) -> Outcome:
    is_reason = len(reason) > RECEIPT_CAP // 8
    advice = "Give a shorter reason" if is_reason else "What the branch's files say is too long"
    return Outcome(
        412,
        False,
        f"The receipt would be {size} bytes, and no reader takes more than {RECEIPT_CAP}, "
        f"so nothing was written. {advice}.",
    )


def _problems(dossier: Dossier, draft: Draft, data: bytes) -> tuple[str, ...]:
    response = dossier.branch.response
    stop = response.stop if response else None
    place = Place(draft.where, draft.seq, dossier.reading.key, dossier.reading.operator, stop)
    read = read_file(place, data)
    if read.problems or read.packet == draft.receipt:
        return read.problems
    return ("it reads back as something else",)


def _write(
    dossier: Dossier, draft: Draft, data: bytes, wish: Wish, registry: Registry, calls: SystemCalls
) -> Outcome:
    """Read the evidence again and commit, both in the folder that is opened before."""
    branch_fd = _open_branch_folder(dossier)
    if isinstance(branch_fd, Unreadable):
        return Outcome(
            500,
            False,
            f"The decision was not written: the branch's folder: {branch_fd.why}. "
            "No file is left behind. Look again whether the run is still there.",
        )
    try:
        refused = _read_again(dossier, wish, registry)
        if refused is not None:
            return refused
        result = create_once(branch_fd, name=draft.name, data=data, folder=FOLDER, calls=calls)
    finally:
        os.close(branch_fd)
    if isinstance(result, Failed):
        return failed(dossier, draft, result)
    again = open_branch(dossier.run.path, dossier.reading.key, registry)
    if isinstance(result, Created):
        return written(dossier, draft, again)
    return lost(again, draft, wish)


def _open_branch_folder(dossier: Dossier) -> int | Unreadable:
    # The run itself may be named through a link; nothing inside it is reached through one.
    run_fd = open_folder(os.path.realpath(dossier.run.path))
    if isinstance(run_fd, Unreadable):
        return run_fd
    try:
        return open_folder_inside(run_fd, dossier.branch.folder)
    finally:
        os.close(run_fd)


def _read_again(dossier: Dossier, wish: Wish, registry: Registry) -> Outcome | None:
    """What a person saw has to be what the receipt speaks of: read as late as can be."""
    again = open_branch(dossier.run.path, dossier.reading.key, registry)
    if isinstance(again, NotOpened):
        return unreadable(again)
    return changed_meanwhile(evidence_of(dossier), again, wish)
