"""The Codes mode: the registry as one list, each entry in full, and its faults in place."""

from __future__ import annotations

import sys
from pathlib import Path

from decide_setup import until
from modes_setup import drawn, looking, on_one_line, page_text

from stopview_core.registry.load import load
from stopview_core.registry.model import Registry
from stopview_tui.app import StopviewApp
from stopview_tui.screens.choose import ChooseScreen
from stopview_tui.screens.codes.screen import CodesScreen
from stopview_tui.widgets.page import Page

sys.path.append(str(Path(__file__).parents[1] / "core"))
from small_registry import MAKE_CODES, ROUTING, small_registry, write


def codes(app: StopviewApp) -> CodesScreen:
    assert isinstance(app.screen, CodesScreen)
    return app.screen


def shown(app: StopviewApp) -> list[str]:
    return [str(identity[1]) for identity in codes(app).rows.identities]  # type: ignore[index]


def empty_root(tmp_path: Path) -> Path:
    root = tmp_path / "runs"
    root.mkdir()
    return root


def faulty(tmp_path: Path) -> Registry:
    files = small_registry()
    del files[ROUTING]["routes"]["plan.make"]["ship"]
    files[MAKE_CODES]["codes"]["CHOICE_REQUIRED"]["meaning"] = ""
    return load(write(tmp_path / "registry", files))


async def test_every_code_is_listed_by_owner_and_found_by_what_its_entry_says(
    tmp_path: Path,
) -> None:
    async with looking(empty_root(tmp_path), "codes") as (app, pilot):
        await until(pilot, lambda: len(shown(app)) == len(app.registry.entries))  # type: ignore[union-attr]
        assert "Shared codes" in drawn(app)
        assert shown(app)[0] == "APPROVAL_REQUIRED"

        await pilot.press("slash", *"-req choice")
        await until(pilot, lambda: 0 < len(shown(app)) < 10)
        assert "CHOICE_REQUIRED" in shown(app)
        await pilot.press("slash", *"zq")
        await until(pilot, lambda: "No code matches" in drawn(app))
        await pilot.press("escape")
        await until(pilot, lambda: len(shown(app)) > 100)


async def test_an_entry_says_its_flip_in_a_sentence_and_where_it_leads(tmp_path: Path) -> None:
    async with looking(empty_root(tmp_path), "codes") as (app, pilot):
        await until(pilot, lambda: len(shown(app)) > 100)
        codes(app).rows.move_to(("code", "CHOICE_REQUIRED"))
        await pilot.pause()
        told = on_one_line(page_text(app))
        assert "Fallback: the named action is taken and recorded" in told
        assert "⇄ Unless selectionPolicy is approval-required in the request" in told
        assert "it terminates instead" in told
        assert "What the fallback does" in told
        assert "architecture.decide │ caller │ a person decides" in told

        await pilot.press("enter")
        assert isinstance(app.focused, Page)
        await pilot.press("escape", "Y")
        assert app.clipboard == "CHOICE_REQUIRED"


async def test_it_filters_by_operator_from_a_menu(tmp_path: Path) -> None:
    registry = load(write(tmp_path / "registry", small_registry()))
    async with looking(empty_root(tmp_path), "codes", loaded=registry) as (app, pilot):
        await until(pilot, lambda: len(shown(app)) == 10)
        await pilot.press("f")
        await until(pilot, lambda: isinstance(app.screen, ChooseScreen))
        await pilot.press("r")
        await until(pilot, lambda: "external" in drawn(app))
        await pilot.press(
            next(key for key in "123456789" if f"{key}  outside (external)" in drawn(app))
        )
        await until(pilot, lambda: isinstance(app.screen, CodesScreen))
        assert shown(app) == ["TARGET_DOWN"]
        assert "1 shown, 9 hidden" in drawn(app)


async def test_faults_stand_on_top_and_on_the_codes_they_touch(tmp_path: Path) -> None:
    registry = faulty(tmp_path)
    async with looking(empty_root(tmp_path), "codes", loaded=registry) as (app, pilot):
        await until(pilot, lambda: len(shown(app)) == 12)
        text = drawn(app)
        assert "The registry in use has 2 faults" in text
        assert "Faults  2" in text
        told = on_one_line(page_text(app))
        assert told.startswith(registry.faults[0].code)
        assert "The rule it breaks" in told
        assert "Expected" in told

        codes(app).rows.move_to(("code", "SHIP_NEEDED"))
        await pilot.pause()
        told = on_one_line(page_text(app))
        assert "ROUTE_MISSING" in told
        assert "plan.make │ ship │ unrouted: a person looks at it" in told
        row = next(line for line in drawn(app).splitlines() if "SHIP_NEEDED" in line)
        assert "unrouted" in row
        assert "1 fault" in row

        codes(app).rows.move_to(("code", "CHOICE_REQUIRED"))
        await pilot.pause()
        assert "MEANING_MISSING" in page_text(app)
        assert "The registry does not say." in page_text(app)


async def test_a_narrow_terminal_keeps_list_and_entry(tmp_path: Path) -> None:
    async with looking(empty_root(tmp_path), "codes", size=(40, 20)) as (app, pilot):
        await until(pilot, lambda: len(shown(app)) > 100)
        text = drawn(app)
        assert "APPROVAL_REQUIRED" in text
        assert "Meaning" in text
        assert all(len(line) <= 40 for line in text.splitlines())
