"""Markdown from disk is drawn safely: no control character, no text lost, no line too wide."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stopview_core.text import is_clean
from stopview_tui.markdown_parts import parts
from stopview_tui.render_markdown import LEAST_WIDTH, render_markdown

SHARED = Path(__file__).parents[3] / "shared"

SAFE = "abcXYZ 019 -_*`~#>|[]()<>!\\/:.\"'=+\n\t"
HOSTILE = "\x1b\x07\x00\x7f\x9b\x9d\u202e\u200b\ufeff\u3164\r\U000e0041"
TOKENS = st.sampled_from(
    [
        "# ",
        "## ",
        "- ",
        "1. ",
        "> ",
        "| a | b |\n| --- | :-: |\n| c | d | e |\n",
        "```python\n",
        "```\n",
        "~~~\n",
        "<!-- hid -->",
        "<b>bold</b>",
        '[text](target "title")',
        "![alt](image.png)",
        "[ref]: /url 'title'\n",
        "[ref]",
        "<https://a.example>",
        "**strong**",
        "***",
        "~~gone~~",
        "    code\n",
        "\n\n",
        "word ",
        "漢字 ",
    ]
)
MARKDOWN = st.lists(st.one_of(TOKENS, st.text(SAFE, max_size=12)), max_size=40).map("".join)


def drawn(text: str, width: int = 60) -> str:
    return "\n".join(line.plain for line in render_markdown(text, width))


def letters(text: str) -> Counter[str]:
    return Counter(character for character in text if character.isalnum())


@given(st.text(SAFE + HOSTILE + "&#x;202e", max_size=300), st.integers(1, 90))
@example("&#x202e;&#x1b;&#27;&NewLine;&Tab;&ZeroWidthSpace;&#xAD;&#0;", 40)
@example("`\x1b]0;title\x07`", 40)
@example("<a \x1b>", 40)
@example("```\x1b\n\x1b\n```", 40)
@example('[a](<\x1b> "\u202e")', 40)
def test_no_line_holds_what_a_terminal_obeys(text: str, width: int) -> None:
    for line in render_markdown(text, width):
        assert is_clean(line.plain)
        assert "\n" not in line.plain
        assert "\t" not in line.plain


@given(MARKDOWN, st.integers(LEAST_WIDTH, 90))
def test_no_letter_is_lost_and_no_line_is_wider_than_asked(text: str, width: int) -> None:
    lines = render_markdown(text, width)

    assert all(line.cell_length <= width for line in lines)
    missing = letters(text) - letters("".join(line.plain for line in lines))
    assert not missing


@given(MARKDOWN, st.integers(8, 120))
def test_the_parts_together_are_the_whole_text(text: str, size: int) -> None:
    found = parts(text, size)

    assert len(found) >= 1
    assert not letters(text) - letters("".join(found))
    if "```" not in text and "~~~" not in text:
        assert "".join(found) == text
        assert all(len(part) <= size for part in found)


def test_code_that_is_cut_goes_on_as_code_in_the_next_part() -> None:
    text = "```sql\n" + "select *\n" * 20 + "```\n\nafter *it*\n"

    first, *_, last = parts(text, 60)

    assert first.startswith("```sql\n")
    assert last.startswith("```sql\n")
    assert drawn(last).splitlines()[-1] == "after it"


def test_parts_are_cut_before_a_heading_where_there_is_one() -> None:
    text = "words here\n" * 6 + "## Second\n" + "words here\n" * 6

    assert parts(text, 100)[1].startswith("## Second\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[text](https://a.example)", "text (https://a.example)"),
        ("[text](javascript:alert)", "text (javascript:alert)"),
        ('[a](/x "hint")', 'a (/x "hint")'),
        ("[](/x)", "(/x)"),
        ("<https://a.example/ü>", "https://a.example/ü"),
        ("![pic](p.png)", "[image] pic (p.png)"),
        ("a <!-- hidden --> b", "a <!-- hidden --> b"),
        ("<!-- hidden -->", "<!-- hidden -->"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("[ref]: /url", "[ref]: /url"),
        ("&lt;b&gt; &amp; &#42;", "<b> & *"),
        ("&#x202e;", "\\u202e"),
        ("[x](y)\\[z\\]", "x (y)[z]"),
        ("[@click=app.quit]a[/]", "[@click=app.quit]a[/]"),
        ("- [ ] open\n- [x] done", "• [ ] open\n• [x] done"),
        ("3. a\n9. b", "3. a\n9. b"),
        ("a\\\nb", "a\nb"),
        ("> a\n> b", "│ a b"),
        ("```py\nx = 1\n```", "py\n▏ x = 1"),
        ("# One", "One\n━━━"),
        ("### Three", "### Three"),
    ],
)
def test_what_each_construct_is_drawn_as(text: str, shown: str) -> None:
    assert drawn(text) == shown


def test_a_table_is_aligned_and_keeps_the_cells_that_are_too_many() -> None:
    text = "| Left | Right | Mid |\n| --- | ---: | :-: |\n| a | 1 | x |\n| b | 22 | y | extra |\n"

    assert drawn(text).splitlines() == [
        "Left │ Right │ Mid",
        "─────┼───────┼────",
        "a    │     1 │  x",
        "b    │    22 │  y",
        "beyond the last column: extra",
    ]


def test_a_table_too_wide_for_columns_is_drawn_as_a_list() -> None:
    header = "|".join(f"column{place}" for place in range(8))
    row = "|".join(f"value{place}" for place in range(8))
    text = f"|{header}|\n|{'---|' * 8}\n|{row}|\n"

    lines = drawn(text, 40).splitlines()

    assert "column7: value7" in lines
    assert all(len(line) <= 40 for line in lines)


def test_a_long_code_line_goes_on_behind_a_mark() -> None:
    lines = drawn("```\n" + "x" * 50 + "\n```", 30).splitlines()

    assert [line[:4] for line in lines] == ["▏ xx", "▏ ↪ "]
    assert "".join(lines).count("x") == 50


@pytest.mark.parametrize(
    "text",
    [
        ">" * 60 + " deep",
        "".join(f"{'  ' * depth}- deep\n" for depth in range(60)),
        "*a_ " * 4_000 + "deep",
        "[" * 9_000 + "deep",
    ],
)
def test_what_nests_or_runs_on_too_far_is_shown_as_it_is_written(text: str) -> None:
    assert "deep" in drawn(text)
    assert not letters(text) - letters(drawn(text))


def test_a_document_of_the_real_runtime_is_drawn_whole() -> None:
    path = SHARED / "upstream/runs/approval-required-blocked/step-2/parallel-1/response/response.md"
    if not path.exists():
        pytest.skip("the upstream runs are not beside the repository")
    text = path.read_text(encoding="utf-8")

    for width in (40, 80, 120):
        lines = render_markdown(text, width)
        assert all(line.cell_length <= width for line in lines)
        assert not letters(text) - letters("".join(line.plain for line in lines))
