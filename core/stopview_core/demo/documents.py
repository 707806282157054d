"""The files of one sample branch: request, response and exchanges, from what the recipe says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from stopview_core.demo.branch import Branch, split_key
from stopview_core.demo.outputs import fields_of
from stopview_core.demo.values import Content, JsonValue, Mark, content_bytes, overridden

SCHEMA_VERSION = 9


@dataclass(frozen=True, slots=True)
class SampleFile:
    """One file to write: its bytes and its time of change."""

    data: bytes
    changed: datetime


def branch_files(run_id: str, branch: Branch) -> dict[str, SampleFile]:
    """Every file of the branch by path from the run root (contracts 1.5)."""
    written: dict[str, SampleFile] = {}
    root = branch.folder
    _put(written, f"{root}/request/request.json", request_bytes(run_id, branch), branch.began)
    response = overridden(response_value(branch), branch.response)
    _put(written, f"{root}/response/response.json", response, branch.ended)
    _put_all(written, f"{root}/response", branch.files, branch.ended)
    for name in branch.exchanges:
        _put_exchange(written, run_id, branch, name)
    _put_all(written, root, branch.branch_files, branch.ended)
    return written


def request_bytes(run_id: str, branch: Branch) -> bytes | None:
    """The bytes of request.json; None where the recipe leaves it out."""
    return overridden(request_value(run_id, branch), branch.request)


def request_value(run_id: str, branch: Branch) -> dict[str, JsonValue]:
    """`request.json` before its override; `requirements.resume` repeats the resume's token."""
    resume = branch.resume
    requirements = dict(branch.requirements)
    token = None if resume is None else resume.token
    if token is not None or "resume" not in requirements:
        requirements["resume"] = token
    value = _request_head(run_id, branch) | {
        "contexts": [dict(context) for context in branch.contexts],
        "requirements": requirements,
        "inputs": dict(branch.inputs),
        "resume": None,
    }
    if resume is not None:
        step, parallel = split_key(resume.key)
        value["resume"] = {"step": step, "parallel": parallel, "token": resume.token}
    if branch.decision_id is not None:
        value["decisionId"] = branch.decision_id
    if branch.selected_option is not None:
        value["selectedOption"] = branch.selected_option
    return value


def response_value(branch: Branch) -> dict[str, JsonValue]:
    """`response.json` before its override."""
    value = _response_head(branch, branch.status, branch.stop, branch.reason)
    if branch.awaiting is not None:
        value["awaiting"] = dict(branch.awaiting)
    value["fallbacks"] = list(branch.fallbacks)
    value["fields"] = _fields(branch)
    value["commits"] = list(branch.commits)
    value["next"] = list(branch.next)
    if branch.interaction is not None:
        value["interaction"] = dict(branch.interaction)
    return value


def _fields(branch: Branch) -> Mapping[str, JsonValue]:
    if not isinstance(branch.fields, Mark):
        return dict(branch.fields)
    paths = list(_present("response", branch.files))
    for name, exchange in branch.exchanges.items():
        paths.extend(_present(f"{name}/response", exchange.files))
    return fields_of(branch.operator, paths)


def _present(folder: str, files: Mapping[str, Content | None]) -> Iterator[str]:
    return (f"{folder}/{path}" for path, content in files.items() if content is not None)


def _request_head(run_id: str, branch: Branch) -> dict[str, JsonValue]:
    return {
        "schemaVersion": SCHEMA_VERSION,
        "operatorId": branch.operator,
        "step": branch.step,
        "parallel": branch.parallel,
        "sessionId": run_id,
    }


def _response_head(
    branch: Branch, status: str, stop: str | None, reason: str | None, exchange: str | None = None
) -> dict[str, JsonValue]:
    value: dict[str, JsonValue] = {
        "schemaVersion": SCHEMA_VERSION,
        "operatorId": branch.operator,
        "step": branch.step,
        "parallel": branch.parallel,
    }
    said = (("exchange", exchange), ("status", status), ("stop", stop), ("reason", reason))
    return value | {key: text for key, text in said if text is not None}


def _put_exchange(written: dict[str, SampleFile], run_id: str, branch: Branch, name: str) -> None:
    exchange = branch.exchanges[name]
    asked, answered = branch.exchange_times(name)
    root = f"{branch.folder}/{name}"
    empty: Sequence[JsonValue] = []
    request = _request_head(run_id, branch) | {
        "exchange": name,
        "contexts": [dict(context) for context in branch.contexts],
        "requirements": {},
        "inputs": dict(exchange.inputs),
        "resume": None,
    }
    response = _response_head(branch, exchange.status, exchange.stop, exchange.reason, name) | {
        "fallbacks": empty,
        "fields": fields_of(branch.operator, _present(f"{name}/response", exchange.files))
        if isinstance(exchange.fields, Mark)
        else dict(exchange.fields),
        "commits": empty,
        "next": empty,
    }
    _put(written, f"{root}/request/request.json", overridden(request, exchange.request), asked)
    _put(
        written,
        f"{root}/response/response.json",
        overridden(response, exchange.response),
        answered,
    )
    _put_all(written, f"{root}/response", exchange.files, answered)


def _put_all(
    written: dict[str, SampleFile],
    folder: str,
    files: Mapping[str, Content | None],
    changed: datetime,
) -> None:
    for path, content in files.items():
        data = None if content is None else content_bytes(content)
        _put(written, f"{folder}/{path}", data, changed)


def _put(written: dict[str, SampleFile], path: str, data: bytes | None, changed: datetime) -> None:
    if data is None:
        written.pop(path, None)
    else:
        written[path] = SampleFile(data, changed)
