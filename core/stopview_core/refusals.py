"""Why a decision is not written, in the order of contracts 1.7, each with what to do next."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC

from stopview_core.compose import Draft
from stopview_core.decision_file import DecisionFile
from stopview_core.dossier import Dossier, NotOpened
from stopview_core.evidence import Evidence
from stopview_core.outcomes import Outcome, Wish
from stopview_core.text import clean, one_line, shorten

_SHOWN_PATHS = 8
_SHOWN_WIDTH = 200
_LOOK_AGAIN = "Look at the branch again and decide on what is there now."


def refusal(dossier: Dossier, wish: Wish) -> Outcome | None:
    """The first outcome that keeps the wish from being written, None where nothing does."""
    able = dossier.decidability
    if not able.is_decidable:
        code = able.status_code or 412
        return Outcome(code, False, f"{able.why} {_next_step(dossier, code)}")
    if not isinstance(dossier.evidence, Evidence):
        return Outcome(400, False, f"{dossier.evidence.why}. {_next_step(dossier, 400)}")
    fingerprint = dossier.evidence.fingerprint
    is_changed = wish.expect not in (None, fingerprint)
    if wish.pick.selected not in (None, *dossier.alternatives.offered):
        return _not_offered(dossier, wish, fingerprint, is_changed=is_changed)
    if is_changed:
        return Outcome(
            202,
            False,
            f"The evidence is not what it was when you looked, so nothing was written. "
            f"{_LOOK_AGAIN}",
            fingerprint=fingerprint,
        )
    return _in_force(dossier, wish) or _not_the_newest(dossier, wish)


def unreadable(found: NotOpened) -> Outcome:
    """The run or the branch could not be read at all."""
    why = found.why.rstrip(".")
    return Outcome(400, False, f"{clean(why)}. {_UNREADABLE}")


def exchange(key: str, branch: str) -> Outcome:
    """An exchange was named: it is part of its branch."""
    return Outcome(
        204,
        False,
        f"{clean(key)} is an exchange inside {branch}, and no decision is made on one. "
        f"Nothing was written: decide {branch}, where it asks for a choice.",
    )


def changed_meanwhile(before: Evidence, again: Dossier, wish: Wish) -> Outcome | None:
    """What keeps the wish from being written now, after its evidence was read a second time.

    `before` is the evidence that was decided on. None where all is as it was.
    """
    after = again.evidence
    if (
        again.decidability.is_decidable
        and isinstance(after, Evidence)
        and after.fingerprint != before.fingerprint
    ):
        changed = changed_files(before, after)
        return Outcome(
            202,
            False,
            f"The evidence changed while you decided, so nothing was written: {_listed(changed)}. "
            f"{_LOOK_AGAIN}",
            changed=changed,
            fingerprint=after.fingerprint,
        )
    return refusal(again, wish)


def changed_files(before: Evidence, after: Evidence) -> tuple[str, ...]:
    """The evidence files that differ between two readings, by path from the branch."""
    names = sorted({*before.files, *after.files})
    missing = object()
    return tuple(
        name for name in names if before.files.get(name, missing) != after.files.get(name, missing)
    )


def other_number(dossier: Dossier, draft: Draft, wish: Wish) -> Outcome | None:
    """The record has another number than the one a person confirmed: someone wrote meanwhile."""
    if wish.seq in (None, draft.seq):
        return None
    newest = dossier.decisions.highest
    if newest is None:
        return Outcome(
            409,
            False,
            f"Nothing was written: you confirmed receipt {clean(wish.seq or '')}, and the next "
            f"one here is {draft.seq}. {_LOOK_AGAIN}",
        )
    return _first(dossier, newest)


def lost(again: Dossier | NotOpened, draft: Draft, wish: Wish) -> Outcome:
    """Someone else gave a file the number first; `again` is the branch read after that."""
    if isinstance(again, NotOpened):
        told = f"someone else wrote receipt {draft.seq} first, and then: {clean(again.why)}"
        return Outcome(409, False, f"Nothing was written: {told}. {_LOOK_AGAIN}")
    winner = again.decisions.numbered(draft.number)
    if winner is None:
        told = f"someone else was writing receipt {draft.seq} and has not finished"
        return Outcome(409, False, f"Nothing was written: {told}. {_LOOK_AGAIN}")
    standing = _in_force(again, wish)
    return standing if standing is not None and standing.is_settled else _first(again, winner)


def told(file: DecisionFile) -> str:
    """Who selected what, and when."""
    picked = "none of these" if file.selected is None else f"`{_shown(file.selected)}`"
    at = file.processed_at
    when = at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC") if at else "an unknown time"
    return f"{_shown(file.approver)} selected {picked} on {when} (receipt {file.seq})"


def _shown(name: str) -> str:
    """A name out of a file that anybody may have written: one line, of a length to read."""
    return shorten(one_line(name), _SHOWN_WIDTH)


def path_of(dossier: Dossier, where: str) -> str:
    """A path from the run root as a person can open it."""
    return clean(os.fspath(dossier.run.path / where))


_UNREADABLE = (
    "Nothing was written. Repair what cannot be read, or wait until the runtime has finished "
    "writing it, then look again."
)


def _next_step(dossier: Dossier, code: int) -> str:
    reading = dossier.reading
    if code == 400:
        return _UNREADABLE
    if code == 200:
        return "Nothing was written: nothing is left to decide here."
    if code == 204 and reading.resumed_by:
        newest = reading.resumed_by[-1]
        return f"Nothing was written: if {newest} stops, it can be decided there."
    if code == 204:
        return "Nothing was written: nothing here waits for a decision."
    resume = reading.resolution.resume if reading.resolution else ""
    if not resume:
        return "Nothing was written. Open the branch to see what was found."
    if resume in dossier.decidability.why:
        return "Nothing was written."
    return f"Nothing was written. What you can do: {resume}"


def _not_offered(dossier: Dossier, wish: Wish, fingerprint: str, *, is_changed: bool) -> Outcome:
    offered = dossier.alternatives.offered
    also = " The evidence is not what it was when you looked either." if is_changed else ""
    return Outcome(
        412,
        False,
        f"{_shown(wish.pick.selected or '')} is not among the alternatives, so nothing was "
        f"written: pick one of {', '.join(offered)}.{also}",
        alternatives=offered,
        fingerprint=fingerprint,
    )


def _in_force(dossier: Dossier, wish: Wish) -> Outcome | None:
    newest = dossier.decisions.newest_valid
    if dossier.reading.decision.status != "in_force" or newest is None:
        return None
    is_settled = newest.selected == wish.pick.selected
    if not is_settled and wish.supersede == newest.seq:
        return None
    if is_settled:
        message = f"The same selection is already in force: {told(newest)}. Nothing was written."
    else:
        message = (
            f"Another selection is in force: {told(newest)}. Nothing was written. "
            f"To replace it, supersede {newest.seq}."
        )
    return Outcome(
        409,
        False,
        message,
        where=path_of(dossier, newest.where),
        receipt=newest.packet or None,
        is_settled=is_settled,
    )


def _not_the_newest(dossier: Dossier, wish: Wish) -> Outcome | None:
    """A decision is to be replaced that is not the one a new one would replace."""
    newest = dossier.decisions.newest_valid
    if wish.supersede is None or (newest is not None and wish.supersede == newest.seq):
        return None
    if newest is None:
        message = (
            f"There is no decision {_shown(wish.supersede)} to supersede: nothing was decided here "
            "yet. Nothing was written. Decide without superseding."
        )
        return Outcome(409, False, message)
    return Outcome(
        409,
        False,
        f"Decision {_shown(wish.supersede)} is not the newest: {told(newest)}. "
        f"Nothing was written. {_LOOK_AGAIN}",
        where=path_of(dossier, newest.where),
        receipt=newest.packet or None,
    )


def _first(dossier: Dossier, winner: DecisionFile) -> Outcome:
    """Someone else's receipt is there, and took the number this one was to have."""
    if winner.is_valid:
        message = f"Nothing was written: {told(winner)} just before you. {_LOOK_AGAIN}"
    else:
        message = (
            f"Nothing was written: receipt {winner.seq} was there first, and it is not valid. "
            f"{_LOOK_AGAIN}"
        )
    return Outcome(
        409,
        False,
        message,
        where=path_of(dossier, winner.where),
        receipt=winner.packet or None,
    )


def _listed(paths: Iterable[str]) -> str:
    cleaned = [clean(path) for path in paths]
    more = len(cleaned) - _SHOWN_PATHS
    shown = ", ".join(cleaned[:_SHOWN_PATHS])
    return f"{shown} and {more} more" if more > 0 else shown
