"""System calls that watch, fail or cheat, and the checks that tell a sound commit by its traces."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from stopview_core.commit import Created, Lost, Outcome, create_once, is_temporary
from stopview_core.system_calls import SystemCalls

NAME = "0001.yaml"
DATA = b"protocol: SACP/0.1\n" * 200
CALLS = tuple(name for name in vars(SystemCalls) if not name.startswith("_"))
ALWAYS_WORKS = ("now", "close")


class Seam(SystemCalls):
    """Every call goes through `around`, which a subclass overrides."""

    def around(self, call: str, do: Callable[[], Any], args: tuple[Any, ...]) -> Any:
        return do()


def _through(call: str) -> Callable[..., Any]:
    def method(self: Seam, *args: Any, **kwargs: Any) -> Any:
        return self.around(call, lambda: getattr(SystemCalls, call)(self, *args, **kwargs), args)

    return method


for _call in CALLS:
    setattr(Seam, _call, _through(_call))


class Unnamed(Seam):
    """The way that Linux file systems take: a file without a name, linked."""


class Linked(Seam):
    """A file system without unnamed files."""

    def open(self, path: str, flags: int, mode: int = 0, *, dir_fd: int | None = None) -> int:
        if flags & getattr(os, "O_TMPFILE", 0) == os.O_TMPFILE:
            raise failure(errno.EOPNOTSUPP)
        return super().open(path, flags, mode, dir_fd=dir_fd)


class Renamed(Linked):
    """A file system without unnamed files and without hard links."""

    def link(self, source: str, name: str, *, dir_fd: int) -> None:
        raise failure(errno.EPERM)


WAYS: tuple[type[Seam], ...] = (Unnamed, Linked, Renamed)


def failure(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def counting(way: type[Seam]) -> Any:
    """A seam that notes the names of the calls it lets through, in `seen`."""

    class Counting(way):  # type: ignore[misc, valid-type]
        def __init__(self) -> None:
            self.seen: list[str] = []

        def around(self, call: str, do: Callable[[], Any], args: tuple[Any, ...]) -> Any:
            self.seen.append(call)
            return super().around(call, do, args)

    return Counting()


def before(way: type[Seam], index: int, act: Callable[[], None]) -> Seam:
    """A seam that acts just before its call number `index`, for instance by raising."""

    class Acting(way):  # type: ignore[misc, valid-type]
        count = -1

        def around(self, call: str, do: Callable[[], Any], args: tuple[Any, ...]) -> Any:
            self.count += 1
            if self.count == index:
                act()
            return super().around(call, do, args)

    return Acting()


def failing(way: type[Seam], failures: dict[str, int], *, after: bool = False) -> Seam:
    """A seam whose calls of these names fail, with `after` once they have done their work."""

    class Failing(way):  # type: ignore[misc, valid-type]
        def around(self, call: str, do: Callable[[], Any], args: tuple[Any, ...]) -> Any:
            if call not in failures:
                return super().around(call, do, args)
            if after:
                super().around(call, do, args)
            raise failure(failures[call])

    return Failing()


class Dribbling(Seam):
    """Takes a thousand bytes a write."""

    def write(self, fd: int, data: memoryview) -> int:
        return super().write(fd, data[:1000])


def dribbling(way: type[Seam]) -> Seam:
    class Both(Dribbling, way):  # type: ignore[misc, valid-type]
        pass

    return Both()


def calls_of(way: type[Seam], branch: Path) -> list[str]:
    """The calls of one commit that finds no folder and works; the branch is empty again after."""
    seam = counting(way)
    assert create_once(branch, name=NAME, data=DATA, calls=seam) == Created(NAME)
    shutil.rmtree(branch / "decision")
    return list(seam.seen)


# The mutants: each leaves out what one rule of the commit asks for.


def _is_folder(fd: int) -> bool:
    return stat.S_ISDIR(os.fstat(fd).st_mode)


class WithoutFileSync(Seam):
    def sync(self, fd: int) -> None:
        if _is_folder(fd):
            super().sync(fd)


class WithoutFolderSync(Seam):
    def sync(self, fd: int) -> None:
        if not _is_folder(fd):
            super().sync(fd)


class CheckThenRename(Linked):
    """Looks whether the name is free and then renames over it."""

    def link(self, source: str, name: str, *, dir_fd: int) -> None:
        try:
            self.stat(name, dir_fd=dir_fd)
        except FileNotFoundError:
            self.between()
            os.replace(source, name, src_dir_fd=dir_fd, dst_dir_fd=dir_fd)
        else:
            raise failure(errno.EEXIST)

    def between(self) -> None:
        """What a busy machine does here, others do in this gap."""
        for _ in range(50):
            os.sched_yield()


class InPlace(Seam):
    """Writes straight into the final name, as `open(path, "x")` does."""

    def open(self, path: str, flags: int, mode: int = 0, *, dir_fd: int | None = None) -> int:
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            path, flags = NAME, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC
        return super().open(path, flags, mode, dir_fd=dir_fd)

    def link_open(self, fd: int, name: str, *, dir_fd: int) -> None:
        """The name is there already."""


# The checks: each returns what is wrong, in words; nothing is a pass.


class Recorded(Seam):
    """Notes in `log` what counts for a power cut: writes, names given, and syncs of what."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def around(self, call: str, do: Callable[[], Any], args: tuple[Any, ...]) -> Any:
        result = super().around(call, do, args)
        if call == "sync":
            self.log.append("sync folder" if _is_folder(args[0]) else "sync file")
        elif call in ("link_open", "link", "rename_new"):
            self.log.append("name")
        elif call in ("write", "mkdir"):
            self.log.append(call)
        return result


