"""Turns one errors.json into entries, with every fault that the file shows by itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from stopview_core.records import JsonValue
from stopview_core.registry.faults import NOTHING, FaultList, shown, shown_value
from stopview_core.registry.model import Disposition, Entry, Unless
from stopview_core.registry.texts import pick
from stopview_core.text import clean

_CODE = re.compile(r"[A-Z][A-Z0-9_]+")
_DISPOSITIONS: Mapping[JsonValue, Disposition] = {"terminate": "terminate", "fallback": "fallback"}
_TEXT_OR_NOTHING = (str, dict, type(None))
_EITHER = "terminate or fallback"


@dataclass(frozen=True, slots=True)
class CodesFile:
    """One errors.json; `owner` is the operator of a local one, "" where its id is unknown."""

    path: str
    owner: str | None
    lang: str | None

    @property
    def is_shared(self) -> bool:
        return self.owner is None


def parse_entries(
    raw: Mapping[str, JsonValue], file: CodesFile, faults: FaultList
) -> dict[str, Entry]:
    """The entries of one errors.json by code (contracts 1.2)."""
    codes = raw.get("codes")
    if not isinstance(codes, dict):
        faults.add("CODES_INVALID", file.path, "codes", "an object", shown(raw, "codes"))
        return {}
    return {clean(code): _Parser(clean(code), file, faults).parse(codes[code]) for code in codes}


class _Parser:
    """Reads the entry of one code; each method reads one key and adds its faults."""

    def __init__(self, code: str, file: CodesFile, faults: FaultList) -> None:
        self.code = code
        self.file = file
        self.faults = faults

    def parse(self, value: JsonValue) -> Entry:
        if not _CODE.fullmatch(self.code):
            self.add("CODE_NAME_INVALID", "", "an UPPER_SNAKE code", self.code)
        if not isinstance(value, dict):
            self.add("ENTRY_INVALID", "", "an object", shown_value(value))
            scope = (self.file.owner,) if self.file.owner else ()
            return self.entry({}, scope, None, None, None)
        disposition = self.disposition(value)
        entry = self.entry(
            value,
            self.scope(value),
            self.domain(value),
            disposition,
            self.unless(value, disposition),
        )
        self.check_texts(value, entry)
        return entry

    def entry(
        self,
        raw: Mapping[str, JsonValue],
        scope: tuple[str, ...],
        domain: str | None,
        disposition: Disposition | None,
        unless: Unless | None,
    ) -> Entry:
        lang = self.file.lang
        writer = raw.get("writer")
        return Entry(
            code=self.code,
            scope=scope,
            is_shared=self.file.is_shared,
            domain=domain,
            disposition=disposition,
            meaning=pick(raw.get("meaning"), lang),
            resume=pick(raw.get("resume"), lang),
            fallback=pick(raw.get("fallback"), lang) or None,
            unless=unless,
            writer=_writer(writer) if writer else None,
            file=clean(self.file.path),
        )

    def disposition(self, raw: Mapping[str, JsonValue]) -> Disposition | None:
        value = raw.get("disposition")
        disposition = _DISPOSITIONS.get(value) if isinstance(value, str) else None
        if disposition is None:
            self.add("DISPOSITION_INVALID", "disposition", _EITHER, shown(raw, "disposition"))
        return disposition

    def domain(self, raw: Mapping[str, JsonValue]) -> str | None:
        value = raw.get("domain")
        if isinstance(value, str) and value.strip():
            return clean(value)
        self.add("DOMAIN_INVALID", "domain", "one domain as text", shown(raw, "domain"))
        return None

    def unless(
        self, raw: Mapping[str, JsonValue], disposition: Disposition | None
    ) -> Unless | None:
        value = raw.get("unless")
        if value is None:
            return None
        if not isinstance(value, dict):
            self.add("UNLESS_INCOMPLETE", "unless", "param, equals and then", shown_value(value))
            return None
        param, equals, then = value.get("param"), value.get("equals"), value.get("then")
        flipped = _DISPOSITIONS.get(then) if isinstance(then, str) else None
        is_named = isinstance(param, str) and bool(param.strip())
        for key, expected, is_there in (
            ("param", "the name of a Requirements field", is_named),
            ("equals", "a value", equals is not None),
            ("then", _EITHER, flipped is not None),
        ):
            if not is_there:
                self.add("UNLESS_INCOMPLETE", f"unless.{key}", expected, shown(value, key))
        if flipped is not None and flipped == disposition:
            self.add("UNLESS_SAME", "unless.then", "the other disposition", flipped)
        if not isinstance(param, str) or not is_named or equals is None or flipped is None:
            return None
        return Unless(clean(param), equals, flipped)

    def check_texts(self, raw: Mapping[str, JsonValue], entry: Entry) -> None:
        for key, rule, text in (
            ("meaning", "MEANING_MISSING", entry.meaning),
            ("resume", "RESUME_MISSING", entry.resume),
        ):
            if not text:
                self.add(rule, key, "a text, or a text a language", shown(raw, key))
        fallback, unless = raw.get("fallback"), raw.get("unless")
        then = unless.get("then") if isinstance(unless, dict) else None
        if "fallback" in (entry.disposition, then):
            if not entry.fallback:
                self.add("FALLBACK_MISSING", "fallback", "what it does", shown(raw, "fallback"))
        elif entry.disposition and (entry.fallback or not isinstance(fallback, _TEXT_OR_NOTHING)):
            self.add("FALLBACK_UNWANTED", "fallback", NOTHING, shown_value(fallback))

    def scope(self, raw: Mapping[str, JsonValue]) -> tuple[str, ...]:
        value = raw.get("scope")
        if not self.file.is_shared:
            if value is not None:
                self.add("SCOPE_UNWANTED", "scope", NOTHING, shown_value(value))
            return (self.file.owner,) if self.file.owner else ()
        listed = value if isinstance(value, list) else []
        names = tuple(clean(name) for name in listed if isinstance(name, str) and name.strip())
        if not names or len(names) != len(listed):
            self.add("SCOPE_MISSING", "scope", 'operator ids, or ["*"]', shown(raw, "scope"))
            return ()
        return names

    def add(self, rule: str, key: str, expected: str, found: str) -> None:
        path = f"codes.{self.code}.{key}" if key else f"codes.{self.code}"
        self.faults.add(rule, self.file.path, path, expected, found, codes=(self.code,))


def _writer(value: JsonValue) -> str:
    return clean(value if isinstance(value, str) else shown_value(value))
