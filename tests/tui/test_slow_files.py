"""Keys are answered however slow the disk is: nothing on the event loop waits for it."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from decide_setup import ACTOR, receipts, registry, until
from pseudo_terminal import terminal
from shell_setup import (
    NOW,
    ShellApp,
    bypassed_run,
    choice_run,
    cursor,
    drawn,
    replace_file,
    shown,
    waiting_run,
)
from slow_disk import AT_MOST_S, Disk, ask_git, watched_disk
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.screen import Screen

from stopview_tui.bindings import MOVE, is_ours
from stopview_tui.screens.codes.screen import CodesScreen
from stopview_tui.screens.decide import ConfirmScreen, DecideScreen
from stopview_tui.screens.document.screen import DocumentScreen
from stopview_tui.screens.help import HelpScreen
from stopview_tui.screens.history.screen import HistoryScreen
from stopview_tui.screens.inbox.screen import InboxScreen
from stopview_tui.screens.run.screen import RunScreen
from stopview_tui.screens.runs.screen import RunsScreen
from stopview_tui.settings import Settings, load_settings

LEAVES = frozenset({"q", "escape", "ctrl+p", "tab"})
MODES = frozenset({"1", "2", "3", "4"})
PUSHES = frozenset({"r", "enter", "ctrl+s"})


@asynccontextmanager
async def slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_shut: bool = False
) -> AsyncIterator[tuple[Disk, ShellApp, Pilot[None]]]:
    """The app over four runs on a disk that the test holds; all are read, or with `is_shut` none.

    Afterwards it is seen to that the event loop itself asked nothing of the disk.
    """
    root = tmp_path / "runs"
    for run in (choice_run("first"), choice_run("second", at="2026-11-06T08:00:00Z")):
        run.write(root)
    waiting_run("third").write(root)
    bypassed_run("fourth").write(root)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    loaded = registry()
    with watched_disk() as disk:
        if is_shut:
            disk.shut()
        app = ShellApp(
            [root],
            loaded,
            registry_how="shipped",
            actor=ACTOR,
            settings=Settings(theme="textual-dark"),
            settings_file=tmp_path / "settings.toml",
            seen_file=tmp_path / "seen.json",
            now=lambda: NOW,
        )
        async with app.run_test(size=(100, 30), notifications=True) as pilot:
            if not is_shut:
                await until(pilot, lambda: app.picture.is_whole and len(shown(app)) == 4)
            yield disk, app, pilot
        # The app has ended by now, also where the disk is shut still.
    assert disk.on_loop == [], "\n".join(disk.on_loop)


async def answered(pilot: Pilot[None], is_so: Callable[[], bool]) -> None:
    """A key's answer is there after a few turns of the loop; no thread is waited for."""
    for _ in range(60):
        if is_so():
            return
        await pilot.pause()
    raise AssertionError("the key was not answered while the disk was slow")


def in_front(app: ShellApp, kind: type[Screen[object]]) -> Callable[[], bool]:
    return lambda: isinstance(app.screen, kind)


KINDS: dict[str, Callable[[Path, int], object]] = {
    "read": lambda folder, _: (folder / "x").read_bytes(),
    "in a folder's descriptor": lambda _, fd: os.close(os.open("x", os.O_RDONLY, dir_fd=fd)),
    "scandir": lambda folder, _: os.scandir(folder).close(),
    "listdir": lambda folder, _: os.listdir(folder),
    "lstat": lambda folder, _: os.lstat(folder / "x"),
    "exists": lambda folder, _: (folder / "x").exists(),
    "replace": lambda folder, _: replace_file(folder / "x", "y"),
    "mkdir": lambda folder, _: (folder / "new").mkdir(),
    "process": lambda folder, _: ask_git(),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_guard_sees_each_kind_of_call(tmp_path: Path, kind: str) -> None:
    (tmp_path / "x").write_text("x")
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        with watched_disk() as disk:
            KINDS[kind](tmp_path, folder)
    finally:
        os.close(folder)
    assert disk.on_loop != []


WAYS: dict[type[Screen[Any]], Sequence[str]] = {
    InboxScreen: ("1",),
    RunScreen: ("1", "n", "r"),
    RunsScreen: ("2",),
    DocumentScreen: ("1", "r", "enter"),
    HistoryScreen: ("3",),
    CodesScreen: ("4",),
    DecideScreen: ("1", "n", "enter"),
    ConfirmScreen: ("1", "n", "enter", "space", "ctrl+s"),
}
"""Every place, and the keys that lead to it."""


@pytest.mark.parametrize("place", WAYS)
async def test_no_key_touches_the_disk_on_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: type[Screen[Any]]
) -> None:
    async with slow(tmp_path, monkeypatch) as (_, app, pilot):
        way = WAYS[place]
        await go(app, pilot, way)
        assert type(app.screen) is place
        active = [each.binding for each in app.screen.active_bindings.values() if each.enabled]
        keys = {each.id: each.key for each in active if is_ours(each) and each.group is not MOVE}
        assert "question_mark" in keys.values()
        # One move stands for all: what follows it is the same.
        for key in sorted({"down", *keys.values()} - LEAVES - MODES):
            await pilot.press(key)
            while type(app.screen) is not place and len(app.screen_stack) > 1:
                app.pop_screen()
            if type(app.screen) is not place:
                await go(app, pilot, way)


