"""What a screen says that must not be left without a word."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class HoldsWork(Protocol):
    """A screen that may hold something unwritten. `outcome` is what came of it, None so far."""

    outcome: Any

    def why_stay(self) -> str:
        """Why it must not be left now, in a sentence; empty where nothing would be lost."""
        ...
