"""Pipe tables under headings, read lean, and the same as a full Markdown parser reads them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from stopview_core.tables import (
    Table,
    all_tables,
    sections,
    table,
    tables,
    tables_under,
    without_backquotes,
)

SHARED = Path(__file__).parents[2] / ".." / "shared"
REPOSITORY = Path(__file__).parents[2]

STOPS = """\
# plan.make

| not | here |
| --- | --- |
| `NO` | x |

## Stops

Some words.

| Code | Disposition |
| --- | --- |
| `CHOICE_REQUIRED` | fallback |
| `RETRY_LATER` | terminate |

## Next

| When | Operator |
| :-- | :-: |
| done | `plan.ship` |
"""


def only(text: str, heading: str = "Stops") -> Table:
    found = under(text, heading)
    assert len(found) == 1
    return found[0]


def under(text: str, heading: str = "Stops") -> list[Table]:
    """The tables under the heading, asked for by each of the ways there are."""
    found = list(tables(text, heading))
    assert [t for t in all_tables(text) if t.heading == heading] == found
    assert [t for s in sections(text) if s.heading == heading for t in s.tables] == found
    assert list(tables_under(text, (heading,))) == found
    return found


def test_the_table_under_a_heading() -> None:
    found = only(STOPS)
    assert found == Table(
        heading="Stops",
        columns=("Code", "Disposition"),
        rows=(("CHOICE_REQUIRED", "fallback"), ("RETRY_LATER", "terminate")),
        line=11,
        lines=(13, 14),
    )
    assert table(STOPS, "Stops") == found
    assert found.records()[1] == {"Code": "RETRY_LATER", "Disposition": "terminate"}
    assert found.has_columns("Disposition", "Code")
    assert not found.has_columns("Code", "Action")


def test_every_section_and_every_table() -> None:
    assert [(s.heading, s.line, len(s.tables)) for s in sections(STOPS)] == [
        ("Stops", 7, 1),
        ("Next", 16, 1),
    ]
    assert [t.heading for t in all_tables(STOPS)] == ["", "Stops", "Next"]
    assert [t.heading for t in tables_under(STOPS, ("Next", "Stops"))] == ["Stops", "Next"]
    assert table(STOPS, "Outputs") is None
    assert tables(STOPS, "plan.make") == ()


TABLE = "| Code | Action |\n| --- | --- |\n| A | x |\n"


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        (r"| a \| b | c |", ("a | b", "c")),
        (r"| `a \| b` | c |", ("a | b", "c")),
        (r"| a \\| b | c |", (r"a \| b", "c")),
        ("| a | b", ("a", "b")),
        ("a | b |", ("a", "b")),
        ("a | b", ("a", "b")),
        ("|a|b|", ("a", "b")),
        ("   | a | b |", ("a", "b")),
        ("| a |", ("a", "")),
        ("a", ("a", "")),
        ("| a | b | c |", ("a", "b")),
        ("| | b |", ("", "b")),
        ("||", ("", "")),
        ("| `a` | `` b`c `` |", ("a", "b`c")),
        ("| `a` and `b` | ` ` |", ("`a` and `b`", " ")),
        ("| `` | ``` |", ("``", "```")),
        ("| `a`` | ``b` |", ("`a``", "``b`")),
        ("|\ta\t| \u00a0b |", ("a", "b")),
        ("| \u00a0a | b\u2003 |", ("a", "b")),
        ("| a |b| c |", ("a", "b")),
        ("|  a | b |", ("a", "b")),
        ("| a |  | b |", ("a", "")),
        ("| | |", ("", "")),
        ("| *a* | [b](c) |", ("*a*", "[b](c)")),
    ],
)
def test_cells(row: str, cells: tuple[str, str]) -> None:
    found = only(f"## Stops\n\n| Code | Action |\n| --- | --- |\n{row}\n")
    assert found.rows == (cells,)


@pytest.mark.parametrize(
    "text",
    [
        f"## Stops\n{TABLE}",
        f"## Stops\nwords right above\n{TABLE}",
        f"## Stops ##\n\n{TABLE}",
        f"   ##\tStops\t\n\n{TABLE}",
        f"Stops\n---\n\n{TABLE}",
        f"## Stops\n\n### Below\n\n{TABLE}",
        "## Stops\n\nCode | Action\n---|---\nA | x\n",
        "## Stops\n\n|Code|Action|\n|:-|-:|\n|A|x|\n",
        "## Stops\n\n  | `Code` | Action |\n   |---|---|\n | A | x |\n",
        f"## Stops\n\n{TABLE}".replace("\n", "\r\n"),
        f"## Stops\n\n{TABLE}".replace("\n", "\r"),
        f"\ufeff## Stops\n\n{TABLE}",
        f"\ufeff\r\n## Stops\r\n{TABLE}",
        f"```\n## Stops\n```\n## Stops\n{TABLE}",
        f"<!-- ## Stops -->\n## Stops\n{TABLE}",
        f"- a list\n\n## Stops\n{TABLE}",
        f"> a quote\n## Stops\n{TABLE}",
        f"> a quote\n>\n## Stops\n{TABLE}",
        f"> a quote\n\nwords\n\n## Stops\n{TABLE}",
        f"## Stops\n> a quote\n>\n{TABLE}",
        f"## Stops\n> # a quote\n{TABLE}",
        f"## Stops\n- # an item\n{TABLE}",
        f"## Stops\n- an item\n\n{TABLE}",
        f"## Stops\n-\n{TABLE}",
        f"## Stops\n\n{TABLE}---\nnot a row\n",
        f"## Stops\n\n{TABLE}- not a row\n",
        f"## Stops\n\n{TABLE}```\n| not | a row |\n```\n",
        f"## Stops\n\n{TABLE}<!-- | not | a row | -->\n",
    ],
)
def test_where_a_table_is_found(text: str) -> None:
    found = only(text)
    assert (found.columns, found.rows) == (("Code", "Action"), (("A", "x"),))


@pytest.mark.parametrize(
    "text",
    [
        f"# Stops\n\n{TABLE}",
        f"### Stops\n\n{TABLE}",
        f"##Stops\n\n{TABLE}",
        f"## Stops\n\n# Part\n\n{TABLE}",
        f"## Stops here\n\n{TABLE}",
        f"## stops\n\n{TABLE}",
        f"    ## Stops\n\n{TABLE}",
        f"## Stops\n\n```\n{TABLE}```\n",
        f"## Stops\n\n~~~ md\n{TABLE}",
        f"```\n## Stops\n\n{TABLE}```\n",
        f"## Stops\n\n<!--\n{TABLE}-->\n",
        f"<!--\n## Stops\n-->\n\n{TABLE}",
        f"## Stops\n\n<div>\n{TABLE}</div>\n",
        f"## Stops\n\n<pre>\n\n{TABLE}</pre>\n",
        "## Stops\n\n    | Code | Action |\n    | --- | --- |\n",
        "## Stops\n\n> | Code | Action |\n> | --- | --- |\n",
        "## Stops\n\n- | Code | Action |\n  | --- | --- |\n",
        f"## Stops\n\n- a list item that goes on\n{TABLE}",
        "## Stops\n\n| Code | Action |\n| --- |\n",
        "## Stops\n\n| Code | Action |\n| --- || --- |\n",
        "## Stops\n\n| Code | Action |\n\n| --- | --- |\n",
        "## Stops\n\n| Code | Action |",
        "## Stops\n\nCode\n---\n",
        "",
    ],
)
def test_where_no_table_is_found(text: str) -> None:
    assert under(text) == []


def test_several_tables_and_sections_of_one_name() -> None:
    text = f"## Stops\n\n{TABLE}\nwords\n\n{TABLE}\n## Other\n\n{TABLE}\n## Stops\n{TABLE}"
    assert [found.line for found in under(text)] == [3, 9, 20]
    first = table(text, "Stops")
    assert first is not None
    assert first.line == 3


def test_of_columns_with_one_name_the_first_counts() -> None:
    found = only("## Stops\n\n| Code | Code | Note |\n|---|---|---|\n| A | B | C |\n")
    assert found.records() == [{"Code": "A", "Note": "C"}]


def test_few_bytes_stay_few_cells() -> None:
    wide = "## Stops\n\n" + "|a" * 2000 + "|\n" + "|-" * 2000 + "|\n" + "|x|\n" * 2000
    found = only(wide)
    assert len(found.rows) == 32
    assert sum(map(len, found.rows)) <= 2**16


# Each of these is slow where a pattern goes back over what it has read, or is too deep to recurse.
@pytest.mark.parametrize(
    "line",
    [
        ">" * 200_000,
        "- " * 100_000,
        "* + " * 50_000,
        "1. " * 60_000,
        "`" * 200_000,
        "#" * 200_000,
        "# " * 100_000,
        "--" + " " * 200_000 + "x",
        "|-" + " " * 200_000 + "- |",
        "|" * 200_000,
        "|-" * 100_000,
        "<a" + " b" * 100_000,
        "<a" + " " * 200_000,
        "[" * 200_000,
        "[a]: b" + " " * 200_000 + "c",
        "\\|" * 100_000,
        "| " + "`" * 100_000 + "a" + "`" * 99_999 + " |",
        "| " + "`a" * 100_000 + "` |",
        "\t" * 200_000 + "a",
        "<!--" * 50_000,
        "-" * 200_000 + "x",
        "~" * 200_000,
    ],
)
def test_a_long_line_is_read_in_one_go(line: str) -> None:
    text = f"{line}\n{line}\n\n## Stops\n\n| a |\n| - |\n{line}\n\n- x\n{line}\n> y\n{line}\n"
    assert all(len(found.columns) >= 1 for found in all_tables(text))
    assert len(sections(text)) <= 1


# --- the full parser as the judge ---------------------------------------------------------------

PARSER = MarkdownIt("commonmark").enable("table")


def judged(text: str) -> list[Table]:
    """The top-level tables of a text as markdown-it reads them."""
    found: list[Table] = []
    heading, rows, lines = "", [[""]], [0]
    is_in_table = False
    tokens = PARSER.parse(text.removeprefix("\ufeff"))
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.tag in ("h1", "h2"):
            heading = tokens[place + 1].content if token.tag == "h2" else ""
        elif token.type == "table_open" and token.level == 0:
            is_in_table, rows, lines = True, [], []
        elif token.type == "tr_open" and is_in_table:
            assert token.map is not None
            rows.append([])
            lines.append(token.map[0] + 1)
        elif token.type == "inline" and is_in_table:
            rows[-1].append(without_backquotes(token.content))
        elif token.type == "table_close" and is_in_table:
            is_in_table = False
            head, *body = [tuple(row) for row in rows]
            found.append(Table(heading, head, tuple(body), lines[0], tuple(lines[1:])))
    return found


def assert_agrees(text: str) -> None:
    expected = judged(text)
    assert list(all_tables(text)) == expected
    for heading in {found.heading for found in expected} | {"Stops"}:
        if heading and "\n" not in heading:
            assert list(tables(text, heading)) == [t for t in expected if t.heading == heading]
    assert [t for section in sections(text) for t in section.tables] == [
        t for t in expected if t.heading
    ]


DOCUMENTS = sorted(
    path
    for base in (SHARED, REPOSITORY / "operators", REPOSITORY / "examples")
    for path in base.rglob("*.md")
)


@pytest.mark.parametrize(
    "path", DOCUMENTS, ids=[f"{p.parents[1].name}-{p.parent.name}-{p.name}" for p in DOCUMENTS]
)
def test_real_documents_read_as_the_full_parser_reads_them(path: Path) -> None:
    assert_agrees(path.read_text())


cells = st.lists(
    st.sampled_from(
        ["a", "`A_B`", "`x\\|y`", "", " ", "\\|", "``z``", "*m*", "<b>", "`a` `b`", "é"]
    ),
    min_size=1,
    max_size=4,
)


@st.composite
def table_lines(draw: st.DrawFn) -> str:
    """A table with any look: other counts of cells, with or without the pipes at the ends."""
    head = draw(cells)
    marks = [draw(st.sampled_from(["---", "-", ":-", "-:", ":--:"])) for _ in head]
    lines = [draw(_joined(row)) for row in (head, marks, *draw(st.lists(cells, max_size=4)))]
    return "\n".join(lines)


def _joined(row: list[str]) -> st.SearchStrategy[str]:
    inner = " | ".join(row)
    return st.sampled_from(
        [f"| {inner} |", f"{inner} |", f"| {inner}", inner, f"|{inner}|", f"  | {inner} |  "]
    )


blocks = st.sampled_from(
    [
        *("", "", "words", "more | words", "   three", "[r]: /u", "[] ()", "`` ` ``"),
        *("## Stops", "## Next ##", "# Part", "### Below", "#no", "#", "Stops\n---", "===", "---"),
        *("***", "```", "~~~~", "````md", "    code", "\tcode"),
        *("<!-- c", "-->", "<!-- d -->", "<div>", "</div>", "<span>", "<?php", "?>"),
        *("- item", "* item\n  more", "+ plus", "- [ ] t", "1. one", "7. seven", "-"),
        *("> quote", ">", "> ```", "> | a |\n> |---|", "- | a | b |\n  |---|---|"),
        *("a | b", "---|---", "| x |", "|-|"),
    ]
)


@given(
    parts=st.lists(table_lines() | blocks, max_size=12),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    mark=st.sampled_from(["", "\ufeff"]),
)
def test_made_documents_read_as_the_full_parser_reads_them(
    parts: list[str], end: str, mark: str
) -> None:
    assert_agrees(mark + "\n".join(parts).replace("\n", end))


@given(text=st.text(alphabet="|-: `\\#>*+1.<!~ab\t\n\r\x0b\u2028", max_size=60))
def test_any_text_is_read_and_cells_are_never_more_than_columns(text: str) -> None:
    for found in all_tables(text):
        assert found.columns
        assert all(len(row) == len(found.columns) for row in found.rows)
        assert len(found.rows) == len(found.lines)


@given(cell=st.text(alphabet="`a |", max_size=12))
def test_without_backquotes_takes_the_whole_cell_or_nothing(cell: str) -> None:
    bare = without_backquotes(cell)
    marks = "`" * (len(cell) - len(cell.lstrip("`")))
    whole = [f"{marks}{bare}{marks}", f"{marks} {bare} {marks}"]
    assert bare == cell or cell in whole
