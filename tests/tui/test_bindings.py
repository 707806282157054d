"""Every key of the app: named, grouped, in the palette, and of one meaning everywhere."""

from __future__ import annotations

import importlib
import pkgutil
from collections import defaultdict
from pathlib import Path

import pytest
from decide_setup import lanes, write_run
from modes_setup import run_opened
from shell_setup import bypassed_run, choice_run, inbox, listening, open_decide, shell, until
from textual.binding import Binding
from textual.dom import DOMNode

import stopview_tui
from stopview_tui.app import StopviewApp
from stopview_tui.bindings import GROUPS, MEANINGS, in_place, is_ours, palette_name
from stopview_tui.modes import MODES, Mode
from stopview_tui.palette import commands_of
from stopview_tui.screens.help import HelpScreen
from stopview_tui.screens.shell_screen import ShellScreen
from stopview_tui.settings import Settings
from stopview_tui.widgets.page import Page
from stopview_tui.widgets.row_keys import RowKeys


def places() -> list[type[DOMNode]]:
    """Every screen, widget and app class of the project, found by walking subclasses."""
    for found in pkgutil.walk_packages(stopview_tui.__path__, "stopview_tui."):
        if not found.name.startswith("stopview_tui.cli"):
            importlib.import_module(found.name)
    waiting: list[type[DOMNode]] = [DOMNode]
    known: dict[type[DOMNode], None] = {}
    while waiting:
        for place in waiting.pop().__subclasses__():
            if place not in known:
                known[place] = None
                waiting.append(place)
    return [place for place in known if place.__module__.startswith("stopview_tui.")]


def bindings() -> list[tuple[type[DOMNode], Binding]]:
    """All bindings that the classes of the app define themselves."""
    return [
        (place, binding)
        for place in places()
        for binding in Binding.make_bindings(place.__dict__.get("BINDINGS", ()))
    ]


def test_the_walk_comes_by_every_screen_that_can_be_opened() -> None:
    names = {place.__name__ for place in places()}
    assert {mode.screen().__class__.__name__ for mode in MODES} <= names
    assert {"ConfirmScreen", "AlternativeScreen", "DatesScreen", "ReasonArea", "Rows"} <= names


def test_every_binding_has_an_id_a_tooltip_a_group_and_a_palette_entry() -> None:
    listed = bindings()
    assert len(listed) > 60
    for owner, binding in listed:
        where = f"{owner.__name__}: {binding.key}"
        assert binding.id, where
        assert binding.tooltip, where
        assert binding.description, where
        assert binding.group in GROUPS, where
        assert is_ours(binding), where
        meaning = MEANINGS[(binding.id or "").partition(".")[2]]
        assert binding.key in meaning.keys.split(","), where
        area, _, verb = palette_name(binding).partition(": ")
        assert area, where
        assert verb == binding.description, where


def test_who_names_a_key_otherwise_also_says_otherwise_what_it_does() -> None:
    for owner, binding in bindings():
        meaning = MEANINGS[(binding.id or "").partition(".")[2]]
        if binding.description != meaning.description:
            assert binding.tooltip != meaning.tooltip, f"{owner.__name__}: {binding.key}"


def test_only_a_list_speaks_of_rows() -> None:
    about_rows = [place for place in places() if issubclass(place, RowKeys | ShellScreen)]
    for owner, binding in bindings():
        is_row = " row" in f" {binding.description.lower()} {binding.tooltip.lower()}"
        if is_row and owner not in about_rows:
            # These lead to a list, and say so.
            assert owner.__name__ in ("FilterBar", "DecideScreen"), f"{owner.__name__}: {binding}"


def test_a_key_means_the_same_everywhere() -> None:
    meanings: dict[str, set[str]] = defaultdict(set)
    for _, binding in bindings():
        meanings[binding.key].add((binding.id or "").partition(".")[2])
    assert {key: sorted(found) for key, found in meanings.items() if len(found) > 1} == {}
    keys = [key for meaning in MEANINGS.values() for key in meaning.keys.split(",")]
    assert len(keys) == len(set(keys))


def test_ids_name_one_thing() -> None:
    actions: dict[str, set[str]] = defaultdict(set)
    for owner, binding in bindings():
        actions[binding.id or ""].add(f"{owner.__name__}.{binding.action}")
    assert {name: sorted(found) for name, found in actions.items() if len(found) > 1} == {}


