"""Names the evidence of a branch and takes its fingerprint (contracts 1.7, Fingerprint)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from stopview_core.alternatives import AlternativeTable
from stopview_core.files import Digests, Unreadable, digest_inside, open_folder
from stopview_core.records import Branch
from stopview_core.text import clean

ALWAYS = ("request/request.json", "response/response.json", "response/response.md")


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of a branch as one fingerprint, with the digest of each file (None: absent)."""

    fingerprint: str
    files: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class NoEvidence:
    """Why the evidence cannot be read: the sentence names the path."""

    why: str


def evidence_paths(branch: Branch, alternatives: AlternativeTable) -> tuple[str, ...]:
    """The evidence by path from the branch: what always counts, what `fields` names, the data, and
    the artifacts shown for an alternative."""
    named = [path for paths in _fields(branch).values() for path in paths]
    shown = [path for a in alternatives.alternatives for path in a.artifacts]
    return tuple(dict.fromkeys((*ALWAYS, *named, *sorted(branch.data_files), *shown)))


def read_evidence(
    branch_path: str | os.PathLike[str], branch: Branch, alternatives: AlternativeTable
) -> Evidence | NoEvidence:
    """The fingerprint of the evidence on disk now, as `sha256:<hex>`."""
    opened = open_folder(branch_path)
    if isinstance(opened, Unreadable):
        return NoEvidence(f"the branch folder cannot be opened: {opened.why}")
    try:
        found = digest_inside(opened, evidence_paths(branch, alternatives))
    finally:
        os.close(opened)
    if isinstance(found, Digests):
        return Evidence(
            f"sha256:{found.fingerprint}", {file.path: file.sha256 for file in found.files}
        )
    where = f"{clean(found.path)}: " if found.path else ""
    return NoEvidence(f"the evidence cannot be read: {where}{found.why}")


def _fields(branch: Branch) -> Mapping[str, tuple[str, ...]]:
    return branch.response.fields if branch.response else {}
