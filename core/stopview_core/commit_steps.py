"""The steps that every way of creating a file once shares: fill it, name it, settle it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from stopview_core.system_calls import SystemCalls

Holder: TypeAlias = Literal["ours", "another", "nobody", "unknown"]


@dataclass(frozen=True, slots=True)
class Created:
    """The file is there, whole, and outlives a power cut."""

    name: str


@dataclass(frozen=True, slots=True)
class Lost:
    """Something of that name was there first; its writer may still have to take it back."""

    name: str


@dataclass(frozen=True, slots=True)
class Failed:
    """Nothing was created: `why` in a sentence without paths, `errno` as the system gave it or 0.

    `left` names what stands in the folder nevertheless, or may stand there: empty unless taking
    it back failed too, or the folder could not even be looked at. `why` says which.
    """

    why: str
    errno: int = 0
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where the file goes, `<branch>/<folder>/<name>`, and by which calls."""

    calls: SystemCalls
    branch_fd: int
    folder: str
    folder_fd: int
    name: str


class Refused(Exception):
    """Carries a Failed from the step that met it to the one place that returns it."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.why)
        self.failed = failed


@contextmanager
def step(trouble: str) -> Iterator[None]:
    """Turn an OSError inside into Refused, with `trouble` and the system's own words as why."""
    try:
        yield
    except OSError as error:
        raise Refused(Failed(f"{trouble}: {reason(error)}", error.errno or 0)) from error


def reason(error: OSError) -> str:
    """The system's words for the error, without any path."""
    return os.strerror(error.errno) if error.errno else "the system gave no reason"


def fill(place: Place, fd: int, data: bytes) -> None:
    """Write all of `data` into the new file and sync it; Refused when either fails."""
    rest = memoryview(data)
    with step("the file could not be written"):
        while rest:
            taken = place.calls.write(fd, rest)
            if not taken:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            rest = rest[taken:]
    with step("the file could not be synced"):
        place.calls.sync(fd)


def attempt(
    place: Place, fd: int, give_name: Callable[[], None], unable: frozenset[int]
) -> Literal["done", "lost", "unable"]:
    """Give the file its name; Refused unless it worked, lost, or the error is one of `unable`."""
    trouble = "the file could not be given its name"
    try:
        give_name()
    except OSError as error:
        # A server's answer can be lost, and its client then asks again and hears "exists".
        held = _holder(place, fd)
        if held == "ours":
            return "done"
        if error.errno in unable:
            return "unable"
        if held == "unknown":
            why = f"{trouble}: {reason(error)}; whether it is there could not be found out"
            raise Refused(Failed(why, error.errno or 0, (place.name,))) from error
        if error.errno == errno.EEXIST:
            return "lost"
        raise Refused(Failed(f"{trouble}: {reason(error)}", error.errno or 0)) from error
    return "done"


def settled(place: Place, fd: int) -> Created:
    """Created, once the name is on the disk and still leads there; otherwise it is taken back.

    Never synced twice: after a failure the second sync reports a success that never happened.
    """
    try:
        place.calls.sync(place.folder_fd)
    except OSError as error:
        failed = Failed(f"the folder could not be synced: {reason(error)}", error.errno or 0)
        raise Refused(_taken_back(place, fd, failed)) from error
    if _reached(place, fd) in ("another", "nobody"):
        failed = Failed("the file or its folder was taken away while it was written")
        raise Refused(_taken_back(place, fd, failed))
    return Created(place.name)


def _holder(place: Place, fd: int) -> Holder:
    """Whose file the name in the open folder leads to."""
    return _owner(place.calls, place.name, place.folder_fd, fd)


def _reached(place: Place, fd: int) -> Holder:
    """Whose file the way from the branch leads to, where the folder may have been replaced."""
    return _owner(place.calls, f"{place.folder}/{place.name}", place.branch_fd, fd)


def _owner(calls: SystemCalls, path: str, dir_fd: int, fd: int) -> Holder:
    """Told by the inode: a count of links could be anybody's."""
    try:
        there = calls.stat(path, dir_fd=dir_fd)
        return "ours" if os.path.samestat(there, calls.fstat(fd)) else "another"
    except (FileNotFoundError, NotADirectoryError):
        return "nobody"
    except OSError:
        return "unknown"


def _taken_back(place: Place, fd: int, failed: Failed) -> Failed:
    """Remove the name: what stayed would be read as a success that was reported to nobody."""
    calls, folder_fd = place.calls, place.folder_fd
    if _holder(place, fd) in ("another", "nobody"):
        return failed
    kept = "could not be removed again"
    try:
        if any(name > place.name and name[0] != "." for name in calls.names(folder_fd)):
            kept = "stays, since a later one has been written on top of it"
        else:
            calls.unlink(place.name, dir_fd=folder_fd)
            why = f"{failed.why}; the file was removed again, though a power cut may bring it back"
            return replace(failed, why=why)
    except OSError:
        pass
    return replace(failed, why=f"{failed.why}; the file is whole and {kept}", left=(place.name,))
