"""The packet rules of SACP one by one, and how what breaks them is told."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stopview_core import sacp
from stopview_core.sacp import STATUS_CODES, PacketFault, validate

Packet = dict[str, Any]

RECEIPT: Packet = {
    "protocol": "SACP/0.1",
    "type": "receipt",
    "method": "BLOCK",
    "status_code": 301,
    "status_text": "superseded_by_human_decision",
    "handoff_id": "orders-split/1/1",
    "attempt_id": "orders-split/3/1/decision/0001",
    "agent_id": "human:ann@example.org",
    "processed_at": "2026-11-02T09:31:00.000Z",
    "source_fingerprint": "sha256:0f3c",
    "claims": [
        {
            "text": "Ann picked `outbox`.",
            "claim_type": "user_statement",
            "source_id": "step-3/parallel-1/decision/0001.yaml",
            "support_status": "supported",
        },
        {
            "text": "The queue may still lose a message.",
            "claim_type": "inference",
            "support_status": "unverified",
        },
    ],
    "verification": {"status": "passed", "method": "read again before the write"},
    "residual_risk": "It takes effect when the operator resumes.",
    "next_owner": "architecture.decide",
    "human_decision_required": False,
    "extensions": {"vendor.stopview.selected": "outbox", "vendor.stopview.reason": None},
}
HANDOFF: Packet = {
    "protocol": "SACP/0.1",
    "type": "handoff",
    "method": "CLAIM",
    "resource_type": "task",
    "resource_id": "split-orders",
    "handoff_id": "hf-1",
    "attempt_id": "attempt-1",
    "agent_id": "planner",
    "created_at": "2026-11-02T09:31:00+01:00",
    "source_fingerprint": "sha256:0f3c",
    "content_type": "text/markdown",
}
RECEIPT_FIELDS = sorted(RECEIPT.keys() - {"status_text", "extensions"})

METHODS = "one of READ, CLAIM, COMPLETE, FAIL, BLOCK, RETRY, PROPOSE, PROMOTE"
CLAIM_TYPES = "one of user_statement, retrieved_fact, tool_result, inference"
SUPPORT = "one of supported, unsupported, unverified, not_applicable"
VERIFICATION = "one of passed, failed, not_run, blocked"
RESOURCES = (
    "one of task, handoff, attempt, receipt, claim, memory_item, skill_candidate, human_decision"
)
CODES = "one of the status codes 200, 202, 204, 301, 400, 409, 412, 423, 500, 504"
TIME = "an ISO 8601 time with its offset from UTC"
TEXT = "text that is not empty"
OWNER = "an owner by name, not someone, later, unknown, tbd or nothing"
NAMESPACED = "a key in a namespace, such as vendor.area.key"
NOT_CORE = "a key that does not end in a core field's name"
SOURCE = "a source that is not none, since the claim is "


def receipt(**changes: Any) -> Packet:
    return {**copy.deepcopy(RECEIPT), **changes}


def without(packet: Packet, field: str) -> Packet:
    return {name: value for name, value in packet.items() if name != field}


def claiming(**claim: Any) -> Packet:
    """A receipt whose second claim is this one, on top of a sound one."""
    sound = {
        "text": "The build is green.",
        "claim_type": "tool_result",
        "source_id": "build-17",
        "support_status": "supported",
    }
    merged = {name: value for name, value in {**sound, **claim}.items() if value is not ...}
    return receipt(claims=[RECEIPT["claims"][0], merged])


# --- valid packets


@pytest.mark.parametrize("number", list(STATUS_CODES))
def test_a_receipt_of_every_code_is_valid(number: int) -> None:
    code = STATUS_CODES[number]
    assert validate(receipt(status_code=number, status_text=code.name)) == []
    assert validate(without(receipt(status_code=number), "status_text")) == []


@pytest.mark.parametrize(
    "packet",
    [
        HANDOFF,
        {**HANDOFF, "extensions": {"profile.memory.state": "new"}, "payload": [1]},
        {**HANDOFF, "next_owner": "tbd", "claims": "none"},
        without(RECEIPT, "extensions"),
        receipt(extensions=None, status_text=None),
        receipt(unheard_of={"status_code": 999}, lease={"owner": "someone"}),
        receipt(extensions={"a.b": {"claims": 1}, "vendor.x.anything": [None]}),
        receipt(claims=[]),
        receipt(verification={"status": "not_run", "method": "tests", "reason": "no runner"}),
        receipt(verification={"status": "blocked", "method": "tests", "more": 1}),
        receipt(next_owner="Human", human_decision_required=True),
        receipt(next_owner="Someone Else"),
        receipt(processed_at="2026-05-07T21:24:00+08:00"),
        receipt(processed_at="2026-05-07T21:24Z"),
        receipt(processed_at="2026-05-07T21:24:00.123456789-0330"),
        claiming(claim_type="retrieved_fact", support_status="unsupported"),
        claiming(support_status="unsupported", source_id="none"),
        claiming(support_status="unverified", source_id=""),
        claiming(support_status="not_applicable", source_id=None),
        claiming(claim_type="inference", support_status="unverified", source_id=...),
        claiming(source_id="None of the above"),
    ],
)
def test_nothing_is_found_in_a_valid_packet(packet: Packet) -> None:
    assert validate(packet) == []


# --- one broken rule, one fault


@pytest.mark.parametrize(
    ("packet", "fault"),
    [
        (receipt(protocol="SACP/0.2"), ("protocol", "'SACP/0.1'", "'SACP/0.2'")),
        (receipt(type="memo"), ("type", "one of receipt, handoff", "'memo'")),
        (receipt(method="block"), ("method", METHODS, "'block'")),
        (receipt(status_code=418), ("status_code", CODES, "418")),
        (receipt(status_code="301"), ("status_code", CODES, "'301'")),
        (receipt(status_code=301.0), ("status_code", CODES, "301.0")),
        (receipt(status_code=True), ("status_code", CODES, "True")),
        (receipt(status_code=[301]), ("status_code", CODES, "[301]")),
        (
            receipt(status_text="completed"),
            ("status_text", "'superseded_by_human_decision', the name of 301", "'completed'"),
        ),
        (
            receipt(status_text=""),
            ("status_text", "'superseded_by_human_decision', the name of 301", "''"),
        ),
        (receipt(handoff_id=""), ("handoff_id", TEXT, "''")),
        (receipt(attempt_id="  \n"), ("attempt_id", TEXT, "'  \\n'")),
        (receipt(agent_id=7), ("agent_id", TEXT, "7")),
        (receipt(source_fingerprint=None), ("source_fingerprint", TEXT, "None")),
        (receipt(residual_risk=["a"]), ("residual_risk", TEXT, "['a']")),
        (receipt(claims={}), ("claims", "a list", "{}")),
        (receipt(claims=["x"]), ("claims[0]", "a mapping", "'x'")),
        (receipt(verification="passed"), ("verification", "a mapping", "'passed'")),
        (
            receipt(verification={"status": "ok", "method": "tests"}),
            ("verification.status", VERIFICATION, "'ok'"),
        ),
        (
            receipt(verification={"status": "passed"}),
            ("verification.method", TEXT, "nothing"),
        ),
        (
            receipt(verification={"status": "not_run", "method": "tests"}),
            ("verification.reason", "a reason, since the verification was not run", "nothing"),
        ),
        (
            receipt(verification={"status": "not_run", "method": "tests", "reason": " "}),
            ("verification.reason", "a reason, since the verification was not run", "' '"),
        ),
        (
            receipt(human_decision_required="false"),
            ("human_decision_required", "true or false", "'false'"),
        ),
        (receipt(human_decision_required=0), ("human_decision_required", "true or false", "0")),
        (receipt(extensions=["a.b"]), ("extensions", "a mapping", "['a.b']")),
        (receipt(extensions={"stopview": 1}), ("extensions.stopview", NAMESPACED, "'stopview'")),
        (receipt(extensions={"a..b": 1}), ("extensions.a..b", NAMESPACED, "'a..b'")),
        (receipt(extensions={".b": 1}), ("extensions..b", NAMESPACED, "'.b'")),
        (receipt(extensions={"a b.c": 1}), ("extensions['a b.c']", NAMESPACED, "'a b.c'")),
        (receipt(extensions={7: 1}), ("extensions[7]", NAMESPACED, "7")),
        (receipt(extensions={"x.claims": 1}), ("extensions.x.claims", NOT_CORE, "'x.claims'")),
        (receipt(extensions={"x.y.Type": 1}), ("extensions.x.y.Type", NOT_CORE, "'x.y.Type'")),
        (
            receipt(extensions={"x.created_at": 1}),
            ("extensions.x.created_at", NOT_CORE, "'x.created_at'"),
        ),
        (claiming(text=""), ("claims[1].text", TEXT, "''")),
        (claiming(text=...), ("claims[1].text", TEXT, "nothing")),
        (claiming(claim_type="fact"), ("claims[1].claim_type", CLAIM_TYPES, "'fact'")),
        (claiming(support_status=True), ("claims[1].support_status", SUPPORT, "True")),
        (
            claiming(claim_type="inference", source_id=...),
            ("claims[1].source_id", SOURCE + "supported", "nothing"),
        ),
        (
            claiming(claim_type="user_statement", source_id=""),
            ("claims[1].source_id", SOURCE + "supported", "''"),
        ),
        (
            claiming(claim_type="retrieved_fact", support_status="unverified", source_id=...),
            ("claims[1].source_id", SOURCE + "a retrieved_fact", "nothing"),
        ),
        (
            claiming(claim_type="retrieved_fact", source_id="none"),
            ("claims[1].source_id", SOURCE + "a retrieved_fact", "'none'"),
        ),
        (
            claiming(source_id=" None "),
            ("claims[1].source_id", SOURCE + "a supported tool_result", "' None '"),
        ),
        (
            claiming(source_id=None),
            ("claims[1].source_id", SOURCE + "a supported tool_result", "None"),
        ),
        (
            claiming(source_id=17),
            ("claims[1].source_id", SOURCE + "a supported tool_result", "17"),
        ),
        (
            claiming(support_status="unverified", source_id=["a"]),
            ("claims[1].source_id", "text", "['a']"),
        ),
        ({**HANDOFF, "resource_type": "file"}, ("resource_type", RESOURCES, "'file'")),
        ({**HANDOFF, "created_at": "yesterday"}, ("created_at", TIME, "'yesterday'")),
        ({**HANDOFF, "content_type": ""}, ("content_type", TEXT, "''")),
        ({**HANDOFF, "extensions": {"x.type": 1}}, ("extensions.x.type", NOT_CORE, "'x.type'")),
    ],
)
def test_a_broken_rule_is_the_one_fault_found(packet: Packet, fault: tuple[str, str, str]) -> None:
    assert validate(packet) == [PacketFault(*fault)]


@pytest.mark.parametrize("field", RECEIPT_FIELDS)
def test_a_receipt_lacks_no_core_field_unseen(field: str) -> None:
    faults = validate(without(RECEIPT, field))
    assert [(fault.path, fault.found) for fault in faults] == [(field, "nothing")]


@pytest.mark.parametrize("field", sorted(HANDOFF.keys() - {"type"}))
def test_a_handoff_lacks_no_field_unseen(field: str) -> None:
    faults = validate(without(HANDOFF, field))
    assert [(fault.path, fault.found) for fault in faults] == [(field, "nothing")]


def test_a_packet_of_no_known_type_is_held_to_what_both_types_share() -> None:
    bare = {"protocol": "SACP/0.1", "note": "x"}
    assert [fault.path for fault in validate(bare)] == [
        *["type", "method", "handoff_id", "attempt_id", "agent_id", "source_fingerprint"]
    ]
    assert [fault.path for fault in validate(without(HANDOFF, "type"))] == ["type"]


def test_a_packet_of_no_known_type_with_a_status_code_is_held_to_a_receipt() -> None:
    memo = receipt(type="memo", next_owner="tbd")
    assert [fault.path for fault in validate(memo)] == ["type", "next_owner"]


@pytest.mark.parametrize("field", sorted(sacp.CORE_FIELDS))
def test_an_extension_never_ends_in_a_core_field(field: str) -> None:
    key = f"vendor.{field}"
    assert validate(receipt(extensions={key: 1})) == [
        PacketFault(f"extensions.{key}", NOT_CORE, repr(key))
    ]


def test_the_core_fields_are_those_of_receipts_and_handoffs() -> None:
    assert RECEIPT.keys() | HANDOFF.keys() == sacp.CORE_FIELDS


@pytest.mark.parametrize(
    "owner", ["", " ", "someone", "Someone", "later", "LATER", "unknown", " tbd ", "TBD", None, []]
)
def test_the_next_owner_is_concrete(owner: object) -> None:
    assert validate(receipt(next_owner=owner)) == [PacketFault("next_owner", OWNER, repr(owner))]


@pytest.mark.parametrize(
    "time",
    [
        *["2026-05-07", "2026-05-07T21:24:00", "2026-13-07T21:24:00Z", "2026-02-30T00:00:00Z"],
        *["2026-05-07T25:00:00Z", "2026-05-07T21:24:00+24:00", "2026-05-07 21:24:00+08:00"],
        *["20260507T212400Z", "2026-05-07T21:24:00Z ", "٢٠٢٦-05-07T21:24:00Z", "now", "", 0, None],
    ],
)
def test_a_time_without_date_clock_and_offset_is_none(time: object) -> None:
    assert validate(receipt(processed_at=time)) == [PacketFault("processed_at", TIME, repr(time))]


@pytest.mark.parametrize("value", [None, [], "SACP/0.1", 301, True])
def test_what_is_no_mapping_is_no_packet(value: object) -> None:
    assert validate(value) == [PacketFault("(packet)", "a mapping", repr(value))]
    assert not sacp.is_packet(value)


# --- all faults, and how they are told


def test_every_fault_is_listed_at_once() -> None:
    broken = {
        "type": "receipt",
        "status_code": 412,
        "status_text": "conflict",
        "claims": [{"claim_type": "retrieved_fact", "source_id": "none"}, 1, {}],
        "verification": {"status": "not_run"},
        "next_owner": "someone",
        "extensions": {"x": 1, "x.claims": 2},
    }
    assert [fault.path for fault in validate(broken)] == [
        *["protocol", "method", "handoff_id", "attempt_id", "agent_id", "source_fingerprint"],
        *["processed_at", "residual_risk", "next_owner", "human_decision_required"],
        *["status_text", "claims[0].text", "claims[0].support_status", "claims[0].source_id"],
        *["claims[1]", "claims[2].text", "claims[2].claim_type", "claims[2].support_status"],
        *["verification.method", "verification.reason", "extensions.x", "extensions.x.claims"],
    ]


def test_a_found_value_is_quoted_up_to_its_cut() -> None:
    (fits,) = validate(receipt(method="m" * 78))
    assert fits.found == "'" + "m" * 78 + "'"
    (cut,) = validate(receipt(method="m" * 79))
    assert cut.found == "'" + "m" * 78 + "…"
    (deep,) = validate(receipt(claims={"a": "b" * 500}))
    assert len(deep.found) == 80


def test_a_fault_never_carries_what_a_terminal_would_obey() -> None:
    hostile = "\x1b]52;c;x\x07\u202e\u3164\ud800"
    (wrong, extension) = validate(receipt(method=hostile, extensions={hostile: 1}))
    for text in (wrong.found, extension.path, extension.found):
        assert text.isascii()
        assert text.isprintable()


def test_values_that_cannot_be_quoted_are_named() -> None:
    endless: list[object] = []
    for _ in range(100_000):
        endless = [endless]
    assert validate(receipt(next_owner=endless)) == [
        PacketFault("next_owner", OWNER, "list, too large to show")
    ]
    assert validate(receipt(next_owner=10**5000))[0].found == "int, too large to show"


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
field_names = st.sampled_from([*RECEIPT, *HANDOFF, "lease", "note"])


@settings(deadline=None)
@given(st.one_of(json_values, st.dictionaries(field_names, json_values)))
def test_validating_is_total_and_repeatable(value: object) -> None:
    before = repr(value)
    faults = validate(value)
    assert faults == validate(value)
    assert repr(value) == before
    assert all(fault.path and fault.expected and 0 < len(fault.found) <= 80 for fault in faults)


@settings(deadline=None)
@given(st.sampled_from(sorted(RECEIPT.keys() - {"type", "status_code"})), json_values)
def test_a_changed_field_is_blamed_alone(field: str, value: object) -> None:
    paths = [fault.path for fault in validate(receipt(**{field: value}))]
    assert all(re.split(r"[.\[]", path)[0] == field for path in paths)


@settings(deadline=None)
@given(st.dictionaries(st.text(min_size=1, max_size=10), json_values, max_size=4))
def test_unknown_keys_and_extensions_never_make_a_packet_invalid(more: dict[str, object]) -> None:
    known = sacp.CORE_FIELDS
    unknown = {key: value for key, value in more.items() if key not in known}
    named = {f"vendor.x.k{place}": value for place, value in enumerate(more.values())}
    for packet in (RECEIPT, HANDOFF):
        assert validate({**unknown, **packet, "extensions": named}) == []
