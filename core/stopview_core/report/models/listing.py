"""The document of `list`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from stopview_core.report.models.base import BranchBase, Document, RegistryDoc, SkippedDoc


class ListedBranch(BranchBase):
    """A branch in `list`: the alternatives by id."""

    alternatives: list[str]


class ListCounts(Document):
    """How many there are in all, how many are listed, and how many a filter hides."""

    runs: int
    branches: int
    open: int
    listed: int
    needs_choice: int
    bypassed: int
    hidden: int
    hidden_bypassed: int


class NoticeDoc(Document):
    """Something said once about a whole run."""

    path: str
    path_bytes: str | None
    text: str


class ListDocument(Document):
    """`stopview list --json`."""

    schema_: Annotated[Literal["stopview.list/1"], Field(alias="schema")] = "stopview.list/1"
    registry: RegistryDoc
    counts: ListCounts
    branches: list[ListedBranch]
    notices: list[NoticeDoc]
    skipped: list[SkippedDoc]
