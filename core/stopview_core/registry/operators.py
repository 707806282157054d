"""Turns one operator's operator.json and operator.md into a record of its identity and tables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from stopview_core.records import JsonValue
from stopview_core.registry.faults import NOTHING, FaultList, shown
from stopview_core.registry.model import EVERY, Operator, Output, Requirement
from stopview_core.registry.texts import pick
from stopview_core.tables import Table, tables_under
from stopview_core.text import clean, one_line

_NO_DEFAULT = ("", "—", "null")
_BACKQUOTED = re.compile("`([^`]+)`")
_HEADINGS = ("Requirements", "Stops", "Outputs", "Next")


@dataclass(frozen=True, slots=True)
class StopsRow:
    """One row of `## Stops`, cleaned."""

    code: str
    disposition: str


@dataclass(frozen=True, slots=True)
class ReadOperator:
    """An operator and all rows of its Stops table, also those that name a code again."""

    operator: Operator
    stops: tuple[StopsRow, ...]


def operator_id(raw: Mapping[str, JsonValue], file: str, faults: FaultList) -> str | None:
    """The id in operator.json, None with a fault where there is no single one."""
    value = raw.get("id")
    if isinstance(value, str) and value.strip():
        return clean(value)
    faults.add("OPERATOR_ID_INVALID", file, "id", "one id as text", shown(raw, "id"))
    return None


def parse_operator(
    identifier: str,
    folder: str,
    raw: Mapping[str, JsonValue],
    document: str,
    lang: str | None,
    faults: FaultList,
) -> ReadOperator:
    """The operator as its two files describe it (contracts 1.2)."""
    base = f"operators/{folder}"
    domain = raw.get("domain")
    if not isinstance(domain, str) or not domain.strip():
        faults.add(
            "OPERATOR_DOMAIN_INVALID",
            f"{base}/operator.json",
            "domain",
            "one domain as text",
            shown(raw, "domain"),
            routes=((identifier, EVERY),),
        )
        domain = None
    found = tables_under(document, _HEADINGS)
    stops = _stops(found, f"{base}/operator.md", identifier, faults)
    return ReadOperator(
        Operator(
            id=identifier,
            folder=clean(folder),
            domain=None if domain is None else clean(domain),
            job=pick(raw.get("job"), lang),
            requirements=_requirements(found, f"{base}/operator.md", stops, faults),
            stops={row.code: row.disposition for row in reversed(stops)},
            outputs=_outputs(found),
            next=_next(found),
        ),
        stops,
    )


def _stops(
    found: tuple[Table, ...], file: str, identifier: str, faults: FaultList
) -> tuple[StopsRow, ...]:
    rows: list[StopsRow] = []
    usable = _with_columns(found, "Stops", "Code", "Disposition")
    if not usable:
        columns = [", ".join(table.columns) for table in found if table.heading == "Stops"]
        faults.add(
            "STOPS_MISSING",
            file,
            "Stops",
            "a table Code, Disposition",
            f"a table {columns[0]}" if columns else NOTHING,
            routes=((identifier, EVERY),),
        )
    seen = set()
    for record in _records(usable):
        row = StopsRow(record["Code"], record["Disposition"])
        if row.code in seen:
            faults.add(
                "STOPS_ROW_TWICE",
                file,
                f"Stops.{row.code}",
                "one row",
                "another",
                codes=(row.code,),
            )
        seen.add(row.code)
        rows.append(row)
    return tuple(rows)


def _requirements(
    found: tuple[Table, ...], file: str, stops: tuple[StopsRow, ...], faults: FaultList
) -> Mapping[str, Requirement]:
    requirements: dict[str, Requirement] = {}
    for record in _records(_with_columns(found, "Requirements", "Field")):
        field, default = record["Field"], record.get("Default", "")
        if field in requirements:
            faults.add(
                "FIELD_TWICE",
                file,
                f"Requirements.{field}",
                "one row",
                "another",
                codes=(row.code for row in stops),
            )
            continue
        requirements[field] = Requirement(
            field,
            record.get("Type", ""),
            None if default in _NO_DEFAULT else default,
            record.get("Ask", ""),
        )
    return requirements


def _outputs(found: tuple[Table, ...]) -> tuple[Output, ...]:
    return tuple(
        Output(
            record["Kind"], record["File"], record.get("Type", ""), record.get("Required") == "yes"
        )
        for record in _records(_with_columns(found, "Outputs", "Kind", "File"))
    )


def _next(found: tuple[Table, ...]) -> tuple[str, ...]:
    names: list[str] = []
    for record in _records(_with_columns(found, "Next", "Operator")):
        cell = record["Operator"]
        names += _BACKQUOTED.findall(cell) or ([cell] if cell else [])
    return tuple(dict.fromkeys(names))


def _with_columns(found: tuple[Table, ...], heading: str, *columns: str) -> list[Table]:
    return [table for table in found if table.heading == heading and table.has_columns(*columns)]


def _records(found: list[Table]) -> list[dict[str, str]]:
    return [
        {column: one_line(cell) for column, cell in record.items()}
        for table in found
        for record in table.records()
    ]
