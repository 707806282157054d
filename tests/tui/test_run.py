"""The Run screen: the chain, the branch under the cursor in full, and what opens from there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from decide_setup import first_come, lanes, until, write_run
from modes_setup import drawn, looking, on_one_line, page_text, run_opened, write_demo

from stopview_core.demo import RunBuilder
from stopview_core.registry.load import load, shipped_root
from stopview_tui.app import StopviewApp
from stopview_tui.screens.decide import DecideScreen
from stopview_tui.screens.document.screen import DocumentScreen
from stopview_tui.screens.run.screen import RunScreen

SACP = Path(__file__).parents[3] / "shared" / "sacp"


def stopped_thrice(root: Path) -> Path:
    run = RunBuilder("stopped-thrice", mission={"goal": "Bind the workspace."})
    for step in (1, 3, 5):
        run.branch(
            f"{step}/1",
            "workspace.bind",
            status="blocked",
            stop="PERMISSION_REQUIRED",
            reason=f"No access, attempt at step {step}.",
            resumes=f"{step - 2}/1" if step > 1 else None,
        )
    run.branch("2/1", "business.decide")
    return run.write(root)


def keys(app: StopviewApp) -> list[object]:
    assert isinstance(app.screen, RunScreen)
    return list(app.screen.rows.identities)


async def test_the_goal_stands_above_the_chain_and_attempts_are_joined(tmp_path: Path) -> None:
    run = stopped_thrice(tmp_path / "runs")
    async with looking(tmp_path / "runs", "inbox") as (app, pilot):
        app.push_screen(RunScreen(run, "3/1"))
        screen = await run_opened(app, pilot)

        assert "Bind the workspace." in page_text(app, "#run-head")
        assert keys(app) == ["1/1", "2/1", "3/1", "5/1"]
        assert screen.rows.cursor == "3/1"
        lines = drawn(app).splitlines()
        lane = next(line.index("●") for line in lines if " 1/1 " in line)
        assert [next(line for line in lines if f" {key} " in line)[lane] for key in keys(app)] == [
            "●",
            "│",
            "●",
            "●",
        ]
        step_two = next(line for line in lines if "Step 2" in line)
        assert step_two[lane] == "│"
        detail = on_one_line(page_text(app))
        assert "1/1 -> 3/1 -> 5/1 attempt 2 of 3" in detail
        assert "“No access, attempt at step 3.”" in detail

        await pilot.press("down")
        assert "It has waited" in page_text(app)
        assert "What you can do" in page_text(app)


async def test_the_hint_of_tab_names_the_pane_that_it_leads_to(tmp_path: Path) -> None:
    root = write_demo(tmp_path / "runs", "orders-out-of-the-shop")
    async with looking(root, "inbox", size=(120, 40)) as (app, pilot):
        await until(pilot, lambda: "orders-out-of-the-shop" in drawn(app))
        await pilot.press("r")
        await until(pilot, lambda: "texts to read" in drawn(app))
        for words, pane in {"detail": "detail", "texts": "texts", "goal": "run-head"}.items():
            await until(pilot, lambda words=words: f"tab {words} " in drawn(app).splitlines()[-2])
            await pilot.press("tab")
            assert app.focused is not None
            assert app.focused.id == pane


async def test_m_marks_the_violations_of_the_branch_as_seen(tmp_path: Path) -> None:
    root = write_demo(tmp_path / "runs", "nightly-export-checkout")
    run = root / "nightly-export-checkout"
    async with looking(root, "inbox") as (app, pilot):
        app.push_screen(RunScreen(run, "2/1"))
        await run_opened(app, pilot)
        assert "RESUME_WITHOUT_DELTA" in page_text(app)
        await pilot.press("m")
        await until(pilot, lambda: (str(run), "2/1", "RESUME_WITHOUT_DELTA") in app.inbox.seen)


async def test_receipts_are_shown_with_code_fix_retry_and_faults(tmp_path: Path) -> None:
    if not SACP.is_dir():
        pytest.skip("the SACP samples are not beside the repository")
    run = stopped_thrice(tmp_path / "runs")
    folder = run / "step-5/parallel-1/packets"
    folder.mkdir()
    shutil.copy(SACP / "valid_block_receipt.yaml", folder / "good.yaml")
    (folder / "bad.yaml").write_text("protocol: SACP/0.1\ntype: receipt\nstatus_code: 423\n")
    async with looking(tmp_path / "runs", "inbox") as (app, pilot):
        app.push_screen(RunScreen(run, "5/1"))
        await run_opened(app, pilot)

        told = on_one_line(page_text(app))
        assert "Receipt step-5/parallel-1/packets/good.yaml 412 missing_evidence" in told
        assert "Typical fix: Supply the evidence" in told
        assert "Retry: after fix." in told
        assert "It breaks no rule of SACP 0.1." in told
        assert "423 lease_active" in told
        assert "agent_id: expected text that is not empty, found nothing" in told


async def test_enter_decides_what_can_be_decided_and_reads_what_cannot(tmp_path: Path) -> None:
    root = write_demo(tmp_path / "runs", "orders-out-of-the-shop")
    run = root / "orders-out-of-the-shop"
    async with looking(root, "inbox") as (app, pilot):
        app.push_screen(RunScreen(run, None))
        screen = await run_opened(app, pilot)
        assert screen.rows.cursor == "3/1", "it begins on the first branch that waits"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, DecideScreen))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)

        await pilot.press("home", "enter")
        await until(pilot, lambda: isinstance(app.screen, DocumentScreen))
        reader = app.screen
        assert isinstance(reader, DocumentScreen)
        assert reader.where == "step-1/parallel-1/response/response.md"
        await pilot.press("q")
        await until(pilot, lambda: app.screen is screen)


async def test_the_texts_of_a_branch_and_of_its_exchange_can_be_read(tmp_path: Path) -> None:
    root = write_demo(tmp_path / "runs", "api-rate-limits")
    async with looking(root, "inbox") as (app, pilot):
        app.push_screen(RunScreen(root / "api-rate-limits", "2/1"))
        screen = await run_opened(app, pilot)
        await until(pilot, lambda: len(screen.texts.identities) == 2)
        critique = "step-2/parallel-1/critique/response/critique.md"
        assert screen.texts.identities[1] == critique

        screen.texts.focus()
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.screen, DocumentScreen))
        reader = app.screen
        assert isinstance(reader, DocumentScreen)
        assert reader.where == critique
        assert len(reader.texts) == 2
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)

        screen.rows.move_to("2/1/critique")
        await until(pilot, lambda: screen.texts.identities == [critique])
        assert "An exchange inside branch 2/1" in page_text(app)


async def test_it_follows_what_changes_on_disk_and_keeps_the_cursor(tmp_path: Path) -> None:
    run = write_run(tmp_path / "runs", lanes())
    async with looking(tmp_path / "runs", "inbox") as (app, pilot):
        app.push_screen(RunScreen(run, "1/1"))
        screen = await run_opened(app, pilot)
        first_come(run, "left-lane", "It is the cheapest.")
        app.refresh_picture()
        await until(pilot, lambda: "“It is the cheapest.”" in on_one_line(page_text(app)))
        assert screen.rows.cursor == "1/1"
        assert "decided: left-lane" in drawn(app)
        assert screen.check_action("change", ())

        shutil.rmtree(run)
        app.refresh_picture()
        await until(pilot, lambda: "cannot be read" in page_text(app, "#run-head"))


async def test_a_run_that_is_not_there_says_so(tmp_path: Path) -> None:
    root = write_demo(tmp_path / "runs", "api-rate-limits")
    async with looking(root, "inbox", size=(60, 20)) as (app, pilot):
        app.push_screen(RunScreen(root / "nowhere", None))
        await until(pilot, lambda: "cannot be read" in drawn(app))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, RunScreen))


async def test_a_narrow_terminal_shows_goal_chain_and_branch(tmp_path: Path) -> None:
    run = stopped_thrice(tmp_path / "runs")
    async with looking(tmp_path / "runs", "inbox", size=(40, 20)) as (app, pilot):
        app.push_screen(RunScreen(run, "5/1"))
        await run_opened(app, pilot)
        shown = drawn(app)
        assert "Bind the workspace." in shown
        assert "● " in shown
        assert "5/1" in shown
        assert all(len(line) <= 40 for line in shown.splitlines())


def test_the_registry_of_these_tests_knows_the_operators_used() -> None:
    operators = load(shipped_root()).operators
    assert {"workspace.bind", "business.decide", "architecture.decide"} <= operators.keys()
