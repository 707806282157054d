"""Builds the resume packet: what a runtime needs to carry a decision out (contracts 1.8)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from stopview_core.decisions import DecisionFile
from stopview_core.dossier import Dossier
from stopview_core.lineage import sort_key
from stopview_core.records import JsonValue, Run


@dataclass(frozen=True, slots=True)
class ResumePacket:
    """The next request, its exact text, and the entries to merge into state.json key by key."""

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
    """The packet for the decision in force; printed by the command, never written."""
    standing = dossier.reading.decision
    newest = dossier.decisions.newest_valid
    blocked = dossier.branch.request
    if standing.status != "in_force" or newest is None or blocked is None:
        return _refused(dossier)
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
    planned = run.state.steps if run.state else ()
    return max(sort_key(key)[0] for key in (*run.branches, *planned))


def _request(
    dossier: Dossier, decision: DecisionFile, blocked: Mapping[str, JsonValue], step: int
) -> dict[str, JsonValue]:
    response = dossier.branch.response
    token = resume_token(dossier.reading.key, (response.stop if response else None) or "")
    required = blocked.get("requirements")
    requirements = dict(required) if isinstance(required, dict) else {}
    requirements["resume"] = token
    param, option_of = decision.text("param"), decision.text("decision")
    if param is not None:
        requirements[param] = decision.selected
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
    response = dossier.branch.response
    recorded = dossier.record.state.steps if dossier.record.state else {}
    own = {} if dossier.reading.key in recorded else {dossier.reading.key: operator}
    state: dict[str, JsonValue] = {
        "steps": {**own, key: operator},
        "chain": [key],
        "resumes": {
            key: {
                "resumes": dossier.reading.key,
                "stop": response.stop if response else None,
            }
        },
        "requestHashes": {key: f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"},
    }
    option_of = decision.text("decision")
    if option_of is not None:
        state["choices"] = {
            option_of: {
                "selected": decision.selected,
                "selectedBy": "user",
                "sourceRef": decision.where,
            }
        }
    return state


_REFUSALS = {
    "none": (412, "No decision was made on {key}. Decide first."),
    "answered": (204, "The runtime recorded the answer to {key} itself."),
    "resumed": (204, "{key} was resumed already."),
    "stale": (202, "The evidence of {key} changed after the decision. Look again and decide anew."),
    "withdrawn": (412, "Nothing is selected on {key}: it waits for a person again."),
    "in_force": (400, "The request of {key} cannot be read."),
}


def _refused(dossier: Dossier) -> NoPacket:
    code, text = _REFUSALS[dossier.reading.decision.status]
    return NoPacket(code, text.format(key=dossier.reading.key))
