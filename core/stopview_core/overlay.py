"""A mapping that never changes, made from another one by putting a few values in its place."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import TypeVar

V = TypeVar("V")

_MOST = 64
"""With more values put in, a mapping is made anew: copying all of them pays by then."""


class Overlay(Mapping[str, V]):
    """The values of `base` by key, in its order, some of them replaced by those in `later`.

    Neither of the two may be changed any more. `later` has no key that `base` has not.
    """

    __slots__ = ("_base", "_later")

    def __init__(self, base: dict[str, V], later: dict[str, V] | None = None) -> None:
        self._base = base
        self._later = later or {}

    def with_values(self, values: Mapping[str, V]) -> Overlay[V]:
        """The same with these values in place of those it has; KeyError for a key it has not.

        Costs as much as there are values, not as much as there are keys.
        """
        for key in values:
            if key not in self._base:
                raise KeyError(key)
        later = {**self._later, **values}
        return Overlay(self._base, later) if len(later) <= _MOST else Overlay(self._base | later)

    def copied(self) -> dict[str, V]:
        """All of it as a dict of its own."""
        return self._base | self._later

    def __getitem__(self, key: str) -> V:
        try:
            return self._later[key]
        except KeyError:
            return self._base[key]

    def __contains__(self, key: object) -> bool:
        return key in self._base

    def __iter__(self) -> Iterator[str]:
        return iter(self._base)

    def __len__(self) -> int:
        return len(self._base)

    # A dict's own views are a dozen times as fast as those of a Mapping.

    def keys(self) -> KeysView[str]:
        return self._base.keys()

    def values(self) -> ValuesView[V]:
        return self._whole().values()

    def items(self) -> ItemsView[str, V]:
        return self._whole().items()

    def _whole(self) -> dict[str, V]:
        return self.copied() if self._later else self._base
