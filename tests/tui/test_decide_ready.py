"""What deciding needs is got ready once the rows are there; without that it works as well."""

from __future__ import annotations

from pathlib import Path

import pytest
from decide_setup import lanes, until, write_run
from shell_setup import shell
from textual.css.stylesheet import Stylesheet

from stopview_tui import picture_keeping
from stopview_tui.screens.decide import ConfirmScreen, DecideScreen, gate
from stopview_tui.screens.decide.ready import read_sheets

NEVER_S = 3600.0


@pytest.mark.parametrize("after", [0.01, NEVER_S], ids=["ready", "not ready"])
async def test_no_style_is_parsed_anew_where_all_was_got_ready(
    after: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture_keeping, "GET_READY_AFTER_S", after)
    monkeypatch.setattr(gate, "QUIET_S", 0.01)
    write_run(tmp_path / "runs", lanes())
    async with shell(tmp_path / "runs") as (app, pilot):
        sheets = read_sheets()
        is_ready = after != NEVER_S
        if is_ready:
            await until(pilot, lambda: all(map(app.stylesheet.has_source, sheets)))
            await pilot.pause()
        assert any(map(app.stylesheet.has_source, sheets)) == is_ready
        parsed: list[Stylesheet] = []
        reparse = Stylesheet.reparse
        monkeypatch.setattr(Stylesheet, "reparse", lambda own: (parsed.append(own), reparse(own)))

        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, DecideScreen))
        screen = app.screen
        assert isinstance(screen, DecideScreen)
        await until(pilot, lambda: screen.is_listening)
        await pilot.press("space", "ctrl+s")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is not screen)
        assert len(parsed) == (0 if is_ready else len(sheets))
