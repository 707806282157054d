"""`state.json` of a sample run, worked out from its branches (contracts 1.5)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from stopview_core.demo.branch import Branch
from stopview_core.demo.documents import request_bytes
from stopview_core.demo.times import stamp
from stopview_core.demo.values import JsonValue, Mark

_END_EVENTS = {"blocked": "blocked", "done": "done", "mismatch": "invalid"}


def state_value(
    run_id: str,
    project: str,
    started: datetime,
    branches: Sequence[Branch],
    *,
    mission: Mapping[str, JsonValue] | None,
    choices: Mapping[str, JsonValue] | None,
) -> dict[str, JsonValue]:
    """`state.json` before its override; `branches` in the order of step and parallel."""
    open_branches = _open_blocked(branches)
    value: dict[str, JsonValue] = {
        "id": run_id,
        "project": project,
        "startedAt": stamp(started),
        "status": _status(branches, open_branches),
    }
    if mission is not None:
        value["mission"] = dict(mission)
    value["chain"] = chain(branch.key for branch in branches)
    value["steps"] = {branch.key: branch.operator for branch in branches}
    if branches:
        value["current"] = branches[-1].key
    leases = {branch.key: dict(branch.lease) for branch in branches if branch.lease is not None}
    if leases:
        value["leases"] = leases
    value["requestHashes"] = _request_hashes(run_id, branches)
    value["resumes"] = _resumes(branches)
    if open_branches:
        value["stoppedAt"] = _stopped_at(open_branches[-1])
    if choices is not None:
        value["choices"] = dict(choices)
    value["transitions"] = transitions(branches)
    return value


def chain(keys: Iterable[str]) -> list[list[str]]:
    """Branch keys, in order, as the list of steps that `state.chain` holds."""
    steps: dict[str, list[str]] = {}
    for key in keys:
        steps.setdefault(key.partition("/")[0], []).append(key)
    return list(steps.values())


def transitions(branches: Sequence[Branch]) -> list[Mapping[str, JsonValue]]:
    """`state.transitions` of all branches, oldest first."""
    timed: list[tuple[str, Mapping[str, JsonValue]]] = []
    for branch in branches:
        listed = branch.transitions
        lines = _derived(branch) if isinstance(listed, Mark) else listed
        timed.extend((str(line.get("at", "")), line) for line in lines)
    return [line for _, line in sorted(timed, key=lambda pair: pair[0])]


def _derived(branch: Branch) -> list[Mapping[str, JsonValue]]:
    resumed = None if branch.resume is None else f"resumes {branch.resume.key}"
    lines: list[Mapping[str, JsonValue]] = [_line(branch.began, branch, "dispatched", resumed)]
    for name, exchange in branch.exchanges.items():
        asked, answered = branch.exchange_times(name)
        lines.append(_line(asked, branch, "waiting", f"awaiting {name}"))
        if exchange.status != "running" and branch.status != "waiting":
            lines.append(_line(answered, branch, "resumed", f"{name} answered"))
    if branch.status == "waiting" and not branch.exchanges:
        lines.append(_line(branch.ended, branch, "waiting", None))
    if branch.status in _END_EVENTS:
        lines.append(_line(branch.ended, branch, _END_EVENTS[branch.status], branch.stop))
    return lines


def _line(at: datetime, branch: Branch, event: str, note: str | None) -> dict[str, JsonValue]:
    line: dict[str, JsonValue] = {"at": stamp(at), "branch": branch.key, "event": event}
    return line if note is None else line | {"note": note}


def _open_blocked(branches: Sequence[Branch]) -> list[Branch]:
    resumed = {branch.resume.key for branch in branches if branch.resume is not None}
    return [
        branch for branch in branches if branch.status == "blocked" and branch.key not in resumed
    ]


def _status(branches: Sequence[Branch], open_branches: Sequence[Branch]) -> str:
    last_step = branches[-1].step if branches else 0
    if any(b.status in {"running", "waiting"} and b.step == last_step for b in branches):
        return "running"
    return "blocked" if open_branches else "done"


def _request_hashes(run_id: str, branches: Sequence[Branch]) -> dict[str, JsonValue]:
    hashes: dict[str, JsonValue] = {}
    for branch in branches:
        data = request_bytes(run_id, branch)
        if data is not None:
            hashes[branch.key] = f"sha256:{hashlib.sha256(data).hexdigest()}"
    return hashes


def _resumes(branches: Sequence[Branch]) -> dict[str, JsonValue]:
    return {
        branch.key: {"resumes": branch.resume.key, "stop": branch.resume.stop}
        for branch in branches
        if branch.resume is not None
    }


def _stopped_at(branch: Branch) -> dict[str, JsonValue]:
    value: dict[str, JsonValue] = {"branch": branch.key, "operator": branch.operator}
    if branch.stop is not None:
        value["stop"] = branch.stop
    if branch.handoff is not None:
        route: dict[str, JsonValue] = {"kind": branch.handoff.kind}
        if branch.handoff.target is not None:
            route["target"] = branch.handoff.target
        value |= {"domain": branch.handoff.domain, "route": route}
    return value if branch.reason is None else value | {"why": branch.reason}
