"""Reads one YAML document from hostile bytes into plain values, or says why it cannot."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from stopview_core.records import JsonValue
from stopview_core.text import clean, shorten

if TYPE_CHECKING:
    import yaml

MAX_DEPTH: Final = 64
"""How many mappings and lists may lie inside each other."""

_WORDS: Final[dict[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)")
_FLOAT: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Fault:
    """Why the bytes were not read, safe to show, and the line to blame (from 1) if there is one."""

    why: str
    line: int | None = None


class _Refused(Exception):
    def __init__(self, why: str, line: int | None = None) -> None:
        super().__init__(why)
        self.fault = Fault(why, line)


def read(data: bytes, *, cap: int) -> JsonValue | Fault:
    """The one document in the bytes as text, numbers, booleans, None, lists and mappings.

    Never raises. Refused: more than `cap` bytes, what is not UTF-8, no document or several,
    anchors, aliases, tags, a key twice, a key that is no scalar, more than `MAX_DEPTH` levels
    (hazards 4.3). Only plain scalars are more than text: null and the booleans as YAML 1.2
    spells them, numbers as JSON spells them. A number that Python cannot hold stays text, and
    keys are always text. The texts are as written: clean them before they are shown.
    """
    if len(data) > cap:
        return Fault(f"it is larger than {cap} bytes")
    try:
        return _document(_decoded(data))
    except _Refused as refused:
        return refused.fault


def _decoded(data: bytes) -> str:
    from yaml.reader import Reader

    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _Refused("it is not UTF-8", data.count(b"\n", 0, error.start) + 1) from error
    control = Reader.NON_PRINTABLE.search(text)
    if control is not None:
        why = f"it holds the control character U+{ord(control.group()):04X}"
        raise _Refused(why, text.count("\n", 0, control.start()) + 1)
    # Readers disagree on a mark inside: some pass over it, some take it for a letter.
    inner_mark = text.find("\ufeff", 1)
    if inner_mark >= 0:
        raise _Refused("it holds a byte order mark inside", text.count("\n", 0, inner_mark) + 1)
    return text


def _document(text: str) -> JsonValue:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        events = yaml.parse(text, Loader=loader)
        next(events)
        if isinstance(next(events), yaml.StreamEndEvent):
            raise _Refused("it holds no document")
        value = _value(events, next(events), 1)
        next(events)
        after = next(events)
        if not isinstance(after, yaml.StreamEndEvent):
            raise _Refused("it holds more than one document", _line(after))
    except yaml.YAMLError as error:
        raise _refusal(error) from error
    except (ValueError, OverflowError) as error:
        # The parser in pure Python trips over escapes and versions that are out of range.
        raise _Refused("it is not YAML: a number in it is out of range") from error
    return value


def _value(events: Iterator[yaml.Event], event: yaml.Event, depth: int) -> JsonValue:
    import yaml

    _refuse_indirection(event)
    if isinstance(event, yaml.ScalarEvent):
        return _scalar(event)
    if depth > MAX_DEPTH:
        raise _Refused(f"it is nested more than {MAX_DEPTH} levels deep", _line(event))
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[JsonValue] = []
        while not isinstance(item := next(events), yaml.SequenceEndEvent):
            items.append(_value(events, item, depth + 1))
        return items
    entries: dict[str, JsonValue] = {}
    while not isinstance(key := next(events), yaml.MappingEndEvent):
        name = _key(key)
        if name in entries:
            quoted = shorten(clean(repr(name)), 80)
            raise _Refused(f"the key {quoted} is there twice", _line(key))
        entries[name] = _value(events, next(events), depth + 1)
    return entries


def _key(event: yaml.Event) -> str:
    import yaml

    _refuse_indirection(event)
    if not isinstance(event, yaml.ScalarEvent):
        raise _Refused("a key is a list or a mapping", _line(event))
    return _text(event)


def _scalar(event: yaml.ScalarEvent) -> JsonValue:
    text = _text(event)
    if event.style:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        try:
            return int(text)
        except ValueError:
            return text
    if _FLOAT.fullmatch(text):
        number = float(text)
        return number if math.isfinite(number) else text
    return text


def _text(event: yaml.ScalarEvent) -> str:
    text: str = event.value
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise _Refused("it escapes half of a surrogate pair", _line(event)) from error
    return text


def _refuse_indirection(event: yaml.Event) -> None:
    if getattr(event, "anchor", None) is not None:
        raise _Refused("anchors and aliases are not read", _line(event))
    if getattr(event, "tag", None) is not None:
        raise _Refused("tags are not read", _line(event))


def _line(event: yaml.Event) -> int | None:
    mark = event.start_mark
    return None if mark is None else mark.line + 1


def _refusal(error: yaml.YAMLError) -> _Refused:
    problem = getattr(error, "problem", None) or getattr(error, "reason", None)
    mark = getattr(error, "problem_mark", None)
    why = f"it is not YAML: {clean(problem)}" if problem else "it is not YAML"
    return _Refused(shorten(why, 160), None if mark is None else mark.line + 1)