async def test_the_palette_has_every_key_of_the_place_and_more(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    bypassed_run("bypassed").write(root)
    async with shell(root) as (app, pilot):
        names = {command.name for command in commands_of(app.screen)}
        for active in app.screen.active_bindings.values():
            if is_ours(active.binding) and active.enabled:
                assert palette_name(in_place(active)) in names
        assert {"Inbox: Mark seen", "Inbox: Show seen violations", "Mode: Inbox"} <= names
        assert {"Watch: Look again now", "Settings: Turn the bell off"} <= names
        assert "Inbox: Clear the filter" not in names
        assert "Inbox: Decide" not in names
        await pilot.press("ctrl+p")
        await pilot.press(*"mark seen")
        await until(pilot, lambda: "Inbox: Mark seen" in _options(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.inbox.counts.seen == 1)


async def test_the_palette_names_the_key_that_decides(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    choice_run("choice").write(root)
    async with shell(root) as (app, _):
        (told,) = (found.help for found in commands_of(app.screen) if found.name == "Inbox: Decide")
        assert told.endswith("(⏎)")


@pytest.mark.parametrize("place", ["inbox", "runs", "history", "codes"])
async def test_a_filter_is_cleared_only_where_there_is_one(place: str, tmp_path: Path) -> None:
    root = tmp_path / "runs"
    choice_run("choice").write(root)
    async with shell(root) as (app, pilot):
        app.action_mode(place)
        await until(pilot, lambda: app.current_mode == place and app.screen.is_mounted)
        await pilot.pause()
        assert "escape" not in app.screen.active_bindings
        await pilot.press("slash")
        assert "escape" in app.screen.active_bindings
        await pilot.press("c", "enter")
        assert "escape" in app.screen.active_bindings
        await pilot.press("escape")
        await pilot.pause()
        assert "escape" not in app.screen.active_bindings


def _options(app: object) -> str:
    from textual.app import App
    from textual.command import CommandList

    assert isinstance(app, App)
    found = app.screen.query(CommandList)
    return "\n".join(str(option.prompt) for each in found for option in each.options)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.id)
async def test_the_palette_has_every_key_of_every_mode(tmp_path: Path, mode: Mode) -> None:
    root = tmp_path / "runs"
    choice_run("lanes").write(root)
    bypassed_run("bypassed").write(root)
    async with shell(root) as (app, pilot):
        await pilot.press(mode.digit)
        await until(pilot, lambda: app.current_mode == mode.id)
        await until(pilot, lambda: app.screen.is_mounted and app.focused is not None)
        assert_all_in_palette(app)


def assert_all_in_palette(app: StopviewApp) -> None:
    """Every key of this place that does something now is a command of the palette."""
    own = [each for each in app.screen.active_bindings.values() if is_ours(each.binding)]
    assert len(own) > 10
    names = {command.name for command in commands_of(app.screen)}
    assert {palette_name(in_place(each)) for each in own if each.enabled} <= names


async def test_the_palette_has_every_key_of_what_is_opened(tmp_path: Path) -> None:
    write_run(tmp_path / "runs", lanes())
    async with shell(tmp_path / "runs") as (app, pilot):
        await pilot.press("r")
        await run_opened(app, pilot)
        assert_all_in_palette(app)
        await open_decide(app, pilot)
        assert_all_in_palette(app)
        await pilot.press("space", "ctrl+s")
        await listening(app, pilot)
        assert_all_in_palette(app)


async def test_help_lists_the_keys_of_the_place_and_what_is_looked_at(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    bypassed_run("bypassed").write(root)
    async with shell(root) as (app, pilot):
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        text = app.screen.query_one("#help-text", Page).text
        for part in ("Mark seen", "Filter by", "Find any action", str(root), "named, not proved"):
            assert part in text
        assert app.registry is not None
        assert app.registry.sha256 in text
        await pilot.press("question_mark")
        await until(pilot, lambda: not isinstance(app.screen, HelpScreen))


async def test_keys_can_be_remapped_by_their_ids(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    bypassed_run("bypassed").write(root)
    remapped = Settings(keys={"inbox.seen": "ctrl+k", "inbox.filter": "ctrl+l"})
    async with shell(root, settings=remapped) as (app, pilot):
        await pilot.press("m")
        await pilot.press("ctrl+k")
        await until(pilot, lambda: app.inbox.counts.seen == 1)
        await pilot.press("ctrl+l")
        await pilot.pause()
        assert inbox(app).query_one("#filter-text").has_focus
