"""Writes plain values as YAML that reads back exactly, here and in any ordinary YAML reader."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from stopview_core.yamltext.reading import MAX_DEPTH

if TYPE_CHECKING:
    import yaml
    import yaml.emitter

# Text that every YAML reader takes for text when no quotes stand around it: it starts with a
# letter, each space or colon inside is followed by a harmless character, and it is not like
# `e2`, which some readers of YAML 1.1 take for a number without its digits.
_PLAIN: Final = re.compile(
    r"(?![eE][-+]?[0-9])[A-Za-z][A-Za-z0-9_./@+,()=-]*(?:[ :][A-Za-z0-9_./@+,()=-]+)*"
)
_WORDS_OF_SOME_READER: Final = frozenset(
    {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
)


def write(mapping: Mapping[str, object]) -> bytes:
    """The mapping as one YAML document in UTF-8: block style, keys in their order, no line folded.

    Values are str, int, float, bool, None, lists (a tuple reads back as a list) and mappings
    with text keys. The same values always give the same bytes, and `read` and ordinary readers
    of YAML 1.1 and 1.2 give the same values back. What cannot be written so is the caller's
    mistake: TypeError for another type, ValueError for NaN, infinity, half of a surrogate pair
    and more than `MAX_DEPTH` levels.
    """
    import yaml

    text: str = yaml.emit(_document(mapping), Dumper=_emitter(), width=math.inf, allow_unicode=True)
    return text.encode("utf-8")


def _document(mapping: Mapping[str, object]) -> Iterator[yaml.Event]:
    import yaml

    yield yaml.StreamStartEvent()
    yield yaml.DocumentStartEvent(explicit=False)
    yield from _mapping(mapping, 1)
    yield yaml.DocumentEndEvent(explicit=False)
    yield yaml.StreamEndEvent()


def _value(value: object, depth: int) -> Iterator[yaml.Event]:
    if isinstance(value, Mapping):
        yield from _mapping(value, depth)
    elif isinstance(value, list | tuple):
        yield from _list(value, depth)
    elif type(value) is str:
        yield _text(value)
    else:
        yield _scalar(_number_or_word(value), style=None)


def _mapping(
    mapping: Mapping[object, object] | Mapping[str, object], depth: int
) -> Iterator[yaml.Event]:
    import yaml

    _refuse_depth(depth)
    yield yaml.MappingStartEvent(None, None, True, flow_style=False)
    for key, value in mapping.items():
        if type(key) is not str:
            raise TypeError(f"a key must be str, not {type(key).__name__}")
        yield _text(key)
        yield from _value(value, depth + 1)
    yield yaml.MappingEndEvent()


def _list(items: list[object] | tuple[object, ...], depth: int) -> Iterator[yaml.Event]:
    import yaml

    _refuse_depth(depth)
    yield yaml.SequenceStartEvent(None, None, True, flow_style=False)
    for item in items:
        yield from _value(item, depth + 1)
    yield yaml.SequenceEndEvent()


def _text(text: str) -> yaml.Event:
    text.encode("utf-8")
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS_OF_SOME_READER:
        return _scalar(text, style=None)
    # Single quotes keep emoji as they are; only double quotes can hold what is not printable.
    return _scalar(text, style="'" if text.isprintable() and "'" not in text else '"')


def _scalar(text: str, *, style: str | None) -> yaml.Event:
    import yaml

    return yaml.ScalarEvent(None, None, (True, True), text, style=style)


def _number_or_word(value: object) -> str:
    if value is None:
        return "null"
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is int:
        return str(value)
    if type(value) is float:
        return _float(value)
    raise TypeError(f"{type(value).__name__} has no plain YAML form")


def _float(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError(f"{value} has no plain YAML form")
    text = repr(value)
    # YAML 1.1 takes a number with an exponent for text unless a point stands before it.
    return text if "." in text else text.replace("e", ".0e")


def _refuse_depth(depth: int) -> None:
    if depth > MAX_DEPTH:
        raise ValueError(f"nested more than {MAX_DEPTH} levels deep")


@cache
def _emitter() -> type[yaml.emitter.Emitter]:
    from yaml.emitter import Emitter

    class ListsIndented(Emitter):
        """Lists stand two columns in from their key, as SACP's own examples have them."""

        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
            super().increase_indent(flow, False)

    return ListsIndented