def recorded(way: type[Seam]) -> Any:
    class Both(way, Recorded):  # type: ignore[misc, valid-type]
        pass

    return Both()


def order_faults(log: Sequence[str]) -> list[str]:
    """What a power cut after `log`, the calls of a commit that said saved, could take away."""
    if "name" not in log or "write" not in log:
        return ["nothing was written and named"]
    faults = []
    named = log.index("name")
    last_write = max(index for index, call in enumerate(log) if call == "write")
    if "sync file" not in log[last_write:named]:
        faults.append("the file was not synced between its last write and its name")
    if "sync folder" not in log[named:]:
        faults.append("the folder was not synced after the name was given")
    if "mkdir" in log and "sync folder" not in log[log.index("mkdir") : named]:
        faults.append("the branch was not synced after the folder was made")
    return faults


def remains(branch: Path, folder: str = "decision") -> dict[str, bytes]:
    """Everything that is in the folder, hidden or not; nothing for a folder that is not there."""
    try:
        return {entry.name: entry.read_bytes() for entry in (branch / folder).iterdir()}
    except FileNotFoundError:
        return {}


def race_faults(
    branch: Path, outcomes: Sequence[Outcome], datas: Sequence[bytes], name: str = NAME
) -> list[str]:
    """What is wrong after several writers, each with its own data, went for the same name."""
    faults = []
    winners = [data for outcome, data in zip(outcomes, datas, strict=True) if _won(outcome, name)]
    if len(winners) != 1:
        faults.append(f"{len(winners)} winners")
    if sum(outcome == Lost(name) for outcome in outcomes) != len(outcomes) - len(winners):
        faults.append(f"not every loser was told: {outcomes}")
    if remains(branch) != dict.fromkeys([name], winners[0] if winners else b""):
        faults.append("the folder does not hold the winner's file alone")
    return faults


def _won(outcome: Outcome, name: str) -> bool:
    return outcome == Created(name)


def kill_faults(branch: Path, data: bytes, *, leaves_temporaries: bool) -> list[str]:
    """What is wrong after a writer of `data` was killed: its remains, and the next writes."""
    faults = []
    left = remains(branch)
    if NAME in left and left[NAME] != data:
        faults.append(f"a part of a file: {len(left[NAME])} bytes of {len(data)}")
    others = set(left) - {NAME}
    if not leaves_temporaries and others:
        faults.append(f"leftovers: {sorted(others)}")
    if not all(map(is_temporary, others)):
        faults.append(f"leftovers that a reader takes for more: {sorted(others)}")
    expected = Lost(NAME) if NAME in left else Created(NAME)
    if (again := create_once(branch, name=NAME, data=data)) != expected:
        faults.append(f"the same name again: {again}")
    if (following := create_once(branch, name="0002.yaml", data=b"next")) != Created("0002.yaml"):
        faults.append(f"the next name: {following}")
    return faults
