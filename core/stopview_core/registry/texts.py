"""Picks the text of one language where the registry holds several (contracts 1.2)."""

from __future__ import annotations

from stopview_core.records import JsonValue
from stopview_core.text import clean

_DEFAULT_LANGUAGE = "en"


def pick(value: JsonValue, lang: str | None) -> str:
    """The cleaned text in `lang`, else English, else the first; "" where there is none.

    A text is a string, or an object that maps a language to a string; a blank one is none.
    """
    if isinstance(value, str):
        return clean(value) if value.strip() else ""
    if not isinstance(value, dict):
        return ""
    for key in (lang, _DEFAULT_LANGUAGE, *value):
        text = value.get(key) if key is not None else None
        if isinstance(text, str) and text.strip():
            return clean(text)
    return ""
