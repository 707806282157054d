"""Deciding a blocked branch: look at the alternatives, pick, confirm the record, write it."""

from __future__ import annotations

from stopview_tui.screens.decide.confirm import ConfirmScreen
from stopview_tui.screens.decide.screen import DecideScreen

__all__ = ["ConfirmScreen", "DecideScreen"]
