"""Reading YAML that wants to do harm, and writing YAML that every reader reads alike."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stopview_core import yamltext
from stopview_core.yamltext import MAX_DEPTH, Fault

CAP = 1_000_000

HOSTILE_TEXTS = [
    *["", " ", " leading", "trailing ", "\ttab\t", "\n", "\n\n x\n", "x\n\n", "line\nfeed"],
    *["a: b", "a:", ": b", "a #b", "#", "- x", "-", "---", "...", "? x", "<<", "=", "~"],
    *["!!tag", "!", "&anchor", "*alias", "%YAML 1.1", "@", "`tick`", "|", ">", "{a: 1}"],
    *["[1]", "}", ",", "'", '"', "\\", 'it\'s "quoted" \\n'],
    *["null", "Null", "NULL", "yes", "No", "ON", "off", "y", "N", "true", "FALSE"],
    *["0", "-1", "+1", "0123", "0o17", "0x1F", "0b101", "1_000", "1e3", "1.5", "1.0e+3"],
    *[".5", "5.", "-.5", ".", ".inf", "-.INF", ".nan", "1e999", "9" * 5000],
    *["190:20:30", "190:20:30.15", "12:30", "2026-05-07", "2026-05-07 21:24:00Z"],
    *["2026-05-07T21:24:00+08:00", "carriage\rreturn", "\r\n", "next\x85line"],
    *["line\u2028separator\u2029", "\ufeffmark", "mid\ufeffmark", "no\xa0break"],
    *["zero\u200bwidth \u202eoverride", "\x00\x07\x1b[31m\x7f\x9b", "\ufffe\uffff"],
    *["\U0001f680 go", "\U0001f680 it's", "Überschrift, 状态码"],
    *["word " * 2000, "x" * 10_000, "x" * 127, "x" * 128, "x" * 1025],
]

near_numbers = st.text(alphabet="0123456789+-._:eExXoObBTZ ~=", max_size=12)
near_syntax = st.text(alphabet="ab 1:-#?!&*'\"\\|>{}[],%@`~\n\t\r\x85\u2028\ufeff", max_size=20)
texts = st.one_of(st.text(), near_numbers, near_syntax, st.sampled_from(HOSTILE_TEXTS))
scalars = st.one_of(
    texts,
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)
mappings = st.dictionaries(texts, values, max_size=5)


@contextmanager
def parser(kind: str) -> Iterator[None]:
    """Reads with libyaml, or as where PyYAML was built without it."""
    with pytest.MonkeyPatch.context() as patch:
        if kind == "pure":
            patch.delattr(yaml, "CSafeLoader")
        yield


@pytest.fixture(params=["libyaml", "pure"])
def either_parser(request: pytest.FixtureRequest) -> Iterator[None]:
    with parser(request.param):
        yield


def read(text: str | bytes) -> object:
    data = text.encode() if isinstance(text, str) else text
    return yamltext.read(data, cap=CAP)


def is_plain(value: object) -> bool:
    """Whether the value is made only of what `read` promises."""
    if type(value) is dict:
        return all(type(key) is str and is_plain(inner) for key, inner in value.items())
    if type(value) is list:
        return all(map(is_plain, value))
    return value is None or type(value) in (bool, int, float, str)


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("NULL", None),
        ("true", True),
        ("True", True),
        ("false", False),
        ("FALSE", False),
        ("0", 0),
        ("-12", -12),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("1.5", 1.5),
        ("-0.0", -0.0),
        ("1e3", 1000.0),
        ("2.5E-2", 0.025),
    ],
)
def test_plain_words_and_numbers_are_read_as_values(written: str, value: object) -> None:
    assert repr(read(f"- {written}\n")) == repr([value])


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize(
    "written",
    [
        *["yes", "No", "on", "OFF", "y", "n", "tRue", "nULL", "none"],
        *["0123", "0o17", "0x1F", "0b1", "1_000", "+5", "-a", "190:20:30", "12:30"],
        *[".5", "5.", "1.e3", "e3", "1e", ".inf", "-.inf", ".nan", "1e999", "9" * 5000],
        *["2026-05-07", "2026-05-07T21:24:00+08:00", "2026-05-07 21:24:00 Z", "=", "<<"],
    ],
)
def test_every_other_plain_scalar_stays_text(written: str) -> None:
    assert read(f"a: {written}\n") == {"a": written}


@pytest.mark.usefixtures("either_parser")
def test_quoted_and_block_scalars_are_text() -> None:
    written = "a: '1'\nb: \"true\"\nc: |-\n  null\nd: >-\n  1.5\n  2\ne: ''\n"
    assert read(written) == {"a": "1", "b": "true", "c": "null", "d": "1.5 2", "e": ""}


@pytest.mark.usefixtures("either_parser")
def test_keys_are_text_as_written() -> None:
    written = "on: 1\n200: 2\n1.0: 3\nnull: 4\n<<: {on: 5}\n'': 6\n2026-05-07: 7\n"
    assert read(written) == {
        "on": 1,
        "200": 2,
        "1.0": 3,
        "null": 4,
        "<<": {"on": 5},
        "": 6,
        "2026-05-07": 7,
    }


@pytest.mark.usefixtures("either_parser")
def test_a_byte_order_mark_line_ends_and_document_marks_are_no_trouble() -> None:
    assert read(b"\xef\xbb\xbf%YAML 1.2\r\n---\r\n# c\r\na: 1\r\nb:\r\n  - x\r\n...\r\n") == {
        "a": 1,
        "b": ["x"],
    }


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("", Fault("it holds no document")),
        ("# only a comment\n", Fault("it holds no document")),
        ("a: 1\n---\nb: 2\n", Fault("it holds more than one document", 2)),
        ("a: 1\n--- \n", Fault("it holds more than one document", 2)),
        ("a: 1\nb: &x 2\n", Fault("anchors and aliases are not read", 2)),
        ("a: &x\n  b: 1\n", Fault("anchors and aliases are not read", 1)),
        ("&x a: 1\n", Fault("anchors and aliases are not read", 1)),
        ("a: *x\n", Fault("anchors and aliases are not read", 1)),
        ("*x : 1\n", Fault("anchors and aliases are not read", 1)),
        ("a: 1\n\nb: !!str 2\n", Fault("tags are not read", 3)),
        ("a: ! 2\n", Fault("tags are not read", 1)),
        ("--- !!map\na: 1\n", Fault("tags are not read", 1)),
        ("a: !!python/object/apply:os.getcwd []\n", Fault("tags are not read", 1)),
        ("!!str a: 1\n", Fault("tags are not read", 1)),
        ("a: 1\nb: 2\na: 3\n", Fault("the key 'a' is there twice", 3)),
        ("x:\n  - {b: 1, 'b': 2}\n", Fault("the key 'b' is there twice", 2)),
        ("1: a\n'1': b\n", Fault("the key '1' is there twice", 2)),
        ("? [a]\n: 1\n", Fault("a key is a list or a mapping", 1)),
        ("{{a: 1}: 2}\n", Fault("a key is a list or a mapping", 1)),
        (b"a: 1\nb: \xff\n", Fault("it is not UTF-8", 2)),
        ("a: 1".encode("utf-16"), Fault("it is not UTF-8", 1)),
        ("a: 1".encode("utf-16-le"), Fault("it holds the control character U+0000", 1)),
        ("a: 1\nb: \x1b[31m\n", Fault("it holds the control character U+001B", 2)),
        ("a: 1\nb:\n\ufeff  c: 1\n", Fault("it holds a byte order mark inside", 3)),
        (b"a: \xed\xa0\x80\n", Fault("it is not UTF-8", 1)),
    ],
)
def test_what_is_refused_says_why_and_where(written: str | bytes, fault: Fault) -> None:
    assert read(written) == fault


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize(
    ("written", "line"),
    [("a: b: c\n", 1), ("a: 1\n  b: 2\n", 2), ("a: 1\nb: [1, 2\n", 3), ("a: @\n", 1)],
)
def test_broken_yaml_is_a_fault(written: str, line: int) -> None:
    fault = read(written)
    assert isinstance(fault, Fault)
    assert fault.why.startswith("it is not YAML")
    assert fault.line == line


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize(
    "written",
    ['a: "\\uD800"\n', 'a: "\\uDFFF x"\n', '"\\uD800": 1\n', 'a: "\\U00110000"', '"\\U99999999"'],
)
def test_an_escape_of_no_character_is_a_fault(written: str) -> None:
    assert isinstance(read(written), Fault)


def test_a_file_over_the_cap_is_refused_before_it_is_parsed() -> None:
    data = b"a: b\n"
    assert yamltext.read(data, cap=len(data)) == {"a": "b"}
    assert yamltext.read(data, cap=len(data) - 1) == Fault("it is larger than 4 bytes")
    big = b"- x: [1, 2, 3]\n" * 80_000
    assert yamltext.read(big, cap=CAP) == Fault("it is larger than 1000000 bytes")


@pytest.mark.usefixtures("either_parser")
def test_nesting_is_read_up_to_its_limit() -> None:
    deepest = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert isinstance(read(deepest), list)
    too_deep = Fault(f"it is nested more than {MAX_DEPTH} levels deep", 1)
    assert read(f"[{deepest}]") == too_deep
    for opening in ("[", "{a: ", "- ", "? "):
        fault = read(opening * 200_000)
        assert isinstance(fault, Fault)
        assert "nest" in fault.why or "a key is a list or a mapping" in fault.why


def test_an_alias_bomb_is_refused_at_its_first_anchor() -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{chr(98 + place)}: &{chr(98 + place)} [*{chr(97 + place)}, *{chr(97 + place)}]\n"
        for place in range(20)
    )
    assert read(bomb) == Fault("anchors and aliases are not read", 1)


def test_a_fault_is_safe_to_show_and_short() -> None:
    fault = read('"\\e[31m' + "k" * 500 + '": 1\n"\\e[31m' + "k" * 500 + '": 2\n')
    assert isinstance(fault, Fault)
    assert fault.why.isprintable()
    assert "…" in fault.why
    assert len(fault.why) < 120


@pytest.mark.parametrize("kind", ["libyaml", "pure"])
def test_no_bytes_make_reading_raise(kind: str) -> None:
    syntax = st.sampled_from(
        [
            *"{}[],'\"#>@`\n\ta19~\x85\ufeff",
            *("%YAML ", "%TAG ! ", "--- ", "...", "&a ", "*a", "!!str ", "! ", "? ", ": ", "- "),
            *("\\u", "\\U", "\\x", "  ", "\r\n"),
        ]
    )
    documents = st.one_of(
        st.binary(max_size=60),
        st.text(max_size=60).map(str.encode),
        st.lists(syntax, max_size=25).map(lambda parts: "".join(parts).encode()),
    )

    @settings(deadline=None)
    @given(documents)
    @example(b"%YAML 1." + b"9" * 5000 + b"\n--- a\n")
    @example(b'"\\U99999999"')
    def read_them(data: bytes) -> None:
        with parser(kind):
            value = yamltext.read(data, cap=CAP)
        assert isinstance(value, Fault) or is_plain(value)

    read_them()


@settings(deadline=None)
@given(mappings)
def test_what_was_written_reads_back_exactly(mapping: dict[str, object]) -> None:
    written = yamltext.write(mapping)
    for kind in ("libyaml", "pure"):
        with parser(kind):
            assert repr(yamltext.read(written, cap=CAP)) == repr(mapping)


@settings(deadline=None)
@given(mappings)
def test_other_yaml_readers_read_the_same(mapping: dict[str, object]) -> None:
    written = yamltext.write(mapping)
    assert repr(yaml.safe_load(written)) == repr(mapping)
    assert repr(yaml.load(written, Loader=yaml.CSafeLoader)) == repr(mapping)


@pytest.mark.parametrize("text", HOSTILE_TEXTS, ids=lambda text: repr(text[:20]))
def test_hostile_text_survives_in_every_place(text: str) -> None:
    mapping = {text: text, "list": [text, [text], {text: [text]}], "inner": {text: {text: text}}}
    written = yamltext.write(mapping)
    assert read(written) == mapping
    assert yaml.safe_load(written) == mapping


def test_written_yaml_is_plain_and_keeps_the_order() -> None:
    mapping = {
        "protocol": "SACP/0.1",
        "status_code": 301,
        "processed_at": "2026-11-02T09:31:00.000Z",
        "source_fingerprint": "sha256:abc",
        "agent_id": "human:ann@example.org",
        "claims": [
            {"text": "approver selected `a`", "support_status": "supported"},
            {"text": "two\nlines", "score": 4.5},
        ],
        "decision": None,
        "human_decision_required": False,
        "extensions": {"vendor.stopview.alternatives": [], "vendor.stopview.param": {}},
        "emoji \U0001f680": "Über",
    }
    assert yamltext.write(mapping).decode() == (
        "protocol: SACP/0.1\n"
        "status_code: 301\n"
        "processed_at: '2026-11-02T09:31:00.000Z'\n"
        "source_fingerprint: sha256:abc\n"
        "agent_id: human:ann@example.org\n"
        "claims:\n"
        "  - text: 'approver selected `a`'\n"
        "    support_status: supported\n"
        '  - text: "two\\nlines"\n'
        "    score: 4.5\n"
        "decision: null\n"
        "human_decision_required: false\n"
        "extensions:\n"
        "  vendor.stopview.alternatives: []\n"
        "  vendor.stopview.param: {}\n"
        "'emoji \U0001f680': 'Über'\n"
    )


def test_a_long_text_stays_on_one_line() -> None:
    words = "it's a word " * 1000
    assert yamltext.write({"reason": words, "plain": "word " * 1000 + "end"}).count(b"\n") == 2


@pytest.mark.parametrize("number", [1e16, 1e-7, 5e-324, 1.7976931348623157e308, -2.5e-10, 0.1])
def test_an_exponent_is_a_number_to_readers_of_yaml_1_1_too(number: float) -> None:
    written = yamltext.write({"n": number})
    assert yaml.safe_load(written) == {"n": number}
    assert read(written) == {"n": number}


@pytest.mark.parametrize("text", ["e2", "E10", "e-3", "yes", "Off", "NULL", "y", "12e03", "<<"])
def test_what_some_reader_takes_for_more_than_text_is_quoted(text: str) -> None:
    assert yamltext.write({text: text}).decode() == f"'{text}': '{text}'\n"


def test_an_empty_mapping_is_a_document() -> None:
    assert read(yamltext.write({})) == {}


def test_a_tuple_is_written_as_a_list() -> None:
    assert read(yamltext.write({"a": (1, ("x",))})) == {"a": [1, ["x"]]}


class TextOfAKind(str):
    __slots__ = ()


@pytest.mark.parametrize(
    "value", [{1, 2}, b"bytes", object(), 1j, {1: "a"}, {None: 1}, [{2.0: 1}], TextOfAKind("a")]
)
def test_a_type_without_a_plain_form_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        yamltext.write({"a": value})


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), float("-inf"), "half \ud800", {"\udfff": 1}]
)
def test_a_value_without_a_plain_form_is_refused(value: object) -> None:
    with pytest.raises(ValueError):
        yamltext.write({"a": value})


def test_writing_stops_where_reading_would() -> None:
    def nested(levels: int) -> dict[str, object]:
        value: object = "x"
        for _ in range(levels - 1):
            value = [value]
        return {"a": value}

    assert read(yamltext.write(nested(MAX_DEPTH))) == nested(MAX_DEPTH)
    with pytest.raises(ValueError, match="levels deep"):
        yamltext.write(nested(MAX_DEPTH + 1))
    endless: dict[str, object] = {}
    endless["self"] = endless
    with pytest.raises(ValueError, match="levels deep"):
        yamltext.write(endless)


def test_importing_loads_no_yaml_library() -> None:
    code = (
        "import sys, stopview_core.sacp, stopview_core.yamltext;"
        "print(sorted({'yaml', 'pydantic', 'pydantic_core'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
