"""The History mode tells what `stopview history` tells, and reads so far only once it is opened."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

import pytest
from corpus.all import RECIPES
from corpus.recipe import RegistryName
from corpus.registries import registry as registry_named
from decide_setup import until
from modes_setup import drawn, fell_back, looking, make_app, settled
from textual.pilot import Pilot

from stopview_core import history_readings
from stopview_core.demo import RunBuilder, document, fallbacks_section
from stopview_core.history_readings import HistoryReadings
from stopview_core.readings import RunReading
from stopview_core.registry.load import load
from stopview_core.registry.model import Registry
from stopview_tui.app import StopviewApp
from stopview_tui.cli.root import run as stopview
from stopview_tui.screens.history.screen import HistoryScreen

ROOT = Path(__file__).resolve().parents[2]
UPSTREAM = ROOT.parent / "shared" / "upstream"


def history(app: StopviewApp) -> HistoryScreen:
    assert isinstance(app.screen, HistoryScreen)
    return app.screen


def told(app: StopviewApp) -> list[tuple[str, str, bool]]:
    """The records shown, in order: run, code, whether something is broken."""
    rows = history(app).rows
    found = [rows.get(identity) for identity in rows.identities]
    return [
        (row.record.run_id, row.record.code, bool(row.record.violations))
        for row in found
        if row is not None
    ]


async def read_on(app: StopviewApp, pilot: Pilot[None]) -> None:
    """Wait until every run has been read as far as the command reads it."""
    await until(pilot, lambda: history(app).is_settled)
    await settled(app, pilot)


async def exported(app: StopviewApp, pilot: Pilot[None], folder: Path) -> dict[str, Any]:
    """What the mode exports: all that it shows."""
    await pilot.press("x")
    await until(pilot, lambda: any(folder.glob("stopview-history-*.json")))
    (path,) = folder.glob("stopview-history-*.json")
    found: dict[str, Any] = json.loads(path.read_bytes())
    return found


def commanded(roots: Path, loaded: Registry, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What the command tells of the same."""
    capsys.readouterr()
    assert stopview(["history", str(roots), "--registry", str(loaded.root), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def in_any_order(skipped: Iterable[dict[str, str]]) -> list[tuple[str, ...]]:
    return sorted(tuple(item.values()) for item in skipped)


async def assert_equal_to_the_command(
    root: Path,
    loaded: Registry,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> int:
    """The mode's records, counts and skipped files are the command's; how many records."""
    out = root.parent / "out"
    out.mkdir()
    monkeypatch.chdir(out)
    scratch = root.parent / "scratch"
    scratch.mkdir()
    app = make_app([root], scratch, loaded)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: app.picture.is_whole)
        app.action_mode("history")
        await until(pilot, lambda: app.current_mode == "history")
        await read_on(app, pilot)
        shown = await exported(app, pilot, out)
    wanted = commanded(root, loaded, capsys)
    assert shown["records"] == wanted["records"]
    assert shown["counts"] == wanted["counts"]
    assert in_any_order(shown["skipped"]) == in_any_order(wanted["skipped"])
    return len(wanted["records"])


@pytest.mark.parametrize("name", get_args(RegistryName))
async def test_it_tells_of_the_whole_corpus_what_the_command_tells(
    name: RegistryName,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for recipe in RECIPES:
        if recipe.registry == name:
            folder = recipe.build().write(tmp_path / "runs" / recipe.name)
            if recipe.finish is not None:
                recipe.finish(folder)
    loaded = registry_named(name, tmp_path / "registries")
    found = await assert_equal_to_the_command(tmp_path / "runs", loaded, capsys, monkeypatch)
    assert found >= (20 if name == "shipped" else 0)


@pytest.mark.skipif(not UPSTREAM.exists(), reason="the upstream runs are not beside this checkout")
async def test_it_tells_of_real_runs_what_the_command_tells(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "root").symlink_to(UPSTREAM / "runs")
    found = await assert_equal_to_the_command(
        tmp_path / "root", load(UPSTREAM), capsys, monkeypatch
    )
    assert found >= 1


def recorded_only_in_the_document(root: Path, run_id: str, *, is_told: bool = True) -> Path:
    """A run whose fallback stands in response.md and not in response.json."""
    run = RunBuilder(run_id)
    taken = {"DEPTH_LIMIT": "the depth was cut"} if is_told else {}
    files = {"response.md": document("report", [fallbacks_section(taken)])}
    run.branch("1/1", "business.decide", files=files, at="2026-11-03T09:00:00Z")
    return run.write(root)


async def test_a_fallback_that_only_the_document_records_is_told(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    recorded_only_in_the_document(root, "unrecorded")
    fell_back(root, "recorded", "2026-11-02T09:00:00Z")
    async with looking(root, "history") as (app, pilot):
        await read_on(app, pilot)
        expected = [("unrecorded", "DEPTH_LIMIT", True), ("recorded", "CHOICE_REQUIRED", False)]
        assert told(app) == expected
        assert "2 records, 2 by policy" in drawn(app)
        assert "still reading" not in drawn(app)


async def test_a_document_that_changes_later_is_read_again_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "runs"
    run = recorded_only_in_the_document(root, "later", is_told=False)
    other = fell_back(root, "other", "2026-11-02T09:00:00Z")
    for path in [root, *root.rglob("*")]:
        # What is old enough is told to be unchanged by its stamp.
        os.utime(path, (1_700_000_000, 1_700_000_000))
    read: list[str] = []
    keeper = history_readings._RecordKeeper
    reading = keeper.read

    def noted(self: Any, folder: Any, reader: Any, began_ns: int) -> RunReading:
        read.append(Path(folder.path).name)
        return reading(self, folder, reader, began_ns + 10**18)

    monkeypatch.setattr(keeper, "read", noted)
    async with looking(root, "history") as (app, pilot):
        await read_on(app, pilot)
        assert told(app) == [("other", "CHOICE_REQUIRED", False)]
        assert sorted(read) == ["later", "other"]
        read.clear()
        recorded_only_in_the_document(tmp_path / "new", "later")
        (tmp_path / "new/later/step-1/parallel-1/response/response.md").replace(
            run / "step-1/parallel-1/response/response.md"
        )
        app.minute_passed.publish(None)
        await until(pilot, lambda: len(told(app)) == 2)
        assert ("later", "DEPTH_LIMIT", True) in told(app)
        assert read == ["later"]
        assert other.is_dir()


async def test_a_run_that_goes_takes_its_records_with_it(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    gone = recorded_only_in_the_document(root, "gone")
    fell_back(root, "stays", "2026-11-02T09:00:00Z")
    async with looking(root, "history") as (app, pilot):
        await read_on(app, pilot)
        assert len(told(app)) == 2
        await pilot.press("end")  # a row stays as long as the cursor is on it
        gone.rename(tmp_path / "elsewhere")
        app.refresh_picture()
        await until(pilot, lambda: len(told(app)) == 1)
        await read_on(app, pilot)
        assert told(app) == [("stays", "CHOICE_REQUIRED", False)]


async def test_nothing_is_read_further_before_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "runs"
    recorded_only_in_the_document(root, "unrecorded")
    looks: list[list[str]] = []
    look = HistoryReadings.look

    def noted(self: HistoryReadings, paths: list[str]) -> dict[str, RunReading | None]:
        looks.append([Path(path).name for path in paths])
        return look(self, paths)

    monkeypatch.setattr(HistoryReadings, "look", noted)
    async with looking(root, "runs") as (app, pilot):
        app.minute_passed.publish(None)
        app.action_mode("inbox")
        await pilot.pause()
        assert looks == []
        app.action_mode("history")
        await until(pilot, lambda: app.current_mode == "history")
        await read_on(app, pilot)
        assert looks == [["unrecorded"]]
        # Coming back within the minute costs nothing; after it, it looks again.
        app.action_mode("inbox")
        await pilot.pause()
        app.action_mode("history")
        await pilot.pause()
        assert looks == [["unrecorded"]]
        app.action_mode("inbox")
        await pilot.pause()
        app.minute_passed.publish(None)
        app.action_mode("history")
        await until(pilot, lambda: len(looks) == 2)
        await read_on(app, pilot)
