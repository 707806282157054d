"""The shell of the app: its modes, its problems, its bell and title, its idle hours."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest
from shell_setup import choice_run, cursor, drawn, inbox, rows, shell, shown, toasts, until
from textual import work
from textual.screen import Screen

from stopview_core.errors import RegistryRefused
from stopview_core.registry.model import Registry
from stopview_tui import modes
from stopview_tui.screens.decide import DecideScreen
from stopview_tui.screens.inbox.screen import InboxScreen
from stopview_tui.screens.problem import ProblemScreen
from stopview_tui.screens.run.screen import RunScreen
from stopview_tui.settings import Settings, load_settings
from stopview_tui.terminal_title import TerminalTitle, title_of
from stopview_tui.widgets.fault_banner import FaultBanner


async def test_every_mode_has_its_key_and_the_bar_leads_to_it(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    choice_run("lanes").write(root)
    async with shell(root) as (app, pilot):
        for mode in modes.MODES[1:]:
            await pilot.press(mode.digit)
            await until(pilot, lambda mode=mode: app.current_mode == mode.id)  # type: ignore[misc]
            assert not isinstance(app.screen, InboxScreen)
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen, InboxScreen))
        await pilot.pause()
        assert "1 Inbox" in drawn(app)
        await pilot.click("StatusBar", offset=(11, 0))
        await until(pilot, lambda: app.current_mode == "runs")


async def test_it_starts_in_the_mode_of_the_settings(tmp_path: Path) -> None:
    async with shell(tmp_path / "runs", settings=Settings(start_mode="codes")) as (app, _):
        assert app.current_mode == "codes"


async def test_it_starts_at_the_branch_it_was_asked_for(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    choice_run("first", "2026-11-02T08:00:00Z").write(root)
    run = choice_run("second", "2026-11-03T08:00:00Z").write(root)
    async with shell(root, open_at=(run, "1/1")) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, DecideScreen))
        app.pop_screen()
        await until(pilot, lambda: isinstance(app.screen, InboxScreen))
        assert cursor(app) == "second"


async def test_a_start_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    run = choice_run("lanes").write(root)
    nowhere = root / "nowhere"
    for open_at, part in (
        ((run, "9/9"), f"There is no branch 9/9 in {run}.\n\nIts branches: 1/1."),
        ((nowhere, "1/1"), f"{nowhere} is not a run here."),
    ):
        async with shell(root, open_at=open_at) as (app, pilot):
            await until(pilot, lambda: isinstance(app.screen, ProblemScreen))
            await pilot.press("Y")
            assert part in app.clipboard
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, InboxScreen))


async def test_a_branch_that_is_not_listed_is_shown_in_its_run(tmp_path: Path) -> None:
    run = choice_run("lanes")
    run.branch("2/1", "backend.source.apply")
    path = run.write(tmp_path / "runs")
    async with shell(tmp_path / "runs", open_at=(path, "2/1")) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, RunScreen))
        screen = app.screen
        assert isinstance(screen, RunScreen)
        await until(pilot, lambda: screen.rows.cursor == "2/1")
        assert "is not listed here" in toasts(app)


async def test_a_registry_that_is_refused_is_said_in_full_and_ends_with_2(tmp_path: Path) -> None:
    def refuse() -> Registry:
        raise RegistryRefused("errors.json: [/x] expected an object")

    async with shell(tmp_path / "runs", loaded=refuse) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, ProblemScreen))
        await until(pilot, lambda: "[/x] expected an object" in drawn(app))
        await pilot.press("Y")
        assert "[/x] expected an object" in app.clipboard
        await pilot.press("escape", "q")
        assert app.return_code == 2


async def test_a_registry_that_fails_to_load_is_a_problem_too(tmp_path: Path) -> None:
    def fail() -> Registry:
        raise ZeroDivisionError("of our own")

    async with shell(tmp_path / "runs", loaded=fail) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, ProblemScreen))
        await until(pilot, lambda: "ZeroDivisionError: of our own" in drawn(app))


async def test_a_worker_that_fails_says_so_and_the_app_goes_on(tmp_path: Path) -> None:
    async def fail() -> None:
        raise ZeroDivisionError("[/x]")

    async with shell(tmp_path / "runs") as (app, pilot):
        app.do(fail)
        await until(pilot, lambda: isinstance(app.screen, ProblemScreen))
        await until(pilot, lambda: "ZeroDivisionError: [/x]" in drawn(app))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, InboxScreen))


async def test_a_faulty_registry_is_said_on_every_frame(tmp_path: Path) -> None:
    from dataclasses import replace

    from decide_setup import registry

    from stopview_core.registry.model import Fault

    fault = Fault("X", "errors.json", "codes.X", "this", "that", codes=frozenset({"X"}))
    whole = registry()
    faulty = Registry(
        root=whole.root,
        sha256=whole.sha256,
        entries=whole.entries,
        operators=whole.operators,
        routes=whole.routes,
        kinds=whole.kinds,
        faults=(fault, replace(fault, path="codes.Y")),
    )
    async with shell(tmp_path / "runs", loaded=faulty) as (app, pilot):
        await pilot.pause()
        assert app.screen.query_one(FaultBanner).has_class("-shown")
        assert "2 faults" in drawn(app)


async def test_the_bell_rings_and_the_title_counts_for_a_new_choice_only(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    choice_run("old").write(root)
    async with shell(root) as (app, pilot):
        titles: list[int] = []
        app.window_title.set = titles.append  # type: ignore[method-assign]
        assert app.bells == 0
        choice_run("new").write(root)
        await until(pilot, lambda: "new" in shown(app))
        assert titles[-1] == 2
        rings = app.bells
        assert rings >= 1
        (root / "new" / "notes.txt").write_text("x")
        app.refresh_picture()
        await pilot.pause()
        assert app.bells == rings
        app.set_preference("bell", False)
        choice_run("newer").write(root)
        await until(pilot, lambda: "newer" in shown(app))
        assert app.bells == rings


def test_the_title_is_written_when_it_changes_and_put_back() -> None:
    written: list[str] = []
    title = TerminalTitle(written.append)
    title.restore()
    title.set(0)
    title.set(0)
    title.set(3)
    title.restore()
    assert written == [
        "\x1b[22;2t\x1b]2;stopview\x07",
        "\x1b]2;(3) stopview\x07",
        "\x1b[23;2t",
    ]
    assert title_of(1) == "(1) stopview"


async def test_nothing_is_drawn_while_nothing_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "runs"
    choice_run("lanes").write(root)
    async with shell(root) as (app, pilot):
        await until(pilot, lambda: inbox(app)._opened is not None)
        await pilot.pause()
        frames: list[object] = []
        display = app._display
        monkeypatch.setattr(
            app, "_display", lambda screen, what: (frames.append(what), display(screen, what))
        )
        # Found true again, and nothing has changed.
        seen: list[object] = []
        app.facts_changed.subscribe(inbox(app), seen.append)
        checked = app.health.at
        app.refresh_picture()
        app.publish_facts()
        await pilot.pause()
        await pilot.pause()
        assert [frame for frame in frames if frame is not None] == []
        assert checked is not None
        app._pass_minute()
        await until(pilot, lambda: bool(frames))


async def test_the_disk_is_never_waited_for_on_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "runs"
    choice_run("lanes").write(root)
    touched: list[str] = []

    def watched(name: str) -> None:
        real = getattr(os, name)

        def call(path: Any, *args: Any, **more: Any) -> Any:
            text = os.fspath(path) if isinstance(path, str | os.PathLike) else ""
            is_main = threading.current_thread() is threading.main_thread()
            if is_main and str(text).startswith(str(tmp_path)):
                touched.append(f"{name} {text!s}")
            return real(path, *args, **more)

        monkeypatch.setattr(os, name, call)

    async with shell(root) as (app, pilot):
        for name in ("open", "scandir", "stat", "lstat", "listdir"):
            watched(name)
        rows(app).update([], [])
        await pilot.press("down", "e")
        await until(pilot, lambda: "Open which file?" in drawn(app))
        await pilot.press("escape", "o")
        await until(pilot, lambda: "Open which artifact?" in drawn(app))
        await pilot.press("escape", "n", "m")
        choice_run("more").write(tmp_path / "elsewhere")
        (tmp_path / "elsewhere" / "more").rename(root / "more")
        await until(pilot, lambda: "more" in shown(app))
        await pilot.press("end")
        await until(pilot, lambda: (inbox(app)._opened or [("", "")])[0][0].endswith("more"))
        app.set_preference("bell", False)
        await until(pilot, lambda: load_settings(app.settings_file).bell is False)
        made_by_the_test = ("elsewhere", "settings.toml")
        assert [each for each in touched if not any(n in each for n in made_by_the_test)] == []


async def test_settings_changed_in_the_app_are_kept(tmp_path: Path) -> None:
    async with shell(tmp_path / "runs") as (app, pilot):
        app.theme = "high-contrast"
        await until(pilot, lambda: load_settings(app.settings_file).theme == "high-contrast")
        app.set_preference("bell", False)
        await until(pilot, lambda: load_settings(app.settings_file).bell is False)
        app.set_layout("beside")
        await until(pilot, lambda: load_settings(app.settings_file).layout == "beside")


@pytest.mark.parametrize("theme", ["ansi", "high-contrast", "textual-light", "nord"])
async def test_themes_draw_the_same_words(tmp_path: Path, theme: str) -> None:
    root = tmp_path / "runs"
    choice_run("lanes").write(root)
    async with shell(root, settings=Settings(theme=theme)) as (app, _):
        assert app.theme == {"ansi": "ansi-dark"}.get(theme, theme)
        assert "? Needs your choice" in drawn(app)
        assert not load_settings(app.settings_file).problems


async def test_without_colour_everything_is_still_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    root = tmp_path / "runs"
    choice_run("lanes").write(root)
    async with shell(root) as (app, pilot):
        rows(app).update([], [rows(app).identities[0]])
        await pilot.pause()
        text = drawn(app)
        assert "? Needs your choice" in text
        assert "▌× " in text
        for strip in app.screen._compositor.render_strips():
            for segment in strip:
                colour = segment.style.color if segment.style else None
                if colour is not None and colour.triplet is not None:
                    assert len(set(colour.triplet)) == 1


async def test_settings_that_are_wrong_are_said(tmp_path: Path) -> None:
    wrong = Settings(theme="no-such", problems=("bell: expected true or false, found 'x'",))
    async with shell(tmp_path / "runs", settings=wrong) as (app, pilot):
        await until(pilot, lambda: "no-such" in toasts(app))
        assert "bell: expected true or false" in toasts(app)


async def test_leaving_goes_back_and_then_out(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    choice_run("lanes").write(root)

    class Other(Screen[None]):
        """Any screen."""

        @work
        async def nothing(self) -> None:
            """Nothing."""

    async with shell(root) as (app, pilot):
        app.push_screen(Other())
        await pilot.pause()
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, InboxScreen))
        await pilot.press("q")
        assert app.return_code == 0
