"""The merged table of stop codes: in order, and as the Markdown page docs/stop-codes.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from stopview_core.registry.model import Entry, Registry, Unless
from stopview_core.resolve import value_text
from stopview_core.text import one_line

_COLUMNS = (
    "Code",
    "Scope",
    "Domain",
    "Disposition",
    "Meaning",
    "Fallback",
    "Unless",
    "Resume",
)
_EMPTY = "—"
_ENTITY = re.compile(r"&(?=#?\w+;)")


def codes_in_order(registry: Registry) -> tuple[Entry, ...]:
    """Every entry: the shared codes first, then each operator's own, by operator id and code."""
    return tuple(
        sorted(
            registry.entries.values(),
            key=lambda entry: (not entry.is_shared, _owner(entry), entry.code),
        )
    )


def markdown(registry: Registry) -> str:
    """The page docs/stop-codes.md: one table of the shared codes and one for each operator's own.

    The same registry always gives the same text.
    """
    entries = codes_in_order(registry)
    lines = ["# Stop codes", "", *_introduction(registry, entries)]
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        title = "Shared codes" if entry.is_shared else _code(_owner(entry))
        groups.setdefault(title, []).append(entry)
    for title, group in groups.items():
        lines += ["", f"## {title}", "", *_table(group)]
    return "\n".join(lines) + "\n"


def _introduction(registry: Registry, entries: tuple[Entry, ...]) -> Iterator[str]:
    shared = sum(entry.is_shared for entry in entries)
    yield (
        f"Every stop code of the registry: {len(entries)} codes, {shared} of them shared and "
        f"{len(entries) - shared} owned by one of {len(registry.operators)} operators. This page "
        "is written by `stopview codes --markdown`. Terminate: the branch ends blocked. Fallback: "
        "the named action is taken and recorded, and the work goes on. Unless: the requirement "
        "that turns the disposition round. The domain `self` is the operator's own."
    )


def _table(entries: Iterable[Entry]) -> Iterator[str]:
    yield _row(_COLUMNS)
    yield _row(["---"] * len(_COLUMNS))
    for entry in entries:
        yield _row(
            (
                _code(entry.code),
                "every operator" if "*" in entry.scope else ", ".join(map(_code, entry.scope)),
                _code(entry.domain or ""),
                entry.disposition or _EMPTY,
                _text(entry.meaning),
                _text(entry.fallback or ""),
                _unless(entry.unless),
                _text(entry.resume),
            )
        )


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _unless(unless: Unless | None) -> str:
    if unless is None:
        return _EMPTY
    return f"{unless.then} when {_code(unless.param)} is {_code(value_text(unless.equals))}"


def _code(text: str) -> str:
    """The text in backquotes, so that no renderer reads its underscores as emphasis."""
    shown = one_line(text)
    if not shown:
        return _EMPTY
    return _text(shown) if "`" in shown else f"`{shown}`".replace("|", "\\|")


def _text(text: str) -> str:
    """The text in one cell: what a renderer would take for HTML or a new column is escaped."""
    shown = _ENTITY.sub("&amp;", one_line(text)).replace("<", "&lt;").replace("|", "\\|")
    return shown or _EMPTY


def _owner(entry: Entry) -> str:
    return "" if entry.is_shared else next(iter(entry.scope), "")
