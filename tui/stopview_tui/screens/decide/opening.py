"""Opens an artifact of a branch in the browser, once it is sure that it is a file of the branch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from textual.app import SuspendNotSupported
from textual.message import Message

from stopview_core.decide import Outcome
from stopview_core.files import Unreadable
from stopview_core.text import clean
from stopview_tui import branch_files
from stopview_tui.screens.choose import Choice, ChooseScreen
from stopview_tui.screens.living import LivingScreen


class ArtifactOpener(LivingScreen[Outcome | None]):
    """What a screen needs to open artifacts: mix it in, and call `open_artifact`."""

    @dataclass
    class ArtifactChecked(Message):
        """An artifact was looked at on disk: where it is, or why it is not opened.

        `is_console` tells whether the browser needs this terminal; None: there is no browser.
        """

        path: str
        found: Path | Unreadable
        is_console: bool | None

    def open_artifact(self, branch: Path, paths: Sequence[str]) -> None:
        """Open the only one of the paths from the branch, else ask which."""
        if not paths:
            self.notify("The branch has no artifacts.", markup=False)
        elif len(paths) == 1:
            self._check(branch, paths[0])
        else:

            def chosen(path: str | None) -> None:
                if path is not None:
                    self._check(branch, path)

            choices = [Choice(path, path) for path in paths]
            self.app.push_screen(ChooseScreen("Open which artifact?", choices), chosen)

    def _check(self, branch: Path, path: str) -> None:
        def checking() -> None:
            found = branch_files.checked(branch, path)
            self.post_message(self.ArtifactChecked(path, found, branch_files.console_browser()))

        self.run_worker(
            checking, group="decide-artifact", exclusive=True, thread=True, exit_on_error=False
        )

    def on_artifact_opener_artifact_checked(self, message: ArtifactChecked) -> None:
        """Open it, or say why not."""
        message.stop()
        name, found = clean(message.path), message.found
        if isinstance(found, Unreadable):
            self.notify(f"{name} is not opened: {found.why}.", severity="warning", markup=False)
        elif message.is_console is None:
            self.app.copy_to_clipboard(clean(str(found)))
            self.notify(f"There is no browser here. The path of {name} was copied.", markup=False)
        elif message.is_console:
            self._open_in_terminal(found)
        else:
            self.app.open_url(found.as_uri())
            self.notify(f"Opened {name} in the browser.", markup=False)

    def _open_in_terminal(self, path: Path) -> None:
        try:
            with self.app.suspend():
                self.app.open_url(path.as_uri())
        except SuspendNotSupported:
            self.notify("This terminal cannot be handed over.", severity="warning", markup=False)
