"""Turns parsed JSON into records: keeps reading whatever it meets, and says what did not fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TypeVar

from stopview_core.records import (
    EMPTY,
    Choice,
    Interaction,
    JsonValue,
    Option,
    Request,
    Response,
    State,
    Transition,
    is_number,
)
from stopview_core.text import clean, shorten

T = TypeVar("T")

Problems = list[str]
"""Sentences `<dotted path>: expected ..., found ...`, one for each value that did not fit."""


def parse_time(value: JsonValue) -> datetime | None:
    """An ISO 8601 time, or None; one without an offset, or beyond UTC's years, is none."""
    if not isinstance(value, str):
        return None
    try:
        at = datetime.fromisoformat(value)
        if at.tzinfo is None:
            return None
        # Only at the ends of the calendar an offset leads out of it.
        return at if 1 < at.year < 9999 or at.astimezone(UTC) else None
    except (ValueError, OverflowError):
        return None


def parse_state(raw: Mapping[str, JsonValue], problems: Problems) -> State:
    """`state.json` as a record (contracts 1.5)."""
    mission = _mapping(raw, "mission", problems)
    lost: Problems = []
    resumes = _by_key(raw, "resumes", lost, _resumed_key)
    transitions = _transitions(raw.get("transitions"), lost, problems)
    choices = _by_key(raw, "choices", lost, _choice)
    problems += lost
    return State(
        id=_identity(raw, problems),
        project=_text(raw, "project", problems),
        status=_text(raw, "status", problems),
        started_at=parse_time(raw.get("startedAt")),
        chain=_chain(raw.get("chain"), problems),
        steps=_texts_by_key(raw, "steps", problems),
        request_hashes=_texts_by_key(raw, "requestHashes", problems),
        resumes=resumes,
        substitutions=_texts_by_key(raw, "substitutions", problems),
        transitions=transitions,
        choices=choices,
        goal=_text(mission, "goal", problems),
        lost=lost[0] if lost else None,
        raw=raw,
    )


def parse_request(
    raw: Mapping[str, JsonValue], sha256: str, mtime_ns: int, problems: Problems
) -> Request:
    """`request.json` as a record; requirements stay as they are written (contracts 1.5)."""
    return Request(
        operator=_text(raw, "operatorId", problems),
        requirements=_mapping(raw, "requirements", problems),
        inputs=_texts_by_key(raw, "inputs", problems),
        contexts=_contexts(raw.get("contexts"), problems),
        resume=_request_resume(raw.get("resume")),
        decision_id=_text(raw, "decisionId", problems),
        selected_option=_text(raw, "selectedOption", problems),
        raw=raw,
        sha256=sha256,
        mtime_ns=mtime_ns,
    )


def parse_response(raw: Mapping[str, JsonValue], mtime_ns: int, problems: Problems) -> Response:
    """`response.json` as a record; a status that no schema knows stays as written."""
    awaiting = raw.get("awaiting")
    interaction = raw.get("interaction")
    return Response(
        operator=_text(raw, "operatorId", problems),
        status=_text(raw, "status", problems),
        stop=_text(raw, "stop", problems) or None,
        awaiting=_text(awaiting, "exchange", problems) if isinstance(awaiting, dict) else None,
        fallbacks=_texts(raw, "fallbacks", problems),
        fields=_fields(raw.get("fields"), problems),
        next=_next(raw.get("next"), problems),
        reason=_text(raw, "reason", problems),
        interaction=None if interaction is None else _interaction(interaction, problems),
        mtime_ns=mtime_ns,
    )


def misfit(path: str, expected: str, found: object) -> str:
    """The sentence for one value that is not what the contract says."""
    return f"{path}: expected {expected}, found {shorten(clean(repr(found)), 60)}"


def _text(raw: Mapping[str, JsonValue], key: str, problems: Problems) -> str | None:
    value = raw.get(key)
    if isinstance(value, str):
        return clean(value)
    if value is not None:
        problems.append(misfit(key, "text", value))
    return None


def _identity(raw: Mapping[str, JsonValue], problems: Problems) -> str | None:
    named = _text(raw, "id", problems)
    return named if named is not None and named.strip() else None


def _texts(raw: Mapping[str, JsonValue], key: str, problems: Problems) -> tuple[str, ...]:
    value = raw.get(key)
    if not value and (value is None or isinstance(value, list)):
        return ()
    if not isinstance(value, list):
        problems.append(misfit(key, "a list", value))
        return ()
    if not all(isinstance(item, str) for item in value):
        problems.append(misfit(key, "a list of text", value))
    return tuple(clean(item) for item in value if isinstance(item, str))


def _mapping(raw: Mapping[str, JsonValue], key: str, problems: Problems) -> dict[str, JsonValue]:
    value = raw.get(key)
    if isinstance(value, dict):
        return value
    if value is not None:
        problems.append(misfit(key, "an object", value))
    return {}


def _by_key(
    raw: Mapping[str, JsonValue],
    key: str,
    problems: Problems,
    read: Callable[[JsonValue], T | None],
) -> dict[str, T]:
    found = {}
    for name, value in _mapping(raw, key, problems).items():
        if value is None:
            continue
        parsed = read(value)
        if parsed is None:
            problems.append(misfit(f"{key}.{clean(name)}", "an entry that can be read", value))
        else:
            found[clean(name)] = parsed
    return found


