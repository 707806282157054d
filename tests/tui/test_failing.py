"""What breaks in a way nobody expected is said in full, wherever it broke, and once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from decide_setup import ACTOR, registry
from shell_setup import ShellApp, choice_run, drawn, shell, until
from test_bindings import places
from textual.pilot import Pilot
from textual.screen import Screen

from stopview_tui.app import StopviewApp
from stopview_tui.screens.decide import DecideScreen
from stopview_tui.screens.document.screen import DocumentScreen
from stopview_tui.screens.problem import ProblemScreen
from stopview_tui.screens.run.screen import RunScreen
from stopview_tui.screens.shell_screen import ShellScreen

MODES = {"InboxScreen": "inbox", "RunsScreen": "runs", "HistoryScreen": "history"}
MODES |= {"CodesScreen": "codes"}
OPENED: dict[str, Callable[[Path], Screen[Any]]] = {
    "RunScreen": lambda run: RunScreen(run, None),
    "DocumentScreen": lambda run: DocumentScreen(run, ("x.md",), "x.md"),
    "DecideScreen": lambda run: DecideScreen(run, "1/1", registry=registry(), actor=ACTOR),
}


async def reach(name: str, app: ShellApp, pilot: Pilot[None], run: Path) -> Screen[Any]:
    """The screen of that name, in front."""
    if name in MODES:
        app.action_mode(MODES[name])
    else:
        app.push_screen(OPENED[name](run))
    await until(pilot, lambda: type(app.screen).__name__ == name and app.screen.is_mounted)
    return app.screen


def test_every_screen_of_the_shell_is_made_to_fail_below() -> None:
    shells = {place for place in places() if issubclass(place, ShellScreen)}
    ends = {place.__name__ for place in shells if not set(place.__subclasses__()) & shells}
    assert ends <= MODES.keys() | OPENED.keys()


def test_nothing_else_begins_work_of_its_own() -> None:
    """ConfirmScreen says it in place, as test_decide_gate takes; the app takes what it began."""
    told = [place for place in places() if place.__name__ in {*MODES, *OPENED, "ConfirmScreen"}]
    bases = {base for place in [*told, StopviewApp] for base in place.__mro__}
    assert len(told) == len(MODES) + len(OPENED) + 1
    for place in set(places()) - bases:
        source = inspect.getsource(place)
        assert "run_worker(" not in source, place
        assert "@work" not in source, place


@pytest.mark.parametrize("name", [*MODES, *OPENED])
async def test_a_worker_that_fails_on_any_screen_is_a_problem(tmp_path: Path, name: str) -> None:
    def fail() -> None:
        raise ZeroDivisionError("[/x] in a thread")

    run = choice_run("lanes").write(tmp_path / "runs")
    async with shell(tmp_path / "runs") as (app, pilot):
        screen = await reach(name, app, pilot, run)
        screen.run_worker(fail, thread=True, exit_on_error=False)
        await until(pilot, lambda: isinstance(app.screen, ProblemScreen))
        await until(pilot, lambda: "ZeroDivisionError: [/x] in a thread" in drawn(app))
        await pilot.press("Y")
        assert "ZeroDivisionError: [/x] in a thread" in app.clipboard
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)


async def test_a_failure_that_comes_again_lies_there_once(tmp_path: Path) -> None:
    choice_run("lanes").write(tmp_path / "runs")
    async with shell(tmp_path / "runs") as (app, pilot):
        for title in ("one", "one", "two", "one"):
            app.show_problem(title, "[/x]")
        await pilot.pause()
        stack = [screen for screen in app.screen_stack if isinstance(screen, ProblemScreen)]
        assert [screen.whole_text for screen in stack] == ["one\n[/x]", "two\n[/x]"]


async def test_a_long_problem_is_read_to_its_end_and_copied_whole(tmp_path: Path) -> None:
    text = "\n".join(f"line {number}" for number in range(900)) + "\nthe very end"
    async with shell(tmp_path / "runs", size=(60, 20)) as (app, pilot):
        app.show_problem("Much went wrong", text)
        await until(pilot, lambda: isinstance(app.screen, ProblemScreen))
        await until(pilot, lambda: "more lines below" in drawn(app))
        assert "line 0" in drawn(app)
        await pilot.press("j", "pagedown")
        await until(pilot, lambda: "line 0\n" not in drawn(app))
        await pilot.press("G")
        await until(pilot, lambda: "the very end" in drawn(app))
        assert "▲ the end" in drawn(app)
        assert "escape" in drawn(app)
        await pilot.press("g")
        await until(pilot, lambda: "line 0" in drawn(app))
        await pilot.press("Y")
        assert app.clipboard == f"Much went wrong\n{text}"
