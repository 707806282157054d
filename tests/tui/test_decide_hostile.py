"""Texts that an agent wrote are shown as texts: no markup, no control, no cut without a mark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from decide_setup import armed, deciding, lanes, receipts, until, write_run
from textual import events

from stopview_core.demo import Alternative
from stopview_core.text import is_clean
from stopview_tui import branch_files
from stopview_tui.screens.choose import ChooseScreen
from stopview_tui.screens.decide import gate
from stopview_tui.screens.decide.alternative import AlternativeScreen
from stopview_tui.widgets.reason_area import ReasonArea
from stopview_tui.widgets.score_grid import ScoreGrid


@pytest.fixture(autouse=True)
def _a_browser_with_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branch_files, "console_browser", lambda: False)


NASTY = "[/x] \x1b]52;c;aGk=\x07 \u202eevil\u202c [@click=app.exit]go[/] $x \\[b"


async def test_hostile_texts_change_nothing_but_the_words(tmp_path: Path) -> None:
    run = write_run(
        tmp_path,
        [
            Alternative("[/x]", {"cost": 1, "risk[/b]": 1}, NASTY),
            Alternative("[@click=app.exit]", {"cost": 2}, NASTY * 400, rejected_because=NASTY),
        ],
        axes=("cost", "risk[/b]"),
        reason=NASTY + "so long " * 1500 + "the end",
        requirements={"objective": NASTY, NASTY: NASTY, "constraints": [{"statement": NASTY}]},
        files={"artifacts/[b].html": "y"},
    )
    async with deciding(run) as (app, pilot):
        for place in ("#decide-title", "#brief-text", "#picked"):
            assert is_clean(app.text(place))
        assert "the end" in app.text("#brief-text")
        assert is_clean(app.drawn().replace("\n", ""))
        await pilot.press("space", "ctrl+s")
        screen = await armed(app, pilot)
        assert is_clean(app.drawn().replace("\n", ""))
        await pilot.press("end", "pageup", "escape")
        await until(pilot, lambda: app.screen is app.decide_screen)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, AlternativeScreen))
        assert is_clean(app.drawn().replace("\n", ""))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.decide_screen)
        await pilot.press("o")
        await until(pilot, lambda: bool(app.opened))
        assert not screen.is_writing
    assert receipts(run) == []


async def test_what_is_pasted_into_the_reason_is_made_harmless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "QUIET_S", 0.01)
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await pilot.press("space", "tab")
        app.post_message(events.Paste("two\nlines\x1b[31m \u202eback " + "x" * 10_000 + " end"))
        area = app.decide_screen.query_one(ReasonArea)
        await until(pilot, lambda: area.text.endswith("end"))
        assert "\x1b" not in area.text
        assert is_clean(app.drawn().replace("\n", ""))
        await pilot.press("ctrl+s")
        await armed(app, pilot)
        await pilot.press("y")
        await until(pilot, lambda: app.decide_screen.outcome is not None)
        assert is_clean(app.drawn().replace("\n", ""))
    assert receipts(run) == ["0001.yaml"]


async def test_a_reason_too_long_for_any_reader_is_refused_and_kept(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        area = app.decide_screen.query_one(ReasonArea)
        area.text = "word " * 60_000
        await pilot.press("space", "ctrl+s")
        await until(pilot, lambda: app.decide_screen.has_class("-noticed"))
        assert "Not written (412)" in app.text("#notice-text")
        assert area.text == "word " * 60_000
    assert receipts(run) == []


async def test_an_artifact_that_is_a_link_is_not_opened(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes(), files={"artifacts/left-lane.html": "<p>left</p>"})
    artifact = run / "step-1/parallel-1/response/artifacts/left-lane.html"
    async with deciding(run) as (app, pilot):
        await pilot.press("o")
        await until(pilot, lambda: app.opened == [artifact.as_uri()])
        artifact.unlink()
        artifact.symlink_to("/etc/hostname")
        app.opened.clear()
        await pilot.press("o")
        await until(pilot, lambda: "is not opened" in app.drawn())
        assert app.opened == []


async def test_several_artifacts_are_asked_for(tmp_path: Path) -> None:
    files = {"artifacts/one.html": "1", "artifacts/two.html": "2"}
    run = write_run(tmp_path, lanes(), files=files)
    async with deciding(run) as (app, pilot):
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, ChooseScreen))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.decide_screen)
        assert app.opened == []
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, ChooseScreen))
        await pilot.press("down", "enter")
        await until(pilot, lambda: bool(app.opened))
        assert app.opened[0].endswith("/two.html")


async def test_one_alternative_in_full_keeps_its_end(tmp_path: Path) -> None:
    text = "begin " + "word " * 3000 + "the very end"
    run = write_run(tmp_path, [Alternative("a", {"cost": 1, "risk": 1}, text), *lanes()])
    async with deciding(run, size=(80, 24)) as (app, pilot):
        await pilot.press("pagedown")
        await pilot.pause()
        assert re.search(r"… \d+ more", app.drawn())
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, AlternativeScreen))
        whole = str(app.screen.query("Static").last().render())
        assert "the very end" in whole
        assert "response/data/stack-model.json" in whole
        assert "response/response.md" in whole


@pytest.mark.parametrize("size", [(40, 20), (80, 24), (200, 60)])
async def test_every_screen_stands_at_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    run = write_run(tmp_path, lanes(), reason="so long " * 500)
    async with deciding(run, size=size) as (app, pilot):
        grid = app.decide_screen.query_one(ScoreGrid)
        assert grid.size.height >= 6
        assert "left-lane" in app.drawn()
        await pilot.press("space", "tab", "x", "ctrl+s")
        screen = await armed(app, pilot)
        assert screen.query_one("#write").region.bottom <= size[1]
        assert "protocol: SACP/0.1" in app.drawn()
        assert "Write (y)" in app.drawn()
