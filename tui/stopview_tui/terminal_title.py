"""The title of the terminal's window: how many choices wait. Textual has no call for it."""

from __future__ import annotations

from collections.abc import Callable

_PUSH = "\x1b[22;2t"
_POP = "\x1b[23;2t"


def title_of(choices: int) -> str:
    """The title for so many choices."""
    return f"({choices}) stopview" if choices else "stopview"


class TerminalTitle:
    """Sets the title when it changes, and puts the old one back. `write` writes to the terminal."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._title: str | None = None

    def set(self, choices: int) -> None:
        """Say how many choices wait."""
        title = title_of(choices)
        if title == self._title:
            return
        before = _PUSH if self._title is None else ""
        self._title = title
        self._write(f"{before}\x1b]2;{title}\x07")

    def restore(self) -> None:
        """Put the title back that was there before."""
        if self._title is not None:
            self._write(_POP)
            self._title = None
