"""Starts the app for the command, and says how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from stopview_core.registry.load import RegistryChoice
from stopview_core.registry.model import Registry
from stopview_tui.app import StopviewApp
from stopview_tui.approver import find_actor
from stopview_tui.settings import load_settings, settings_path
from stopview_tui.version import version


def launch(
    roots: Sequence[Path],
    choice: RegistryChoice,
    load_registry: Callable[[], Registry],
    approver: str | None,
    env: Mapping[str, str],
    open_at: tuple[Path, str] | None,
) -> int:
    """Run the app over the roots until it is left; the exit code. UsageError for a bad approver."""
    actor = find_actor(approver, env, version=version(), via="app, terminal")
    app = StopviewApp(
        roots,
        load_registry,
        registry_how=choice.how,
        actor=actor,
        settings=load_settings(settings_path()),
        open_at=open_at,
    )
    app.run()
    return app.return_code or 0
