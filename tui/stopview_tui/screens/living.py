"""A screen to which nothing happens any more once it is being taken down."""

from __future__ import annotations

from typing import Generic, TypeVar

from textual.message import Message
from textual.screen import Screen

T = TypeVar("T")
_OURS = "stopview_tui."


class LivingScreen(Screen[T], Generic[T]):
    """What its workers and widgets still tell it then would find nothing to be shown on.

    A screen is taken down from its leaves: it hears of things for a while after its widgets went.
    """

    @property
    def is_living(self) -> bool:
        """Whether its widgets are there."""
        return self.display

    async def _on_message(self, message: Message) -> None:
        if self.is_living or not type(message).__module__.startswith(_OURS):
            await super()._on_message(message)
