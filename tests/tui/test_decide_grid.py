"""The score grid: every column reachable, nothing half shown, nothing missing turned into zero."""

from __future__ import annotations

import string
from fractions import Fraction
from pathlib import Path

import pytest
from decide_setup import KEY, deciding, registry, write_run
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.content import Content

from stopview_core.alternatives import AlternativeTable
from stopview_core.demo import Alternative, Attack, Candidate, RunBuilder, frontend_markdown
from stopview_core.dossier import Dossier, open_branch
from stopview_core.text import is_clean
from stopview_tui.render_scores import Scale, bar, scales_of, shown_number, text_cell
from stopview_tui.widgets.score_grid import ScoreGrid
from stopview_tui.widgets.score_lines import LineMaker, Marks, wrapped_id
from stopview_tui.widgets.score_rows import build_grid
from stopview_tui.widgets.score_widths import share_width

WORDS = st.text(string.ascii_letters + " -_[]/语\u0301", max_size=40)


def table_of(run: Path, key: str = KEY) -> AlternativeTable:
    dossier = open_branch(run, key, registry())
    assert isinstance(dossier, Dossier)
    return dossier.alternatives


def drawn(table: AlternativeTable, width: int = 120, before: AlternativeTable | None = None) -> str:
    grid = build_grid(table, before)
    names = [row.label.plain for row in grid.rows]
    widths = share_width(width, names, [], len(grid.columns), 0)
    maker = LineMaker(grid, widths, Marks(), width, {})
    lines = [*maker.head(), *maker.body()]
    return "\n".join("|".join([line.label.plain, *(c.plain for c in line.cells)]) for line in lines)


def row(text: str, label: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(label))


@given(
    width=st.integers(8, 300),
    names=st.lists(WORDS, max_size=6),
    count=st.integers(1, 20),
    first=st.integers(0, 25),
)
def test_the_columns_fit_and_every_one_can_be_reached(
    width: int, names: list[str], count: int, first: int
) -> None:
    widths = share_width(width, names, names, count, first)
    assert widths.label + sum(each + 1 for each in widths.columns) + 1 <= max(width, 12)
    assert all(each >= 1 for each in widths.columns)
    assert 0 <= widths.first < widths.last <= count
    if first < count:
        assert widths.first <= first
    places = {widths.column_at(x) for x in range(width)} - {None}
    assert places <= set(range(widths.first, widths.last))


def test_twelve_by_twenty_four_fits_by_pages() -> None:
    widths = share_width(80, ["axis-10"], [], 13, 0)
    assert len(widths.columns) == 3
    assert share_width(80, ["axis-10"], [], 13, 12).last == 13
    assert len(share_width(120, ["axis"], [], 4, 0).columns) == 4


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(3), "3"),
        (Fraction("4.50"), "4.5"),
        (Fraction("0.125"), "0.125"),
        (Fraction(11, 3), "≈3.67"),
        (Fraction(-7, 2), "-3.5"),
        (Fraction(10**14), "100000000000000"),
    ],
)
def test_numbers_are_exact_or_say_that_they_are_not(value: Fraction, text: str) -> None:
    assert shown_number(value) == text


@given(share=st.fractions(0, 1), width=st.integers(4, 40))
def test_a_bar_is_as_wide_as_its_place_and_grows_with_its_share(
    share: Fraction, width: int
) -> None:
    content = bar(share, width, is_best=False)
    assert content.cell_length == width
    assert abs(content.plain.count("█") - float(share) * width) <= 1
    assert ("·" in content.plain) or share > Fraction(width * 8 - 8, width * 8)


def test_a_scale_starts_at_zero_or_below() -> None:
    scale = Scale(Fraction(-2), Fraction(2))
    assert [scale.share(Fraction(v)) for v in (-2, 0, 2)] == [0, Fraction(1, 2), 1]


@given(text=WORDS, width=st.integers(2, 30), cap=st.integers(2, 5))
def test_a_capped_text_fits_and_marks_its_cut(text: str, width: int, cap: int) -> None:
    lines = text_cell(Content(text * 9), cap=cap)(width)
    assert len(lines) <= cap
    assert all(line.cell_length <= width for line in lines)
    whole = text_cell(Content(text * 9))(width)
    if len(whole) > cap:
        assert lines[-1].plain.startswith("…")
    else:
        assert [line.plain for line in lines] == [line.plain for line in whole]


