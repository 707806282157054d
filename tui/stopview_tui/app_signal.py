"""A signal of the app that holds no screen which was closed."""

from __future__ import annotations

from typing import TypeVar

from textual.dom import DOMNode
from textual.signal import Signal, SignalCallbackType

T = TypeVar("T")


class AppSignal(Signal[T]):
    """Textual's signal, which keeps a closed node, and all below it, until it is next published.

    Where nothing happens that may be never, so whoever subscribes sweeps out those before.
    """

    def __init__(self, owner: DOMNode, name: str) -> None:
        super().__init__(owner, name)
        self._nodes: list[DOMNode] = []

    def subscribe(
        self, node: DOMNode, callback: SignalCallbackType[T], immediate: bool = False
    ) -> None:
        """Call back as long as the node lives. SignalError where it was not mounted."""
        super().subscribe(node, callback, immediate)
        for gone in [known for known in self._nodes if not known.is_running]:
            self.unsubscribe(gone)
        if node not in self._nodes:
            self._nodes.append(node)

    def unsubscribe(self, node: DOMNode) -> None:
        """Do not call back any more."""
        super().unsubscribe(node)
        if node in self._nodes:
            self._nodes.remove(node)
