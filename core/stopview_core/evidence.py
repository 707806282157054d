"""Names the evidence of a branch and takes its fingerprint (contracts 1.7, Fingerprint)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from stat import S_ISDIR, S_ISLNK, S_ISREG

from stopview_core.alternatives import AlternativeTable
from stopview_core.files import (
    EVIDENCE_BUDGET,
    Digests,
    Unreadable,
    digest_inside,
    normalise,
    open_folder,
)
from stopview_core.folder import Reader
from stopview_core.records import Branch
from stopview_core.text import clean

_DECISIONS = "decision"
ALWAYS = ("request/request.json", "response/response.json", "response/response.md")


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of a branch as one fingerprint, with the digest of each file (None: absent)."""

    fingerprint: str
    files: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class NoEvidence:
    """Why the evidence cannot be read, in a sentence; `path` from the branch, "" for all of it."""

    why: str
    path: str = ""


def evidence_paths(branch: Branch, alternatives: AlternativeTable) -> tuple[str, ...]:
    """The evidence by path from the branch: what always counts, what `fields` names, the data, and
    the artifacts shown for an alternative. `decision/` never counts, whoever names it."""
    named = [path for paths in _fields(branch).values() for path in paths]
    shown = [path for a in alternatives.alternatives for path in a.artifacts]
    listed = dict.fromkeys((*ALWAYS, *named, *sorted(branch.data_files), *shown))
    return tuple(path for path in listed if not _is_decision(path))


def evidence_problem(branch_path: str, paths: Iterable[str], reader: Reader) -> str | None:
    """Why the evidence cannot all be read, as far as it shows without opening it; None if nothing.

    A path that leaves the branch, a link, what is no regular file, more than the budget.
    """
    size = 0
    looked_at: set[str] = set()
    for path in paths:
        name = normalise(path)
        if isinstance(name, Unreadable):
            return f"{clean(path)}: {name.why}"
        parts = name.split("/")
        for end in range(1, len(parts) + 1):
            part = "/".join(parts[:end])
            if part in looked_at:
                continue
            looked_at.add(part)
            found = reader.lstat(f"{branch_path}/{part}")
            if found is None:
                break
            why = _not_evidence(found.st_mode, is_last=end == len(parts))
            if why is not None:
                return f"{clean(part)}: {why}"
            size += found.st_size if end == len(parts) else 0
    return (
        f"the evidence is larger than {EVIDENCE_BUDGET} bytes" if size > EVIDENCE_BUDGET else None
    )


def _not_evidence(mode: int, *, is_last: bool) -> str | None:
    if S_ISLNK(mode):
        return "it is a link"
    if is_last and not S_ISREG(mode):
        return "it is not a regular file"
    return None if is_last or S_ISDIR(mode) else "it is not a folder"


def _is_decision(path: str) -> bool:
    name = normalise(path)
    return isinstance(name, str) and (name == _DECISIONS or name.startswith(f"{_DECISIONS}/"))


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
    return NoEvidence(f"the evidence cannot be read: {where}{found.why}", clean(found.path))


def _fields(branch: Branch) -> Mapping[str, tuple[str, ...]]:
    return branch.response.fields if branch.response else {}
