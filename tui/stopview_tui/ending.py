"""Runs the app and sees to it that it ends: when left, on a signal, when its terminal is gone."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
import threading
from typing import Any

from textual.app import App

LEAVE_WITHIN_S = 2
"""How long the end waits for threads that read or write."""
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def run_to_the_end(app: App[Any]) -> None:
    """Run the app; `return_code` is 128 and the number where a signal ended it."""
    asyncio.run(_run(app))


async def _run(app: App[Any]) -> None:
    loop = asyncio.get_running_loop()
    for number in _ENDING:
        # Handled, so that the terminal is left as it was.
        loop.add_signal_handler(number, _end, app, number)
    threading.Thread(target=_watch_terminal, args=(app, loop), daemon=True).start()
    await app.run_async()
    if not await _threads_ended() or app.return_code == 128 + signal.SIGHUP:
        # The terminal is as it was. A read that hangs must not hold the person; whatever may be
        # writing still is whole at every moment, as the create-once writer is. And what was not
        # drawn before the terminal went would make Python's own end a failure.
        os._exit(app.return_code or 0)


def _watch_terminal(app: App[Any], loop: asyncio.AbstractEventLoop) -> None:
    """Wait until the terminal is gone; where nobody is hung up its end would be read for ever."""
    poll = select.poll()
    poll.register(sys.__stdin__ or 0, 0)  # Nothing is asked for: a hang-up is always told.
    poll.poll()
    if not loop.is_closed():
        loop.call_soon_threadsafe(_end, app, signal.SIGHUP)


async def _threads_ended() -> bool:
    """Whether all that was being read or written came to its end within a moment."""
    ending = asyncio.ensure_future(asyncio.get_running_loop().shutdown_default_executor())
    # Not cancelled where it takes longer: that would wait for the very threads.
    ended, _ = await asyncio.wait({ending}, timeout=LEAVE_WITHIN_S)
    return bool(ended)


def _end(app: App[Any], number: int) -> None:
    app.exit(return_code=128 + number)
    # What is still to be drawn waits for ever where the terminal is gone.
    late = threading.Timer(2 * LEAVE_WITHIN_S, os._exit, [128 + number])
    late.daemon = True
    late.start()
