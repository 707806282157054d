"""Starts the app for the command, and says how it ended."""

from __future__ import annotations

import asyncio
import codecs
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from stopview_core.registry.load import RegistryChoice
from stopview_core.registry.model import Registry
from stopview_tui.app import StopviewApp
from stopview_tui.approver import find_actor
from stopview_tui.settings import load_settings, settings_path
from stopview_tui.version import version

LEAVE_WITHIN_S = 2
"""How long the end waits for threads that read or write."""
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


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
    _draw_in_one_cell_each()
    asyncio.run(_run(app))
    return app.return_code or 0


def _draw_in_one_cell_each() -> None:
    """Let no character become an escape of six where the locale cannot say it."""
    out = sys.__stderr__  # Where Textual draws.
    if isinstance(out, io.TextIOWrapper) and not out.encoding.lower().startswith("utf"):
        is_unset = codecs.lookup(out.encoding).name == "ascii"
        out.reconfigure(encoding="utf-8" if is_unset else out.encoding, errors="replace")


async def _run(app: StopviewApp) -> None:
    """Run the app; a signal that ends it lets it leave the terminal as it was."""
    loop = asyncio.get_running_loop()
    for number in _ENDING:
        loop.add_signal_handler(number, _end, app, number)
    await app.run_async()
    if not await _threads_ended():
        # The terminal is as it was. A read that hangs must not hold the person; whatever may be
        # writing still is whole at every moment, as the create-once writer is.
        os._exit(app.return_code or 0)


async def _threads_ended() -> bool:
    """Whether all that was being read or written came to its end within a moment."""
    ending = asyncio.ensure_future(asyncio.get_running_loop().shutdown_default_executor())
    # Not cancelled where it takes longer: that would wait for the very threads.
    ended, _ = await asyncio.wait({ending}, timeout=LEAVE_WITHIN_S)
    return bool(ended)


def _end(app: StopviewApp, number: int) -> None:
    app.exit(return_code=128 + number)
    # What is still to be drawn waits for ever where the terminal is gone.
    late = threading.Timer(2 * LEAVE_WITHIN_S, os._exit, [128 + number])
    late.daemon = True
    late.start()
