"""The whole app over some runs, and words for what it shows."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from decide_setup import ACTOR, registry, until
from textual.pilot import Pilot

from stopview_core.board import Row
from stopview_core.demo import RunBuilder, stack_model
from stopview_core.demo.architecture import Alternative
from stopview_core.registry.model import Registry
from stopview_tui.app import StopviewApp
from stopview_tui.screens.decide import ConfirmScreen, DecideScreen
from stopview_tui.screens.inbox.screen import InboxScreen
from stopview_tui.settings import Settings
from stopview_tui.widgets.detail import DetailPane
from stopview_tui.widgets.rows import Rows

NOW = datetime(2026, 11, 30, 22, 0, tzinfo=UTC)
HOSTILE = "[/x][@click=app.quit]\x1b]0;t\x07\u202eevil"
CHOICE = {"selectionPolicy": "approval-required", "objective": "Pick a lane."}
LANES = {
    "alternatives": [
        {"alternativeId": "left", "status": "viable", "scores": {"cost": 2}},
        {"alternativeId": "right", "status": "viable", "scores": {"cost": 4}},
    ]
}

__all__ = ["Alternative", "Row", "stack_model", "until"]


class ShellApp(StopviewApp):
    """The app, with what leaves it kept: opened addresses, copied texts, bells."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.opened: list[str] = []
        self.bells = 0

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        self.opened.append(url)

    def bell(self) -> None:
        self.bells += 1


def choice_run(run_id: str, at: str = "2026-11-05T08:00:00Z", **more: Any) -> RunBuilder:
    """A run whose only branch asks a person to choose."""
    run = RunBuilder(run_id, started="2026-11-01T08:00:00Z", **more)
    run.branch(
        "1/1",
        "architecture.decide",
        status="blocked",
        stop="CHOICE_REQUIRED",
        requirements=CHOICE,
        reason=f"Two lanes are left in {run_id}.",
        at=at,
        files={
            "data/stack-model.json": LANES,
            "artifacts/left.html": "<p>left</p>",
            "artifacts/right.html": "<p>right</p>",
        },
    )
    return run


def waiting_run(run_id: str, at: str = "2026-11-06T08:00:00Z") -> RunBuilder:
    """A run that waits for another operator."""
    run = RunBuilder(run_id, started="2026-11-01T08:00:00Z")
    run.branch(
        "1/1",
        "backend.source.apply",
        status="blocked",
        stop="SOURCE_DRIFT",
        next=["workspace.bind"],
        reason="main moved.",
        at=at,
    )
    return run


def bypassed_run(run_id: str) -> RunBuilder:
    """A run in which a person had been promised a choice that the operator then made."""
    run = RunBuilder(run_id, started="2026-11-01T08:00:00Z")
    table = "| Code | Action |\n| --- | --- |\n| CHOICE_REQUIRED | Took the right lane. |\n"
    run.branch(
        "1/1",
        "architecture.decide",
        requirements=CHOICE,
        fallbacks=["CHOICE_REQUIRED"],
        at="2026-11-04T08:00:00Z",
        files={"response.md": f"# x\n\n## Fallbacks taken\n\n{table}", "data/m.json": LANES},
    )
    return run


@asynccontextmanager
async def shell(
    root: Path,
    *,
    size: tuple[int, int] = (120, 40),
    settings: Settings = Settings(theme="textual-dark"),  # noqa: B008
    loaded: Registry | Callable[[], Registry] | None = None,
    open_at: tuple[Path, str] | None = None,
) -> AsyncIterator[tuple[ShellApp, Pilot[None]]]:
    """The app, everything read and the rows shown."""
    root.mkdir(parents=True, exist_ok=True)
    scratch = root.parent / "scratch"
    app = ShellApp(
        [root],
        loaded or registry(),
        registry_how="shipped",
        actor=ACTOR,
        settings=settings,
        settings_file=scratch / "settings.toml",
        seen_file=scratch / "seen.json",
        open_at=open_at,
        now=lambda: NOW,
    )
    async with app.run_test(size=size, notifications=True) as pilot:
        if loaded is None or not callable(loaded):
            await until(pilot, lambda: app.picture.is_whole and app.health.state != "reading")
            await pilot.pause()
        yield app, pilot


def inbox(app: StopviewApp) -> InboxScreen:
    """The Inbox in front."""
    assert isinstance(app.screen, InboxScreen)
    return app.screen


def rows(app: StopviewApp) -> Rows[Row]:
    """Its list."""
    return inbox(app).rows


def shown(app: StopviewApp) -> list[str]:
    """The run ids of the rows shown, in order."""
    listed = [rows(app).get(identity) for identity in rows(app).identities]
    return [row.run_id for row in listed if row is not None]


def cursor(app: StopviewApp) -> str | None:
    """The run id of the row under the cursor."""
    row = rows(app).cursor_row
    return row.run_id if row is not None else None


def drawn(app: StopviewApp) -> str:
    """All that is on the screen now, line by line."""
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


def detail(app: StopviewApp) -> str:
    """All that the detail pane says, also below what is in view, on one line."""
    pane = app.screen.query_one(DetailPane)
    parts = [str(widget.render()) for widget in pane.query("Static") if widget.display]
    return " ".join(" ".join(parts).split())


def toasts(app: StopviewApp) -> str:
    """What the toasts say."""
    return "\n".join(notification.message for notification in app._notifications)


def replace_file(path: Path, text: str) -> None:
    """As a careful writer does it: whole, by a rename."""
    new = path.with_name(f".{path.name}.new")
    new.write_text(text)
    os.replace(new, path)


async def open_decide(app: StopviewApp, pilot: Pilot[None]) -> DecideScreen:
    """The Decide screen of the row under the cursor, read and shown."""
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(app.screen, DecideScreen))
    screen = cast("DecideScreen", app.screen)
    await until(pilot, lambda: screen.is_listening)
    await pilot.pause()
    return screen


async def listening(app: StopviewApp, pilot: Pilot[None]) -> ConfirmScreen:
    """The Confirm screen in front, drawn and listening."""
    await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
    screen = cast("ConfirmScreen", app.screen)
    await until(pilot, lambda: screen.gate.is_open)
    return screen