def _texts_by_key(raw: Mapping[str, JsonValue], key: str, problems: Problems) -> dict[str, str]:
    return _by_key(
        raw, key, problems, lambda value: clean(value) if isinstance(value, str) else None
    )


def _resumed_key(value: JsonValue) -> str | None:
    named = value.get("resumes") if isinstance(value, dict) else None
    return clean(named) if isinstance(named, str) else None


def _choice(value: JsonValue) -> Choice | None:
    if not isinstance(value, dict):
        return None
    selected, by, source = (value.get(key) for key in ("selected", "selectedBy", "sourceRef"))
    return Choice(
        selected=clean(selected) if isinstance(selected, str) else None,
        selected_by=clean(by) if isinstance(by, str) else None,
        source_ref=clean(source) if isinstance(source, str) else None,
    )


def _chain(value: JsonValue, problems: Problems) -> tuple[tuple[str, ...], ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        problems.append(misfit("chain", "a list of lists", value))
        return ()
    found = []
    for place, step in enumerate(value):
        if isinstance(step, list) and all(isinstance(key, str) for key in step):
            found.append(tuple(clean(key) for key in step if isinstance(key, str)))
        else:
            problems.append(misfit(f"chain[{place}]", "a list of branches", step))
    return tuple(found)


def _transitions(value: JsonValue, lost: Problems, problems: Problems) -> tuple[Transition, ...]:
    """The transitions; `lost` gets those that may tell of a branch, `problems` the others."""
    if value is None:
        return ()
    if not isinstance(value, list):
        lost.append(misfit("transitions", "a list", value))
        return ()
    found = []
    for place, item in enumerate(value):
        branch = item.get("branch") if isinstance(item, dict) else None
        event = item.get("event") if isinstance(item, dict) else None
        if isinstance(item, dict) and isinstance(branch, str) and isinstance(event, str):
            note = item.get("note")
            noted = clean(note) if isinstance(note, str) else None
            found.append(Transition(parse_time(item.get("at")), clean(branch), clean(event), noted))
        else:
            names_none = isinstance(item, dict) and branch is None
            told = misfit(f"transitions[{place}]", "branch and event as text", item)
            (problems if names_none else lost).append(told)
    return tuple(found)


def _contexts(value: JsonValue, problems: Problems) -> Mapping[str, JsonValue]:
    if value is None:
        return EMPTY
    if not isinstance(value, list):
        problems.append(misfit("contexts", "a list", value))
        return EMPTY
    found = {}
    for place, item in enumerate(value):
        alias = item.get("alias") if isinstance(item, dict) else None
        if isinstance(item, dict) and isinstance(alias, str):
            found[alias] = item.get("head")
        else:
            problems.append(misfit(f"contexts[{place}]", "a context with an alias", item))
    return found


def _request_resume(value: JsonValue) -> str | None:
    if value is None:
        return None
    if isinstance(value, dict):
        step, parallel = value.get("step"), value.get("parallel")
        if type(step) is int and type(parallel) is int:
            return f"{step}/{parallel}"
    return ""


def _fields(value: JsonValue, problems: Problems) -> Mapping[str, tuple[str, ...]]:
    if not value and (value is None or isinstance(value, dict)):
        return {}
    if not isinstance(value, dict):
        problems.append(misfit("fields", "an object", value))
        return {}
    found = {}
    for kind, paths in value.items():
        listed = paths if isinstance(paths, list) else [paths]
        if not all(path is None or isinstance(path, str) for path in listed):
            problems.append(misfit(f"fields.{clean(kind)}", "a path or a list of paths", paths))
        found[clean(kind)] = tuple(path for path in listed if isinstance(path, str))
    return found


def _next(value: JsonValue, problems: Problems) -> tuple[str, ...]:
    if not value and (value is None or isinstance(value, list)):
        return ()
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list):
        problems.append(misfit("next", "a list", value))
        return ()
    if not all(isinstance(item, str) for item in listed):
        problems.append(misfit("next", "a list of text", value))
    return tuple(clean(item) for item in listed if isinstance(item, str))


def _interaction(value: JsonValue, problems: Problems) -> Interaction | None:
    if not isinstance(value, dict):
        problems.append(misfit("interaction", "an object", value))
        return None
    options: list[Option] = []
    listed = value.get("options")
    for place, item in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(item, dict) and isinstance(identifier := item.get("id"), str):
            label, tradeoff = item.get("label"), item.get("tradeoff")
            options.append(
                Option(
                    identifier,
                    clean(label) if isinstance(label, str) else None,
                    clean(tradeoff) if isinstance(tradeoff, str) else None,
                )
            )
        else:
            problems.append(misfit(f"interaction.options[{place}]", "an option with an id", item))
    if listed is not None and not isinstance(listed, list):
        problems.append(misfit("interaction.options", "a list", listed))
    return Interaction(
        _text(value, "kind", problems), _text(value, "decisionId", problems), tuple(options)
    )


def parse_folder_number(name: str, prefix: str) -> int | None:
    """The number of a `step-<N>` or `parallel-<M>` folder, or None for any other name."""
    if name.startswith(prefix) and is_number(name[len(prefix) :]):
        return int(name[len(prefix) :])
    return None
