"""The app under storms of changes by other processes: it ends up with what `list` says, soon."""

from __future__ import annotations

import asyncio
import gc
import json
import statistics
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import PROFILE
from shell_setup import shell, until, waiting_run
from textual.message import Message
from truth import assert_true, rss_mib

from stopview_core.demo import SCENARIOS, write_many
from stopview_tui.messages import SnapshotChanged

AT_MOST_S = 30
WRITER = Path(__file__).with_name("load_writer.py")
IS_LONG = PROFILE == "long"


@pytest.fixture
def templates(tmp_path: Path) -> Path:
    """Runs of every kind, to copy from; outside of what is watched."""
    folder = tmp_path / "templates"
    for scenario in SCENARIOS.values():
        scenario.build().write(folder)
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """What is watched, with some runs to begin with."""
    folder = tmp_path / "runs"
    write_many(folder, 12, blocked_every=2)
    return folder


async def storm(
    root: Path, templates: Path, *, changes: int, per_second: float, seed: int
) -> dict[str, Any]:
    """Let another process make changes; what it says of them."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(WRITER), str(root), str(templates), "--seed", str(seed),
        "--changes", str(changes), "--per-second", str(per_second),
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, _ = await process.communicate()
    assert process.returncode == 0
    told: dict[str, Any] = json.loads(out)
    return told


async def test_a_storm_leaves_a_true_picture(
    root: Path, templates: Path, record_property: Any
) -> None:
    changes, per_second = (30_000, 500) if IS_LONG else (2_000, 1_000)
    async with shell(root) as (app, pilot):
        await assert_true(app, pilot, [root])
        told = await storm(root, templates, changes=changes, per_second=per_second, seed=1)
        took = await assert_true(app, pilot, [root])
        # A folder that went while it was taken on is polled over for a moment.
        await until(pilot, lambda: app.health.state == "live")
    rate = told["changes"] / told["seconds"] * 60
    record_property("changes a minute", rate)
    record_property("seconds until true", took)
    print(f"storm: {rate:.0f} changes a minute, true {took:.2f} s after the last")


NESTED, GROWN = (100, 40) if IS_LONG else (30, 15)
"""How many runs, each with a dozen folders below two of its own; how many steps of one run."""


async def test_folders_made_at_once_with_files_in_them_are_all_found(
    root: Path, templates: Path
) -> None:
    copy = (
        "import shutil, sys\n"
        "root, template, count = sys.argv[1:]\n"
        "for place in range(int(count)):\n"
        "    shutil.copytree(template, f'{root}/team-{place}/quarter/run-{place}')\n"
    )
    grow = (
        "import shutil, sys\n"
        "run, step, count = sys.argv[1:]\n"
        "for place in range(9, 9 + int(count)):\n"
        "    shutil.copytree(step, f'{run}/step-{place}')\n"
    )
    async with shell(root) as (app, pilot):
        before = len(app.picture.runs)
        run = next(path for path, run in app.picture.runs.items() if run.status == "blocked")
        await asyncio.gather(
            ended(copy, str(root), str(templates / "orders-out-of-the-shop"), str(NESTED)),
            ended(grow, run, f"{run}/step-3", str(GROWN)),
        )
        await assert_true(app, pilot, [root])
        assert len(app.picture.runs) == before + NESTED
        assert len(app.picture.runs[run].branches) == 3 + GROWN


async def ended(code: str, *arguments: str) -> None:
    """Run some Python in a process of its own."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, *arguments)
    assert await process.wait() == 0


WARM_UP_S, SOAK_S, LOAD = 120, 420, 120
"""A soak: after the warm-up it goes on up to SOAK_S, with LOAD changes a second all the time."""
MOST_GROWTH_MIB = 6.0
"""In the five minutes after the warm-up, while keys are pressed. Caches of Textual fill up to their
bounds meanwhile; what an app that keeps what is gone grows by is twice as much."""


@pytest.mark.long
async def test_a_soak_leaves_a_true_picture_and_memory_flat(
    root: Path, templates: Path, record_property: Any
) -> None:
    async with shell(root) as (app, pilot):
        began = time.monotonic()
        writing = asyncio.create_task(
            storm(root, templates, changes=SOAK_S * LOAD, per_second=LOAD, seed=9)
        )
        figures: list[float] = []
        keys = ("j", "k", "2", "G", "3", "4", "1", "home", "slash", "a", "escape", "r", "escape")
        while not writing.done():
            for key in keys:
                await pilot.press(key)
                await pilot.pause(0.25)
            if time.monotonic() - began > WARM_UP_S:
                gc.collect()
                figures.append(rss_mib())
        told = await writing
        while len(app.screen_stack) > 1:
            await pilot.press("escape")
        took = await assert_true(app, pilot, [root])
        # A folder that went while it was taken on is polled over for a moment.
        await until(pilot, lambda: app.health.state == "live")
    warm, late = (statistics.median(part) for part in (figures[:5], figures[-5:]))
    record_property("RSS after warm-up, MiB", warm)
    record_property("RSS at the end, MiB", late)
    print(
        f"soak: {told['changes']} changes in {told['seconds']:.0f} s, true {took:.2f} s after;"
        f" RSS {warm:.1f} MiB after {WARM_UP_S} s, {late:.1f} MiB at the end,"
        f" at most {MOST_GROWTH_MIB} more"
    )
    assert late - warm < MOST_GROWTH_MIB


async def test_pictures_do_not_pile_up_while_the_app_can_take_none(root: Path) -> None:
    async with shell(root) as (app, pilot):
        watcher = app.scanning._watcher
        assert watcher is not None
        handed: list[Message] = []
        post = app.scanning.outbox._post
        app.scanning.outbox._post = lambda message: (handed.append(message), post(message))
        # Nothing here gives way to the app, as while an editor has the terminal.
        for place in range(6):
            made = str(waiting_run(f"made-{place}").write(root))
            until = time.monotonic() + AT_MOST_S
            while made not in watcher.scanner.snapshot.runs and time.monotonic() < until:
                threading.Event().wait(0.002)
        assert sum(isinstance(message, SnapshotChanged) for message in handed) == 1
        await assert_true(app, pilot, [root], asks=False)
        assert {f"{root}/made-{place}" for place in range(6)} <= app.picture.runs.keys()
