"""Reads hostile files: bounded, never through a link, never out of a folder, never raising."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from stopview_core.jsontext import JsonValue, duplicate_keys, parse_json
from stopview_core.unreadable import Kind, Unreadable

__all__ = [
    "ABSENT",
    "EVIDENCE_BUDGET",
    "Contents",
    "Digests",
    "FileDigest",
    "JsonValue",
    "Kind",
    "Unreadable",
    "digest_inside",
    "duplicate_keys",
    "fingerprint",
    "normalise",
    "open_folder",
    "open_folder_inside",
    "open_inside",
    "parse_json",
    "read_bytes",
    "read_inside",
    "read_stamped",
    "read_stamped_inside",
    "sha256_inside",
]

Opening: TypeAlias = "str | os.PathLike[str]"

EVIDENCE_BUDGET = 64 * 1024 * 1024  # bytes of evidence one decision may rest on, contracts 1.7
ABSENT = "absent"

_CHUNK = 256 * 1024
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_FOLDER = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC
# O_PATH asks for no right to list a folder that is only passed through.
_PASS = _FOLDER | getattr(os, "O_PATH", 0)
_KIND_OF_ERRNO: Mapping[int, Kind] = {
    errno.ENOENT: "missing",
    errno.ENAMETOOLONG: "missing",
    errno.ELOOP: "link",
    errno.EMLINK: "link",
    errno.ENOTDIR: "not_regular",
    errno.ENXIO: "not_regular",
    errno.EACCES: "permission",
    errno.EPERM: "permission",
}
_WHY: Mapping[Kind, str] = {
    "missing": "it is not there",
    "link": "it is a link, and links are not followed",
    "not_regular": "it is not a regular file",
    "permission": "permission denied",
}


@dataclass(frozen=True, slots=True)
class Contents:
    """The bytes of one file and the stat of the descriptor that they were read from."""

    data: bytes
    stat: os.stat_result


@dataclass(frozen=True, slots=True)
class FileDigest:
    """One path below a folder: its sha256 in hex and size in bytes, or None and 0 when absent."""

    path: str
    sha256: str | None
    size: int


@dataclass(frozen=True, slots=True)
class Digests:
    """The fingerprint (64 hex digits) over `files`, sorted by path, and their size in bytes."""

    fingerprint: str
    files: tuple[FileDigest, ...]
    size: int


def read_bytes(path: Opening, *, dir_fd: int | None = None, cap: int) -> bytes | Unreadable:
    """Read a regular file of at most `cap` bytes; only its last component is kept from a link.

    A path from a file's content goes through `read_inside`. Opening rules: hazards 4.3.
    """
    found = read_stamped(path, dir_fd=dir_fd, cap=cap)
    return found if isinstance(found, Unreadable) else found.data


def read_stamped(path: Opening, *, dir_fd: int | None = None, cap: int) -> Contents | Unreadable:
    """As `read_bytes`, with the stat of what was read."""
    opened = _open(path, _READ, dir_fd)
    return opened if isinstance(opened, Unreadable) else _read_and_close(opened, cap)


def read_inside(root_fd: int, path: str, *, cap: int) -> bytes | Unreadable:
    """Read the regular file at `path` below `root_fd`, at most `cap` bytes, through no link."""
    found = read_stamped_inside(root_fd, path, cap=cap)
    return found if isinstance(found, Unreadable) else found.data


def read_stamped_inside(root_fd: int, path: str, *, cap: int) -> Contents | Unreadable:
    """As `read_inside`, with the stat of what was read."""
    opened = open_inside(root_fd, path)
    return opened if isinstance(opened, Unreadable) else _read_and_close(opened, cap)


def open_inside(root_fd: int, path: str) -> int | Unreadable:
    """Open `path` below `root_fd` for reading, component by component; the caller closes.

    Refuses links, `..`, absolute paths and empty ones. What is opened may still be no regular
    file (it never blocks): the reading functions here look.
    """
    parts = _parts(path)
    if isinstance(parts, Unreadable):
        return parts
    if not parts:
        return Unreadable("it names no file", "outside")
    return _descend(root_fd, parts, _READ)


def open_folder_inside(root_fd: int, path: str) -> int | Unreadable:
    """Open the folder at `path` (`.` for the root itself) below `root_fd`; the caller closes."""
    parts = _parts(path)
    if isinstance(parts, Unreadable):
        return parts
    return _descend(root_fd, parts or (".",), _FOLDER)


def open_folder(path: Opening, *, dir_fd: int | None = None) -> int | Unreadable:
    """Open a folder that is no link itself, to list it or to resolve below it; caller closes."""
    return _open(path, _FOLDER, dir_fd)


@lru_cache(maxsize=4096)
def normalise(path: str) -> str | Unreadable:
    """`path` without `.`, empty components and a slash at the end; refused when it could leave."""
    parts = _parts(path)
    if isinstance(parts, Unreadable):
        return parts
    return "/".join(parts) if parts else Unreadable("it names no file", "outside", path)


def sha256_inside(root_fd: int, path: str, *, cap: int) -> FileDigest | Unreadable:
    """The sha256 of a regular file below `root_fd` of at most `cap` bytes, in constant memory."""
    opened = open_inside(root_fd, path)
    if isinstance(opened, Unreadable):
        return replace(opened, path=path)
    try:
        refused = _refusal(os.fstat(opened), cap)
        return replace(refused, path=path) if refused else _sha256(opened, path, cap)
    except OSError as error:
        return Unreadable(_reason(error), "error", path)
    finally:
        os.close(opened)


def digest_inside(
    branch_fd: int, paths: Iterable[str], *, budget: int = EVIDENCE_BUDGET
) -> Digests | Unreadable:
    """Digest the evidence at `paths` below `branch_fd`, at most `budget` bytes in all.

    Contracts 1.7: a file that is not there counts as absent; everything else that cannot be read
    gives the Unreadable of the first such path.
    """
    files: list[FileDigest] = []
    left = budget
    names = _evidence_names(paths)
    if isinstance(names, Unreadable):
        return names
    for name in names:
        found = sha256_inside(branch_fd, name, cap=left)
        if isinstance(found, Unreadable):
            if found.kind == "too_large":
                return replace(found, why=f"the evidence is larger than {budget} bytes")
            if found.kind != "missing":
                return found
            found = FileDigest(name, None, 0)
        left -= found.size
        files.append(found)
    return Digests(
        fingerprint({file.path: file.sha256 for file in files}), tuple(files), budget - left
    )


def fingerprint(digests: Mapping[str, str | None]) -> str:
    """The 64 hex digits over {normalised path: sha256 in hex, None for absent}, contracts 1.7."""
    lines = (os.fsencode(f"{digest or ABSENT}  {path}\n") for path, digest in digests.items())
    return hashlib.sha256(b"".join(sorted(lines))).hexdigest()


def _parts(path: str) -> tuple[str, ...] | Unreadable:
    if path.startswith("/"):
        return Unreadable("it is an absolute path", "outside", path)
    parts = tuple(part for part in path.split("/") if part not in ("", "."))
    if ".." in parts:
        return Unreadable("it leaves its folder", "outside", path)
    return parts


def _evidence_names(paths: Iterable[str]) -> list[str] | Unreadable:
    names: set[str] = set()
    for path in paths:
        name = normalise(path)
        if isinstance(name, Unreadable):
            return name
        if "\n" in name:
            # Two lists of lines could read the same: a fingerprint has to be unambiguous.
            return Unreadable("its name holds a line feed", "error", path)
        names.add(name)
    return sorted(names)


def _descend(root_fd: int, parts: tuple[str, ...], flags: int) -> int | Unreadable:
    at = root_fd
    try:
        for part in parts[:-1]:
            below = _open(part, _PASS, at)
            if isinstance(below, Unreadable):
                return below
            if at != root_fd:
                os.close(at)
            at = below
        return _open(parts[-1], flags, at)
    finally:
        if at != root_fd:
            os.close(at)


def _open(path: Opening, flags: int, dir_fd: int | None) -> int | Unreadable:
    try:
        return os.open(path, flags, dir_fd=dir_fd)
    except OSError as error:
        return _refused_open(error, path, flags, dir_fd)
    except ValueError:
        return Unreadable("its name is not one that a file can have", "error")


def _refused_open(error: OSError, path: Opening, flags: int, dir_fd: int | None) -> Unreadable:
    kind = _KIND_OF_ERRNO.get(error.errno or 0, "error")
    if kind != "not_regular":
        return Unreadable(_WHY.get(kind, _reason(error)), kind)
    # With O_DIRECTORY a link is reported as "not a directory": look which it is.
    try:
        if stat.S_ISLNK(os.stat(path, dir_fd=dir_fd, follow_symlinks=False).st_mode):
            return Unreadable(_WHY["link"], "link")
    except OSError:
        pass
    return Unreadable("it is not a folder" if flags & os.O_DIRECTORY else _WHY[kind], kind)


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else "it cannot be read"


def _refusal(found: os.stat_result, cap: int) -> Unreadable | None:
    if stat.S_ISDIR(found.st_mode):
        return Unreadable("it is a folder, not a file", "not_regular")
    if not stat.S_ISREG(found.st_mode):
        return Unreadable(_WHY["not_regular"], "not_regular")
    return _too_large(cap) if found.st_size > cap else None


def _too_large(cap: int) -> Unreadable:
    return Unreadable(f"it is larger than {cap} bytes", "too_large")


def _read_and_close(fd: int, cap: int) -> Contents | Unreadable:
    try:
        found = os.fstat(fd)
        refused = _refusal(found, cap)
        if refused:
            return refused
        # One byte more than expected: what grew since the stat is seen, and still bounded.
        data = os.read(fd, found.st_size + 1)
        if len(data) != found.st_size:
            data = _read_on(fd, data, cap)
        return Contents(data, found) if len(data) <= cap else _too_large(cap)
    except OSError as error:
        return Unreadable(_reason(error), "error")
    finally:
        os.close(fd)


def _read_on(fd: int, data: bytes, cap: int) -> bytes:
    chunks = [data]
    size = len(data)
    while size <= cap and (chunk := os.read(fd, min(_CHUNK, cap + 1 - size))):
        chunks.append(chunk)
        size += len(chunk)
    return b"".join(chunks)


def _sha256(fd: int, path: str, cap: int) -> FileDigest | Unreadable:
    digest = hashlib.sha256()
    size = 0
    while chunk := os.read(fd, _CHUNK):
        size += len(chunk)
        if size > cap:
            return replace(_too_large(cap), path=path)
        digest.update(chunk)
    return FileDigest(path, digest.hexdigest(), size)
