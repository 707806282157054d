"""Runs to look at, the whole app over them, and waits that end when something is so."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from decide_setup import ACTOR, lanes, registry, until
from textual.pilot import Pilot

from stopview_core.demo import SCENARIOS, RunBuilder, architecture_markdown, stack_model
from stopview_core.registry.model import Registry
from stopview_tui.app import StopviewApp
from stopview_tui.screens.keyed_list import KeyedListScreen
from stopview_tui.screens.run.screen import RunScreen
from stopview_tui.settings import Settings
from stopview_tui.widgets.page import Page

NOW = datetime(2026, 11, 30, 22, 0, tzinfo=UTC)
HOSTILE = "[/x][@click=app.quit]\x1b]0;x\x07\u202e‮ & <b>"
"""What must never be taken for markup, nor reach a terminal."""


def write_demo(root: Path, *names: str) -> Path:
    """The sample runs of these names, all where none is given."""
    for name in names or SCENARIOS:
        SCENARIOS[name].build().write(root)
    return root


def fell_back(
    root: Path, run_id: str, at: str, *, policy: str = "automatic", selected: str = "left-lane"
) -> Path:
    """A run that took CHOICE_REQUIRED's fallback; under `approval-required` that is a bypass."""
    alternatives = lanes()
    document = architecture_markdown(
        "lane",
        objective="Pick a lane",
        policy=policy,
        alternatives=alternatives,
        selected=selected,
        fallbacks={"CHOICE_REQUIRED": "the highest total was taken"},
    )
    run = RunBuilder(run_id)
    run.branch(
        "1/1",
        "architecture.decide",
        at=at,
        requirements={
            "objective": "Pick a lane",
            "tradeoffAxes": ["cost", "risk"],
            "selectionPolicy": policy,
            "approval": None,
        },
        fallbacks=["CHOICE_REQUIRED"],
        files={
            "response.md": document,
            "data/stack-model.json": stack_model("lane", alternatives, selected=selected),
        },
    )
    return run.write(root)


def make_app(roots: Sequence[Path], scratch: Path, loaded: Registry | None = None) -> StopviewApp:
    """The app over some roots, with its own files in `scratch`."""
    return StopviewApp(
        roots,
        loaded or registry(),
        registry_how="shipped",
        actor=ACTOR,
        settings=Settings(theme="textual-dark"),
        settings_file=scratch / "settings.toml",
        seen_file=scratch / "seen.json",
        now=lambda: NOW,
    )


@asynccontextmanager
async def looking(
    root: Path,
    mode: str,
    *,
    size: tuple[int, int] = (120, 40),
    loaded: Registry | None = None,
) -> AsyncIterator[tuple[StopviewApp, Pilot[None]]]:
    """The app in one of its modes, everything read and shown."""
    scratch = root.parent / "scratch"
    scratch.mkdir(exist_ok=True)
    app = make_app([root], scratch, loaded)
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: app.picture.is_whole)
        app.action_mode(mode)
        await until(pilot, lambda: app.screen is not None and app.current_mode == mode)
        await settled(app, pilot)
        yield app, pilot


async def settled(app: StopviewApp, pilot: Pilot[None]) -> None:
    """Wait until the list of the mode shows what its filter admits."""
    screen = app.screen
    if isinstance(screen, KeyedListScreen):
        await until(pilot, lambda: screen.is_filled)
        await until(pilot, lambda: len(screen.rows.identities) == screen.model.shown_count)
    await pilot.pause()


async def run_opened(app: StopviewApp, pilot: Pilot[None]) -> RunScreen:
    """The Run screen in front, its run read and the texts of the branch found."""
    await until(pilot, lambda: isinstance(app.screen, RunScreen))
    screen = app.screen
    assert isinstance(screen, RunScreen)
    await until(pilot, lambda: screen.opened is not None)
    await pilot.pause()
    return screen


def drawn(app: StopviewApp) -> str:
    """All that is on the screen now, line by line."""
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


def page_text(app: StopviewApp, selector: str = "#detail") -> str:
    """What a page of the screen in front says."""
    return app.screen.query_one(selector, Page).text


def on_one_line(text: str) -> str:
    """The text with its line breaks and runs of white space as one space each."""
    return " ".join(text.split())
