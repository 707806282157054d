"""Runs to decide on, an app to show them in, and waits that end when something is so."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

from textual import events
from textual.app import App
from textual.pilot import Pilot

from stopview_core.actor import Actor
from stopview_core.compose import Pick
from stopview_core.decide import Outcome, Wish, decide
from stopview_core.demo import Alternative, Attack, RunBuilder, architecture_markdown, stack_model
from stopview_core.dossier import Dossier, open_branch
from stopview_core.readings import DecisionStatus
from stopview_core.registry.load import load, shipped_root
from stopview_core.registry.model import Registry
from stopview_tui.screens.decide import ConfirmScreen, DecideScreen

BOB = Actor("bob@example.org", "bob", "desk", "0.0.0", "command")
ACTOR = Actor("ada@example.org", "ada", "desk", "0.0.0", "app")
UPSTREAM = Path(__file__).parents[3] / "shared" / "upstream"
KEY = "1/1"
FIRST, SECOND, THIRD = "left-lane", "right-lane", "slow-lane"
AXES = ("cost", "risk")


@cache
def registry() -> Registry:
    return load(shipped_root())


def lanes(**scores: Mapping[str, float]) -> list[Alternative]:
    """Three alternatives; `scores` replaces those of one, by its id with underscores."""
    given = {
        FIRST: {"cost": 3, "risk": 4.5},
        SECOND: {"cost": 5, "risk": 1},
        THIRD: {"cost": 2, "risk": 2},
        **{name.replace("_", "-"): values for name, values in scores.items()},
    }
    return [Alternative(name, values, f"What {name} means.") for name, values in given.items()]


def write_run(
    root: Path,
    alternatives: Sequence[Alternative],
    *,
    axes: Sequence[str] = AXES,
    attacks: Sequence[Attack] = (),
    reason: str = "Which lane?",
    requirements: Mapping[str, Any] | None = None,
    files: Mapping[str, Any] | None = None,
    **branch: Any,
) -> Path:
    """A run with one blocked branch 1/1 that asks for a choice."""
    builder = RunBuilder("lanes")
    document = architecture_markdown(
        "lane",
        objective="Pick a lane",
        policy="approval-required",
        alternatives=alternatives,
        attacks=attacks,
    )
    builder.branch(
        KEY,
        "architecture.decide",
        status="blocked",
        stop="CHOICE_REQUIRED",
        at="2026-11-02T09:31:00Z",
        reason=reason,
        requirements={
            "objective": "Pick a lane",
            "constraints": [{"id": "safe", "kind": "fixed-intent", "statement": "No crash."}],
            "tradeoffAxes": list(axes),
            "selectionPolicy": "approval-required",
            "approval": None,
            **(requirements or {}),
        },
        files={
            "response.md": document,
            "data/stack-model.json": stack_model("lane", alternatives),
            **(files or {}),
        },
        **branch,
    )
    return builder.write(root)


def tamper(run: Path, alternatives: Sequence[Alternative]) -> None:
    """The agent writes its scores anew."""
    model = stack_model("lane", alternatives)
    path = run / "step-1/parallel-1/response/data/stack-model.json"
    path.write_text(json.dumps(model))


def digests(run: Path) -> dict[str, str]:
    """Every file of the run and what it holds."""
    return {
        str(path.relative_to(run)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(run.rglob("*"))
        if path.is_file()
    }


def receipts(run: Path, branch: str = "step-1/parallel-1") -> list[str]:
    folder = run / branch / "decision"
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def standing(run: Path, key: str = KEY) -> DecisionStatus:
    """The decision of a branch as it stands on disk."""
    dossier = open_branch(run, key, registry())
    assert isinstance(dossier, Dossier)
    return dossier.reading.decision


def first_come(run: Path, selected: str, reason: str = "I was first") -> Outcome:
    """Someone else decides, by the command."""
    return decide(run, KEY, Wish(Pick.of(selected, reason)), registry(), BOB)


class Desk(App[None]):
    """Any app at all; `came_back` holds what the Decide screen was dismissed with."""

    def __init__(self) -> None:
        super().__init__()
        self.came_back: list[object] = []
        self.opened: list[str] = []

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        self.opened.append(url)

    @property
    def decide_screen(self) -> DecideScreen:
        return next(s for s in self.screen_stack if isinstance(s, DecideScreen))

    @property
    def confirm_screen(self) -> ConfirmScreen:
        screen = self.screen
        assert isinstance(screen, ConfirmScreen)
        return screen

    def text(self, selector: str) -> str:
        """What a Static of the screen in front says."""
        return str(self.screen.query_one(selector).render())

    def drawn(self) -> str:
        """All that is on the screen now, line by line."""
        strips = self.screen._compositor.render_strips()
        return "\n".join(strip.text for strip in strips)


@asynccontextmanager
async def deciding(
    run: Path, key: str = KEY, *, size: tuple[int, int] = (120, 40), **more: Any
) -> AsyncIterator[tuple[Desk, Pilot[None]]]:
    """The Decide screen of a branch, read and shown."""
    app = Desk()
    async with app.run_test(size=size, notifications=True) as pilot:
        screen = DecideScreen(run, key, registry=registry(), actor=ACTOR, **more)
        app.push_screen(screen, app.came_back.append)
        await until(pilot, lambda: screen.is_listening or screen.has_class("-problem"))
        await pilot.pause()
        yield app, pilot


async def until(pilot: Pilot[None], is_so: Callable[[], bool]) -> None:
    """Wait for something that a thread brings about; it has to come, however slow the machine."""
    for _ in range(2000):
        if is_so():
            return
        await pilot.pause(0.005)
    raise AssertionError("it never came")


async def armed(app: Desk, pilot: Pilot[None]) -> ConfirmScreen:
    """The confirm screen, drawn and listening."""
    await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
    await until(pilot, lambda: app.confirm_screen.gate.is_open)
    return app.confirm_screen


async def back(app: Desk, pilot: Pilot[None]) -> DecideScreen:
    """The Decide screen, in front again after the confirm screen."""
    await until(pilot, lambda: isinstance(app.screen, DecideScreen))
    await pilot.pause()
    return app.decide_screen


def press_now(app: Desk, *keys: str) -> None:
    """Keys as a terminal hands them over: at once, without waiting for anything."""
    for key in keys:
        app.post_message(events.Key(key, key if len(key) == 1 else None))
