"""Carries readings from the process that read them to the one that asked for them."""

from __future__ import annotations

import io
import pickle
from typing import Any

from stopview_core.keeper import Whole
from stopview_core.registry.model import Entry, Registry


def packed(found: dict[str, Whole]) -> bytes:
    """The readings by name, for `unpacked`. The registry's entries are named, not repeated."""
    held = io.BytesIO()
    _Packing(held, pickle.HIGHEST_PROTOCOL).dump({name: tuple(one) for name, one in found.items()})
    return held.getvalue()


def unpacked(data: bytes, registry: Registry) -> dict[str, Whole]:
    """What was packed, where both sides have the same registry."""
    held = _Unpacking(io.BytesIO(data))
    held.registry = registry
    return {name: Whole(*one) for name, one in held.load().items()}


class _Packing(pickle.Pickler):
    def persistent_id(self, thing: Any) -> str | None:
        return thing.code if type(thing) is Entry else None


class _Unpacking(pickle.Unpickler):
    registry: Registry

    def persistent_load(self, code: str) -> Entry:
        return self.registry.entries[code]
