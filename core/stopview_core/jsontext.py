"""Bytes to what JSON says, strictly, and the keys that a JSON reader would lose in silence."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeAlias

from stopview_core.unreadable import Unreadable

JsonValue: TypeAlias = (
    "dict[str, JsonValue] | list[JsonValue] | str | int | float | bool | None"  # what JSON can say
)


def parse_json(data: bytes) -> JsonValue | Unreadable:
    """Strict JSON in UTF-8, a byte order mark allowed; of a doubled key the last one counts.

    Refuses NaN, Infinity, numbers too large for a float, lone surrogates, bytes that are not
    UTF-8 and more than 200 levels. Doubled keys are found by `duplicate_keys`.
    """
    text = data.removeprefix(b"\xef\xbb\xbf")
    try:
        value: JsonValue = _decoder()(text, allow_inf_nan=False, cache_strings="keys")
    except ValueError as error:
        return Unreadable(f"it is not JSON: {error}", "malformed")
    if _may_overflow(text) and _holds_infinity(value):
        return Unreadable("it is not JSON: a number is too large", "malformed")
    return value


@cache
def _decoder() -> Callable[..., JsonValue]:
    """The decoder, loaded when the first file is read."""
    found = _bare_decoder() if "pydantic_core" not in sys.modules else None
    if found is not None:
        return found
    from pydantic_core import from_json

    return from_json


def _bare_decoder() -> Callable[..., JsonValue] | None:
    """The decoder without the package around it, whose schemas take most of the time to load.

    None where it is not to be found there. The package can still be imported later.
    """
    from importlib.machinery import PathFinder
    from importlib.util import find_spec, module_from_spec

    package = find_spec("pydantic_core")
    inside = package.submodule_search_locations if package is not None else None
    found = PathFinder.find_spec("pydantic_core._pydantic_core", inside) if inside else None
    if found is None or found.loader is None:
        return None
    module = module_from_spec(found)
    found.loader.exec_module(module)
    decoder: Callable[..., JsonValue] | None = getattr(module, "from_json", None)
    return decoder


def duplicate_keys(data: bytes) -> list[str]:
    """The dotted paths (`codes.A.domain`, `list[1].key`) of doubled keys, each once.

    Slow: for registry files. Empty for bytes that `parse_json` refuses: that refusal is the fault.
    """
    import json

    if isinstance(parse_json(data), Unreadable):
        return []
    try:
        tree = json.loads(data.removeprefix(b"\xef\xbb\xbf"), object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return []
    return list(dict.fromkeys(_doubled(tree, "")))


class _Pairs(list[tuple[str, object]]):
    """The pairs of one JSON object, doubled keys kept."""


def _doubled(value: object, path: str) -> Iterator[str]:
    if isinstance(value, _Pairs):
        seen: set[str] = set()
        for key, inner in value:
            below = f"{path}.{key}" if path else key
            if key in seen:
                yield below
            seen.add(key)
            yield from _doubled(inner, below)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _doubled(inner, f"{path}[{index}]")


# Every digit becomes 0, every exponent e, other letters x, so that plain searches see each number
# that could be beyond a float: three digits of exponent, or more than two hundred digits.
_SHAPES = bytes(
    48 if 48 <= i <= 57 else 101 if i in b"eE" else 120 if chr(i).isalpha() else i
    for i in range(256)
)  # fmt: skip
_LOOKS = 64
_IN_TEXT = (b"x", b"e", b"0:")


def _may_overflow(data: bytes) -> bool:
    shapes = data.translate(_SHAPES, b"+")
    at = shapes.find(b"0e000")
    for _ in range(_LOOKS):
        if at < 0:
            return b"0" * 200 in shapes
        # A digest in hex is full of these; a number has no letter before its first digit, and no
        # colon that is part of a text, as in "sha256:0e0".
        if not shapes[: at + 1].rstrip(b"0.").endswith(_IN_TEXT):
            return True
        at = shapes.find(b"0e000", at + 1)
    return True


def _holds_infinity(value: JsonValue) -> bool:
    if isinstance(value, float):
        return value in (float("inf"), float("-inf"))
    if isinstance(value, dict):
        return any(_holds_infinity(inner) for inner in value.values())
    return isinstance(value, list) and any(_holds_infinity(inner) for inner in value)