@given(text=WORDS, width=st.integers(2, 30))
def test_an_id_breaks_at_its_dashes_and_marks_its_cut(text: str, width: int) -> None:
    lines = wrapped_id(text, width, 2)
    assert len(lines) <= 2
    assert all(Content(line).cell_length <= width for line in lines)
    assert "".join(lines) == text or "…" in "".join(lines)


def test_missing_scores_are_missing_and_not_ranked(tmp_path: Path) -> None:
    run = write_run(
        tmp_path,
        [
            Alternative("a", {"cost": 1, "risk": 0}, "A."),
            Alternative("b", {"cost": 2}, "B."),
        ],
        axes=("cost", "risk", "beauty"),
    )
    text = drawn(table_of(run))
    assert row(text, "risk").split("|")[1].startswith("0 ")
    assert row(text, "risk").split("|")[2] == "missing"
    assert row(text, "beauty").split("|")[1:3] == ["not scored", "not scored"]
    assert row(text, "total").split("|")[1:3] == ["1 ▲ highest", "not ranked: 1 score missing"]


def test_a_tie_is_said(tmp_path: Path) -> None:
    both = [Alternative(name, {"cost": 2, "risk": 2}, "Same.") for name in ("a", "b")]
    text = drawn(table_of(write_run(tmp_path, both)))
    assert row(text, "total").split("|")[1:3] == ["4 ▲ tie for highest"] * 2


def test_axes_not_asked_for_are_shown_and_not_summed(tmp_path: Path) -> None:
    one = Alternative("a", {"cost": 2, "risk": 2, "beauty": 9}, "A.")
    text = drawn(table_of(write_run(tmp_path, [one])))
    lines = text.splitlines()
    heading = lines.index("Other scores, not summed")
    assert lines[heading + 1].startswith("beauty|9")
    assert row(text, "total").startswith("total|4")


def test_axes_of_different_sizes_get_a_scale_each(tmp_path: Path) -> None:
    one = Alternative("a", {"cost": 900, "risk": 2}, "A.")
    shared, own = scales_of(table_of(write_run(tmp_path, [one])))
    assert shared is None
    assert own["risk"] == Scale(Fraction(0), Fraction(2))


def test_several_viewports_say_mean_and_range(tmp_path: Path) -> None:
    builder = RunBuilder("views")
    scores = {"wide": {"calm": 4.0, "fast": 2.0}, "narrow": {"calm": 1.0}}
    other = {"wide": {"calm": 3.0, "fast": 3.0}, "narrow": {"calm": 3.0, "fast": 3.0}}
    builder.branch(
        KEY,
        "frontend.direction.decide",
        status="blocked",
        stop="DIRECTION_CHOICE_REQUIRED",
        requirements={"selectionPolicy": "approval-required", "approval": None},
        files={
            "response.md": frontend_markdown(
                "views",
                decision={"Selection policy": "approval-required"},
                candidates=[Candidate("one", scores), Candidate("two", other)],
            )
        },
    )
    text = drawn(table_of(builder.write(tmp_path)))
    calm = row(text, "calm").split("|")[1]
    assert calm.startswith("mean 2.5 ")
    assert calm.endswith("1–4")
    assert "missing: narrow" in text
    assert "narrow 1: fail" in text
    assert row(text, "total of means").split("|")[1] == "not ranked: 1 score missing"


async def test_contradicting_scores_are_said(tmp_path: Path) -> None:
    run = write_run(
        tmp_path,
        [Alternative("a", {"cost": 1, "risk": 1}, "A.")],
        files={
            "data/zz-again.json": {"alternatives": [{"alternativeId": "a", "scores": {"cost": 2}}]}
        },
    )
    async with deciding(run) as (app, _):
        assert "Look closer" in app.text("#brief-text")
        assert "a on cost: 2 here, 1 in response/data/stack-model.json" in app.text("#brief-text")


async def test_options_without_scores_have_no_totals(tmp_path: Path) -> None:
    builder = RunBuilder("wording")
    builder.branch(
        KEY,
        "business.decide",
        status="blocked",
        stop="CONTRADICTION_UNRESOLVED",
        interaction={
            "kind": "choice",
            "decisionId": "wording",
            "options": [{"id": "keep", "label": "Keep it"}, {"id": "drop", "label": "Drop it"}],
        },
    )
    async with deciding(builder.write(tmp_path)) as (app, _):
        assert "Keep it" in app.drawn()
        assert "total" not in app.drawn()
        assert app.decide_screen.case.can_pick


