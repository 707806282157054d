"""Strict JSON, and the doubled keys that other readers lose."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stopview_core.files import JsonValue, Unreadable, duplicate_keys, parse_json

BOM = b"\xef\xbb\xbf"
UPSTREAM = Path(__file__).parents[2] / ".." / "shared" / "upstream"

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=10),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("ab.[\u00e9\U0001f600", max_size=3), inner, max_size=4)
    ),
    max_leaves=15,
)


def _exactly(value: JsonValue) -> str:
    return repr(value)


@given(value=VALUES, indent=st.sampled_from([None, 2]), ascii_only=st.booleans(), bom=st.booleans())
def test_what_json_says_is_read(
    value: JsonValue, indent: int | None, ascii_only: bool, bom: bool
) -> None:
    data = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    assert _exactly(parse_json(BOM * bom + data)) == _exactly(value)
    assert duplicate_keys(data) == []


@given(
    data=st.binary(max_size=60) | st.text('{}[]":,.0123456789eE+-\\ud8trufalsn ').map(str.encode)
)
def test_no_bytes_make_it_raise(data: bytes) -> None:
    value = parse_json(data)
    if isinstance(value, Unreadable):
        assert value.kind == "malformed"
        assert duplicate_keys(data) == []
    else:
        assert _exactly(value) == _exactly(json.loads(data.removeprefix(BOM)))
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        '{"status": "blo',
        "[1,]",
        "{'a': 1}",
        "// c\n1",
        "1 2",
        "01",
        "+1",
        ".5",
        "1.",
        "NaN",
        "Infinity",
        "-Infinity",
        '{"a": NaN}',
        '"\\ud800"',
        '"\\udc00x"',
        '"\\ud83d\\u0041"',
        '"a\nb"',
        "[" * 300 + "]" * 300,
        '{"a":' * 300 + "1" + "}" * 300,
        "[" * 100_000,
    ],
)
def test_what_is_not_json_is_refused(text: str) -> None:
    found = parse_json(text.encode())
    assert isinstance(found, Unreadable)
    assert (found.kind, found.why.startswith("it is not JSON: ")) == ("malformed", True)


@pytest.mark.parametrize(
    "data",
    ['{"a": 1}'.encode("utf-16"), b'"\xff"', b'"\xed\xa0\x80"', BOM, BOM + BOM + b"1", b"1\0"],
)
def test_bytes_that_are_not_utf8_are_refused(data: bytes) -> None:
    assert isinstance(parse_json(data), Unreadable)


@pytest.mark.parametrize(
    "text",
    [
        "1e309",
        "-1E+400",
        "1e0309",
        "1.5e999",
        "9" * 250 + "e99",
        "1" + "0" * 309 + ".0",
        '{"a": [1, {"b": 1e999}]}',
        '["1e999", 1e999]',
        '["sha256:1e999", 1e999]',
        '{"0":1e999}',
        '{"0" :1e999}',
    ],
)
def test_a_number_beyond_a_float_is_not_read_as_infinity(text: str) -> None:
    assert math.isinf(_deepest(json.loads(text)))
    assert isinstance(parse_json(text.encode()), Unreadable)


def _deepest(value: object) -> float:
    while isinstance(value, dict | list):
        value = list(value.values())[-1] if isinstance(value, dict) else value[-1]
    assert isinstance(value, float)
    return value


@pytest.mark.parametrize(
    "text",
    [
        "1e308",
        "-1.7e308",
        "1e-999",
        "1" + "0" * 308 + ".0",
        '"3e7000e000"',
        '["1e999"]',
        '"sha256:1e999"',
        "1" * 400,
    ],
)
def test_what_only_looks_too_large_is_read(text: str) -> None:
    assert _exactly(parse_json(text.encode())) == _exactly(json.loads(text))


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ('{"a": 1, "a": 2}', ["a"]),
        ('{"a": 1, "\\u0061": 2, "a": 3}', ["a"]),
        ('{"codes": {"A": {"domain": 1, "x": 2, "domain": 1}}}', ["codes.A.domain"]),
        ('[{"k": 1}, {"k": 1, "k": 2}]', ["[1].k"]),
        ('{"l": [[{"k": 1, "k": 2}]]}', ["l[0][0].k"]),
        ('{"a": {"x": 1, "x": 2}, "a": {}}', ["a.x", "a"]),
        ('{"a": {"b": 1}, "c": {"b": 1}}', []),
        ("[1, 1]", []),
        ("1", []),
        ('{"a": 1, "a": 2', []),
    ],
)
def test_doubled_keys_are_found_where_they_are(text: str, paths: list[str]) -> None:
    assert duplicate_keys(text.encode()) == paths
    assert duplicate_keys(BOM + text.encode()) == paths


def test_of_a_doubled_key_the_last_counts() -> None:
    assert parse_json(b'{"a": 1, "a": 2}') == {"a": 2}


@pytest.mark.skipif(not UPSTREAM.exists(), reason="the upstream data is not beside the project")
def test_every_upstream_file_is_read_as_json_reads_it() -> None:
    paths = sorted(UPSTREAM.rglob("*.json"))
    assert len(paths) > 20
    for path in paths:
        data = path.read_bytes()
        assert _exactly(parse_json(data)) == _exactly(json.loads(data)), path
        assert duplicate_keys(data) == [], path
