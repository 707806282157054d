"""Lists folders and reads files for a scan, and keeps account of what could not be read."""

from __future__ import annotations

import builtins
import hashlib
import os
from dataclasses import dataclass
from typing import NamedTuple

from stopview_core.files import Contents, Unreadable, parse_json, read_stamped
from stopview_core.records import JsonValue, Skipped
from stopview_core.text import clean


@dataclass(frozen=True, slots=True)
class Folder:
    """One folder's names by kind, each in byte order; links are kept apart and never followed."""

    path: str
    folders: tuple[str, ...]
    files: tuple[str, ...]
    links: tuple[str, ...]
    others: tuple[str, ...]

    def has(self, name: str) -> bool:
        """Whether anything of that name is there, whatever it is."""
        return (
            name in self.files or name in self.folders or name in self.links or name in self.others
        )


class JsonFile(NamedTuple):
    """A JSON file as read: its value, the sha256 of its bytes where asked for, its mtime."""

    value: JsonValue
    sha256: str
    mtime_ns: int


class JsonObject(NamedTuple):
    """The same for a file that holds an object."""

    value: dict[str, JsonValue]
    sha256: str
    mtime_ns: int


class Reader:
    """Reads with bounds and without following links; None means: not read, see `skipped`.

    Right after a read that gave None, `was_missing` tells that the file was not there, and
    `last_why` why it was not read. With `keeps_digests`, `digests` holds the sha256 of every file
    that was read, by path. `malformed` holds the files that are no JSON, perhaps since they are
    half written, each with its mtime in ns.
    """

    def __init__(self, *, keeps_digests: bool = False) -> None:
        self.skipped: list[Skipped] = []
        self.malformed: list[tuple[str, int]] = []
        self.digests: dict[str, str] = {}
        self.keeps_digests = keeps_digests
        self.was_missing = False
        self.last_why = ""

    def touch(self, path: str) -> None:
        """Called before anything at a path is looked at: what was read rests on it."""

    def touched(self, path: str, read: Contents | Unreadable) -> None:
        """Called when a file was read, or was not: what was read rests on it."""

    def skip(self, path: str, why: str, *, is_partial: bool = False) -> None:
        """Note a path that was not read, or with `is_partial` one that says nothing here."""
        self.last_why = clean(why)
        self.skipped.append(Skipped(clean(path), self.last_why, is_partial))

    def note_problems(self, path: str, problems: list[str]) -> None:
        """Note the values of a file that did not fit what they should be; the rest was read."""
        for problem in problems:
            self.skipped.append(Skipped(clean(path), clean(problem), is_partial=True))

    def listing(self, path: str) -> Folder | None:
        """The folder's names, or None where it cannot be listed."""
        folders, files, links, others = [], [], [], []
        self.touch(path)
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.name)
                    elif entry.is_file(follow_symlinks=False):
                        files.append(entry.name)
                    elif entry.is_symlink():
                        links.append(entry.name)
                    else:
                        others.append(entry.name)
        except OSError as error:
            self.skip(path, f"cannot be listed: {error.strerror or error}")
            return None
        return Folder(path, _sorted(folders), _sorted(files), _sorted(links), _sorted(others))

    def lstat(self, path: str) -> os.stat_result | None:
        """The path's own stat, links not followed; None where it has none."""
        self.touch(path)
        try:
            return os.lstat(path)
        except (OSError, ValueError):
            return None

    def json_object(
        self, path: str, cap: int, *, may_be_missing: bool = False, digest: bool = False
    ) -> JsonObject | None:
        """A JSON file that must hold an object."""
        read = self.json(path, cap, may_be_missing=may_be_missing, digest=digest)
        if read is None:
            return None
        value, sha256, mtime_ns = read
        if not isinstance(value, dict):
            self.skip(path, "expected a JSON object")
            return None
        return JsonObject(value, sha256, mtime_ns)

    def json(
        self, path: str, cap: int, *, may_be_missing: bool = False, digest: bool = False
    ) -> JsonFile | None:
        """A JSON file."""
        read = self._bytes(path, cap, may_be_missing=may_be_missing)
        if read is None:
            return None
        data, mtime_ns = read
        value = parse_json(data)
        if isinstance(value, Unreadable):
            self.malformed.append((path, mtime_ns))
            self.skip(path, value.why)
            return None
        return JsonFile(value, hashlib.sha256(data).hexdigest() if digest else "", mtime_ns)

    def bytes(self, path: str, cap: int) -> builtins.bytes | None:
        """A file's bytes."""
        read = self._bytes(path, cap, may_be_missing=False)
        return read[0] if read is not None else None

    def text(self, path: str, cap: int) -> str | None:
        """A UTF-8 text file, not cleaned: whoever takes parts of it cleans them."""
        read = self._bytes(path, cap, may_be_missing=False)
        if read is None:
            return None
        try:
            return read[0].decode("utf-8-sig")
        except UnicodeDecodeError as error:
            self.skip(path, f"not UTF-8 at byte {error.start}")
            return None

    def _bytes(
        self, path: str, cap: int, *, may_be_missing: bool
    ) -> tuple[builtins.bytes, int] | None:
        self.was_missing = False
        read = read_stamped(path, cap=cap)
        self.touched(path, read)
        if isinstance(read, Unreadable):
            self.was_missing = read.kind == "missing"
            if not (self.was_missing and may_be_missing):
                self.skip(path, read.why)
            return None
        if self.keeps_digests:
            self.digests[path] = hashlib.sha256(read.data).hexdigest()
        return read.data, read.stat.st_mtime_ns


def _sorted(names: list[str]) -> tuple[str, ...]:
    # Most lists here are empty, and sorting nothing would cost as much as listing the folder.
    return tuple(sorted(names)) if len(names) > 1 else tuple(names)
