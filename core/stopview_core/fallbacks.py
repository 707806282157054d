"""Joins the fallbacks a branch recorded in response.json and in response.md (contracts 1.6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from stopview_core.alternatives import NOTHING, AlternativeTable
from stopview_core.readings import FallbackRecord, Offer, Stamp
from stopview_core.records import Branch, Exchange, JsonValue
from stopview_core.resolve import Resolution
from stopview_core.tables import Section, Table, tables
from stopview_core.text import clean

_TAKEN = "Fallbacks taken"
_SELECTED = ("Selected alternative", "Selected candidate")
_FIELD_AND_VALUE = ("Field", "Value")
_NO_CODE = re.compile(r"none\b.*|n/?a|nothing", re.IGNORECASE)


def read_fallbacks(
    branch: Branch,
    document: Iterable[Section],
    alternatives: AlternativeTable,
    at: Stamp | None,
    resolve: Callable[[str], Resolution],
) -> tuple[FallbackRecord, ...]:
    """Each fallback recorded in either place, once a code, in the order of response.json.

    `document` is the branch's response.md; `resolve` says what a code asks for here.
    """
    in_response = branch.response.fallbacks if branch.response else ()
    actions = _actions(
        table for section in document if section.heading == _TAKEN for table in section.tables
    )
    codes = tuple(dict.fromkeys((*in_response, *actions)))
    if not codes:
        return ()
    selected = selected_alternative(branch)
    offers = offers_of(alternatives)
    return tuple(
        FallbackRecord(
            code=code,
            action=actions.get(code),
            in_response=code in in_response,
            in_document=code in actions,
            selected=None if selected is None else clean(selected),
            offers=offers,
            highest_total=alternatives.highest_total,
            at=at,
            resolution=resolve(code),
        )
        for code in codes
    )


def read_exchange_fallbacks(
    exchange: Exchange, at: Stamp | None, resolve: Callable[[str], Resolution]
) -> tuple[FallbackRecord, ...]:
    """The fallbacks that a nested exchange recorded; it has no response.md to record them in."""
    codes = exchange.response.fallbacks if exchange.response else ()
    return tuple(
        FallbackRecord(
            code=code,
            action=None,
            in_response=True,
            in_document=False,
            selected=None,
            offers=(),
            highest_total=None,
            at=at,
            resolution=resolve(code),
            exchange=exchange.name,
        )
        for code in dict.fromkeys(codes)
    )


def offers_of(table: AlternativeTable) -> tuple[Offer, ...]:
    """What could be picked, with the scores it was weighed on: all axes, those not summed too."""
    axes = (*table.axes, *table.other_axes)
    return tuple(
        Offer(a.id, {axis: a.mean(axis) for axis in axes}, a.total)
        for a in table.alternatives
        if a.id in table.offered
    )


def selected_alternative(branch: Branch) -> str | None:
    """What was selected: `selectedAlternativeId` of a data file, else the `## Decision` row."""
    for path in sorted(branch.data):
        named = _selected_in(branch.data[path])
        if named is not None:
            return named
    if branch.document is None:
        return None
    for table in tables(branch.document, "Decision"):
        if table.has_columns(*_FIELD_AND_VALUE):
            pairs = [(row["Field"], row["Value"]) for row in table.records()]
        else:
            pairs = [(row[0], row[1]) for row in table.rows if len(row) > 1]
        named = next((v for field, v in pairs if field in _SELECTED and v not in NOTHING), None)
        if named is not None:
            return named
    return None


def _selected_in(value: JsonValue) -> str | None:
    named = value.get("selectedAlternativeId") if isinstance(value, dict) else None
    return named if isinstance(named, str) and named not in NOTHING else None


def documented_fallbacks(document: str | None) -> Mapping[str, str | None]:
    """The rows under `## Fallbacks taken` of response.md: code to action, None for no action."""
    return _actions(tables(document, _TAKEN)) if document is not None else {}


def _actions(listed: Iterable[Table]) -> Mapping[str, str | None]:
    found: dict[str, str | None] = {}
    for table in listed:
        if not table.has_columns("Code"):
            continue
        for row in table.records():
            code = clean(row["Code"])
            if code not in NOTHING and _NO_CODE.fullmatch(code) is None:
                action = clean(row.get("Action", ""))
                found.setdefault(code, action if action not in NOTHING else None)
    return found
