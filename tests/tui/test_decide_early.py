"""Decide is drawn once where its branch is read at once, and what was sent before picks nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from decide_setup import (
    ACTOR,
    FIRST,
    KEY,
    SECOND,
    THIRD,
    Desk,
    deciding,
    lanes,
    press_now,
    registry,
    until,
    write_run,
)
from textual import events
from textual.geometry import Offset
from textual.pilot import Pilot

from stopview_tui.screens.decide import DecideScreen, looking
from stopview_tui.widgets.score_grid import ScoreGrid

AT_ONCE, TOO_LATE = 60.0, 0.0


@pytest.fixture(params=[AT_ONCE, TOO_LATE], ids=["read at once", "read later"], autouse=True)
def patience(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> float:
    """How long the screen waits for the reading before it draws."""
    seconds: float = request.param
    monkeypatch.setattr(looking, "AT_ONCE_S", seconds)
    return seconds


class Recorded(DecideScreen):
    """Keeps what each drawing put on the terminal."""

    CSS_PATH = Path(looking.__file__).with_name("decide.tcss")

    def on_mount(self) -> None:
        self.drawings: list[str] = []
        self.screen_layout_refresh_signal.subscribe(self, self._keep, immediate=True)

    def _keep(self, _: object) -> None:
        self.drawings.append("\n".join(s.text for s in self._compositor.render_strips()))


def opened(app: Desk, run: Path) -> Recorded:
    screen = Recorded(run, KEY, registry=registry(), actor=ACTOR)
    app.push_screen(screen, app.came_back.append)
    return screen


def mouse(place: Offset) -> list[events.MouseEvent]:
    common = {"x": place.x, "y": place.y, "delta_x": 0, "delta_y": 0, "button": 1}
    flags = {"shift": False, "meta": False, "ctrl": False}
    return [
        kind(None, **common, **flags)  # type: ignore[arg-type]
        for kind in (events.MouseDown, events.MouseUp)
    ]


async def posted(app: Desk, pilot: Pilot[None], *sent: events.Event) -> None:
    for event in sent:
        app.post_message(event)
    await pilot.pause()
    await pilot.pause()


async def test_the_first_drawing_holds_all_of_it_where_it_was_read_at_once(
    tmp_path: Path, patience: float
) -> None:
    run = write_run(tmp_path, lanes())
    app = Desk()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = opened(app, run)
        await until(pilot, lambda: screen.is_listening)
        drawings = screen.drawings
    if patience == AT_ONCE:
        for text in (FIRST, SECOND, THIRD, "none of these", "cost", "Objective", "Nothing picked"):
            assert text in drawings[0]
    else:
        assert f"Reading the evidence of {KEY}" in drawings[0]
    assert "Reading" not in drawings[-1]


async def test_keys_sent_ahead_of_the_drawing_pick_nothing(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    app = Desk()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = opened(app, run)
        press_now(app, "space", "right", "space", "ctrl+s", "enter")
        await until(pilot, lambda: screen.is_listening)
        await pilot.pause()
        assert app.screen is screen
        assert screen.case.picked is None
        assert screen.query_one(ScoreGrid).cursor == 0
        await pilot.press("space")
        assert screen.case.picked is not None


async def test_a_key_sent_ahead_stays_out_however_late_it_is_handled(tmp_path: Path) -> None:
    early = [events.Key("space", " "), events.Key("ctrl+s", None), events.Paste("typed")]
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        await posted(app, pilot, *early)
        assert app.screen is app.decide_screen
        assert app.decide_screen.case.picked is None
        await posted(app, pilot, events.Key("space", " "))
        assert app.decide_screen.case.picked is not None


async def test_a_click_counts_from_when_the_button_went_down(tmp_path: Path) -> None:
    early_down, early_up = mouse(Offset(0, 0))
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        grid = app.decide_screen.query_one(ScoreGrid)
        place = grid.content_region.offset + Offset(grid._widths.label + 3, 0)
        for event in (early_down, early_up):
            event._x, event._y = place.x, place.y
        await posted(app, pilot, early_down, mouse(place)[1])
        assert app.decide_screen.case.picked is None
        await posted(app, pilot, *mouse(place))
        assert app.decide_screen.case.picked is not None


@pytest.mark.parametrize("key", ["escape", "q"])
async def test_a_key_that_leaves_does_so_before_anything_is_drawn(tmp_path: Path, key: str) -> None:
    run = write_run(tmp_path, lanes())
    app = Desk()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = opened(app, run)
        press_now(app, key)
        await until(pilot, lambda: app.came_back == [None])
        assert app.screen is not screen


async def test_leaving_the_app_while_it_is_read_ends_in_peace(tmp_path: Path) -> None:
    run = write_run(tmp_path, lanes())
    for turns in range(6):
        app = Desk()
        async with app.run_test(size=(120, 40)) as pilot:
            screen = opened(app, run)
            for _ in range(turns):
                await pilot.pause()
            if turns % 2:
                screen.dismiss(None)
