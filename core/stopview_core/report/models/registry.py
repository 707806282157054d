"""The documents of `check`, `resolve` and `codes`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from stopview_core.report.models.base import Document, FlipDoc, RegistryDoc, RouteDoc


class FaultDoc(Document):
    """One broken rule of the registry."""

    code: str
    file: str
    path: str
    expected: str
    found: str


class CheckDocument(Document):
    """`stopview check --json`."""

    schema_: Annotated[Literal["stopview.check/1"], Field(alias="schema")] = "stopview.check/1"
    path: str
    closed: bool
    counts: dict[str, int]
    faults: list[FaultDoc]


class ResolveDocument(Document):
    """`stopview resolve --json`."""

    schema_: Annotated[Literal["stopview.resolve/1"], Field(alias="schema")] = "stopview.resolve/1"
    registry: RegistryDoc
    operator: str
    code: str
    written_code: str
    disposition: Literal["terminate", "fallback"] | None
    base_disposition: Literal["terminate", "fallback"] | None
    flipped_by: FlipDoc | None
    domain: str | None
    route: RouteDoc
    meaning: str
    fallback: str | None
    resume: str
    why: list[str]
    faulty: bool


class UnlessDoc(Document):
    """What flips a disposition."""

    param: str
    equals: Any
    then: str


class CodeDoc(Document):
    """One stop code of the merged registry."""

    code: str
    scope: list[str]
    domain: str | None
    disposition: str | None
    meaning: str
    fallback: str | None
    unless: UnlessDoc | None
    resume: str


class CodesDocument(Document):
    """`stopview codes --json`."""

    schema_: Annotated[Literal["stopview.codes/1"], Field(alias="schema")] = "stopview.codes/1"
    registry: RegistryDoc
    codes: list[CodeDoc]
