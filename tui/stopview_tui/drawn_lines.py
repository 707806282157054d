"""Lets go of what was drawn for widgets that are gone."""

from __future__ import annotations

from textual._styles_cache import StylesCache


def forget_lines_of_the_gone() -> None:
    """Textual keeps two colours for each widget's cache of lines, and with them the cache itself.

    It does so for the last thousand widgets, whether they are there or not. The colours are worked
    out again where they are needed.
    """
    StylesCache.get_inner_outer.cache_clear()
