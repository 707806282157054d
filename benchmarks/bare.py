"""The floor of the app's rows: the least Textual app, which shows one line that never changes."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static

TEXT = "one static line"


class Bare(App[None]):
    """One static line and nothing else."""

    def compose(self) -> ComposeResult:
        """The line."""
        yield Static(TEXT)


if __name__ == "__main__":
    Bare().run()
