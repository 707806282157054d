"""The value that stands for bytes which could not be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal[
    "missing", "not_regular", "link", "outside", "too_large", "permission", "malformed", "error"
]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why something could not be read; `path` is the asked path where a call reads several."""

    why: str
    kind: Kind
    path: str = ""
