"""Says what a doubled JSON key means where it stands: a code, a route, or another key."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from stopview_core.records import JsonValue
from stopview_core.registry.faults import FaultList
from stopview_core.registry.model import EVERY
from stopview_core.registry.source import ROUTING
from stopview_core.text import clean

_ENTRY_KEYS = (
    "scope",
    "domain",
    "disposition",
    "meaning",
    "resume",
    "fallback",
    "unless",
    "writer",
)
_ONCE, _TWICE = "one key", "the key again"


def add_doubled_codes(
    file: str, raw: Mapping[str, JsonValue], doubled: Iterable[str], faults: FaultList
) -> None:
    """Faults for the doubled keys of an errors.json; a doubled `codes` may define codes twice."""
    for path in doubled:
        place = _below(path, "codes")
        if place is None:
            continue
        code, rest = _split(place, _keys(raw.get("codes")))
        if not rest:
            faults.add(
                "CODE_TWICE",
                file,
                path,
                "defined once",
                _TWICE,
                codes=[clean(code)] if code else [],
            )
        elif _is_known(rest, _ENTRY_KEYS):
            faults.add("KEY_TWICE", file, path, _ONCE, _TWICE, codes=(clean(code),))


def add_doubled_keys(
    file: str,
    doubled: Iterable[str],
    known: Collection[str],
    operator: str | None,
    faults: FaultList,
) -> None:
    """Faults for the doubled keys of an operator.json among those that are read."""
    routes = ((operator, EVERY),) if operator else ()
    for path in doubled:
        if _is_known(path, known):
            faults.add("KEY_TWICE", file, path, _ONCE, _TWICE, routes=routes)


def add_doubled_routes(
    raw: Mapping[str, JsonValue], doubled: Iterable[str], faults: FaultList
) -> None:
    """Faults for the doubled keys of routing.json (contracts 1.3)."""
    tables = raw.get("routes")
    named = tables if isinstance(tables, dict) else {}
    for path in doubled:
        place = _below(path, "routes")
        if place is None:
            faults.add("KEY_TWICE", ROUTING, path, _ONCE, _TWICE)
            continue
        operator, rest = _split(place, named)
        domain, inner = _split(rest, _keys(named.get(operator)))
        touched = [operator] if operator else list(named)
        faults.add(
            "ROUTE_TWICE" if domain and not inner else "KEY_TWICE",
            ROUTING,
            path,
            "one route" if domain and not inner else _ONCE,
            _TWICE,
            routes=[(clean(name), clean(domain) or EVERY) for name in touched],
        )


def _below(path: str, key: str) -> str | None:
    """What follows the key in the dotted path, "" for the key itself, None elsewhere."""
    return path[len(key) + 1 :] if path == key or path.startswith(f"{key}.") else None


def _split(place: str, names: Iterable[str]) -> tuple[str, str]:
    """The first key of a place, and what follows it; keys may hold dots themselves."""
    fitting = [name for name in names if place == name or place.startswith(f"{name}.")]
    name = max(fitting, key=len, default="")
    return name, place[len(name) + 1 :] if name else place


def _keys(value: JsonValue) -> Collection[str]:
    return value.keys() if isinstance(value, dict) else ()


def _is_known(path: str, known: Collection[str]) -> bool:
    return path.split(".", 1)[0].split("[", 1)[0] in known
