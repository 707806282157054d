"""Waits for the kernel to say that something changed in some folders."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

STEP_MS = 10
"""How long it is quiet before changes are handed on. Also how often a stop is looked for."""
DEBOUNCE_MS = 100
"""The longest that a steady stream of changes is held back."""


class Stop(Protocol):
    """What ends a wait early."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Hints:
    """Paths that may have changed. `came_or_went` are those that were made or deleted."""

    paths: frozenset[str] = frozenset()
    came_or_went: frozenset[str] = frozenset()


class NotWatchable(Exception):
    """The kernel will not say what changes; the message says why, in a few words.

    `is_passing` where another try at once may go better.
    """

    def __init__(self, why: str, *, is_passing: bool = False) -> None:
        super().__init__(why)
        self.is_passing = is_passing


class Notifier(Protocol):
    """Watches folders, each without what lies deeper."""

    def wait(self, timeout_ms: int, stop: Stop) -> Hints:
        """What changed, or nothing after the time or a stop. NotWatchable when events are lost."""
        ...

    def close(self) -> None: ...


OpenNotifier: TypeAlias = Callable[[Sequence[str]], Notifier]


def open_notifier(folders: Sequence[str]) -> Notifier:
    """Watch the folders from now on. NotWatchable where the kernel refuses."""
    return _WatchfilesNotifier(folders)


class _WatchfilesNotifier:
    """By the documented backend of watchfiles, whose constructor returns once all is watched.

    Folders are watched one by one: a recursive watch would follow links out of the root, and lose
    what is made at once in a new folder (hazards 4.2).
    """

    def __init__(self, folders: Sequence[str]) -> None:
        from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

        # Its `ignore_permission_denied` is off: it would ignore a limit that is reached as well.
        options = (False, False, 0, False, False)
        try:
            try:
                self._watch = RustNotify(list(folders), *options)
            except PermissionError:
                readable = [folder for folder in folders if os.access(folder, os.R_OK)]
                self._watch = RustNotify(readable, *options)
        except FileNotFoundError as error:
            raise NotWatchable("a folder went away", is_passing=True) from error
        except UnicodeError as error:
            raise NotWatchable("a folder's name is not UTF-8") from error
        except (OSError, WatchfilesRustInternalError) as error:
            raise NotWatchable(_why(error)) from error

    def wait(self, timeout_ms: int, stop: Stop) -> Hints:
        try:
            found = self._watch.watch(DEBOUNCE_MS, STEP_MS, max(timeout_ms, 1), stop)
        except (OSError, RuntimeError, UnicodeError) as error:
            raise NotWatchable(_why(error)) from error
        if isinstance(found, str):
            return Hints()
        return Hints(
            frozenset(path for _, path in found),
            frozenset(path for kind, path in found if kind != _MODIFIED),
        )

    def close(self) -> None:
        self._watch.close()


_MODIFIED = 2


def _why(error: BaseException) -> str:
    text = str(error).lower()
    if isinstance(error, PermissionError):
        return "a folder may not be read"
    if "limit" in text or "no space" in text or "too many" in text:
        return "the system's limit of watches is reached"
    if "decode" in text or "utf" in text or "unicode" in text or "invalid" in text:
        return "a name is not UTF-8"
    return "the system sends no events"
