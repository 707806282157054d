"""Finds the texts that can be read in a branch, and reads one of them, bounded and unfollowed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from stopview_core.files import open_folder, read_inside
from stopview_core.folder import Reader
from stopview_core.records import Branch
from stopview_core.unreadable import Unreadable

RESPONSE_DOCUMENT = "response/response.md"
CAP = 8 << 20
"""How many bytes a text may have to be read."""

_ENDING = ".md"
_DEPTH = 6
_MOST = 200


@dataclass(frozen=True, slots=True)
class Document:
    """A text of a run: its path from the run root, and the text as it is in the file."""

    where: str
    text: str


def find_documents(run_path: Path, branch: Branch) -> tuple[str, ...]:
    """The Markdown files of a branch by path from the run root, response.md first.

    Those of its exchanges are among them. At most 200 are listed, and none through a link.
    """
    reader = Reader()
    root = os.fspath(run_path)
    found: list[str] = []
    pending = [(f"{root}/{branch.folder}", 0)]
    while pending and len(found) < _MOST:
        path, depth = pending.pop()
        folder = reader.listing(path)
        if folder is None:
            continue
        found += [f"{path}/{name}"[len(root) + 1 :] for name in folder.files if _is_text(name)]
        if depth < _DEPTH:
            pending += [(f"{path}/{name}", depth + 1) for name in reversed(folder.folders)]
    first = f"{branch.folder}/{RESPONSE_DOCUMENT}"
    return tuple(sorted(found[:_MOST], key=lambda where: (where != first, where)))


def read_document(run_path: Path, where: str, *, cap: int = CAP) -> Document | Unreadable:
    """The text at a path from the run root, not cleaned; Unreadable says why there is none."""
    opened = open_folder(run_path)
    if isinstance(opened, Unreadable):
        return opened
    try:
        data = read_inside(opened, where, cap=cap)
    finally:
        os.close(opened)
    if isinstance(data, Unreadable):
        return data
    try:
        return Document(where, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return Unreadable(f"it is not UTF-8 at byte {error.start}", "error", where)


def _is_text(name: str) -> bool:
    return name.endswith(_ENDING)
