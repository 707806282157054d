"""The app's thread: loads the registry, then watches until it is stopped."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from textual.message import Message

from stopview_core.errors import StopviewError
from stopview_core.registry.model import Registry
from stopview_core.snapshot import Diff, Scanner
from stopview_tui.messages import RegistryLoaded, RegistryNotLoaded, SnapshotChanged
from stopview_tui.watch.watcher import Watcher

GivenRegistry: TypeAlias = Registry | Callable[[], Registry]


class Outbox:
    """Hands on what the thread tells; a picture that was not taken yet becomes the next one.

    Otherwise pictures would pile up while the app can take none, as while an editor is open.
    """

    def __init__(self, post: Callable[[Message], object]) -> None:
        self._post = post
        self._lock = threading.Lock()
        self._waiting: SnapshotChanged | None = None

    def post(self, message: Message) -> None:
        """Hand a message on."""
        if isinstance(message, SnapshotChanged):
            with self._lock:
                waiting = self._waiting
                if waiting is not None:
                    waiting.snapshot = message.snapshot
                    waiting.diff = _joined(waiting.diff, message.diff)
                    return
                self._waiting = message
        self._post(message)

    def take(self, message: SnapshotChanged) -> None:
        """The picture is taken: it stays as it is, and the next one is handed on by itself."""
        with self._lock:
            if self._waiting is message:
                self._waiting = None


class Scanning:
    """Runs in a thread of its own. The others only stop it, or ask it to look."""

    def __init__(
        self,
        roots: Sequence[Path],
        registry: GivenRegistry,
        post: Callable[[Message], object],
        make_watcher: Callable[[Scanner, Callable[[Message], object]], Watcher] = Watcher,
    ) -> None:
        self._roots = tuple(roots)
        self._registry = registry
        self.outbox = Outbox(post)
        self._post = self.outbox.post
        self._make_watcher = make_watcher
        self._watcher: Watcher | None = None
        self._is_stopped = False

    def run(self) -> None:
        """Load, then watch; returns once stopped, or where no registry can be used."""
        registry = self._loaded()
        if registry is None:
            return
        self._post(RegistryLoaded(registry))
        watcher = self._make_watcher(Scanner(self._roots, registry), self._post)
        self._watcher = watcher
        if self._is_stopped:
            watcher.stop()
        watcher.run()

    def stop(self) -> None:
        """End it soon."""
        self._is_stopped = True
        if self._watcher is not None:
            self._watcher.stop()

    def look(self, paths: Sequence[str] = ()) -> None:
        """Look now: at these paths, or at everything."""
        if self._watcher is None:
            return
        if paths:
            self._watcher.hint(paths)
        else:
            self._watcher.refresh()

    def _loaded(self) -> Registry | None:
        if isinstance(self._registry, Registry):
            return self._registry
        try:
            return self._registry()
        except StopviewError as error:
            self._post(RegistryNotLoaded(error.title, str(error)))
        except Exception as error:  # The screen has to say it, whatever it is.
            details = "".join(traceback.format_exception(error))
            self._post(RegistryNotLoaded("The registry could not be loaded", details))
        return None


def _joined(first: Diff, second: Diff) -> Diff:
    """What may differ after both: a run that came and went is named in both sets."""
    return Diff(
        first.added | second.added,
        first.changed | second.changed,
        first.removed | second.removed,
        first.skipped_changed or second.skipped_changed,
    )
