"""Says whether a person can decide a branch here, and why not (contracts 1.7, Decidable)."""

from __future__ import annotations

from collections.abc import Callable

from stopview_core.alternatives import AlternativeTable
from stopview_core.decision_file import LAST_NUMBER
from stopview_core.evidence import Evidence, NoEvidence
from stopview_core.judged import Context, Judged
from stopview_core.readings import Decidability, DecisionStatus
from stopview_core.resolve import Resolution

APPROVAL = "approval"


def decidability_of(
    context: Context,
    judged: Judged,
    table: AlternativeTable,
    *,
    is_open: bool,
    evidence: Evidence | NoEvidence | None,
    answered: DecisionStatus | None,
    problem_of: Callable[[], str | None],
) -> Decidability:
    """The first reason against, in the order of the outcomes of contracts 1.7.

    `evidence` is None where its fingerprint was not taken, `answered` the runtime's own record.
    `problem_of` says why the evidence cannot be read, as far as it shows; asked where it matters.
    """
    refusal = _unreadable(context, judged) or _closed(context, judged, is_open, answered)
    if refusal is not None:
        return refusal
    why = evidence.why if isinstance(evidence, NoEvidence) else judged.decisions.unreadable
    why = why or _unread_evidence(judged) or table.too_many
    if why is not None:
        return unreadable_evidence(why)
    able = _open_question(context, judged, table)
    problem = problem_of() if able.is_decidable and evidence is None else None
    return able if problem is None else unreadable_evidence(problem)


def unreadable_evidence(why: str) -> Decidability:
    """The refusal for evidence that cannot be read."""
    told = f"{why[:1].upper()}{why[1:]}".rstrip(".")
    return Decidability(False, f"{told}.", 400)


def _unreadable(context: Context, judged: Judged) -> Decidability | None:
    """Without all of state.json nobody can tell if a branch was resumed, closed or answered."""
    branch, unread_state = judged.branch, context.run.unread_state
    if branch.is_import:
        return None
    if unread_state is not None:
        return Decidability(False, f"state.json: {unread_state.rstrip('.')}.", 400)
    for step, told in context.run.unread_resumes:
        if judged.is_blocked and step > branch.step:
            return Decidability(False, f"It may have been resumed: {told.rstrip('.')}.", 400)
    if branch.response is not None or not branch.has_response:
        return None
    why = next((item.why for item in branch.unread), "it cannot be read")
    return Decidability(False, f"response.json: {why}.", 400)


def _unread_evidence(judged: Judged) -> str | None:
    """What is missing of the evidence: a person would decide on less than there is."""
    branch = judged.branch
    for item in branch.unread:
        return f"the evidence cannot be read: {item.path}: {item.why}"
    return f"the request of {judged.key} is not there" if branch.request is None else None


def _closed(
    context: Context, judged: Judged, is_open: bool, answered: DecisionStatus | None
) -> Decidability | None:
    key = judged.key
    if judged.branch.is_import:
        return Decidability(False, f"{key} is another run's evidence, imported.", 204)
    resumed_by = context.lineage.resumed_by.get(key)
    if resumed_by:
        newest = context.judged[resumed_by[-1]].branch.response
        is_done = newest is not None and newest.status == "done"
        told = "is done" if is_done else "is not done yet"
        return Decidability(
            False, f"{resumed_by[-1]} resumed {key} and {told}.", 200 if is_done else 204
        )
    if not judged.is_blocked:
        return Decidability(False, f"{key} is not blocked.", 204)
    if not is_open:
        return Decidability(False, f"{key} was closed by the runtime.", 204)
    if answered is not None:
        by = answered.by or "somebody the runtime does not name"
        return Decidability(False, f"Already answered by {by}: {answered.selected}.", 204)
    return None


def _open_question(context: Context, judged: Judged, table: AlternativeTable) -> Decidability:
    if judged.decisions.next_number > LAST_NUMBER:
        return _refused("The last number that a decision can have is taken.")
    resolution = judged.resolution
    if resolution is None:
        return _refused("The branch names no stop code, so a person has to look at it.")
    problem = _not_for_a_person(context, judged, resolution)
    if problem is not None:
        return _refused(problem)
    takes_approval = _takes_approval(context, judged, resolution, table)
    asked = judged.branch.response.interaction if judged.branch.response else None
    interaction_id = asked.decision_id if asked is not None and table.has_options else None
    if takes_approval and table.has_options:
        if not table.option_ids_are_alternatives:
            return _refused(
                "The ids of the question's options are not those of the alternatives: without an "
                "approval by an alternative's id the operator would refuse to finish."
            )
        return Decidability(True, "", None, True, interaction_id)
    if takes_approval or interaction_id is not None:
        return Decidability(True, "", None, takes_approval, interaction_id)
    return _refused(_nothing_to_pick(context, judged, resolution, table))


def _not_for_a_person(context: Context, judged: Judged, resolution: Resolution) -> str | None:
    if resolution.is_faulty:
        return "The registry is faulty about this stop, so nothing is decided on it."
    if any(_names_others(context, judged)):
        return "The files of the branch name different operators."
    if resolution.disposition != "terminate":
        return f"{resolution.code} does not end a branch here: {resolution.why[0]}"
    if resolution.route.kind != "user":
        route = resolution.why[-1]
        return f"{resolution.code} is not for a person to decide: {route[:1].lower()}{route[1:]}"
    return None


def _names_others(context: Context, judged: Judged) -> list[bool]:
    state = context.run.state
    request = judged.branch.request
    named = (
        request.operator if request else None,
        state.steps.get(judged.key) if state else None,
    )
    return [True for operator in named if operator and operator != judged.operator]


def _takes_approval(
    context: Context, judged: Judged, resolution: Resolution, table: AlternativeTable
) -> bool:
    operator = context.registry.operators.get(judged.operator or "")
    return (
        resolution.flipped_by is not None
        and operator is not None
        and APPROVAL in operator.requirements
        and bool(table.offered)
    )


def _nothing_to_pick(
    context: Context, judged: Judged, resolution: Resolution, table: AlternativeTable
) -> str:
    operator = context.registry.operators.get(judged.operator or "")
    if resolution.flipped_by is None:
        return f"{resolution.code} asks for something else than a pick: {resolution.resume}"
    if operator is None or APPROVAL not in operator.requirements:
        return f"{judged.operator} has no `approval` that could take the pick."
    if not table.alternatives:
        return "No alternatives were found to pick from."
    return "There is nothing to pick."


def _refused(why: str) -> Decidability:
    return Decidability(False, why, 412)
