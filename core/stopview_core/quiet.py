"""Reads a run in which nothing is told, fast: every branch done, no stop, no fallback, no fault.

Whatever is not as plain as that gives None, and the run is read by `scan` instead: this room never
decides that something is wrong, only that nothing is. A test holds both readings side by side.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from os import O_CLOEXEC, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, fstat, lstat, scandir
from stat import S_IFDIR, S_IFMT, S_IFREG
from typing import NamedTuple, TypeAlias

from stopview_core.jsontext import JsonValue, parse_json

OPENING = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
_CAP = 1 << 20
"""A larger file is read by `scan`, which knows the true cap."""

Stamps: TypeAlias = list[int]
"""Four numbers a path: mtime in ns, size, inode, ctime in ns (see `stamps`)."""

_STEP, _PARALLEL = "step-", "parallel-"


class QuietRun(NamedTuple):
    """What a quiet run says, as plain values. `branches` holds (key, operator), in order.

    `changed_at` is the latest time of a transition as written, or the newest response's mtime in
    ns. `stamps`, packed, belong to `paths_of` the branches' keys; `newest` is the latest time in
    them. Both are empty where no stamps were asked for.
    """

    id: str
    project: str | None
    goal: str | None
    status: str | None
    started_at: JsonValue
    changed_at: str | int
    chain: tuple[tuple[str, ...], ...]
    branches: tuple[tuple[str, str], ...]
    stamps: bytes
    newest: int


def read_quiet(path: str, *, keeps_stamps: bool = True) -> QuietRun | None:
    """The run at `path`, or None where it is no run, or one that has more to tell."""
    try:
        return _read(path, keeps_stamps)
    except (OSError, ValueError, _Told):
        return None


@lru_cache(maxsize=4096)
def paths_of(keys: tuple[str, ...]) -> tuple[str, ...]:
    """The paths from the run that a quiet run of these branches rests on, in stamp order."""
    found = ["", "state.json"]
    for key in keys:
        step, _, parallel = key.partition("/")
        if f"{_STEP}{step}" not in found:
            found.append(f"{_STEP}{step}")
        branch = f"{_STEP}{step}/{_PARALLEL}{parallel}"
        found += (branch, f"{branch}/response/response.json")
    return tuple(found)


def packed(stamps: Sequence[int]) -> bytes:
    """The stamps in few bytes, equal for equal stamps."""
    # Version 2 of the format has no references, which would depend on more than the numbers.
    return marshal.dumps(tuple(stamps), 2)


def newest_of(stamps: Sequence[int]) -> int:
    """The latest mtime or ctime in stamps, in ns."""
    return max(max(stamps[0::4]), max(stamps[3::4]))


class _Told(Exception):
    """The run has more to tell."""


def _read(path: str, keeps_stamps: bool) -> QuietRun:
    stamps: Stamps = []
    _look_at_folder(path, stamps)
    steps = sorted(_numbers(path, _STEP, "state.json"))
    state = _json(f"{path}/state.json", stamps)
    if state.get("status") == "blocked":
        raise _Told
    operators = _plain_texts(state.get("steps"))
    branches: list[tuple[str, str]] = []
    newest = 0
    for step in steps:
        at_step = f"{path}/{_STEP}{step}"
        if keeps_stamps:
            _look_at_folder(at_step, stamps)
        for parallel in sorted(_numbers(at_step, _PARALLEL)):
            at_branch = f"{at_step}/{_PARALLEL}{parallel}"
            if keeps_stamps:
                _look_at_folder(at_branch, stamps)
            operator = _done_operator(at_branch, stamps)
            newest = max(newest, stamps[-4])
            key = _key(step, parallel)
            if operators.pop(key, operator) != operator:
                raise _Told
            branches.append((key, operator))
    if operators:
        raise _Told
    return _quiet_run(state, branches, newest, stamps if keeps_stamps else [])


def _quiet_run(
    state: dict[str, JsonValue], branches: list[tuple[str, str]], newest: int, stamps: Stamps
) -> QuietRun:
    told = state.get
    if any(told(key) not in (None, {}) for key in ("resumes", "substitutions", "choices")):
        raise _Told
    _plain_texts(told("requestHashes"))
    identity = told("id")
    if type(identity) is not str or not identity.strip():
        raise _Told
    changed_at = _latest(told("transitions")) or newest
    if not changed_at:
        raise _Told
    mission = told("mission")
    if mission is not None and type(mission) is not dict:
        raise _Told
    return QuietRun(
        identity,
        _text(told("project")),
        _text(mission.get("goal")) if mission else None,
        _text(told("status")),
        told("startedAt"),
        changed_at,
        _chain(told("chain")),
        tuple(branches),
        packed(stamps) if stamps else b"",
        newest_of(stamps) if stamps else 0,
    )


def _look_at_folder(path: str, stamps: Stamps) -> None:
    found = lstat(path)
    if S_IFMT(found.st_mode) != S_IFDIR:
        raise _Told
    stamps += (found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns)


def _numbers(path: str, prefix: str, needed: str | None = None) -> list[int]:
    """The numbers behind the prefix in the names of folders; nothing else may have the prefix."""
    found = []
    with scandir(path) as entries:
        for entry in entries:
            name = entry.name
            if name.startswith(prefix):
                if not entry.is_dir(follow_symlinks=False):
                    raise _Told
                found.append(_number(name[len(prefix) :]))
            elif name == needed:
                needed = None
    if needed is not None:
        raise _Told
    return found


@lru_cache(maxsize=4096)
def _number(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 4 and str(int(text)) == text:
        return int(text)
    raise _Told


@lru_cache(maxsize=4096)
def _key(step: int, parallel: int) -> str:
    return f"{step}/{parallel}"


def _done_operator(branch: str, stamps: Stamps) -> str:
    """The operator of a branch that is done and says nothing else."""
    with scandir(branch) as entries:
        for entry in entries:
            if entry.name not in ("request", "response") or not entry.is_dir(follow_symlinks=False):
                raise _Told
    told = _json(f"{branch}/response/response.json", stamps).get
    if (
        told("status") != "done"
        or told("stop") is not None
        or told("reason") is not None
        or told("awaiting") is not None
        or told("interaction") is not None
        or told("fallbacks", ()) not in ((), [])
    ):
        raise _Told
    _plain_texts(told("fields"))
    following = told("next")
    if following is not None and (type(following) is not list or not _are_texts(following)):
        raise _Told
    operator = told("operatorId")
    if type(operator) is not str:
        raise _Told
    return operator


def _json(path: str, stamps: Stamps) -> dict[str, JsonValue]:
    at = os.open(path, OPENING)
    try:
        found = fstat(at)
        size = found.st_size
        if S_IFMT(found.st_mode) != S_IFREG or size > _CAP:
            raise _Told
        data = os.read(at, size + 1)
    finally:
        os.close(at)
    stamps += (found.st_mtime_ns, size, found.st_ino, found.st_ctime_ns)
    value = parse_json(data)
    if len(data) != size or type(value) is not dict:
        raise _Told
    return value


def _text(value: JsonValue) -> str | None:
    if value is not None and type(value) is not str:
        raise _Told
    return value


def _are_texts(values: Iterable[JsonValue]) -> bool:
    for value in values:  # noqa: SIM110 - thrice as fast as all() with a generator
        if type(value) is not str:
            return False
    return True


def _plain_texts(value: JsonValue) -> dict[str, JsonValue]:
    if value is None:
        return {}
    if type(value) is not dict or not _are_texts(value.values()):
        raise _Told
    return value


def _chain(value: JsonValue) -> tuple[tuple[str, ...], ...]:
    if value is None:
        return ()
    if type(value) is not list:
        raise _Told
    for step in value:
        if type(step) is not list or not _are_texts(step):
            raise _Told
    return tuple([tuple(step) for step in value])  # type: ignore[arg-type]


def _latest(value: JsonValue) -> str | None:
    """The latest time of a transition, as written."""
    if value is None:
        return None
    if type(value) is not list:
        raise _Told
    latest = None
    written = None
    for item in value:
        if (
            type(item) is not dict
            or type(item.get("branch")) is not str
            or type(item.get("event")) is not str
        ):
            raise _Told
        at = item.get("at")
        if type(at) is str:
            time = datetime.fromisoformat(at)
            if time.tzinfo is None:
                raise _Told
            if latest is None or time > latest:
                latest, written = time, at
    return written
