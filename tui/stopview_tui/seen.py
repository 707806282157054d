"""Keeps which violations a person has marked as seen, for the user, over sessions."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from stopview_tui.own_files import read_whole, write_whole

SeenMark: TypeAlias = tuple[str, str, str]
"""Run path, branch key and violation code."""
_CAP = 8 * 1024 * 1024  # bytes
_MOST = 50_000


def seen_path() -> Path:
    """The file, in the state folder of the user (XDG on Linux)."""
    from platformdirs import user_state_path

    return user_state_path("stopview", appauthor=False) / "seen.json"


class SeenFile:
    """The marks on disk. Several apps may be open: each change is made to what is there now."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()

    def load(self) -> frozenset[SeenMark]:
        """The marks; none where the file is missing or is not one of ours."""
        try:
            return frozenset(self._read())
        except OSError:
            return frozenset()

    def change(self, add: Iterable[SeenMark], remove: Iterable[SeenMark]) -> frozenset[SeenMark]:
        """Add and remove marks; all there are then. OSError where they cannot be kept.

        A file that is not one of ours is left alone: it may hold marks that somebody can save.
        """
        with self._lock:
            removed = set(remove)
            kept = [mark for mark in self._read() if mark not in removed]
            kept += [mark for mark in dict.fromkeys(add) if mark not in set(kept)]
            kept = kept[-_MOST:]
            text = json.dumps([list(mark) for mark in kept], indent=0)
            write_whole(self.path, text.encode("utf-8", "surrogatepass"))
            return frozenset(kept)

    def _read(self) -> list[SeenMark]:
        try:
            found = json.loads(read_whole(self.path, _CAP))
        except FileNotFoundError:
            return []
        except (ValueError, RecursionError) as error:
            raise OSError(f"{self.path} is not JSON, so it is left alone: {error}") from error
        if not isinstance(found, list) or not all(_is_mark(item) for item in found):
            raise OSError(f"{self.path} is not a list of marks, so it is left alone")
        return [(item[0], item[1], item[2]) for item in found]


def _is_mark(item: object) -> bool:
    return isinstance(item, list) and len(item) == 3 and all(isinstance(part, str) for part in item)
