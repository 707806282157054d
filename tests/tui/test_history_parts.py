"""What the History mode is made of: times as typed, exports, rows by run, counts and scores."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stopview_core.readings import Offer, RunReading
from stopview_tui.exporting import export_name, write_export
from stopview_tui.moments import parse_moment
from stopview_tui.render_history import count_lines
from stopview_tui.render_history_page import score_lines
from stopview_tui.run_keyed import RunKeyedRows

NOW = datetime(2026, 11, 30, 22, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-11-05", datetime(2026, 11, 5, tzinfo=UTC)),
        (" 2026-11-05 14:30 ", datetime(2026, 11, 5, 14, 30, tzinfo=UTC)),
        ("2026-11-05T14:30+02:00", datetime(2026, 11, 5, 12, 30, tzinfo=UTC)),
        ("7d", NOW - timedelta(days=7)),
        ("36 H", NOW - timedelta(hours=36)),
        ("2w", NOW - timedelta(weeks=2)),
        ("", None),
        ("yesterday", None),
        ("999999w", None),
        ("0001-01-01T00:00+14:00", None),
        ("2026-13-01", None),
    ],
)
def test_a_time_as_it_is_typed(text: str, at: datetime | None) -> None:
    assert parse_moment(text, NOW) == at


def test_an_export_never_replaces_a_file_and_goes_elsewhere_where_it_must(tmp_path: Path) -> None:
    closed, home = tmp_path / "closed", tmp_path / "home"
    closed.write_text("a file, not a folder", encoding="utf-8")
    name = export_name("history", NOW)

    first = write_export([closed, home], name, b"1")
    second = write_export([closed, home], name, b"2")

    assert first == home / "stopview-history-20261130T220000Z.json"
    assert (first.read_bytes(), second.read_bytes()) == (b"1", b"2")
    assert closed.read_text(encoding="utf-8") == "a file, not a folder"


def test_an_export_that_cannot_be_written_says_why_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full:
        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            return None

        def write(self, data: bytes) -> None:
            raise OSError(28, "No space left on device")

    def opened(path: Path, mode: str) -> Full:
        path.touch()
        return Full()

    monkeypatch.setattr(Path, "open", opened)
    with pytest.raises(OSError, match="No space left"):
        write_export([tmp_path], "export", b"1")
    assert list(tmp_path.iterdir()) == []


Row = SimpleNamespace


def rows_of(run: RunReading) -> list[Any]:
    return [
        Row(identity=f"{run.path}/{number}", is_bypassed=number < 0, number=number)
        for number in cast("Any", run).numbers
    ]


def a_run(path: str, numbers: list[int]) -> RunReading:
    return cast("RunReading", SimpleNamespace(path=path, numbers=sorted(set(numbers))))


@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.none() | st.lists(st.integers(-3, 3), max_size=4)),
        max_size=12,
    ),
    st.integers(-3, 3),
)
def test_rows_kept_up_run_by_run_are_those_of_a_fresh_look(
    changes: list[tuple[str, list[int] | None]], least: int
) -> None:
    def admits(row: Any) -> bool:
        return bool(row.number >= least)

    model: RunKeyedRows[Any] = RunKeyedRows(rows_of)
    runs: dict[str, RunReading] = {"a": a_run("a", [1, 2])}
    model.adopt(model.build(runs), runs)
    assert model.apply(model.select(model.every(), admits, model.version), admits)
    shown = {row.identity: row for row in model.shown}
    for path, numbers in changes:
        if numbers is None:
            runs.pop(path, None)
        else:
            runs[path] = a_run(path, numbers)
        delta = model.take(runs, [path])
        for identity in delta.gone:
            del shown[identity]
        shown |= {row.identity: row for row in delta.changed}

    fresh: RunKeyedRows[Any] = RunKeyedRows(rows_of)
    fresh.adopt(fresh.build(runs), runs)
    found = fresh.select(fresh.every(), admits, fresh.version)
    assert {row.identity for row in found.shown} == set(shown)
    assert {row.identity for row in model.shown} == set(shown)
    assert (model.hidden, model.hidden_bypassed) == (found.hidden, found.hidden_bypassed)


def test_a_selection_of_rows_that_changed_since_is_not_taken() -> None:
    model: RunKeyedRows[Any] = RunKeyedRows(rows_of)
    runs = {"a": a_run("a", [1])}
    model.adopt(model.build(runs), runs)
    old = model.select(model.every(), lambda row: True, model.version)
    model.take({}, ["a"])

    assert not model.apply(old, lambda row: True)
    assert list(model.shown) == []


def test_runs_that_changed_while_they_were_built_are_not_adopted() -> None:
    model: RunKeyedRows[Any] = RunKeyedRows(rows_of)
    runs = {"a": a_run("a", [1]), "b": a_run("b", [2])}
    built = model.build(runs)
    now = {"a": runs["a"], "b": a_run("b", [3])}
    model.adopt(built, now)

    assert [row.identity for row in model.shown] == ["a/1"]


@given(
    st.dictionaries(st.text("ABC_", min_size=1, max_size=30), st.integers(1, 10**7), max_size=12),
    st.integers(8, 80),
    st.integers(1, 9),
)
def test_counts_fit_their_room_and_what_is_left_out_is_said(
    counts: dict[str, int], width: int, most: int
) -> None:
    lines = count_lines("By code", counts, width, most)

    assert len(lines) <= most
    assert all(line.cell_length <= width for line in lines)
    named = len(lines) - 1
    if most > 1 and len(counts) > most - 1:
        assert lines[-1].plain.startswith(f"… {len(counts) - named + 1} mor"[: width - 1])


@given(st.integers(12, 100), st.integers(1, 12), st.integers(0, 8))
def test_the_table_of_scores_keeps_every_score_at_any_width(
    width: int, count: int, axes: int
) -> None:
    offers = [
        Offer(
            f"option-{place}",
            {f"axis{axis}": Fraction(100 + place * 10 + axis) for axis in range(axes)},
            Fraction(900 + place),
        )
        for place in range(count)
    ]
    text = " ".join(
        line.plain for line in score_lines(offers, "option-0", ("option-0",), max(width, 30))
    )

    for offer in offers:
        assert offer.id in text
        assert str(offer.total) in text
        assert all(str(score) in text for score in offer.scores.values())
    assert text.count("●") == 1
    assert text.count("▲") == 1


def test_a_missing_score_is_said_and_the_alternative_is_not_ranked() -> None:
    offers = [Offer("a", {"cost": None}, None), Offer("b", {"cost": Fraction(2)}, Fraction(2))]

    text = "\n".join(line.plain for line in score_lines(offers, None, None, 60))

    assert "missing" in text
    assert "not ranked" in text
