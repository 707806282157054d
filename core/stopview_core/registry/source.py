"""Reads the files of a registry from disk, each once and bounded, and digests them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from stopview_core.files import open_folder, open_folder_inside, read_inside
from stopview_core.unreadable import Unreadable

SHARED_CODES = "operators/errors.json"
ROUTING = "routing.json"

_OPERATOR_FILES = ("operator.json", "operator.md", "errors.json")
_FILE_CAP = 1024 * 1024  # bytes
_MAX_OPERATORS = 1000


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of every registry file by path from the root, or why it cannot be read.

    `folders` are those under operators/ that hold an operator, `closed` the ones that cannot be
    opened or listed. An operator without codes of its own may have no errors.json: then it is not
    in `files`.
    """

    files: Mapping[str, bytes | Unreadable]
    folders: tuple[str, ...]
    closed: Mapping[str, Unreadable]

    @property
    def sha256(self) -> str:
        """Hex digest over the lines `<sha256>  <path>` of the files, sorted by path."""
        digest = hashlib.sha256()
        for path, data in sorted(self.files.items()):
            if not isinstance(data, Unreadable):
                named = os.fsencode(path)
                digest.update(hashlib.sha256(data).hexdigest().encode() + b"  " + named + b"\n")
        return digest.hexdigest()


def read_source(root: Path) -> Source:
    """Every file of the registry at `root`; raises nothing (contracts 1.2)."""
    try:
        at = open_folder(root.resolve())
    except (OSError, RuntimeError, ValueError):
        at = Unreadable("it cannot be found", "missing")
    if isinstance(at, Unreadable):
        return Source({SHARED_CODES: at, ROUTING: at}, (), {})
    try:
        files = {path: read_inside(at, path, cap=_FILE_CAP) for path in (SHARED_CODES, ROUTING)}
        return _with_operators(at, files)
    finally:
        os.close(at)


def _with_operators(root_fd: int, files: dict[str, bytes | Unreadable]) -> Source:
    folders = []
    closed: dict[str, Unreadable] = {}
    for name in _folder_names(root_fd, closed):
        folder = f"operators/{name}"
        at = open_folder_inside(root_fd, folder)
        if isinstance(at, Unreadable):
            closed[folder] = at
            continue
        try:
            read = {file: read_inside(at, file, cap=_FILE_CAP) for file in _OPERATOR_FILES}
        finally:
            os.close(at)
        if all(_is_missing(data) for data in read.values()):
            continue
        if _is_missing(read["errors.json"]):
            del read["errors.json"]
        folders.append(name)
        files.update({f"{folder}/{file}": data for file, data in read.items()})
    return Source(files, tuple(folders), closed)


def _folder_names(root_fd: int, closed: dict[str, Unreadable]) -> list[str]:
    at = open_folder_inside(root_fd, "operators")
    if isinstance(at, Unreadable):
        closed["operators"] = at
        return []
    try:
        with os.scandir(at) as entries:
            names = sorted(entry.name for entry in entries if entry.is_dir())
    except OSError as error:
        closed["operators"] = Unreadable(os.strerror(error.errno or 0), "error")
        return []
    finally:
        os.close(at)
    if len(names) > _MAX_OPERATORS:
        closed["operators"] = Unreadable(f"it has more than {_MAX_OPERATORS} folders", "too_large")
    return names[:_MAX_OPERATORS]


def _is_missing(data: bytes | Unreadable) -> bool:
    return isinstance(data, Unreadable) and data.kind == "missing"
