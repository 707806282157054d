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
from stopview_core.text import clean

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
    """An operator and all rows of its Stops table, also those that name a code again.

    `stops` is None where operator.md cannot be read. `doubled_fields` are the fields that its
    Requirements table declares again; the first row counts.
    """

    operator: Operator
    stops: tuple[StopsRow, ...] | None
    doubled_fields: tuple[str, ...]

    @property
    def document(self) -> str:
        """The path of its operator.md from the registry root."""
        return f"operators/{self.operator.folder}/operator.md"


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
    document: str | None,
    lang: str | None,
    faults: FaultList,
) -> ReadOperator:
    """The operator as its two files describe it; `document` is operator.md (contracts 1.2)."""
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
    found = tables_under(document or "", _HEADINGS)
    stops = None
    if document is not None:
        stops = _stops(found, f"{base}/operator.md", identifier, faults)
    requirements, doubled_fields = _requirements(found)
    operator = Operator(
        id=identifier,
        folder=clean(folder),
        domain=None if domain is None else clean(domain),
        job=pick(raw.get("job"), lang),
        requirements=requirements,
        stops=_first_dispositions(stops or ()),
        outputs=_outputs(found),
        next=_next(found),
    )
    return ReadOperator(operator, stops, doubled_fields)


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


def _first_dispositions(rows: tuple[StopsRow, ...]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for row in rows:
        found.setdefault(row.code, row.disposition)
    return found


def _requirements(
    found: tuple[Table, ...],
) -> tuple[Mapping[str, Requirement], tuple[str, ...]]:
    requirements: dict[str, Requirement] = {}
    doubled = []
    for record in _records(_with_columns(found, "Requirements", "Field")):
        field, default = record["Field"], record.get("Default", "")
        if field in requirements:
            doubled.append(field)
            continue
        requirements[field] = Requirement(
            field,
            record.get("Type", ""),
            None if default in _NO_DEFAULT else default,
            record.get("Ask", ""),
        )
    return requirements, tuple(doubled)


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
        {column: clean(cell) for column, cell in record.items()}
        for table in found
        for record in table.records()
    ]
