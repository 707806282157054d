"""Every key of the app: named, grouped, in the palette, and of one meaning everywhere."""

from __future__ import annotations

import importlib
import pkgutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from shell_setup import bypassed_run, inbox, shell, until
from textual.binding import Binding
from textual.dom import DOMNode

import stopview_tui
from stopview_tui.bindings import GROUPS, MEANINGS, in_place, is_ours, palette_name
from stopview_tui.palette import commands_of
from stopview_tui.screens.help import HelpScreen
from stopview_tui.settings import Settings
from stopview_tui.widgets.page import Page


def modules() -> Iterator[str]:
    for found in pkgutil.walk_packages(stopview_tui.__path__, "stopview_tui."):
        if not found.name.startswith("stopview_tui.cli"):
            yield found.name


def bindings() -> list[tuple[type[DOMNode], Binding]]:
    """All bindings that the classes of the app define themselves."""
    found = []
    for name in modules():
        module = importlib.import_module(name)
        for value in vars(module).values():
            is_own = isinstance(value, type) and value.__module__ == name
            if is_own and issubclass(value, DOMNode):
                for binding in Binding.make_bindings(value.__dict__.get("BINDINGS", ())):
                    found.append((value, binding))
    return found


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
        area, _, verb = palette_name(binding).partition(": ")
        assert area, where
        assert verb == binding.description, where


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
        await pilot.press("ctrl+p")
        await pilot.press(*"mark seen")
        await until(pilot, lambda: "Inbox: Mark seen" in _options(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.inbox.counts.seen == 1)


def _options(app: object) -> str:
    from textual.app import App
    from textual.command import CommandList

    assert isinstance(app, App)
    found = app.screen.query(CommandList)
    return "\n".join(str(option.prompt) for each in found for option in each.options)


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
