"""The rows of the Codes mode: the registry's faults, then its codes, by who owns them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from textual.content import Content

from stopview_core.registry.model import Fault, Registry
from stopview_core.registry.pages import CodePage, code_pages
from stopview_core.resolve import value_text
from stopview_tui import render_codes
from stopview_tui.widgets.row_layout import Column

Identity: TypeAlias = tuple[str, str]

FAULTS = "Faults"
SHARED = "Shared codes"

COLUMNS = (
    Column("code", "code", 32, 18, 0),
    Column("disposition", "disposition", 13, 13, 0),
    Column("faults", "faults", 10, 8, 1),
    Column("domain", "domain", 14, 8, 2),
    Column("route", "leads to", 30, 10, 3),
    Column("scope", "scope", 40, 14, 5),
    Column("meaning", "meaning", 80, 20, 4, grow=1),
)


@dataclass(frozen=True, slots=True)
class CodeRow:
    """A code, or a fault: exactly one of `page` and `fault` is there. `place` orders the rows."""

    identity: Identity
    group: int
    place: int
    page: CodePage | None
    fault: Fault | None

    @property
    def search_text(self) -> str:
        """What `/` looks in, in lower case."""
        if self.fault is not None:
            fault = self.fault
            parts = [fault.code, fault.file, fault.path, fault.expected, fault.found, FAULTS]
            return "\n".join((*parts, *fault.codes)).lower()
        assert self.page is not None
        entry = self.page.entry
        parts = [entry.code, entry.domain or "", entry.disposition or "", *entry.scope]
        parts += [entry.meaning, entry.resume, entry.fallback or ""]
        if entry.unless is not None:
            parts += [entry.unless.param, value_text(entry.unless.equals)]
        for line in self.page.routes:
            parts += [line.operator, line.domain or "", render_codes.route_words(line.route)]
        parts += [fault.code for fault in self.page.faults]
        return "\n".join(parts).lower()


@dataclass(frozen=True, slots=True)
class CodeRows:
    """All rows, and the names of their groups."""

    rows: tuple[CodeRow, ...]
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CodesFilter:
    """What to show: text anywhere, a domain, an operator that may stop with it, a kind of route."""

    text: str = ""
    domain: str | None = None
    operator: str | None = None
    route: str | None = None

    def admits(self, row: CodeRow) -> bool:
        """Whether the row is shown; a fault is found by text only."""
        if self.domain or self.operator or self.route:
            page = row.page
            if page is None or not self._fits(page):
                return False
        words = self.text.lower().split()
        return not words or all(word in row.search_text for word in words)

    def _fits(self, page: CodePage) -> bool:
        if self.domain is not None and page.entry.domain != self.domain:
            return False
        if self.operator is not None and not page.entry.covers(self.operator):
            return False
        return self.route is None or self.route in page.kinds


def code_rows(registry: Registry) -> CodeRows:
    """The faults, then the shared codes, then each operator's own."""
    groups: dict[str, int] = {}
    rows: list[CodeRow] = []
    for fault in registry.faults:
        group = groups.setdefault(FAULTS, len(groups))
        rows.append(CodeRow((FAULTS, str(len(rows))), group, len(rows), None, fault))
    for page in code_pages(registry):
        entry = page.entry
        name = SHARED if entry.is_shared else next(iter(entry.scope), "Without an operator")
        group = groups.setdefault(name, len(groups))
        rows.append(CodeRow(("code", entry.code), group, len(rows), page, None))
    return CodeRows(tuple(rows), tuple(groups))


def values_of(rows: Iterable[CodeRow], name: str) -> Iterable[str]:
    """What the rows can be filtered by under a name, once a row."""
    for row in rows:
        if row.page is None:
            continue
        if name == "domain":
            yield from filter(None, [row.page.entry.domain])
        elif name == "operator":
            yield from (line.operator for line in row.page.routes if line.is_listed)
        else:
            yield from row.page.kinds


class CodesSource:
    """Rows of codes and faults, by group. `groups` are the names of the groups."""

    has_headings = True

    def __init__(self, wanted: Sequence[str]) -> None:
        by_id = {column.id: column for column in COLUMNS}
        self._chosen: Sequence[Column] = [by_id[name] for name in wanted if name in by_id]
        self.groups: Sequence[str] = ()
        self.has_faults = False

    @property
    def columns(self) -> Sequence[Column]:
        """The columns; that of faults only where there are any."""
        columns = self._chosen or COLUMNS
        return columns if self.has_faults else [c for c in columns if c.id != "faults"]

    def identity(self, row: CodeRow) -> Hashable:
        """The code, or the fault's number."""
        return row.identity

    def order(self, row: CodeRow) -> tuple[int, Any]:
        """In the order of the registry's table."""
        return row.group, row.place

    def heading(self, group: int, count: int) -> Content:
        """Whose codes they are."""
        name = self.groups[group] if group < len(self.groups) else ""
        return render_codes.heading(name, count, is_alert=name == FAULTS)

    def cell(self, row: CodeRow, column: Column, width: int) -> Content:
        """One cell; a fault stands in the first columns."""
        if row.fault is not None:
            return _FAULT_CELLS[column.id](row.fault)
        assert row.page is not None
        return _CELLS[column.id](row.page)


_CELLS: dict[str, Callable[[CodePage], Content]] = {
    "code": render_codes.code_cell,
    "disposition": render_codes.disposition_cell,
    "faults": render_codes.faults_cell,
    "domain": render_codes.domain_cell,
    "route": render_codes.route_cell,
    "scope": render_codes.scope_cell,
    "meaning": render_codes.meaning_cell,
}
_FAULT_CELLS: dict[str, Callable[[Fault], Content]] = {
    "code": render_codes.fault_code_cell,
    "disposition": render_codes.empty_cell,
    "faults": render_codes.empty_cell,
    "domain": render_codes.empty_cell,
    "route": render_codes.empty_cell,
    "scope": render_codes.fault_file_cell,
    "meaning": render_codes.fault_told_cell,
}
