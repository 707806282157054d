"""Measures whether a resume brought a delta: the rule behind RESUME_WITHOUT_DELTA (1.6)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime

from stopview_core.decisions import Decisions
from stopview_core.lineage import latest
from stopview_core.records import Branch, Request, Run


def has_delta(
    run: Run,
    before: Branch,
    after: Branch,
    decisions: Decisions,
    mtime_of: Callable[[str], int | None],
) -> bool:
    """Whether anything new came between two attempts; True where it cannot be told.

    `mtime_of` gives the modification time in nanoseconds of a path from the run root, or None.
    """
    first, second = before.request, after.request
    if first is None or second is None or before.response is None:
        return True
    if asks_differently(first, second):
        return True
    if any(file.is_valid for file in decisions.files) or _was_answered(run, before):
        return True
    if _something_was_done(run, before, after):
        return True
    paths = _input_paths(second)
    if paths is None:
        return True
    times = [mtime_of(path) for path in paths]
    return any(time is None or time > before.response.mtime_ns for time in times)


def asks_differently(first: Request, second: Request) -> bool:
    """Whether two requests differ in a requirement but `resume`, an input, a head or a selection.

    The order of lists does not count, nor whether what is null was written at all.
    """
    return (
        _asked(first) != _asked(second)
        or _unordered(first.raw.get("inputs") or {}) != _unordered(second.raw.get("inputs") or {})
        or _unordered(first.contexts) != _unordered(second.contexts)
        or first.selected_option != second.selected_option
    )


def _asked(request: Request) -> str:
    return _unordered(
        {
            name: value
            for name, value in request.requirements.items()
            if name != "resume" and value is not None
        }
    )


def _input_paths(request: Request) -> list[str] | None:
    """The inputs as paths, None where one of them is none."""
    written = request.raw.get("inputs") or {}
    values = list(written.values()) if isinstance(written, dict) else [written]
    paths = [value for value in values if isinstance(value, str)]
    return paths if len(paths) == len(values) else None


def _was_answered(run: Run, before: Branch) -> bool:
    """Whether the runtime recorded an answer to the question of the first attempt."""
    asked = before.response.interaction if before.response else None
    return run.state is not None and asked is not None and asked.decision_id in run.state.choices


def _unordered(value: object) -> str:
    """The value as text in which neither the order of keys nor of lists counts."""
    if isinstance(value, Mapping):
        pairs = sorted(f"{json.dumps(key)}:{_unordered(inner)}" for key, inner in value.items())
        return "{" + ",".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(sorted(_unordered(inner) for inner in value)) + "]"
    return json.dumps(value)


def _something_was_done(run: Run, before: Branch, after: Branch) -> bool:
    """Whether another branch became done between the two attempts; in doubt it did."""
    transitions = run.state.transitions if run.state is not None else ()
    told = {line.branch for line in transitions if line.event == "done"}
    return _done_between(run, before, after) or any(
        branch.response is not None
        and branch.response.status == "done"
        and not branch.is_import
        and before.step <= branch.step < after.step
        and branch.key not in told
        for branch in run.branches.values()
        if branch.key not in (before.key, after.key)
    )


def _done_between(run: Run, before: Branch, after: Branch) -> bool:
    start = latest(run.state, before.key, "blocked")
    end = latest(run.state, after.key, "dispatched", "resumed") or latest(
        run.state, after.key, "blocked"
    )
    done = [
        t
        for t in (run.state.transitions if run.state else ())
        if t.event == "done" and t.branch not in (before.key, after.key)
    ]
    if not done:
        return False
    if start is None or end is None or any(t.at is None for t in done):
        return True
    return any(_is_between(start, t.at, end) for t in done)


def _is_between(start: datetime, at: datetime | None, end: datetime) -> bool:
    return at is not None and start <= at <= end
