"""Watches each commit of a test: the receipt is sound, and nothing but `decision/` has changed."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from deciding.checks import EXTENSIONS, V, outside, receipt_faults, tree_faults
from deciding.runs import Site
from stopview_core.commit import Created
from stopview_core.sacp import RECEIPT_CAP


def watched(create_once: Callable[..., object], faults: list[str]) -> Callable[..., object]:
    """The writer, with what is wrong after each of its commits added to `faults`.

    Where the runtime's hand was in the run meanwhile, its Site tells what the writer changed.
    """

    def create(branch_fd: int, *, name: str, data: bytes, folder: str, **more: Any) -> object:
        run, hands = _run_of(branch_fd), Site.hands
        before = outside(run) if run is not None else {}
        made = create_once(branch_fd, name=name, data=data, folder=folder, **more)
        if run is not None and run.exists() and Site.hands == hands:
            faults.extend(f"{path} changed" for path in tree_faults(before, outside(run)))
        if isinstance(made, Created):
            faults.extend(_receipt_faults(branch_fd, f"{folder}/{name}", data))
        return made

    return create


def _run_of(branch_fd: int) -> Path | None:
    """The folder of the run that an open branch is in, where the system tells it."""
    with suppress(OSError):
        return Path(os.readlink(f"/proc/self/fd/{branch_fd}")).parents[1]
    return None


def _receipt_faults(branch_fd: int, place: str, data: bytes) -> list[str]:
    """What is wrong with a receipt just written at a place of a branch, told by itself."""
    packet = yaml.safe_load(data)
    own = {name: packet["extensions"].get(V + name) for name in EXTENSIONS}
    step, _, parallel = str(own["branch"]).partition("/")
    return receipt_faults(
        data,
        where=f"step-{step}/parallel-{parallel}/{place}",
        run_id=str(own["run"]),
        branch=str(own["branch"]),
        operator=str(own["operator"]),
        stop=str(own["stop"]),
        before=_next_lower(branch_fd, Path(place)),
    )


def _next_lower(branch_fd: int, place: Path) -> bytes | None:
    """What the file with the next lower number holds; None where there is none to be read."""
    folder_fd = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY, dir_fd=branch_fd)
    try:
        names = [name for name in os.listdir(folder_fd) if re.fullmatch(r"[0-9]{4,9}\.yaml", name)]
        lower = [name for name in names if int(Path(name).stem) < int(place.stem)]
        if not lower:
            return None
        highest = max(lower, key=lambda name: int(Path(name).stem))
        return _regular(highest, folder_fd)
    finally:
        os.close(folder_fd)


def _regular(name: str, folder_fd: int) -> bytes | None:
    """What a file holds that the program would read too: regular, no link, and not too large."""
    try:
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder_fd)
    except OSError:
        return None
    try:
        found = os.fstat(fd)
        is_read = stat.S_ISREG(found.st_mode) and found.st_size <= RECEIPT_CAP
        return os.read(fd, RECEIPT_CAP) if is_read else None
    finally:
        os.close(fd)
