"""What bars and cells say: coarse times, counts, health in any width; and the last backstop."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from corpus.all import RECIPES
from corpus.compare import Corpus
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from stopview_core.board import Group, run_rows
from stopview_core.text import is_clean
from stopview_tui.inbox_model import Counts
from stopview_tui.messages import Health
from stopview_tui.render import SHOWN_HEAD, long_text, waiting
from stopview_tui.render_empty import empty_words
from stopview_tui.render_rows import code_cell, flags_cell
from stopview_tui.render_status import Facts, health_words, status_line
from stopview_tui.terminal_safety import SafeLines

NOW = datetime(2026, 11, 30, 22, 0, tzinfo=UTC)
FACTS = Facts(
    modes=(("1", "inbox", "Inbox"), ("2", "runs", "Runs")),
    mode="inbox",
    health=Health("live", "", NOW),
    counts=Counts(12, 30, 1, 2, {Group.CHOICE: 3}),
    choices=33,
    runs=7,
    registry="shipped 67de417c",
    faults=0,
    approver="ana@example.org",
    now=NOW,
)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "<1m"),
        (59, "<1m"),
        (60, "1m"),
        (3599, "59m"),
        (3600, "1h 00m"),
        (8040, "2h 14m"),
        (86_399, "23h 59m"),
        (86_400, "1d 0h"),
        (9 * 86_400 + 7200, "9d 2h"),
        (10 * 86_400, "10d"),
    ],
)
def test_waits_are_told_coarsely(seconds: int, text: str) -> None:
    assert waiting(NOW - timedelta(seconds=seconds), NOW) == text


@pytest.mark.parametrize(
    ("health", "text"),
    [
        (Health("reading"), "… reading, 7 runs"),
        (Health("live", "", NOW), "● live <1m old"),
        (Health("live", "", NOW - timedelta(seconds=61)), "● live 1m old"),
        (Health("live", "", NOW - timedelta(minutes=9)), "○ stale 9m old"),
        (Health("polling", "a root is not there", NOW), "◐ polling <1m old: a root is not there"),
        (Health("failed", "Oops", NOW), "○ stale <1m old: Oops"),
    ],
)
def test_the_picture_tells_its_age_and_how_it_is_kept(health: Health, text: str) -> None:
    assert health_words(health, NOW, 7).plain == text


def test_the_bar_says_everything_where_there_is_room() -> None:
    text = status_line(FACTS, 200).plain
    for part in (
        " 1 Inbox ",
        " 2 Runs ",
        "● live <1m old",
        "3 choices, 12 shown, 30 hidden (1 bypassed!), 2 seen",
        "registry shipped 67de417c",
        "by ana@example.org",
    ):
        assert part in text
    assert "33 choices" in status_line(replace(FACTS, mode="runs"), 200).plain
    assert "2 faults" in status_line(replace(FACTS, faults=2), 200).plain
    assert "no registry" in status_line(replace(FACTS, registry=""), 200).plain


def test_nothing_is_counted_before_anything_was_read() -> None:
    facts = replace(FACTS, health=Health("reading"), runs=0, counts=Counts(), choices=0)
    text = status_line(replace(facts, registry=""), 200).plain
    assert "… reading │" in text
    assert not re.search(r"0 (runs|choices|shown)|registry", text)
    assert "7 runs │ 0 choices, 0 shown" in status_line(replace(facts, runs=7), 200).plain
    failed = replace(facts, health=Health("failed", "no registry"))
    assert "○ stale never read: no registry" in status_line(failed, 200).plain


@given(st.integers(0, 200), st.text(max_size=30), st.integers(0, 10**7))
def test_the_bar_fits_any_width_and_drops_the_least_needed(
    width: int, name: str, shown: int
) -> None:
    facts = replace(FACTS, approver=name, counts=Counts(shown))
    line = status_line(facts, width)
    assert line.cell_length <= width
    assert "\n" not in line.plain
    if width >= 60:
        assert "live" in line.plain
        assert f"{shown} shown" in line.plain


def test_a_long_text_loses_its_middle_and_says_so_but_never_its_end() -> None:
    text = "a" * SHOWN_HEAD + "b" * 50_000 + "the very end"
    shown = long_text(text).plain
    assert len(shown) < 16_000
    assert shown.endswith("the very end")
    assert "characters are left out here" in shown
    assert long_text("\x1b[31mred\n\n").plain == "\\x1b[31mred"


def test_an_empty_list_never_says_nothing_waits_before_it_knows() -> None:
    roots, since = ["/runs"], NOW
    reading = empty_words(Counts(), runs=3, roots=roots, since=since, is_whole=False).plain
    assert "Reading" in reading
    assert "Nothing waits" not in reading
    hidden = empty_words(Counts(hidden=4), runs=3, roots=roots, since=since, is_whole=True).plain
    assert "4 hidden" in hidden
    assert "Nothing waits" not in hidden
    done = empty_words(Counts(seen=2), runs=3, roots=roots, since=since, is_whole=True).plain
    assert "Nothing waits." in done
    assert "3 runs read" in done
    assert "2 branches seen before" in done
    assert "/runs" in done


@given(st.lists(st.text(max_size=12), max_size=4))
def test_nothing_that_a_terminal_obeys_passes_the_last_backstop(texts: list[str]) -> None:
    segments = [Segment(text, Style(bold=True)) for text in texts]
    safe = SafeLines().apply(segments, Color.parse("black"))
    text = "".join(segment.text for segment in safe)
    assert is_clean(text)
    assert "\n" not in text
    assert "\t" not in text
    assert cell_len(text) == sum(segment.cell_length for segment in segments)


def test_what_is_safe_passes_the_backstop_as_it_is() -> None:
    segments = [Segment("plain [x] 界 é", Style(bold=True)), Segment("\x1b[2J", None, [(1,)])]
    assert SafeLines().apply(segments, Color.parse("black")) is segments


@pytest.mark.parametrize(
    ("name", "key", "code", "flags"),
    [
        ("not-heeded-and-altered", "2/1", "DECISION_IGNORED +1", "2 violations"),
        ("not-heeded", "2/1", "DECISION_IGNORED", "1 violation"),
        ("next-is-another-kind", "1/1", "INVALID_INPUT", "1 violation"),
    ],
)
def test_a_row_names_the_worst_violation_and_counts_the_others(
    name: str, key: str, code: str, flags: str, tmp_path: Path
) -> None:
    (recipe,) = (recipe for recipe in RECIPES if recipe.name == name)
    rows = {row.identity[1]: row for row in run_rows(Corpus(tmp_path).read(recipe).listed)}
    assert code_cell(rows[key]).plain == code
    assert flags_cell(rows[key]).plain == flags
