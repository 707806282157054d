"""The documents of `decide` and `resume`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from stopview_core.report.models.base import Document


class DecideDocument(Document):
    """`stopview decide --json`: the outcome, whichever it is."""

    schema_: Annotated[Literal["stopview.decide/1"], Field(alias="schema")] = "stopview.decide/1"
    status_code: int
    name: str
    written: bool
    path: str | None
    receipt: dict[str, Any] | None
    message: str
    stale: bool
    changed: list[str]
    alternatives: list[str]
    fingerprint: str | None


class ResumeDocument(Document):
    """`stopview resume --json`: the packet, or why there is none."""

    schema_: Annotated[Literal["stopview.resume/1"], Field(alias="schema")] = "stopview.resume/1"
    branch: str | None
    request: dict[str, Any] | None
    requestText: str | None
    state: dict[str, Any] | None
    receipt: str | None
    status_code: int | None
    message: str | None
