"""The History mode: what it lists, counts, filters, shows in full and exports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from decide_setup import first_come, lanes, until, write_run
from modes_setup import drawn, fell_back, looking, on_one_line, page_text, run_opened, settled
from textual.widgets import Input

from stopview_tui.app import StopviewApp
from stopview_tui.screens.choose import ChooseScreen
from stopview_tui.screens.history.dates import DatesScreen
from stopview_tui.screens.history.screen import HistoryScreen
from stopview_tui.widgets.count_bars import CountBars


def history(app: StopviewApp) -> HistoryScreen:
    assert isinstance(app.screen, HistoryScreen)
    return app.screen


def ids(app: StopviewApp) -> list[str]:
    rows = history(app).rows
    found = [rows.get(identity) for identity in rows.identities]
    return [row.record.run_id for row in found if row is not None]


def four_records(root: Path) -> Path:
    """Three fallbacks, one of which bypassed an approval, and one decision."""
    fell_back(root, "old-policy", "2026-11-02T09:00:00Z")
    fell_back(root, "bypassed", "2026-11-09T09:00:00Z", policy="approval-required")
    fell_back(root, "new-policy", "2026-11-20T09:00:00Z", selected="right-lane")
    run = write_run(root, lanes())
    first_come(run, "left-lane", "It is the [/cheapest].")
    return root


async def test_records_are_listed_newest_first_and_counted(tmp_path: Path) -> None:
    root = four_records(tmp_path / "runs")
    async with looking(root, "history") as (app, pilot):
        assert ids(app) == ["lanes", "new-policy", "bypassed", "old-policy"]
        screen = history(app)
        await until(pilot, lambda: screen.query_one("#by-code", CountBars).counts != {})
        assert screen.query_one("#by-code", CountBars).counts == {"CHOICE_REQUIRED": 4}
        assert screen.query_one("#by-operator", CountBars).counts == {"architecture.decide": 4}
        shown = drawn(app)
        assert "4 records, 3 by policy, 1 by people" in shown
        assert "4 ████" in shown
        decided = next(line for line in shown.splitlines() if "lanes" in line)
        assert "bob" in decided
        assert "left-lane (7.5" in decided
        bypassed = next(line for line in shown.splitlines() if " bypassed " in line)
        assert "policy" in bypassed
        assert "‼" in bypassed


async def test_a_decision_shows_its_receipt_and_a_fallback_its_scores(tmp_path: Path) -> None:
    root = four_records(tmp_path / "runs")
    async with looking(root, "history") as (app, pilot):
        await until(pilot, lambda: "superseded_by_human_decision" in page_text(app))
        told = on_one_line(page_text(app))
        assert "“It is the [/cheapest].”" in told
        assert "Receipt step-1/parallel-1/decision/0001.yaml 301" in told
        assert "protocol: SACP/0.1" in told
        assert "Method: BLOCK" not in told
        assert "It breaks no rule of SACP 0.1." in told

        await pilot.press("down")
        told = page_text(app)
        assert "What was done, by policy" in told
        assert "the highest total was taken" in told
        assert "right-lane (6) over left-lane (7.5), slow-lane (4)" in told
        lines = told.splitlines()
        header = next(line for line in lines if "left-lane │ right-lane" in line)
        total = next(line for line in lines if line.startswith("Total"))
        assert [cell.strip() for cell in total.split("│")] == ["Total", "7.5", "6", "4"]
        marks = lines[lines.index(total) + 1].split("│")
        assert header.split("│")[1].strip() == "left-lane"
        assert marks[1].strip() == "▲ highest"
        assert marks[2].strip() == "● selected"
        risk = next(line for line in lines if line.startswith("risk"))
        assert risk.split("│")[1].strip().startswith("4.5 █████")


async def test_only_violations_puts_bypassed_approvals_first(tmp_path: Path) -> None:
    root = four_records(tmp_path / "runs")
    async with looking(root, "history") as (app, pilot):
        await pilot.press("v")
        await until(pilot, lambda: ids(app) == ["bypassed"])
        assert "‼ Approval bypassed  1" in drawn(app)
        assert "3 hidden" in drawn(app)
        assert "the Inbox has those of branches" in drawn(app)
        assert "APPROVAL_BYPASSED" in page_text(app)
        await pilot.press("v")
        await until(pilot, lambda: len(ids(app)) == 4)


async def test_a_bypass_that_a_filter_hides_is_said(tmp_path: Path) -> None:
    root = four_records(tmp_path / "runs")
    async with looking(root, "history") as (app, pilot):
        await pilot.press("slash", *"new-pol")
        await until(pilot, lambda: ids(app) == ["new-policy"])
        await until(pilot, lambda: "1 by policy" in drawn(app))
        assert "‼ 1 bypassed approval among the hidden" in drawn(app)

        await pilot.press("escape")
        await until(pilot, lambda: len(ids(app)) == 4)
        assert "hidden" not in drawn(app)


async def test_dates_are_asked_for_and_a_wrong_one_is_not_taken(tmp_path: Path) -> None:
    root = four_records(tmp_path / "runs")
    async with looking(root, "history") as (app, pilot):
        await pilot.press("d")
        await until(pilot, lambda: isinstance(app.screen, DatesScreen) and app.screen.is_mounted)
        await pilot.press("2", "5", "enter")
        assert isinstance(app.screen, DatesScreen)
        assert "A time is 2026-11-30" in drawn(app)
        await pilot.press("d", "tab", *"15d", "enter")
        await until(pilot, lambda: isinstance(app.screen, HistoryScreen))
        await until(pilot, lambda: ids(app) == ["bypassed"])
        assert "since 2026-11-05 22:00 UTC" in drawn(app)

        await pilot.press("d")
        await until(pilot, lambda: isinstance(app.screen, DatesScreen) and app.screen.is_mounted)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, HistoryScreen))
        assert ids(app) == ["bypassed"]


async def test_it_filters_by_code_or_operator_from_a_menu(tmp_path: Path) -> None:
    root = four_records(tmp_path / "runs")
    async with looking(root, "history") as (app, pilot):
        await pilot.press("f")
        await until(pilot, lambda: isinstance(app.screen, ChooseScreen))
        await pilot.press("o")
        await until(pilot, lambda: "architecture.decide" in drawn(app))
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen, HistoryScreen))
        await settled(app, pilot)
        assert history(app).wanted.operator == "architecture.decide"
        assert len(ids(app)) == 4


async def test_r_opens_the_run_at_the_branch_of_the_record(tmp_path: Path) -> None:
    root = four_records(tmp_path / "runs")
    async with looking(root, "history") as (app, pilot):
        await pilot.press("down", "r")
        opened = await run_opened(app, pilot)
        assert opened.run_path.name == "new-policy"
        assert opened.rows.cursor == "1/1"


async def test_a_decision_made_meanwhile_comes_in_and_rows_keep_their_place(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    fell_back(root, "old-policy", "2026-11-02T09:00:00Z")
    run = write_run(root, lanes())
    async with looking(root, "history") as (app, pilot):
        assert ids(app) == ["old-policy"]
        first_come(run, "left-lane")
        app.refresh_picture()
        await until(pilot, lambda: set(ids(app)) == {"lanes", "old-policy"})
        row = history(app).row
        assert row is not None
        assert row.record.run_id == "old-policy", "the cursor stays on its record"
        await until(pilot, lambda: "1 by people" in drawn(app))


async def test_x_exports_what_is_shown_to_a_new_file_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = four_records(tmp_path / "runs")
    out = tmp_path / "out"
    out.mkdir()
    monkeypatch.chdir(out)
    async with looking(root, "history") as (app, pilot):
        await pilot.press("v")
        await until(pilot, lambda: ids(app) == ["bypassed"])
        await pilot.press("x")
        await until(pilot, lambda: len(list(out.iterdir())) == 1)
        await pilot.press("x")
        await until(pilot, lambda: len(list(out.iterdir())) == 2)

        for path in out.iterdir():
            document = json.loads(path.read_text(encoding="ascii"))
            assert document["schema"] == "stopview.history/1"
            (record,) = document["records"]
            assert record["run"] == "bypassed"
            assert record["violations"][0]["code"] == "APPROVAL_BYPASSED"
            assert document["counts"]["hidden"] == 3
        assert sorted(path.name for path in out.iterdir()) == [
            "stopview-history-20261130T220000Z-2.json",
            "stopview-history-20261130T220000Z.json",
        ]


async def test_a_narrow_terminal_keeps_list_and_record(tmp_path: Path) -> None:
    root = four_records(tmp_path / "runs")
    async with looking(root, "history", size=(40, 20)) as (app, _):
        shown = drawn(app)
        assert "4 records" in shown
        assert "CHOICE_REQUIRED" in shown
        assert all(len(line) <= 40 for line in shown.splitlines())


async def test_a_list_that_was_empty_for_a_while_has_the_keys_again(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    fell_back(root, "old-policy", "2026-11-02T09:00:00Z")
    fell_back(root, "new-policy", "2026-11-20T09:00:00Z", selected="right-lane")
    async with looking(root, "history") as (app, pilot):
        screen = history(app)
        await until(pilot, lambda: ids(app) == ["new-policy", "old-policy"])
        await until(pilot, lambda: screen.rows.has_focus)
        await pilot.press("v")
        await until(pilot, lambda: screen.has_class("-empty"))
        await until(pilot, lambda: not screen.rows.has_focus)
        await pilot.press("v")
        await until(pilot, lambda: screen.rows.has_focus)
        await pilot.press("slash", "z", "z")
        await until(pilot, lambda: screen.has_class("-empty"))
        await pilot.press("backspace", "backspace")
        await until(pilot, lambda: not screen.has_class("-empty"))
        await pilot.pause()
        assert isinstance(screen.focused, Input)
