"""What a run's files hold, as read: one frozen record a file, nothing judged (contracts 1.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from stopview_core.files import JsonValue as JsonValue

EMPTY: Mapping[str, JsonValue] = {}


@dataclass(frozen=True, slots=True)
class Skipped:
    """What could not be read: the path, and why.

    `is_partial` where the file was read but for one value that did not fit what it should be.
    """

    path: str
    why: str
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class Transition:
    """One line of `state.transitions`; `at` is None where its time cannot be read."""

    at: datetime | None
    branch: str
    event: str
    note: str | None


@dataclass(frozen=True, slots=True)
class Choice:
    """An entry of `state.choices`: a decision the runtime itself recorded."""

    selected: str | None
    selected_by: str | None
    source_ref: str | None


@dataclass(frozen=True, slots=True)
class State:
    """`state.json`. `lost` says what of it that tells how a branch went on could not be read."""

    id: str | None
    project: str | None
    status: str | None
    started_at: datetime | None
    chain: tuple[tuple[str, ...], ...]
    steps: Mapping[str, str]
    request_hashes: Mapping[str, str]
    resumes: Mapping[str, str]
    substitutions: Mapping[str, str]
    transitions: tuple[Transition, ...]
    choices: Mapping[str, Choice]
    goal: str | None
    lost: str | None
    raw: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Request:
    """`request.json`. `resume` is the branch key it resumes, "" where it names none rightly."""

    operator: str | None
    requirements: Mapping[str, JsonValue]
    inputs: Mapping[str, str]
    contexts: Mapping[str, JsonValue]
    resume: str | None
    decision_id: str | None
    selected_option: str | None
    raw: Mapping[str, JsonValue]
    sha256: str
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a response's `interaction`."""

    id: str
    label: str | None
    tradeoff: str | None


@dataclass(frozen=True, slots=True)
class Interaction:
    """A question the operator put to a person, answered by picking one option."""

    kind: str | None
    decision_id: str | None
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Response:
    """`response.json`. `fields` maps an output's kind to its paths from the branch."""

    operator: str | None
    status: str | None
    stop: str | None
    awaiting: str | None
    fallbacks: tuple[str, ...]
    fields: Mapping[str, tuple[str, ...]]
    next: tuple[str, ...]
    reason: str | None
    interaction: Interaction | None
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A nested request and response inside a branch, judged by the parent's requirements.

    `request` is read only where the run is read in full.
    """

    key: str
    name: str
    request: Request | None
    response: Response | None
    has_request: bool = False
    has_response: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """One attempt of one operator: `step-<N>/parallel-<M>/`.

    `document` is the text of response.md, `data` what each JSON file under response/data holds;
    `data_files` and `artifacts` are all of them, readable or not. Paths are from the branch.
    `unreadable` holds all that could not be read, `unread` what of the evidence of those is gone
    as a whole: request.json, response.json, response.md and the JSON data.
    """

    key: str
    step: int
    parallel: int
    has_request: bool
    has_response: bool
    is_import: bool
    has_decisions: bool
    request: Request | None
    response: Response | None
    exchanges: tuple[Exchange, ...] = ()
    document: str | None = None
    data: Mapping[str, JsonValue] = field(default_factory=dict)
    data_files: tuple[str, ...] = ()
    artifacts: tuple[str, ...] = ()
    unreadable: tuple[Skipped, ...] = ()
    unread: tuple[Skipped, ...] = ()

    @property
    def folder(self) -> str:
        """The branch's path from the run root."""
        return f"step-{self.step}/parallel-{self.parallel}"


@dataclass(frozen=True, slots=True)
class Run:
    """One run directory, read. `skipped` holds all that could not be, branches' files included.

    `unread_state` says why state.json, or what tells how a branch went on, is there and unread;
    `unread_resumes` says of each place that may hold a resume and was not read: its step, and why.
    """

    path: Path
    id: str
    state: State | None
    branches: Mapping[str, Branch]
    skipped: tuple[Skipped, ...]
    unread_state: str | None = None
    unread_resumes: tuple[tuple[int, str], ...] = ()


def branch_key(text: str) -> tuple[int, int] | None:
    """`N/M` as numbers, or None where the text is no branch key."""
    step, slash, parallel = text.partition("/")
    if slash and is_number(step) and is_number(parallel):
        return int(step), int(parallel)
    return None


def is_number(text: str) -> bool:
    """Whether the text is a plain decimal of at most nine digits, without leading zeros."""
    return text.isascii() and text.isdigit() and len(text) <= 9 and (text == "0" or text[0] != "0")
