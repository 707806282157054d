"""Says where to look for runs when a path may have changed."""

from __future__ import annotations

import os
import stat
from collections.abc import Container
from typing import TypeAlias

from stopview_core.folder import Reader
from stopview_core.scan import is_run

Place: TypeAlias = tuple[str, int]
"""A folder below a root, and how many levels below it."""


class Places:
    """The roots, and where in them a hint leads."""

    def __init__(self, roots: tuple[str, ...]) -> None:
        self.roots = roots

    def of(self, path: str, runs: Container[str]) -> Place | None:
        """The place to look through when `path` may have changed; None: everywhere.

        It is the outermost run on the way to the path, known or new, else the path itself or what
        is no folder on the way to it.
        """
        ways = [(way, root) for root in self.roots if (way := _way(root, path))]
        if not ways:
            return None
        way, root = min(ways, key=lambda found: len(found[0]))
        if root in runs:
            return root, 0
        for depth, at in enumerate(way, 1):
            if at in runs:
                return at, depth
        return None if _makes_a_run(way[0]) else _new_place(way)

    def may_look(self, path: str) -> bool:
        """Whether a place is there, and is a folder and no link on the whole way from its root."""
        if path in self.roots:
            return True
        ways = [way for root in self.roots if (way := _way(root, path))]
        return any(all(_is_folder(at) for at in way) for way in ways)


def is_within(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies in it."""
    return path == folder or path.startswith(f"{folder}/")


def _new_place(way: list[str]) -> Place:
    for depth, at in enumerate(way, 1):
        is_last = depth == len(way)
        if is_last or not _is_folder(at) or (_makes_a_run(way[depth]) and _is_run(at)):
            return at, depth
    raise AssertionError("a way is never empty")


def _way(root: str, path: str) -> list[str]:
    """Every path from below the root to `path`, outermost first; none where it is not below."""
    prefix = root if root.endswith("/") else f"{root}/"
    if not path.startswith(prefix):
        return []
    found, at = [], root.rstrip("/")
    for part in path[len(prefix) :].split("/"):
        if part:
            at = f"{at}/{part}"
            found.append(at)
    return found


def _makes_a_run(path: str) -> bool:
    """Whether the coming or going of this name in a folder decides if that is a run."""
    name = path.rpartition("/")[2]
    return name == "state.json" or name.startswith("step-")


def _is_run(path: str) -> bool:
    reader = Reader()
    folder = reader.listing(path)
    return folder is not None and is_run(folder, reader)


def _is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False