async def test_no_setting_touches_the_disk_on_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with slow(tmp_path, monkeypatch) as (_, app, pilot):
        app.theme = "nord"
        for command in list(app.palette_commands()):
            if command.name != "Settings: Change the theme":
                command.run()
                await pilot.pause(0.01)
        await until(pilot, lambda: not any(w.group == "settings" for w in app.workers))
    kept = load_settings(tmp_path / "settings.toml")
    assert kept.theme == "nord"
    assert (kept.bell, kept.title) == (False, False)
    assert kept.layout == "below"


async def go(app: ShellApp, pilot: Pilot[None], way: Sequence[str]) -> None:
    """Leave everything, and take the keys to a place."""
    while len(app.screen_stack) > 1:
        app.pop_screen()
        await pilot.pause()
    for key in way:
        depth = len(app.screen_stack)
        await pilot.press(key)
        if key in PUSHES:
            await until(pilot, lambda depth=depth: len(app.screen_stack) > depth)
            await until(pilot, lambda: not app.screen.has_class("-loading"))
            await until(pilot, lambda: getattr(app.screen, "is_listening", True))
        await pilot.pause(0.01)


async def test_before_anything_is_read_keys_are_answered_and_quitting_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with slow(tmp_path, monkeypatch, is_shut=True) as (disk, app, pilot):
        await until(pilot, lambda: disk.waiting > 0)
        for digit, mode in (("2", "runs"), ("3", "history"), ("4", "codes"), ("1", "inbox")):
            await pilot.press(digit)
            await answered(pilot, lambda mode=mode: app.current_mode == mode)
        await pilot.press("question_mark")
        await answered(pilot, in_front(app, HelpScreen))
        await pilot.press("escape", "ctrl+p")
        await answered(pilot, in_front(app, CommandPalette))
        await pilot.press("escape")
        assert not app.picture.is_whole
        await pilot.press("q")
        await answered(pilot, lambda: app._exit)


HANGING = """
import sys, threading
from stopview_tui import ending
from stopview_tui.cli import main
ending.LEAVE_WITHIN_S = 0.1
def hear(event, args):
    if event in ("open", "os.scandir") and args[0] == sys.argv[1]:
        threading.Event().wait()
sys.addaudithook(hear)
main()
"""


def test_the_command_ends_although_a_read_never_does(tmp_path: Path) -> None:
    runs = choice_run("first").write(tmp_path / "runs").parent
    home = {name: str(tmp_path) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    with terminal([sys.executable, "-c", HANGING, str(runs)], home) as screen:
        screen.wait_for(b"reading")
        screen.type(b"q")
        screen.rest()
        assert screen.child.wait(AT_MOST_S) == 0


async def test_while_reading_the_cursor_moves_and_places_open_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with slow(tmp_path, monkeypatch) as (disk, app, pilot):
        disk.shut()
        before = cursor(app)
        await pilot.press("down")
        await answered(pilot, lambda: cursor(app) not in (before, None))
        await pilot.press("r")
        await answered(pilot, in_front(app, RunScreen))
        assert "Reading" in drawn(app)
        await pilot.press("escape", "slash", "s", "e", "c")
        await answered(pilot, lambda: shown(app) == ["second"])
        await pilot.press("down", "enter")
        await answered(pilot, in_front(app, DecideScreen))
        await answered(pilot, lambda: "Reading the evidence" in drawn(app))
        await pilot.press("escape")
        await answered(pilot, lambda: not isinstance(app.screen, DecideScreen))
        assert disk.waiting > 0


async def test_a_text_opens_at_once_and_says_that_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with slow(tmp_path, monkeypatch) as (disk, app, pilot):
        app.push_screen(DocumentScreen(tmp_path / "runs" / "first", ("a.md", "b.md"), "a.md"))
        disk.shut()
        await answered(pilot, in_front(app, DocumentScreen))
        await answered(pilot, lambda: "Reading" in drawn(app))
        await pilot.press("right")
        await answered(pilot, lambda: "b.md" in drawn(app))


async def test_the_evidence_is_read_again_and_written_away_from_the_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with slow(tmp_path, monkeypatch) as (disk, app, pilot):
        await go(app, pilot, ("n", "enter", "space"))
        disk.shut()
        await pilot.press("ctrl+s")
        await answered(pilot, in_front(app, ConfirmScreen))
        assert "Composing the record" in drawn(app)
        screen = app.screen
        assert isinstance(screen, ConfirmScreen)
        disk.open()
        await until(pilot, lambda: screen.gate.is_open)
        disk.shut()
        await pilot.press("y")
        await answered(pilot, lambda: screen.is_writing)
        await pilot.press("ctrl+p")
        await answered(pilot, in_front(app, CommandPalette))
        assert disk.waiting > 0
        await pilot.press("escape")
        disk.open()
        await until(pilot, lambda: isinstance(app.screen, DecideScreen))
        decided = app.screen
        assert isinstance(decided, DecideScreen)
        await until(pilot, lambda: decided.outcome is not None)
    written = [receipts(tmp_path / "runs" / name) for name in ("first", "second")]
    assert sorted(written) == [[], ["0001.yaml"]]