def test_attacks_stand_beside_each_other_with_their_verdicts(tmp_path: Path) -> None:
    each = [Alternative(name, {"cost": 1, "risk": 1}, "Fine.") for name in ("a", "b")]
    attacks = [
        Attack("rain", "a", "holds", "it is dry inside"),
        Attack("rain", "b", "fails", "it leaks"),
    ]
    text = drawn(table_of(write_run(tmp_path, each, attacks=attacks)))
    lines = text.splitlines()
    assert lines[lines.index("Falsification") + 1].startswith("rain|holds: it is dry inside|fails:")


def test_what_changed_since_the_last_look_is_marked(tmp_path: Path) -> None:
    before = table_of(write_run(tmp_path / "1", [Alternative("a", {"cost": 1, "risk": 1}, "A.")]))
    after = table_of(
        write_run(
            tmp_path / "2",
            [Alternative(name, {"cost": 1, "risk": 2}, "A.") for name in ("a", "b")],
        )
    )
    text = drawn(after, before=before)
    lines = text.splitlines()
    assert "was 1" in lines[lines.index(row(text, "risk")) + 1].split("|")[1]
    assert "was" not in row(text, "cost")
    assert "new" in text


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 20), (20, 10)])
async def test_twelve_alternatives_on_twenty_four_axes_scroll(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    axes = [f"axis-{place}" for place in range(24)]
    many = [
        Alternative(f"alternative-{n}", dict.fromkeys(axes, n % 5), f"What {n} is. " * 300)
        for n in range(12)
    ]
    run = write_run(tmp_path, many, axes=axes)
    async with deciding(run, size=size) as (app, pilot):
        grid = app.decide_screen.query_one(ScoreGrid)
        seen = set()
        for _ in range(13):
            assert grid.column in grid.visible_columns
            seen.add(grid.column.id)
            grid.action_move(1)
        assert seen == {*(each.id for each in many), None}
        assert grid.column.id is None
        await pilot.press("home")
        assert grid.column.id == "alternative-0"
        width, height = size
        assert all(Content(line).cell_length <= width for line in app.drawn().splitlines())
        if height >= 20:
            head = grid.render_line(1).text
            await pilot.press(*["pagedown"] * 3)
            assert grid.scroll_offset.y > 0
            assert grid.render_line(1).text == head
            assert "more ▸" in app.drawn()


async def test_resizing_keeps_the_cursor_in_view(tmp_path: Path) -> None:
    many = [Alternative(f"a{n}", {"cost": n, "risk": n}, "Text.") for n in range(9)]
    run = write_run(tmp_path, many)
    async with deciding(run, size=(160, 40)) as (app, pilot):
        grid = app.decide_screen.query_one(ScoreGrid)
        grid.move_to(6)
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert grid.column.id == "a6"
        assert grid.column in grid.visible_columns


async def test_the_wheel_goes_sideways_with_shift_and_the_cursor_stays(tmp_path: Path) -> None:
    many = [Alternative(f"a{n}", {"cost": n, "risk": n}, "Text.") for n in range(9)]
    run = write_run(tmp_path, many)
    async with deciding(run, size=(80, 24)) as (app, pilot):
        grid = app.decide_screen.query_one(ScoreGrid)
        first = grid.visible_columns[0]
        await pilot._post_mouse_events(  # the pilot has no public wheel
            [events.MouseScrollDown], grid, shift=True
        )
        assert grid.visible_columns[0] != first
        assert grid.column.id == "a0"


def test_everything_drawn_is_clean(tmp_path: Path) -> None:
    nasty = "[/x] \x1b[31m\u202eevil\u202c [@click=app.exit]go[/] " + "long " * 2000
    run = write_run(
        tmp_path,
        [Alternative("[/x]", {"cost": 1, "risk": 1}, nasty), Alternative("[b]", {"cost": 1}, "B")],
        attacks=[Attack(nasty, "[/x]", nasty, nasty)],
    )
    text = drawn(table_of(run), width=60)
    assert is_clean(text.replace("\n", ""))
    assert "[/x]" in text
