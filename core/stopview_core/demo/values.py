"""What a recipe may hand over: JSON values, files, and how a derived document is overridden."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Literal, TypeAlias

JsonValue: TypeAlias = (
    "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
)

Content: TypeAlias = "bytes | str | Sequence[JsonValue] | Mapping[str, JsonValue]"
"""A file: bytes as they are, text as UTF-8, a list or a mapping as JSON."""


class Mark(Enum):
    """Marks what is not a value."""

    DERIVED = "derived"
    OMIT = "omit"


DERIVED: Literal[Mark.DERIVED] = Mark.DERIVED
"""Leave it to the builder."""

OMIT: Literal[Mark.OMIT] = Mark.OMIT
"""Leave the key out of a document that is otherwise derived."""

Override: TypeAlias = "Literal[Mark.DERIVED] | bytes | str | Mapping[str, JsonValue | Mark] | None"
"""What becomes of a derived document: kept (`DERIVED`), not written (None), replaced by these
bytes or this text, or kept with these keys laid over it (`OMIT` takes a key away)."""


def json_bytes(value: JsonValue) -> bytes:
    """The value as JSON, two spaces deep, keys in the given order, one line feed at the end."""
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def content_bytes(content: Content) -> bytes:
    """The bytes of one file."""
    if isinstance(content, bytes):
        return content
    if isinstance(content, str):
        return content.encode()
    return json_bytes(content)


def overridden(derived: Mapping[str, JsonValue], override: Override) -> bytes | None:
    """The bytes of a derived document after its override; None where it is not to be written."""
    if override is None:
        return None
    if isinstance(override, (bytes, str)):
        return content_bytes(override)
    merged: dict[str, JsonValue] = dict(derived)
    if not isinstance(override, Mark):
        for key, value in override.items():
            if isinstance(value, Mark):
                merged.pop(key, None)
            else:
                merged[key] = value
    return json_bytes(merged)


def head(label: str) -> str:
    """A commit id that always belongs to this label: 40 hexadecimal digits."""
    return hashlib.sha1(label.encode(), usedforsecurity=False).hexdigest()


def context(alias: str, commit: str | None = None) -> dict[str, JsonValue]:
    """One entry of `request.contexts`; a context without a commit has the head null."""
    return {"alias": alias, "head": commit}
