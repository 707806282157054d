"""Creates one file exactly once, whole and durable, or says what is there instead."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from stopview_core.commit_steps import (
    Created,
    Failed,
    Lost,
    Place,
    Refused,
    attempt,
    fill,
    settled,
    step,
)
from stopview_core.system_calls import SystemCalls

__all__ = [
    "Branch",
    "Created",
    "Failed",
    "Lost",
    "Outcome",
    "create_once",
    "is_temporary",
    "sweep",
]

DECISIONS = "decision"
DAY_S = 86_400.0

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_MODE = 0o644
_FOLDER_MODE = 0o777  # the umask decides: what a team shares stays shared
_TEMPORARY = re.compile(r"\..+\.[0-9a-f]{16}\.tmp", re.DOTALL)
_SYSTEM = SystemCalls()

# The unnamed way also stops at ENOENT (no such files, no /proc, but a vanished folder too) and
# at EACCES (/proc is closed): the named way meets what is real trouble again and reports it.
_NO_UNNAMED = frozenset({errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL, errno.ENOSYS})
_NO_LINK = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EINVAL})
_NO_LINK_OPEN = _NO_LINK | {errno.EACCES, errno.ENOENT, errno.EXDEV}
_NO_RENAME = frozenset({errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP})

Outcome: TypeAlias = "Created | Lost | Failed"
Branch: TypeAlias = "int | str | os.PathLike[str]"


def create_once(
    branch: Branch,
    *,
    name: str,
    data: bytes,
    folder: str = DECISIONS,
    calls: SystemCalls = _SYSTEM,
) -> Outcome:
    """Create `<branch>/<folder>/<name>` with `data`, once, the way of hazards 4.3.

    `branch` is a folder's descriptor (it stays open) or its path; `folder` is made where it is
    missing and may stay behind empty. Never replaces a file and never repeats a failed sync.
    ValueError: a name is not one plain, visible component.
    """
    for component in (folder, name):
        if not component or component[0] == "." or "/" in component or "\0" in component:
            raise ValueError(f"not one plain, visible name: {component!r}")
    try:
        with (
            _opened_branch(branch, calls) as branch_fd,
            _made_folder(branch_fd, folder, calls) as folder_fd,
        ):
            return _commit(Place(calls, branch_fd, folder, folder_fd, name), data)
    except Refused as refused:
        return refused.failed


def sweep(
    branch: Branch,
    *,
    folder: str = DECISIONS,
    older_than_s: float = DAY_S,
    calls: SystemCalls = _SYSTEM,
) -> tuple[str, ...]:
    """Remove what killed writers left in the folder, once it is over a day old; its names."""
    try:
        with (
            _opened_branch(branch, calls) as branch_fd,
            _opened(folder, calls, branch_fd, f"the folder {folder}") as folder_fd,
        ):
            return _sweep(folder_fd, older_than_s, calls)
    except Refused:
        return ()


def is_temporary(name: str) -> bool:
    """Whether an unfinished write has this name: readers pass over it."""
    return _TEMPORARY.fullmatch(name) is not None


@contextmanager
def _opened(path: str, calls: SystemCalls, dir_fd: int | None, what: str) -> Iterator[int]:
    with step(f"{what} could not be opened"):
        fd = calls.open(path, _FOLDER, dir_fd=dir_fd)
    try:
        yield fd
    finally:
        _close(fd, calls)


def _close(fd: int, calls: SystemCalls) -> None:
    # Everything that counts was synced before: a close has nothing left to lose.
    with suppress(OSError):
        calls.close(fd)


@contextmanager
def _opened_branch(branch: Branch, calls: SystemCalls) -> Iterator[int]:
    path, dir_fd = (".", branch) if isinstance(branch, int) else (os.fspath(branch), None)
    with _opened(path, calls, dir_fd, "the branch") as fd:
        yield fd


@contextmanager
def _made_folder(branch_fd: int, folder: str, calls: SystemCalls) -> Iterator[int]:
    with step(f"the folder {folder} could not be made"):
        try:
            calls.stat(folder, dir_fd=branch_fd)
        except FileNotFoundError:
            with suppress(FileExistsError):
                calls.mkdir(folder, _FOLDER_MODE, dir_fd=branch_fd)
    with _opened(folder, calls, branch_fd, f"the folder {folder}") as fd:
        # Not only where this writer made it: who did may have been killed before its sync.
        with step("the branch could not be synced"):
            calls.sync(branch_fd)
        yield fd


def _commit(place: Place, data: bytes) -> Outcome:
    fd = _open_unnamed(place)
    if fd is not None:
        try:
            fill(place, fd, data)
            link = partial(place.calls.link_open, fd, place.name, dir_fd=place.folder_fd)
            naming = attempt(place, fd, link, _NO_LINK_OPEN)
            if naming != "unable":
                return settled(place, fd) if naming == "done" else Lost(place.name)
        finally:
            _close(fd, place.calls)
    return _commit_named(place, data)


def _open_unnamed(place: Place) -> int | None:
    """A file without a name, which dies with its writer; None where there are no such files."""
    unnamed: int | None = getattr(os, "O_TMPFILE", None)
    if unnamed is None:
        return None
    flags = unnamed | os.O_WRONLY | os.O_CLOEXEC
    with step("the file could not be made"):
        try:
            return place.calls.open(".", flags, _MODE, dir_fd=place.folder_fd)
        except OSError as error:
            if error.errno not in _NO_UNNAMED:
                raise
    return None


def _commit_named(place: Place, data: bytes) -> Outcome:
    """The same through a temporary name, for file systems that have no unnamed files."""
    _sweep(place.folder_fd, DAY_S, place.calls)
    temporary = f".{place.name}.{secrets.token_hex(8)}.tmp"
    with step("the file could not be made"):
        fd = place.calls.open(temporary, _NEW, _MODE, dir_fd=place.folder_fd)
    left: tuple[str, ...] = ()
    try:
        fill(place, fd, data)
        return _named(place, fd, temporary)
    except Refused as refused:
        failed = refused.failed
    finally:
        left = _discarded(place, temporary)
        _close(fd, place.calls)
    if left:
        failed = replace(failed, why=f"{failed.why}; the unfinished file could not be removed")
    return replace(failed, left=failed.left + left)


def _named(place: Place, fd: int, temporary: str) -> Outcome:
    calls, name, folder_fd = place.calls, place.name, place.folder_fd
    naming = attempt(place, fd, partial(calls.link, temporary, name, dir_fd=folder_fd), _NO_LINK)
    if naming == "unable":
        rename = partial(calls.rename_new, temporary, name, dir_fd=folder_fd)
        naming = attempt(place, fd, rename, _NO_RENAME)
    if naming == "unable":
        raise Refused(Failed("this file system cannot name a file without replacing another"))
    return settled(place, fd) if naming == "done" else Lost(name)


def _discarded(place: Place, temporary: str) -> tuple[str, ...]:
    """Remove the temporary name, which a rename has taken already; what is still there."""
    calls, folder_fd = place.calls, place.folder_fd
    try:
        calls.unlink(temporary, dir_fd=folder_fd)
    except OSError:
        # A file system that is read-only refuses to remove even what is not there.
        try:
            calls.stat(temporary, dir_fd=folder_fd)
        except FileNotFoundError:
            return ()
        except OSError:
            pass
        return (temporary,)
    return ()


def _sweep(folder_fd: int, older_than_s: float, calls: SystemCalls) -> tuple[str, ...]:
    swept: list[str] = []
    with suppress(OSError):
        for name in filter(is_temporary, calls.names(folder_fd)):
            with suppress(OSError):
                found = calls.stat(name, dir_fd=folder_fd)
                if stat.S_ISREG(found.st_mode) and calls.now() - found.st_mtime > older_than_s:
                    calls.unlink(name, dir_fd=folder_fd)
                    swept.append(name)
    return tuple(sorted(swept))
