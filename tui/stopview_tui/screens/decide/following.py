"""Tells an open screen that the run it is about changed on disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.screen import Screen
from textual.signal import Signal

from stopview_tui.picture import PictureChange


def follow(screen: Screen[Any], run_path: Path, changed: Callable[[], None]) -> None:
    """Call `changed` whenever the app's picture of the run changes, as long as the screen lives.

    An app that keeps no picture has nothing to tell.
    """
    signal = getattr(screen.app, "picture_changed", None)
    path = os.path.abspath(run_path)

    def told(change: PictureChange) -> None:
        if path in change.touched:
            changed()

    if isinstance(signal, Signal):
        signal.subscribe(screen, told)
