"""The modes of the app, and the screens that other places open: where new screens register."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.binding import Binding
from textual.screen import Screen

from stopview_tui.bindings import bind


def _inbox() -> Screen[Any]:
    from stopview_tui.screens.inbox.screen import InboxScreen

    return InboxScreen()


def _runs() -> Screen[Any]:
    from stopview_tui.screens.runs.screen import RunsScreen

    return RunsScreen()


def _history() -> Screen[Any]:
    from stopview_tui.screens.history.screen import HistoryScreen

    return HistoryScreen()


def _codes() -> Screen[Any]:
    from stopview_tui.screens.codes.screen import CodesScreen

    return CodesScreen()


def _run(path: Path, key: str | None) -> Screen[Any]:
    from stopview_tui.screens.run.screen import RunScreen

    return RunScreen(path, key)


@dataclass(frozen=True, slots=True)
class Mode:
    """One mode: the digit of its key, its name in settings, its title, and its screen.

    `screen` imports the screen's module only when it is called: a mode that nobody opens costs
    nothing. A mode's screen takes `StopviewApp.picture` when it shows itself, subscribes to
    `StopviewApp.picture_changed`, and yields a `BottomBars`.
    """

    digit: str
    id: str
    title: str
    screen: Callable[[], Screen[Any]]


MODES: tuple[Mode, ...] = (
    Mode("1", "inbox", "Inbox", _inbox),
    Mode("2", "runs", "Runs", _runs),
    Mode("3", "history", "History", _history),
    Mode("4", "codes", "Codes", _codes),
)
"""The modes that are there, in the order of their keys."""

RUN_SCREEN: Callable[[Path, str | None], Screen[Any]] | None = _run
"""Makes the screen of one run (its path, and the key of the branch to show); None: not there."""


def mode_bindings() -> list[Binding]:
    """The key of each mode."""
    return [
        bind("mode", f"mode-{mode.digit}", f"app.mode('{mode.id}')", description=mode.title)
        for mode in MODES
    ]
