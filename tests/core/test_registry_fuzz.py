"""Whatever the files of a registry hold, checking never raises and resolving stays total."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_registry import MAKE_MD, SHIP_MD, small_registry, write

from stopview_core.errors import RegistryRefused
from stopview_core.registry.check import RULES, check
from stopview_core.registry.load import load
from stopview_core.resolve import resolve

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from(["", "*", "self", "caller", "plan.make", "fallback", "terminate", "x\x1b"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["codes", "routes", "SHIP_NEEDED", "plan.make", "caller", "scope", "unless", "domain",
             "disposition", "then", "param", "equals", "kind", "target", "id", "meaning", "en"]
        ),
        inner,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip
any_path = st.sampled_from(sorted(small_registry()))


def survives(root: Path) -> None:
    """Checking lists known faults; loading works or is refused; every stop then resolves."""
    report = check(root)
    assert {fault.code for fault in report.faults} <= set(RULES)
    try:
        registry = load(root)
    except RegistryRefused:
        assert {fault.code for fault in report.faults} & {"FILE_UNREADABLE", "CODE_TWICE"}
        return
    assert registry.faults == report.faults
    for operator in (*registry.operators, "plan.gone", None):
        for code in (*registry.entries, "NOT_THERE"):
            found = resolve(registry, operator, code, {"selectionPolicy": "approval-required"})
            if found.is_faulty or found.disposition is None:
                assert found.route.kind == "user"


@given(path=any_path, data=st.binary(max_size=200))
def test_any_bytes_in_any_file(
    tmp_path_factory: pytest.TempPathFactory, path: str, data: bytes
) -> None:
    files = small_registry() | {path: data}
    survives(write(tmp_path_factory.mktemp("any"), files))


@given(path=any_path, value=anything)
def test_any_json_in_any_file(
    tmp_path_factory: pytest.TempPathFactory, path: str, value: Any
) -> None:
    files = small_registry() | {path: json.dumps(value)}
    survives(write(tmp_path_factory.mktemp("any"), files))


@given(data=st.data())
def test_any_value_in_any_place(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    files = small_registry()
    path = data.draw(st.sampled_from([path for path in sorted(files) if path.endswith(".json")]))
    spot = files[path]
    while True:
        key = data.draw(st.sampled_from(sorted(spot)))
        if not isinstance(spot[key], dict) or not spot[key] or data.draw(st.booleans()):
            break
        spot = spot[key]
    spot[key] = data.draw(anything)
    survives(write(tmp_path_factory.mktemp("any"), files))


@given(path=st.sampled_from([MAKE_MD, SHIP_MD]), data=st.data())
def test_any_cut_and_paste_of_a_document(
    tmp_path_factory: pytest.TempPathFactory, path: str, data: st.DataObject
) -> None:
    files = small_registry()
    lines = files[path].splitlines()
    files[path] = "\n".join(
        data.draw(st.lists(st.sampled_from([*lines, "```", "<!--"]), max_size=40))
    )
    survives(write(tmp_path_factory.mktemp("any"), files))
