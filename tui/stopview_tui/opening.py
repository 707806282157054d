"""The app's part that opens, shows and copies what belongs to a branch."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from stopview_core.files import Unreadable
from stopview_core.text import clean, is_clean
from stopview_tui import branch_files
from stopview_tui.screens.choose import Choice, ChooseScreen

if TYPE_CHECKING:
    from stopview_tui.app import StopviewApp


class Opener:
    """Opens files for the app; each method is a worker's coroutine, its disk work in threads."""

    def __init__(self, app: StopviewApp) -> None:
        self._app = app

    async def artifact(self, branch: Path) -> None:
        """Open one of the branch's artifacts in the browser."""
        paths = await asyncio.to_thread(branch_files.artifacts, branch)
        if not paths:
            self._app.say("This branch has no artifacts.")
            return
        path = await self._one_of("Open which artifact?", paths)
        if path is not None:
            await self._browse(branch, path)

    async def document(self, branch: Path) -> None:
        """Open one of the branch's documents in the editor or pager."""
        paths = await asyncio.to_thread(branch_files.documents, branch)
        if not paths:
            self._app.say("This branch has no file that can be opened.", is_trouble=True)
            return
        path = await self._one_of("Open which file?", paths)
        if path is not None:
            await self.text(branch, path)

    async def copy(self, choices: Sequence[Choice[str]]) -> None:
        """Copy one of a few texts."""
        text = await self._app.push_screen_wait(ChooseScreen("Copy what?", choices))
        if text is None:
            return
        self._app.copy_to_clipboard(clean(text))
        told = "" if is_clean(text) else ", its control characters made visible"
        self._app.say(f"Copied{told}: {text}")

    async def _one_of(self, title: str, paths: Sequence[str]) -> str | None:
        if len(paths) == 1:
            return paths[0]
        choices = [Choice(path, path) for path in paths]
        return await self._app.push_screen_wait(ChooseScreen(title, choices))

    async def _browse(self, branch: Path, path: str) -> None:
        found = await asyncio.to_thread(branch_files.checked, branch, path)
        if isinstance(found, Unreadable):
            self._app.say(f"{path} is not opened: {found.why}.", is_trouble=True)
            return
        is_console = await asyncio.to_thread(branch_files.console_browser)
        if is_console is None:
            self._app.copy_to_clipboard(clean(str(found)))
            self._app.say(f"There is no browser here. Its path was copied: {found}")
        elif is_console:
            self._suspended(lambda: self._app.open_url(found.as_uri()))
        else:
            self._app.open_url(found.as_uri())
            self._app.say(f"Opened {path} in the browser.")

    async def text(self, folder: Path, path: str) -> None:
        """Open the file at `path` below a folder in the editor or pager."""
        found = await asyncio.to_thread(branch_files.checked, folder, path)
        if isinstance(found, Unreadable):
            self._app.say(f"{path} is not opened: {found.why}.", is_trouble=True)
            return
        command = await asyncio.to_thread(branch_files.viewer, os.environ)
        if command is None:
            self._app.say("Neither $EDITOR nor $PAGER can be run.", is_trouble=True)
            return
        ended: list[int] = []
        self._suspended(lambda: ended.append(_run([*command, str(found)])))
        if any(ended):
            self._app.say(f"{command[0]} {_how(ended[0])}.", is_trouble=True)

    def _suspended(self, run: Callable[[], object]) -> None:
        """Run something that needs the terminal for itself."""
        try:
            with self._app.suspend():
                run()
        except SuspendNotSupported:
            self._app.say("This terminal cannot be handed over.", is_trouble=True)
        except OSError as error:
            self._app.say(f"It could not be run: {error}", is_trouble=True)
        self._app.refresh_picture()


def _run(command: list[str]) -> int:
    return subprocess.run(command, check=False).returncode


def _how(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"
