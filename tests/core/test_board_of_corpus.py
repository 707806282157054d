"""The Inbox over the whole corpus: every branch in its group, none hidden without a word."""

from __future__ import annotations

from collections import Counter

import pytest
from corpus.all import RECIPES
from corpus.compare import Corpus
from hypothesis import given
from hypothesis import strategies as st

from stopview_core.board import ROUTE_WORDS, Board, Filter, Group, Row, build_board, run_rows
from stopview_core.history import HistoryFilter, HistoryRecord, build_history, run_records
from stopview_core.readings import RunReading

SHIPPED = [recipe for recipe in RECIPES if recipe.registry == "shipped"]
BYPASSED = "APPROVAL_BYPASSED"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[RunReading]:
    corpus = Corpus(tmp_path_factory.mktemp("board"))
    return [corpus.read(recipe).historic for recipe in SHIPPED]


@pytest.fixture(scope="module")
def rows(runs: list[RunReading]) -> list[Row]:
    return [row for run in runs for row in run_rows(run)]


@pytest.fixture(scope="module")
def records(runs: list[RunReading]) -> list[HistoryRecord]:
    return [record for run in runs for record in run_records(run)]


@pytest.fixture(scope="module")
def board(rows: list[Row]) -> Board:
    return build_board(rows)


def test_every_branch_that_waits_or_broke_a_rule_has_one_row(
    runs: list[RunReading], rows: list[Row]
) -> None:
    wanted = {
        (str(run.path), branch.key)
        for run in runs
        for branch in run.branches.values()
        if not branch.is_import
        and (branch.is_open or branch.violations or branch.status == "unreadable")
    }
    assert Counter(row.identity for row in rows if row.branch is not None) == Counter(wanted)


def test_identities_are_those_of_one_row(rows: list[Row]) -> None:
    assert max(Counter(row.identity for row in rows).values()) == 1


def test_groups_stand_in_their_order_and_the_oldest_wait_first(board: Board) -> None:
    places = [list(Group).index(row.group) for row in board.rows]
    assert places == sorted(places)
    assert {row.group for row in board.rows} == set(Group)
    for group in Group:
        waits = [row.waits_since for row in board.rows if row.group is group]
        known = [since for since in waits if since is not None]
        assert known == sorted(known)
        assert waits[: len(known)] == known


def test_a_bypass_stands_first_and_says_what_it_is_in_plain_words(board: Board) -> None:
    count = board.count(Group.BYPASSED)
    assert count
    for row in board.rows[:count]:
        assert row.branch is not None
        first = row.branch.violations[0]
        assert (row.group, first.code) == (Group.BYPASSED, BYPASSED)
        assert first.text.startswith("A person had been promised this choice")
        assert "without asking" in first.text
    assert not any(row.branch and row.branch.is_bypassed for row in board.rows[count:])


FILTERS = st.builds(
    Filter,
    text=st.sampled_from(["", "queue", "choice", "[/x]", "person workspace", "\x1b"]),
    code=st.sampled_from([None, "CHOICE_REQUIRED", BYPASSED, "SOURCE_DRIFT", "NOBODY"]),
    operator=st.sampled_from([None, "architecture.decide", "workspace.bind"]),
    route=st.sampled_from([None, "user", "operator", "external"]),
)


@given(filter=FILTERS)
def test_what_a_filter_hides_is_counted(filter: Filter, rows: list[Row]) -> None:
    shown = build_board(rows, filter)
    assert len(shown.rows) + shown.hidden == len(rows)
    bypassed = sum(row.group is Group.BYPASSED for row in rows)
    assert shown.count(Group.BYPASSED) + shown.hidden_bypassed == bypassed
    assert list(shown.rows) == [row for row in build_board(rows).rows if filter.admits(row)]


@pytest.mark.parametrize("kind", ROUTE_WORDS)
def test_a_text_finds_a_route_by_the_word_that_the_list_shows(kind: str, rows: list[Row]) -> None:
    shown = build_board(rows, Filter(text=ROUTE_WORDS[kind])).rows
    going = {row.identity for row in rows if row.route == kind}
    assert going
    assert going <= {row.identity for row in shown}


def test_the_code_of_the_fallback_finds_the_bypass(rows: list[Row]) -> None:
    shown = build_board(rows, Filter(code="CHOICE_REQUIRED"))
    assert shown.count(Group.BYPASSED)
    assert build_board(rows, Filter(code=BYPASSED)).count(Group.BYPASSED) == len(
        build_board(rows, Filter(code=BYPASSED)).rows
    )


