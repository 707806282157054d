"""The status codes of SACP, and receipts as they are found in runs."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stopview_core import sacp, yamltext
from stopview_core.sacp import STATUS_CODES, PacketFault, read_receipt

SHARED = Path(__file__).parents[2] / ".." / "shared"
SEED = SHARED / "seeds" / "sacp-status-codes.txt"
EXAMPLES = SHARED / "sacp"

RECEIPT = b"""\
protocol: SACP/0.1
type: receipt
method: CLAIM
status_code: 423
status_text: lease_active
handoff_id: hf-7
attempt_id: hf-7/attempt-2
agent_id: builder
processed_at: 2026-11-02T09:31:00+01:00
source_fingerprint: sha256:0f3c
claims:
  - {text: Another builder holds it., claim_type: tool_result, source_id: lease-4,
     support_status: supported}
verification: {status: not_run, method: the test suite, reason: the lease was refused}
residual_risk: It may be held for long.
next_owner: Coordinator
human_decision_required: false
"""


def needs(path: Path) -> Path:
    if not path.exists():
        pytest.skip(f"{path.name} is not beside this repository")
    return path


# --- status codes


def test_the_table_holds_the_ten_codes_in_order() -> None:
    assert list(STATUS_CODES) == [200, 202, 204, 301, 400, 409, 412, 423, 500, 504]
    assert all(number == code.number for number, code in STATUS_CODES.items())


def test_every_code_belongs_to_the_family_of_its_first_digit() -> None:
    assert all(code.family.number == number // 100 for number, code in STATUS_CODES.items())


def test_every_code_says_all_it_has_to_say() -> None:
    for code in STATUS_CODES.values():
        for sentence in (code.meaning, code.fix, code.guidance, code.family.meaning):
            assert sentence.endswith(".")
            assert sentence[0].isupper()


def test_names_and_retries_are_those_of_the_seed() -> None:
    seed = needs(SEED).read_text(encoding="utf-8")
    required, guidance = seed.split("v0.1 Required Codes")[1].split("Retry Guidance")
    names = {int(number): name for number, name in re.findall(r"^(\d{3}) (\w+)", required, re.M)}
    words = r"^(\d{3}) (Not yet|After fix|No|Later|Yes) "
    retries = {int(number): word.lower() for number, word in re.findall(words, guidance, re.M)}
    assert {number: code.name for number, code in STATUS_CODES.items()} == names
    assert {number: code.retry for number, code in STATUS_CODES.items()} == retries


def test_no_sentence_is_copied_from_the_seed() -> None:
    seed = needs(SEED).read_text(encoding="utf-8").lower()
    texts = [
        text for code in STATUS_CODES.values() for text in (code.meaning, code.fix, code.guidance)
    ]
    assert [text for text in texts if text.lower().rstrip(".") in seed] == []


def test_the_table_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        STATUS_CODES[418] = STATUS_CODES[200]  # type: ignore[index]


# --- receipts


@pytest.mark.parametrize(
    ("name", "number", "retry"),
    [("valid_block_receipt", 412, "after fix"), ("human_decision_override", 301, "no")],
)
def test_the_examples_of_sacp_are_valid(name: str, number: int, retry: str) -> None:
    found = read_receipt(needs(EXAMPLES / f"{name}.yaml").read_bytes())
    assert isinstance(found, sacp.Receipt)
    assert found.faults == ()
    assert (found.status_code, found.retry) == (number, retry)
    assert isinstance(found.packet["processed_at"], str)


def test_a_receipt_tells_its_code() -> None:
    found = read_receipt(RECEIPT)
    assert isinstance(found, sacp.Receipt)
    assert found.code == STATUS_CODES[423]
    assert (found.status_code, found.name, found.retry) == (423, "lease_active", "later")
    assert found.fix == STATUS_CODES[423].fix
    assert found.is_valid


def test_a_receipt_keeps_what_it_read() -> None:
    found = read_receipt(RECEIPT)
    assert isinstance(found, sacp.Receipt)
    assert found.packet["processed_at"] == "2026-11-02T09:31:00+01:00"
    assert found.packet["human_decision_required"] is False
    assert found.packet["claims"] == [
        {
            "text": "Another builder holds it.",
            "claim_type": "tool_result",
            "source_id": "lease-4",
            "support_status": "supported",
        }
    ]


@pytest.mark.parametrize(
    ("number", "carried"),
    [(b"418", 418), (b"'423'", None), (b"true", None), (b"", None), (b"423.0", None)],
)
def test_a_code_that_is_not_known_is_not_explained(number: bytes, carried: int | None) -> None:
    found = read_receipt(RECEIPT.replace(b"code: 423", b"code: " + number))
    assert isinstance(found, sacp.Receipt)
    assert found.status_code == carried
    assert (found.code, found.name, found.retry, found.fix) == (None, None, None, None)
    assert [fault.path for fault in found.faults] == ["status_code"]
    assert not found.is_valid


def test_a_handoff_is_read_without_a_code() -> None:
    found = read_receipt(
        b"protocol: SACP/0.1\ntype: handoff\nmethod: CLAIM\nresource_type: task\n"
        b"resource_id: split-orders\nhandoff_id: hf-1\nattempt_id: a-1\nagent_id: planner\n"
        b"created_at: 2026-11-02T09:31Z\nsource_fingerprint: sha256:0f3c\n"
        b"content_type: text/markdown\n"
    )
    assert isinstance(found, sacp.Receipt)
    assert (found.status_code, found.code, found.faults) == (None, None, ())


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "it holds no document"),
        (b"- a\n", "it holds no mapping, so it is no packet"),
        (b"null\n", "it holds no mapping, so it is no packet"),
        (b"\xff", "it is not UTF-8"),
        (b"protocol: SACP/0.1\nprotocol: SACP/0.1\n", "the key 'protocol' is there twice"),
        (b"claims: &c []\nmore: *c\n", "anchors and aliases are not read"),
        (b"#" * (sacp.RECEIPT_CAP + 1), f"it is larger than {sacp.RECEIPT_CAP} bytes"),
    ],
)
def test_what_cannot_be_read_is_a_fault(data: bytes, why: str) -> None:
    found = read_receipt(data)
    assert isinstance(found, yamltext.Fault)
    assert found.why == why


def test_ordinary_yaml_words_do_not_become_answers() -> None:
    found = read_receipt(RECEIPT.replace(b"required: false", b"required: no"))
    assert isinstance(found, sacp.Receipt)
    assert found.faults == (PacketFault("human_decision_required", "true or false", "'no'"),)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_make_reading_a_receipt_raise(data: bytes) -> None:
    for written in (data, RECEIPT + data):
        assert isinstance(read_receipt(written), sacp.Receipt | yamltext.Fault)


@pytest.mark.parametrize(
    ("value", "claims_to_be_one"),
    [
        ({"protocol": "SACP/0.1", "type": "memo"}, True),
        ({"protocol": "SACP/0.2"}, False),
        ({"protocol": ["SACP/0.1"]}, False),
        ({}, False),
    ],
)
def test_a_packet_is_known_by_its_protocol(value: object, claims_to_be_one: bool) -> None:
    assert sacp.is_packet(value) is claims_to_be_one


def frozen_instances() -> list[Any]:
    found = sacp.receipt_of({})
    return [found, PacketFault("a", "b", "c"), STATUS_CODES[200], STATUS_CODES[200].family]


@pytest.mark.parametrize("instance", frozen_instances(), ids=lambda value: type(value).__name__)
def test_what_core_works_out_is_frozen(instance: Any) -> None:
    with pytest.raises(AttributeError):
        setattr(instance, fields(instance)[0].name, None)
