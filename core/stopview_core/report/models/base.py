"""What the documents of several commands share."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

Number = int | float


class Document(BaseModel):
    """The base of all: nothing unknown, null where a value is not there, built when first used."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        defer_build=True,
        populate_by_name=True,
        json_schema_serialization_defaults_required=True,
    )


class SkippedDoc(Document):
    """What could not be read: the path, and why."""

    path: str
    why: str


class RegistryDoc(Document):
    """The registry in use: its folder, how it was chosen, its sha256, how many faults it has."""

    path: str
    chosen_by: str
    sha256: str
    faults: int


class FlipDoc(Document):
    """The requirement whose value flipped the disposition."""

    param: str
    value: Any
    equals: Any


class RouteDoc(Document):
    """Who a stop goes to; unrouted when the map has no answer and a person looks."""

    kind: str
    target: str | None
    unrouted: bool


class ViolationDoc(Document):
    """A broken rule: its code, a sentence, and where, from the run root."""

    code: str
    text: str
    where: str


class DecisionDoc(Document):
    """The standing of a branch's decision."""

    status: Literal["none", "answered", "in_force", "withdrawn", "stale", "resumed"]
    selected: str | None
    seq: str | None
    by: str | None
    at: str | None


class BranchBase(Document):
    """What `list` and `show` say of a branch alike; `path` is its folder, `run` the run's id.

    `path_bytes` is base64 of the folder's real name where `path`, which is cleaned, is not that.
    """

    run: str
    path: str
    path_bytes: str | None
    branch: str
    operator: str | None
    status: str
    code: str | None
    written_code: str | None
    disposition: Literal["terminate", "fallback"] | None
    flipped_by: FlipDoc | None
    domain: str | None
    route: RouteDoc | None
    blocked_at: str | None
    blocked_at_source: Literal["transition", "mtime"] | None
    decidable: bool
    decision: DecisionDoc
    violations: list[ViolationDoc]
