"""Starts the app for the command."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from stopview_core.registry.load import RegistryChoice
from stopview_core.registry.model import Registry
from stopview_tui.app import StopviewApp
from stopview_tui.approver import find_actor
from stopview_tui.ending import run_to_the_end
from stopview_tui.settings import load_settings, settings_path
from stopview_tui.version import VERSION


def launch(
    roots: Sequence[Path],
    choice: RegistryChoice,
    load_registry: Callable[[], Registry],
    approver: str | None,
    env: Mapping[str, str],
    open_at: tuple[Path, str] | None,
) -> int:
    """Run the app over the roots until it is left; the exit code. UsageError for a bad approver."""
    actor = find_actor(approver, env, version=VERSION, via="app, terminal")
    app = StopviewApp(
        roots,
        load_registry,
        registry_how=choice.how,
        actor=actor,
        settings=load_settings(settings_path()),
        open_at=open_at,
    )
    _draw_in_one_cell_each()
    run_to_the_end(app)
    return app.return_code or 0


def _draw_in_one_cell_each() -> None:
    """Let no character become an escape of six where the locale cannot say it."""
    out = sys.__stderr__  # Where Textual draws.
    if isinstance(out, io.TextIOWrapper) and not out.encoding.lower().startswith("utf"):
        is_unset = codecs.lookup(out.encoding).name == "ascii"
        out.reconfigure(encoding="utf-8" if is_unset else out.encoding, errors="replace")
