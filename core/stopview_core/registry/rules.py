"""The rules that look across the files of a registry: scope, Stops tables, the closed map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from stopview_core.registry.faults import NOTHING, FaultList
from stopview_core.registry.model import EVERY, KINDS_WITH_TARGET, SELF, Entry, Route
from stopview_core.registry.operators import ReadOperator
from stopview_core.registry.routing import Routing
from stopview_core.registry.source import ROUTING
from stopview_core.registry.tree import Tree


def add_rule_faults(tree: Tree, faults: FaultList) -> None:
    """Every fault that needs more than one file to see (contracts 1.2, 1.3)."""
    _add_domains(tree, faults)
    _add_scopes(tree, faults)
    _add_params(tree, faults)
    _add_doubled_fields(tree, faults)
    _add_unlisted(tree, faults)
    _add_stops(tree, faults)
    if tree.routing is not None:
        _add_tables(tree, tree.routing, faults)
        _add_targets(tree, tree.routing, faults)


def _add_domains(tree: Tree, faults: FaultList) -> None:
    if tree.routing is None:
        return
    named = {SELF}.union(*tree.routing.routes.values())
    for entry in tree.entries.values():
        if entry.domain is not None and entry.domain not in named:
            _add(
                faults, "DOMAIN_UNKNOWN", entry, "domain", "a domain of routing.json", entry.domain
            )


def _add_scopes(tree: Tree, faults: FaultList) -> None:
    for entry in tree.entries.values():
        if not entry.is_shared or entry.scope == (EVERY,):
            continue
        if len(set(entry.scope)) == 1:
            _add(faults, "SCOPE_SINGLE", entry, "scope", "several operators", entry.scope[0])
        for name in dict.fromkeys(entry.scope):
            if name not in tree.operators and (tree.has_all_operators or name == EVERY):
                found = _name(name)
                _add(faults, "SCOPE_OPERATOR_UNKNOWN", entry, "scope", "known operators", found)


def _add_params(tree: Tree, faults: FaultList) -> None:
    listing = _listing(tree)
    for entry in tree.entries.values():
        if entry.unless is None:
            continue
        param = entry.unless.param
        users = listing.get(entry.code, []) if entry.is_shared else _owners(tree, entry)
        lacking = [
            read.operator.id
            for read in users
            if read.stops is not None and param not in read.operator.requirements
        ]
        if entry.is_shared and not users and tree.has_all_operators:
            lacking = ["an operator that lists the code"]
        for name in lacking:
            expected = f"a Requirements field of {name}"
            _add(faults, "UNLESS_PARAM_UNKNOWN", entry, "unless.param", expected, param)


def _owners(tree: Tree, entry: Entry) -> list[ReadOperator]:
    return [tree.operators[name] for name in entry.scope if name in tree.operators]


def _add_doubled_fields(tree: Tree, faults: FaultList) -> None:
    for read in tree.operators.values():
        for field in read.doubled_fields:
            codes = [
                entry.code
                for entry in tree.entries.values()
                if entry.unless and entry.unless.param == field and entry.covers(read.operator.id)
            ]
            place = f"Requirements.{field}"
            faults.add("FIELD_TWICE", read.document, place, "one row", "another", codes=codes)


def _listing(tree: Tree) -> Mapping[str, list[ReadOperator]]:
    listing: dict[str, list[ReadOperator]] = {}
    for read, row in tree.stops():
        listing.setdefault(row.code, []).append(read)
    return listing


def _add_unlisted(tree: Tree, faults: FaultList) -> None:
    for entry in tree.entries.values():
        if entry.is_shared or entry.writer is not None:
            continue
        for owner in _owners(tree, entry):
            if owner.stops is not None and entry.code not in owner.operator.stops:
                expected = f"a row under ## Stops in {owner.document}"
                _add(faults, "CODE_UNLISTED", entry, "", expected, NOTHING)


def _add_stops(tree: Tree, faults: FaultList) -> None:
    for read, row in tree.stops():
        entry = tree.entries.get(row.code)
        place, codes = f"Stops.{row.code}", (row.code,)
        if entry is None:
            if tree.has_all_codes:
                expected, found = "a registered code", _name(row.code)
                faults.add("STOPS_CODE_UNKNOWN", read.document, place, expected, found, codes=codes)
            continue
        if entry.scope and not entry.covers(read.operator.id):
            expected = f"a code whose scope holds {read.operator.id}"
            faults.add(
                "STOPS_CODE_OUT_OF_SCOPE",
                read.document,
                place,
                expected,
                ", ".join(entry.scope),
                codes=codes,
            )
        if entry.disposition is not None and row.disposition != entry.disposition:
            faults.add(
                "STOPS_DISPOSITION_DIFFERS",
                read.document,
                f"{place}.Disposition",
                f"{entry.disposition}, as in {entry.file}",
                row.disposition or NOTHING,
                codes=codes,
            )


def _add_tables(tree: Tree, routing: Routing, faults: FaultList) -> None:
    for identifier, read in tree.operators.items():
        table = routing.routes.get(identifier)
        if table is None:
            touched = ((identifier, EVERY),)
            place = f"routes.{identifier}"
            faults.add("ROUTE_TABLE_MISSING", ROUTING, place, "a table", NOTHING, routes=touched)
        elif read.stops is not None:
            _add_closure(tree, read, table, faults)
    if not tree.has_all_operators:
        return
    for identifier in [name for name in routing.routes if name not in tree.operators]:
        touched = ((identifier, EVERY),)
        place = f"routes.{identifier}"
        faults.add(
            "ROUTE_TABLE_UNKNOWN", ROUTING, place, "a known operator", identifier, routes=touched
        )


def _add_closure(
    tree: Tree, read: ReadOperator, table: Mapping[str, Route], faults: FaultList
) -> None:
    identifier = read.operator.id
    reached: dict[str, list[str]] = {}
    for row in read.stops or ():
        entry = tree.entries.get(row.code)
        domain = entry.domain_for(read.operator.domain) if entry else None
        if domain is not None:
            reached.setdefault(domain, []).append(row.code)
    for domain, codes in reached.items():
        if domain not in table:
            faults.add(
                "ROUTE_MISSING",
                ROUTING,
                f"routes.{identifier}.{domain}",
                f"a route for {', '.join(codes)}",
                NOTHING,
                routes=((identifier, domain),),
            )
    if not tree.has_all_codes:
        return
    for domain in table:
        if domain not in reached:
            faults.add(
                "ROUTE_UNREACHED",
                ROUTING,
                f"routes.{identifier}.{domain}",
                "a listed code that hands to it",
                NOTHING,
                routes=((identifier, domain),),
            )


def _add_targets(tree: Tree, routing: Routing, faults: FaultList) -> None:
    if not tree.has_all_operators:
        return
    for identifier, domain, target in _targets(routing):
        if target not in tree.operators:
            faults.add(
                "ROUTE_TARGET_UNKNOWN",
                ROUTING,
                f"routes.{identifier}.{domain}.target",
                "a known operator",
                target,
                routes=((identifier, domain),),
            )


def _targets(routing: Routing) -> Iterator[tuple[str, str, str]]:
    for identifier, table in routing.routes.items():
        for domain, route in table.items():
            if route.kind in KINDS_WITH_TARGET and route.target not in (None, identifier):
                yield identifier, domain, route.target or ""


def _add(faults: FaultList, rule: str, entry: Entry, key: str, expected: str, found: str) -> None:
    path = f"codes.{entry.code}.{key}" if key else f"codes.{entry.code}"
    faults.add(rule, entry.file, path, expected, found, codes=(entry.code,))


def _name(text: str) -> str:
    return text or NOTHING
