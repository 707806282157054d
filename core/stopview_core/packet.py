"""Builds the resume packet: what a runtime needs to carry a decision out (contracts 1.8)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from stopview_core.decidability import APPROVAL
from stopview_core.decision_file import DecisionFile
from stopview_core.dossier import Dossier
from stopview_core.lineage import sort_key
from stopview_core.records import JsonValue, Run

_CHOSEN_BY = "user"


@dataclass(frozen=True, slots=True)
class ResumePacket:
    """The next request, its exact text, and the entries to merge into state.json key by key.

    `branch` is the key of the new branch, `where` the receipt's path from the run root.
    """

    branch: str
    request: Mapping[str, JsonValue]
    request_text: str
    state: Mapping[str, JsonValue]
    where: str


@dataclass(frozen=True, slots=True)
class NoPacket:
    """Why there is nothing to carry out, and the SACP code that says so."""

    status_code: int
    message: str


def resume_packet(dossier: Dossier) -> ResumePacket | NoPacket:
    """The packet for the decision in force; printed by the command, never written.

    It is refused where the runtime's own gate would refuse it.
    """
    blocked = dossier.branch.request
    newest = dossier.decisions.newest_valid
    refused = _refused(dossier)
    if refused is not None:
        return refused
    assert newest is not None, "a decision in force is a valid receipt"
    if blocked is None:
        return NoPacket(400, f"The request of {dossier.reading.key} cannot be read. Repair it.")
    problem = _not_carried(dossier, newest)
    if problem is not None:
        return problem
    step = _last_step(dossier.record) + 1
    key = f"{step}/1"
    request = _request(dossier, newest, blocked.raw, step)
    text = json.dumps(request, indent=2, ensure_ascii=True) + "\n"
    return ResumePacket(key, request, text, _state(dossier, newest, key, text), newest.where)


def resume_token(key: str, code: str) -> str:
    """`step-<N>-parallel-<M>-<code in lower case, dashed>`."""
    step, _, parallel = key.partition("/")
    return f"step-{step}-parallel-{parallel}-{code.lower().replace('_', '-')}"


def _last_step(run: Run) -> int:
    """The highest step there is, on disk or only planned in state.json."""
    state = run.state
    planned = (*state.steps, *(key for step in state.chain for key in step)) if state else ()
    return max(sort_key(key)[0] for key in (*run.branches, *planned))


def _ways(decision: DecisionFile) -> tuple[bool, str | None]:
    """Whether the selection is an approval, and the interaction that it answers."""
    return decision.text("param") == APPROVAL, decision.text("decision")


def _request(
    dossier: Dossier, decision: DecisionFile, blocked: Mapping[str, JsonValue], step: int
) -> dict[str, JsonValue]:
    token = resume_token(dossier.reading.key, _stop(dossier) or "")
    required = blocked.get("requirements")
    requirements = dict(required) if isinstance(required, dict) else {}
    requirements["resume"] = token
    is_approval, option_of = _ways(decision)
    if is_approval:
        requirements[APPROVAL] = decision.selected
    request: dict[str, JsonValue] = {
        **blocked,
        "step": step,
        "parallel": 1,
        "requirements": requirements,
        "resume": {
            "step": dossier.branch.step,
            "parallel": dossier.branch.parallel,
            "token": token,
        },
    }
    if option_of is not None:
        request["decisionId"] = option_of
        request["selectedOption"] = decision.selected
    return request


def _state(dossier: Dossier, decision: DecisionFile, key: str, text: str) -> dict[str, JsonValue]:
    operator = dossier.reading.operator
    own = {} if _recorded_operator(dossier) else {dossier.reading.key: operator}
    state: dict[str, JsonValue] = {
        "steps": {**own, key: operator},
        "chain": [key],
        "resumes": {key: {"resumes": dossier.reading.key, "stop": _stop(dossier)}},
        "requestHashes": {key: f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"},
    }
    _, option_of = _ways(decision)
    if option_of is not None:
        state["choices"] = {
            option_of: {
                "selected": decision.selected,
                "selectedBy": _CHOSEN_BY,
                "sourceRef": decision.where,
            }
        }
    return state


def _stop(dossier: Dossier) -> str | None:
    return dossier.branch.response.stop if dossier.branch.response else None


def _recorded_operator(dossier: Dossier) -> str | None:
    state = dossier.record.state
    return state.steps.get(dossier.reading.key) if state else None


_REFUSALS = {
    "none": (412, "No decision was made on {key}. Decide it first."),
    "answered": (204, "The runtime recorded the answer to {key} itself, and carries it out."),
    "resumed": (204, "{key} was resumed already, by {by}. Look at {by}."),
    "stale": (202, "The evidence of {key} changed after the decision. Look again, decide anew."),
    "withdrawn": (412, "Nothing is selected on {key}: it waits for a person again. Decide it."),
}


def _refused(dossier: Dossier) -> NoPacket | None:
    """What the decision's standing says against it."""
    key, able = dossier.reading.key, dossier.decidability
    if able.status_code == 400:
        return NoPacket(400, f"{able.why} Repair what cannot be read, then ask again.")
    status = dossier.reading.decision.status
    refused = _REFUSALS.get(status)
    if refused is None:
        return None
    if status == "none" and not able.is_decidable:
        told = f"No decision was made on {key}, and none can be made here. {able.why}"
        return NoPacket(able.status_code or 412, told)
    code, text = refused
    by = dossier.reading.resumed_by[-1] if dossier.reading.resumed_by else ""
    return NoPacket(code, text.format(key=key, by=by))


def _not_carried(dossier: Dossier, decision: DecisionFile) -> NoPacket | None:
    """What the runtime has on record, and its gate holds against such a request."""
    key, operator = dossier.reading.key, dossier.reading.operator
    if operator is None or _recorded_operator(dossier) not in (None, operator):
        return NoPacket(
            412, f"The files of {key} do not agree on its operator. Put that right, then ask again."
        )
    is_approval, option_of = _ways(decision)
    if not is_approval and option_of is None:
        return NoPacket(
            412,
            f"Receipt {decision.seq} says neither that it is an approval nor which question it "
            "answers. Decide anew.",
        )
    choices = dossier.record.state.choices if dossier.record.state else {}
    choice = choices.get(option_of) if option_of is not None else None
    if choice is not None and choice.selected != decision.selected:
        by, answer = choice.selected_by or "somebody it does not name", choice.selected or "nothing"
        return NoPacket(204, f"The runtime recorded another answer to {key}: {answer}, by {by}.")
    return None
