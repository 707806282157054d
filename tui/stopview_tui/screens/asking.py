"""Asks by menus what a list is to be filtered by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.app import App

from stopview_tui.screens.choose import Choice, ChooseScreen
from stopview_tui.words import route_kind_words


@dataclass(frozen=True, slots=True)
class Facet:
    """Something to filter by: its key in the menu, its name, and what it is now, if anything."""

    key: str
    name: str
    held: str | None


def now_words(name: str, held: str | None) -> str:
    """What a facet is now, behind its name in the menu; empty where it is not filtered by."""
    return f"now {value_words(name, held)}" if held else ""


def value_words(name: str, value: str) -> str:
    """A value as the menu offers it: a route by the word that the list has for it, too."""
    return route_kind_words(value) if name == "route" else value


async def ask_filter(
    app: App[object],
    facets: Sequence[Facet],
    values: Callable[[str], Sequence[tuple[str, int]]],
) -> tuple[str, str | None] | None:
    """The facet and the value that a person chose (None: any), or None where they left.

    `values` gives what a facet can be, with how often. Runs in a worker: it waits for screens.
    """
    choices = [
        Choice(facet.name, facet.name, now_words(facet.name, facet.held), facet.key)
        for facet in facets
    ]
    name = await app.push_screen_wait(ChooseScreen[str]("Filter by", choices))
    if name is None:
        return None
    every: list[Choice[str]] = [Choice("", f"any {name}", key="0")]
    every += [Choice(value, value_words(name, value), str(count)) for value, count in values(name)]
    value = await app.push_screen_wait(ChooseScreen[str](f"Filter by {name}", every))
    return None if value is None else (name, value or None)
