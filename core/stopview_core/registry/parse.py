"""Parses the files of a registry once, for loading and for checking, and gathers every fault."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from stopview_core.jsontext import duplicate_keys, parse_json
from stopview_core.records import JsonValue
from stopview_core.registry.doubles import add_doubled_codes, add_doubled_keys, add_doubled_routes
from stopview_core.registry.entries import CodesFile, parse_entries
from stopview_core.registry.faults import FaultList, shown_value
from stopview_core.registry.model import EVERY, Entry, Fault
from stopview_core.registry.operators import ReadOperator, operator_id, parse_operator
from stopview_core.registry.routing import Routing, parse_routing
from stopview_core.registry.rules import add_rule_faults
from stopview_core.registry.source import ROUTING, SHARED_CODES, Source
from stopview_core.registry.tree import Tree
from stopview_core.unreadable import Unreadable

_OPERATOR_KEYS = ("id", "domain", "job")


def parse_registry(source: Source, lang: str | None = None) -> tuple[Tree, tuple[Fault, ...]]:
    """The registry with every fault of contracts 1.2 and 1.3; raises nothing, whatever it holds."""
    parser = _Parser(source, lang)
    tree = parser.parse()
    add_rule_faults(tree, parser.faults)
    return tree, tuple(parser.faults.found)


class _Parser:
    def __init__(self, source: Source, lang: str | None) -> None:
        self.source = source
        self.lang = lang
        self.faults = FaultList()
        self.entries: dict[str, Entry] = {}
        self.operators: dict[str, ReadOperator] = {}
        self.has_all_codes = True
        self.has_all_operators = True

    def parse(self) -> Tree:
        self.read_closed()
        self.read_codes(CodesFile(SHARED_CODES, None, self.lang))
        for folder in self.source.folders:
            self.read_operator(folder)
        routing = self.read_routing()
        return Tree(
            self.entries, self.operators, routing, self.has_all_codes, self.has_all_operators
        )

    def read_closed(self) -> None:
        """Folders that cannot be opened or listed hide operators and codes."""
        for path, why in self.source.closed.items():
            self.unreadable(path, "a folder", why.why)
            self.has_all_codes = self.has_all_operators = False

    def read_codes(self, file: CodesFile) -> dict[str, Entry]:
        raw = self.read_object(file.path)
        if raw is None or not isinstance(raw.get("codes"), dict):
            self.has_all_codes = False
        if raw is None:
            return {}
        add_doubled_codes(file.path, raw, self.doubled(file.path), self.faults)
        entries = parse_entries(raw, file, self.faults)
        for code, entry in entries.items():
            first = self.entries.setdefault(code, entry)
            if first is not entry:
                found = f"also in {first.file}"
                self.faults.add(
                    "CODE_TWICE", file.path, f"codes.{code}", "defined once", found, codes=(code,)
                )
        return entries

    def read_operator(self, folder: str) -> None:
        base = f"operators/{folder}"
        raw = self.read_object(f"{base}/operator.json")
        identifier = None
        if raw is not None:
            identifier = operator_id(raw, f"{base}/operator.json", self.faults)
            doubled = self.doubled(f"{base}/operator.json")
            add_doubled_keys(
                f"{base}/operator.json", doubled, _OPERATOR_KEYS, identifier, self.faults
            )
        document = self.read_text(f"{base}/operator.md")
        codes: Iterable[str] = ()
        if f"{base}/errors.json" in self.source.files:
            owner = identifier or ""
            codes = self.read_codes(CodesFile(f"{base}/errors.json", owner, self.lang))
        if raw is None or identifier is None:
            self.has_all_operators = False
        elif identifier in self.operators:
            self.add_second(identifier, base, codes)
        else:
            self.operators[identifier] = parse_operator(
                identifier, folder, raw, document, self.lang, self.faults
            )

    def add_second(self, identifier: str, base: str, codes: Iterable[str]) -> None:
        self.faults.add(
            "OPERATOR_TWICE",
            f"{base}/operator.json",
            "id",
            "an id of its own",
            f"{identifier}, also in operators/{self.operators[identifier].operator.folder}",
            codes=codes,
            routes=((identifier, EVERY),),
        )

    def read_routing(self) -> Routing | None:
        raw = self.read_object(ROUTING)
        if raw is None:
            return None
        add_doubled_routes(raw, self.doubled(ROUTING), self.faults)
        return parse_routing(raw, self.lang, self.faults)

    def read_object(self, path: str) -> Mapping[str, JsonValue] | None:
        data = self.source.files[path]
        value = parse_json(data) if isinstance(data, bytes) else data
        if isinstance(value, Unreadable):
            self.unreadable(path, "a file of JSON", value.why)
            return None
        if not isinstance(value, dict):
            self.unreadable(path, "an object", shown_value(value))
            return None
        return value

    def read_text(self, path: str) -> str | None:
        data = self.source.files[path]
        if isinstance(data, Unreadable):
            self.unreadable(path, "a file of text", data.why)
            return None
        try:
            return data.decode()
        except UnicodeDecodeError:
            self.unreadable(path, "text in UTF-8", "other bytes")
            return None

    def unreadable(self, path: str, expected: str, why: str) -> None:
        self.faults.add("FILE_UNREADABLE", path, "", expected, why)

    def doubled(self, path: str) -> list[str]:
        data = self.source.files[path]
        return duplicate_keys(data) if isinstance(data, bytes) else []
