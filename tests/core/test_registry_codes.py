"""The merged table of codes, in order and as a page of Markdown."""

from __future__ import annotations

from pathlib import Path

from markdown_it import MarkdownIt
from registry_changes import Change, put, put_unless
from small_registry import MAKE_CODES, small_registry, write

from stopview_core.registry.codes import codes_in_order, markdown
from stopview_core.registry.load import load, shipped_root
from stopview_core.registry.model import Registry
from stopview_core.tables import sections


def loaded(tmp_path: Path, *changes: Change) -> Registry:
    files = small_registry()
    for change in changes:
        change(files)
    return load(write(tmp_path, files))


def test_shared_codes_come_first_then_each_operators_own(tmp_path: Path) -> None:
    assert [entry.code for entry in codes_in_order(loaded(tmp_path))] == [
        "EVIDENCE_MISSING",
        "INVALID_INPUT",
        "OWNER_CONFLICT",
        "UNKNOWN_STOP",
        "CHOICE_REQUIRED",
        "SHIP_NEEDED",
        "RETRY_LATER",
        "REWORK_NEEDED",
        "TARGET_DOWN",
        "TOO_COSTLY",
    ]


def test_the_page_holds_every_code_once_in_groups(tmp_path: Path) -> None:
    registry = loaded(tmp_path)
    groups = {section.heading: section.tables for section in sections(markdown(registry))}
    assert list(groups) == ["Shared codes", "`plan.make`", "`plan.ship`"]
    choice = groups["`plan.make`"][0].records()[0]
    assert choice == {
        "Code": "CHOICE_REQUIRED",
        "Scope": "plan.make",
        "Domain": "caller",
        "Disposition": "fallback",
        "Meaning": "It met caller.",
        "Fallback": "Take the best.",
        "Unless": "terminate when `selectionPolicy` is `approval-required`",
        "Resume": "Change something.",
    }
    shared = {row["Code"]: row["Scope"] for row in groups["Shared codes"][0].records()}
    assert shared["INVALID_INPUT"] == "every operator"
    assert shared["OWNER_CONFLICT"] == "`plan.make`, `plan.ship`"


def test_texts_stay_in_their_cells_and_are_shown_as_written(tmp_path: Path) -> None:
    text = "a | b <img> &#x202e; &amp; & c\nnext"
    registry = loaded(
        tmp_path,
        put(MAKE_CODES, "SHIP_NEEDED", "meaning", text),
        put_unless(MAKE_CODES, "CHOICE_REQUIRED", "equals", ["x|y", "`"]),
    )
    page = markdown(registry)
    group = next(s for s in sections(page) if s.heading == "`plan.make`")
    assert all(len(row) == 8 for row in group.tables[0].rows)
    html = MarkdownIt("commonmark").enable("table").render(page)
    assert "a | b &lt;img&gt; &amp;#x202e; &amp;amp; &amp; c next" in html
    assert "<img>" not in html


def test_the_page_is_the_same_for_the_same_registry(tmp_path: Path) -> None:
    first, second = loaded(tmp_path / "a"), loaded(tmp_path / "b")
    assert markdown(first) == markdown(second)
    assert markdown(first).endswith("|\n")


def test_every_shipped_code_is_on_the_page_in_backquotes() -> None:
    registry = load(shipped_root())
    page = markdown(registry)
    rows = [row for section in sections(page) for table in section.tables for row in table.rows]
    assert [row[0] for row in rows] == [entry.code for entry in codes_in_order(registry)]
    assert all(page.count(f"| `{code}` |") == 1 for code in registry.entries)