def test_a_bypass_that_was_seen_counts_as_what_it_is_besides(
    runs: list[RunReading], board: Board
) -> None:
    """A branch that still waits keeps a row; one that is done has none."""
    marks = frozenset(
        (*row.identity, violation.code)
        for row in board.rows
        if row.branch is not None
        for violation in row.branch.violations
    )
    left = build_board([row for run in runs for row in run_rows(run, marks)])
    assert left.count(Group.BYPASSED) == left.count(Group.VIOLATION) == 0
    still = {row.identity for row in left.rows if row.branch is not None}
    assert still == {
        row.identity
        for row in board.rows
        if row.branch is not None and (row.branch.is_open or row.branch.status == "unreadable")
    }


def test_a_row_names_the_worst_of_its_violations_first(rows: list[Row]) -> None:
    named = {
        (row.run_path.name, row.branch.key): [found.code for found in row.branch.violations]
        for row in rows
        if row.branch is not None
    }
    worst_first = ["DECISION_IGNORED", "REQUEST_ALTERED"]
    assert named["not-heeded-and-altered", "2/1"] == worst_first
    assert all(BYPASSED not in codes[1:] for codes in named.values())


def test_history_of_violations_begins_with_the_bypasses(records: list[HistoryRecord]) -> None:
    history = build_history(records, HistoryFilter(only_violations=True))
    bypassed = [record.is_bypassed for record in history.records]
    assert any(bypassed)
    assert bypassed == sorted(bypassed, reverse=True)
    assert all(record.violations for record in history.records)


def test_history_is_newest_first_and_complete(
    runs: list[RunReading], records: list[HistoryRecord]
) -> None:
    history = build_history(records)
    times = [record.at.at for record in history.records if record.at]
    assert times == sorted(times, reverse=True)
    assert Counter(record.identity for record in history.records).most_common(1)[0][1] == 1
    branches = [b for run in runs for b in run.branches.values() if not b.is_import]
    assert len(history.records) == sum(len(b.fallbacks) + len(b.decisions) for b in branches)


def test_every_violation_about_a_fallback_or_decision_stands_at_its_record(
    runs: list[RunReading], records: list[HistoryRecord]
) -> None:
    """Receipts that do not count are no decisions: what is wrong with them stands in `list`."""
    told = {violation for record in records for violation in record.violations}
    about = {
        violation
        for run in runs
        for branch in run.branches.values()
        for violation in branch.violations
        if violation.about is not None and violation.code != "DECISION_INVALID"
    }
    missing = {v for v in about - told if v.code != "DECISION_CHAIN_BROKEN"}
    assert missing == set()
    assert {v.code for v in told} >= {BYPASSED, "FALLBACK_UNRECORDED", "DECISION_IGNORED"}


@pytest.mark.parametrize("name", ["code", "operator"])
def test_a_filter_of_history_counts_the_bypasses_that_it_hides(
    name: str, records: list[HistoryRecord]
) -> None:
    bypassed = sum(record.is_bypassed for record in records)
    history = build_history(records, HistoryFilter(**{name: "nobody"}))  # type: ignore[arg-type]
    assert (history.records, history.hidden) == ((), len(records))
    assert history.hidden_bypassed == bypassed > 0


def test_every_decision_knows_what_became_of_it(records: list[HistoryRecord]) -> None:
    """By run: each of its decisions, in order, with its standing."""
    decided: dict[str, list[str]] = {}
    for record in sorted(records, key=lambda record: record.identity):
        if record.decision is not None:
            assert record.decision.is_in_force == (record.decision.standing == "in_force")
            decided.setdefault(record.run_path.name, []).append(record.decision.standing)
    assert decided["in-force"] == decided["invalid-over-valid"] == ["in_force"]
    assert decided["superseded"] == ["superseded", "in_force"]
    assert decided["withdrawn"] == ["superseded", "withdrawn"]
    assert decided["stale"] == ["stale"]
    assert decided["carried-out"] == ["resumed"]
    assert decided["not-heeded"] == ["ignored"]
    assert decided["old-one-heeded"] == ["superseded", "ignored"]
    assert decided["taken-back-and-resumed"] == ["superseded", "withdrawn"]


def test_a_broken_chain_stands_at_the_decision_that_breaks_it(records: list[HistoryRecord]) -> None:
    broken = {
        (record.run_path.name, record.identity[2])
        for record in records
        if any(violation.code == "DECISION_CHAIN_BROKEN" for violation in record.violations)
    }
    assert broken == {("a-gap", "0004"), ("first-is-gone", "0002"), ("not-the-file-before", "0002")}
