"""The stopview command: the app by default, the subcommands of architecture 2.3 beside it."""

from __future__ import annotations

from stopview_tui.cli.root import main

__all__ = ["main"]
