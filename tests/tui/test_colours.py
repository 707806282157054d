"""Few colours and none: what is drawn can still be read, and told apart."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from decide_setup import armed, deciding, lanes, write_run
from pseudo_terminal import terminal
from rich.style import Style
from textual.app import App
from textual.content import Content

from stopview_tui.colourless import colourless
from stopview_tui.screens.choose import Choice, ChooseScreen
from stopview_tui.themes import HIGH_CONTRAST, theme_name

COMMAND = "from stopview_tui.cli import main; main()"
_SGR = re.compile(rb"\x1b\[([\d;]*)m")


@pytest.mark.parametrize(
    ("named", "colours", "theme"),
    [
        (None, "truecolor", "textual-dark"),
        (None, "256", "textual-dark"),
        (None, "standard", "ansi-dark"),
        ("nord", "standard", "nord"),
        ("ansi", "truecolor", "ansi-dark"),
        ("nord", None, "ansi-dark"),
        (None, None, "ansi-dark"),
    ],
)
def test_without_a_wish_the_terminal_decides(
    named: str | None, colours: str | None, theme: str
) -> None:
    assert theme_name(named, colours) == theme


@pytest.mark.parametrize(
    ("style", "is_reversed"),
    [
        ("red", False),
        ("black on white", True),
        ("default on default", False),
        ("default on color(0)", False),
        ("color(0) on color(7)", True),
        ("white on black", False),
        ("blue on bright_black", False),
        ("bold red on #112233", True),
        ("reverse green", True),
    ],
)
def test_a_marked_background_becomes_a_reversal(style: str, is_reversed: bool) -> None:
    drawn = colourless(Style.parse(style))
    assert {colour.name for colour in (drawn.color, drawn.bgcolor) if colour} == {"default"}
    assert bool(drawn.reverse) is is_reversed
    assert drawn.bold == Style.parse(style).bold


def _written(where: Path, env: Mapping[str, str]) -> bytes:
    """What the command writes from the first heading of the Inbox on, with help opened over it."""
    runs = write_run(where / "runs", lanes()).parent
    home = {name: str(where) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    with terminal([sys.executable, "-c", COMMAND, str(runs)], {**home, **env}) as screen:
        screen.wait_for(b"Needs your choice")
        screen.type(b"?qq")
        return screen.rest()


def _numbers(written: bytes) -> set[int]:
    """The numbers of all colour and weight settings in it."""
    return {int(n) for found in _SGR.findall(written) for n in found.split(b";") if n}


def test_no_color_means_no_colour_and_the_cursor_is_still_seen(tmp_path: Path) -> None:
    numbers = _numbers(_written(tmp_path, {"NO_COLOR": "1", "COLORTERM": "truecolor"}))
    coloured = {*range(30, 39), *range(40, 49), *range(90, 98), *range(100, 108)}
    assert numbers & coloured == set()
    assert 7 in numbers


class Menu(App[None]):
    """A menu, in a theme of sixteen colours."""

    def on_mount(self) -> None:
        self.theme = "ansi-dark"
        self.push_screen(ChooseScreen("Copy what?", [Choice("a", "path", "/a/b", "p")]))


async def test_a_menu_leaves_its_colours_to_the_cursor() -> None:
    app = Menu()
    async with app.run_test() as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ChooseScreen)
        options = [option.prompt for option in screen._options()]
        assert all(isinstance(prompt, Content) for prompt in options)
        assert {str(span.style) for p in options for span in p.spans} <= {"bold", ""}


@pytest.mark.parametrize("theme", ["textual-dark", "ansi-dark", "ansi-light", "high-contrast"])
async def test_buttons_take_one_line_in_every_theme(tmp_path: Path, theme: str) -> None:
    run = write_run(tmp_path, lanes())
    async with deciding(run) as (app, pilot):
        app.register_theme(HIGH_CONTRAST)
        app.theme = theme
        button = app.screen.query_one("#go-on")
        for keys in ((), ("space",)):
            await pilot.press(*keys)
            await pilot.pause()
            assert button.disabled is (keys == ())
            assert button.outer_size.height == 1
        await pilot.press("ctrl+s")
        confirm = await armed(app, pilot)
        assert confirm.query_one("#write").outer_size.height == 1
