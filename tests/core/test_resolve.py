"""Resolving a stop: the code, the disposition in force, the domain, the route, and why."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from registry_changes import (
    Change,
    add_row,
    both,
    codes,
    drop,
    drop_route,
    edit,
    put,
    put_unless,
    route,
)
from small_registry import MAKE_CODES, MAKE_MD, SHARED, SHIP_CODES, small_registry, write

from stopview_core.registry.load import load, shipped_root
from stopview_core.registry.model import Registry
from stopview_core.resolve import Flip, Resolution, ResolvedRoute, resolve, value_text

APPROVAL = {"selectionPolicy": "approval-required"}


def loaded(tmp_path: Path, *changes: Change) -> Registry:
    files = small_registry()
    for change in changes:
        change(files)
    return load(write(tmp_path, files))


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    return loaded(tmp_path_factory.mktemp("sound"))


def flipping_on(tmp_path: Path, param: str, equals: object) -> Registry:
    return loaded(
        tmp_path,
        put_unless(MAKE_CODES, "CHOICE_REQUIRED", "param", param),
        put_unless(MAKE_CODES, "CHOICE_REQUIRED", "equals", equals),
    )


# --- one stop -----------------------------------------------------------------------------------


def test_a_code_in_scope_answers_for_itself(registry: Registry) -> None:
    found = resolve(registry, "plan.make", "SHIP_NEEDED", {})
    assert (found.code, found.written_code, found.operator) == (
        "SHIP_NEEDED",
        "SHIP_NEEDED",
        "plan.make",
    )
    assert found.entry is registry.entries["SHIP_NEEDED"]
    assert (found.disposition, found.base_disposition) == ("terminate", "terminate")
    assert (found.domain, found.route) == ("ship", ResolvedRoute("operator", "plan.ship", False))
    assert (found.meaning, found.resume, found.fallback) == (
        "It met ship.",
        "Change something.",
        None,
    )
    assert found.why == (
        "SHIP_NEEDED terminates: the branch ends blocked.",
        "Its domain is ship.",
        "It goes to plan.ship, which runs next.",
    )
    assert not found.is_faulty


def test_a_named_requirement_flips_the_disposition(registry: Registry) -> None:
    base = resolve(registry, "plan.make", "CHOICE_REQUIRED", {})
    assert (base.disposition, base.flipped_by) == ("fallback", None)
    assert base.why[-1] == "Where it ends a branch, it goes to a person, who decides."
    flipped = resolve(registry, "plan.make", "CHOICE_REQUIRED", APPROVAL)
    assert (flipped.disposition, flipped.base_disposition) == ("terminate", "fallback")
    assert flipped.flipped_by == Flip("selectionPolicy", "approval-required", "approval-required")
    assert flipped.why[0] == (
        "CHOICE_REQUIRED terminates: the branch ends blocked, "
        "because selectionPolicy is approval-required in the request."
    )
    assert flipped.fallback == "Take the best."


def test_a_flip_may_lead_to_the_fallback(registry: Registry) -> None:
    assert resolve(registry, "plan.ship", "TOO_COSTLY", {}).disposition == "terminate"
    assert resolve(registry, "plan.ship", "TOO_COSTLY", {"mode": "cheap"}).disposition == "fallback"


@pytest.mark.parametrize(
    ("operator", "code", "domain", "kind", "target", "said"),
    [
        ("plan.make", "CHOICE_REQUIRED", "caller", "user", None, "a person, who decides"),
        ("plan.make", "EVIDENCE_MISSING", "plan", "resume", None, "plan.make again"),
        ("plan.make", "SHIP_NEEDED", "ship", "operator", "plan.ship", "plan.ship, which runs"),
        ("plan.ship", "TARGET_DOWN", "outside", "external", None, "outside the runtime"),
        ("plan.ship", "REWORK_NEEDED", "plan", "chain", "plan.make", "sibling run"),
        ("plan.ship", "RETRY_LATER", "ship", "resume", None, "plan.ship again"),
        ("plan.ship", "EVIDENCE_MISSING", "ship", "resume", None, "plan.ship again"),
    ],
)
def test_each_kind_of_route_is_read_and_said(
    registry: Registry,
    operator: str,
    code: str,
    domain: str,
    kind: str,
    target: str | None,
    said: str,
) -> None:
    found = resolve(registry, operator, code, None)
    assert (found.domain, found.route) == (domain, ResolvedRoute(kind, target, False))
    assert said in found.why[-1]


def test_self_is_said_with_the_domain_that_it_is(registry: Registry) -> None:
    found = resolve(registry, "plan.ship", "EVIDENCE_MISSING", {})
    assert found.why[1] == "Its domain is self, which for plan.ship is ship."
    assert found.why_for_people == (found.why[0], *found.why[2:])


# --- UNKNOWN_STOP -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operator", "code", "why"),
    [
        ("plan.make", "NOT_THERE", "NOT_THERE is not a registered code"),
        ("plan.ship", "CHOICE_REQUIRED", "CHOICE_REQUIRED is not in scope for plan.ship"),
        ("plan.make", "", "not a registered code"),
        ("plan.make", "choice_required", "not a registered code"),
    ],
)
def test_a_code_not_registered_or_not_in_scope_reads_as_unknown(
    registry: Registry, operator: str, code: str, why: str
) -> None:
    found = resolve(registry, operator, code, APPROVAL)
    assert (found.code, found.written_code) == ("UNKNOWN_STOP", code)
    assert (found.disposition, found.domain, found.flipped_by) == ("terminate", "caller", None)
    assert found.route == ResolvedRoute("user", None, False)
    assert why in found.why[0]


@pytest.mark.parametrize("operator", ["plan.gone", "", None])
def test_an_unknown_operator_goes_unrouted_to_a_person(
    registry: Registry, operator: str | None
) -> None:
    found = resolve(registry, operator, "CHOICE_REQUIRED", APPROVAL)
    assert (found.code, found.written_code) == ("UNKNOWN_STOP", "CHOICE_REQUIRED")
    assert found.route == ResolvedRoute("user", None, True)
    assert not found.is_faulty


def test_a_registry_without_unknown_stop_still_answers(tmp_path: Path) -> None:
    registry = loaded(tmp_path, lambda files: codes(files, SHARED).pop("UNKNOWN_STOP"))
    found = resolve(registry, "plan.make", "NOT_THERE", {})
    assert (found.code, found.entry, found.disposition) == ("UNKNOWN_STOP", None, None)
    assert found.route == ResolvedRoute("user", None, True)
    assert (found.meaning, found.resume, found.fallback) == ("", "", None)
    assert len(found.why) == 4


def test_hostile_names_are_safe_in_what_is_said(registry: Registry) -> None:
    found = resolve(registry, "\x1b[31m\u202ex", "A\n\x1b]0;y\x07" + "Z" * 500, {})
    for sentence in found.why:
        assert "\x1b" not in sentence
        assert "\n" not in sentence
        assert len(sentence) < 200


# --- the value that flips -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("equals", "given_value", "flips"),
    [
        ("a", "a", True),
        ("a", "A", False),
        ("a", " a", False),
        ("a", ["a"], False),
        (1, 1, True),
        (1, 1.0, False),
        (1.5, 1.5, True),
        (1.0, 1.0, True),
        (1.0, 1, False),
        (1, "1", True),
        ("1", 1, True),
        (1, True, False),
        (True, True, True),
        (True, "true", True),
        (True, False, False),
        (False, False, True),
        (False, 0, False),
        (["a", 1], ["a", 1], True),
        (["a", 1], [1, "a"], False),
        ("[1,2]", [1, 2], True),
        ([1, 2], "[1, 2]", False),
        ({"a": 1, "b": None}, {"a": 1, "b": None}, True),
        ({"a": 1}, {"a": 2}, False),
        ([], [], True),
        ("", "", True),
        ("é", "é", True),
        (["é"], ["é"], True),
    ],
)
def test_values_are_compared_as_text_or_compact_json(
    tmp_path: Path, equals: object, given_value: Any, flips: bool
) -> None:
    registry = flipping_on(tmp_path, "goal", equals)
    found = resolve(registry, "plan.make", "CHOICE_REQUIRED", {"goal": given_value})
    assert (found.flipped_by is not None) is flips
    assert found.disposition == ("terminate" if flips else "fallback")


@pytest.mark.parametrize(
    ("param", "equals", "requirements", "flips"),
    [
        ("selectionPolicy", "automatic", {}, True),
        ("selectionPolicy", "automatic", {"selectionPolicy": None}, True),
        ("selectionPolicy", "automatic", None, True),
        ("selectionPolicy", "automatic", {"selectionPolicy": "x"}, False),
        ("selectionPolicy", "automatic", {"selectionPolicy": ""}, False),
        ("limit", 1, {}, True),
        ("limit", 1, {"limit": 2}, False),
        ("sizes", [], {}, True),
        ("sizes", [], {"sizes": [1]}, False),
        ("goal", "—", {}, False),
        ("approval", "null", {}, False),
        ("approval", "null", {"approval": None}, False),
    ],
)
def test_a_missing_value_is_the_declared_default_and_none_never_equals(
    tmp_path: Path, param: str, equals: object, requirements: dict[str, Any] | None, flips: bool
) -> None:
    registry = flipping_on(tmp_path, param, equals)
    found = resolve(registry, "plan.make", "CHOICE_REQUIRED", requirements)
    assert (found.flipped_by is not None) is flips
    if found.flipped_by:
        assert found.flipped_by.is_default
        assert "by default" in found.why[0]


# --- no route, no disposition, faults -----------------------------------------------------------


def test_a_missing_route_is_a_person_and_never_guessed(registry: Registry) -> None:
    bare = replace(registry, routes={})
    found = resolve(bare, "plan.make", "SHIP_NEEDED", {})
    assert found.route == ResolvedRoute("user", None, True)
    assert found.why[-1] == ("There is no route from plan.make to ship, so a person looks at it.")


@pytest.mark.parametrize("value", [None, "stop", ["terminate"], {"en": "terminate"}])
def test_a_code_without_one_valid_disposition_goes_to_a_person(
    tmp_path: Path, value: object
) -> None:
    registry = loaded(tmp_path, put(MAKE_CODES, "SHIP_NEEDED", "disposition", value))
    found = resolve(registry, "plan.make", "SHIP_NEEDED", {})
    assert (found.disposition, found.base_disposition) == (None, None)
    assert found.route == ResolvedRoute("user", None, False)
    assert found.is_faulty


def test_no_disposition_is_a_person_even_where_no_fault_says_so(registry: Registry) -> None:
    entry = replace(registry.entries["SHIP_NEEDED"], disposition=None)
    unsaid = replace(registry, entries={**registry.entries, "SHIP_NEEDED": entry})
    found = resolve(unsaid, "plan.make", "SHIP_NEEDED", {})
    assert (found.disposition, found.is_faulty) == (None, False)
    assert found.route == ResolvedRoute("user", None, False)


def test_an_invalid_disposition_is_not_flipped_into_a_valid_one(tmp_path: Path) -> None:
    registry = loaded(tmp_path, put(MAKE_CODES, "CHOICE_REQUIRED", "disposition", "?"))
    found = resolve(registry, "plan.make", "CHOICE_REQUIRED", APPROVAL)
    assert (found.disposition, found.flipped_by) == (None, None)


@pytest.mark.parametrize(
    ("change", "operator", "code"),
    [
        (drop(MAKE_CODES, "SHIP_NEEDED", "resume"), "plan.make", "SHIP_NEEDED"),
        (drop_route("plan.make", "ship"), "plan.make", "SHIP_NEEDED"),
        (
            route("plan.make", "ship", {"kind": "queue", "target": "plan.ship"}),
            "plan.make",
            "SHIP_NEEDED",
        ),
        (
            route("plan.make", "ship", {"kind": "operator", "target": "plan.gone"}),
            "plan.make",
            "SHIP_NEEDED",
        ),
        (
            edit(MAKE_MD, "| `SHIP_NEEDED` | terminate |", "| `SHIP_NEEDED` | fallback |"),
            "plan.make",
            "SHIP_NEEDED",
        ),
        (put(SHARED, "UNKNOWN_STOP", "domain", "nowhere"), "plan.ship", "ANYTHING"),
        (add_row(MAKE_MD, "NOT_THERE", "terminate"), "plan.make", "NOT_THERE"),
        (put(SHARED, "OWNER_CONFLICT", "scope", []), "plan.make", "OWNER_CONFLICT"),
    ],
)
def test_what_a_fault_touches_goes_to_a_person(
    tmp_path: Path, change: Change, operator: str, code: str
) -> None:
    found = resolve(loaded(tmp_path, change), operator, code, {})
    assert found.is_faulty
    assert (found.route.kind, found.route.target) == ("user", None)
    assert found.why[-1] == "A registry fault touches this stop, so a person looks at it."


def test_a_fault_elsewhere_leaves_a_stop_as_it_is(tmp_path: Path, registry: Registry) -> None:
    faulty = loaded(
        tmp_path,
        both(drop(SHIP_CODES, "TARGET_DOWN", "meaning"), drop_route("plan.ship", "ship")),
    )
    for code in ("CHOICE_REQUIRED", "SHIP_NEEDED", "EVIDENCE_MISSING"):
        assert resolve(faulty, "plan.make", code, APPROVAL) == resolve(
            registry, "plan.make", code, APPROVAL
        )
    assert resolve(faulty, "plan.ship", "RETRY_LATER", {}).is_faulty


# --- for every stop -----------------------------------------------------------------------------

SHIPPED = load(shipped_root())
operators = st.sampled_from([*SHIPPED.operators, "plan.gone", None])
stop_codes = st.sampled_from([*SHIPPED.entries, "NOT_THERE", "", "x\x00"])
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.sampled_from(["automatic", "approval-required"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
requirements = st.none() | st.dictionaries(
    st.sampled_from(["selectionPolicy", "approval", "mode", "x"]), values, max_size=4
)


@given(operator=operators, code=stop_codes, asked=requirements)
def test_resolving_is_total_and_deterministic(
    operator: str | None, code: str, asked: dict[str, Any] | None
) -> None:
    before = json.dumps(asked)
    found = resolve(SHIPPED, operator, code, asked)
    assert found == resolve(SHIPPED, operator, code, asked)
    assert json.dumps(asked) == before
    assert found.written_code == code
    assert found.operator == operator
    assert found.disposition in ("terminate", "fallback")
    assert all(sentence.endswith(".") for sentence in found.why)
    assert len(found.why) >= 3


@given(operator=operators, code=stop_codes, asked=requirements)
def test_unknown_stop_stands_exactly_for_what_is_not_listed_or_not_in_scope(
    operator: str | None, code: str, asked: dict[str, Any] | None
) -> None:
    entry = SHIPPED.entries.get(code)
    is_own = (
        operator in SHIPPED.operators
        and entry is not None
        and (entry.scope == ("*",) or operator in entry.scope)
    )
    found = resolve(SHIPPED, operator, code, asked)
    assert found.code == (code if is_own else "UNKNOWN_STOP")
    assert found.route.unrouted is (
        operator is None or found.domain not in SHIPPED.routes.get(operator, {})
    )


@given(operator=operators, code=stop_codes, asked=requirements, other=values)
def test_only_the_named_param_flips(
    operator: str | None, code: str, asked: dict[str, Any] | None, other: object
) -> None:
    found = resolve(SHIPPED, operator, code, asked)
    unless = found.entry.unless if found.entry else None
    assert (found.disposition != found.base_disposition) is (found.flipped_by is not None)
    if unless is None:
        assert found.flipped_by is None
        return
    more = {**(asked or {}), "another": other}
    assert _outcome(resolve(SHIPPED, operator, code, more)) == _outcome(found)
    alone = {unless.param: (asked or {}).get(unless.param)}
    assert _outcome(resolve(SHIPPED, operator, code, alone)) == _outcome(found)
    flips = (asked or {}).get(unless.param) == unless.equals
    assert (found.flipped_by is not None) is flips


def _outcome(found: Resolution) -> tuple[object, ...]:
    return found.disposition, found.flipped_by, found.route


@given(value=values)
def test_the_text_of_a_value_reads_back(value: Any) -> None:
    text = value_text(value)
    assert (text if isinstance(value, str) else json.loads(text)) == value
    assert isinstance(value, str) or text.isascii()
