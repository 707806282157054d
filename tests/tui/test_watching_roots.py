"""The app over roots that go, come back and lead elsewhere: it follows what the path leads to."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import PROFILE
from shell_setup import bypassed_run, choice_run, drawn, replace_file, shell, until, waiting_run
from truth import assert_true

IS_LONG = PROFILE == "long"
FIRST, SECOND = "first", "second"


def made_again_at_once(root: Path, other: Path) -> None:
    """The new folder often gets the inode that the old one had."""
    shutil.rmtree(root)
    root.mkdir()
    shutil.copytree(other / SECOND, root / SECOND)


def replaced_by_a_rename(root: Path, other: Path) -> None:
    root.rename(root.with_name("away"))
    other.rename(root)


def exchanged_twice(root: Path, other: Path) -> None:
    away = root.with_name("away")
    for _ in range(2):
        root.rename(away)
        other.rename(root)
        away.rename(other)
    replaced_by_a_rename(root, other)


def gone_for_a_while(root: Path, other: Path) -> None:
    shutil.rmtree(root)
    root.write_text("a file for now")
    root.unlink()
    other.rename(root)


CASES: list[Callable[[Path, Path], None]] = [
    made_again_at_once,
    replaced_by_a_rename,
    exchanged_twice,
    gone_for_a_while,
]
if not IS_LONG:
    CASES = CASES[:2]


def set_status(run: Path, old: str, new: str) -> None:
    state = run / "state.json"
    text = state.read_text()
    assert f'"status": "{old}"' in text
    replace_file(state, text.replace(f'"status": "{old}"', f'"status": "{new}"', 1))


@pytest.mark.parametrize("change", CASES, ids=lambda case: case.__name__)
async def test_a_root_that_is_another_folder_now_is_followed(
    change: Callable[[Path, Path], None], tmp_path: Path
) -> None:
    root, other = tmp_path / "runs", tmp_path / "other"
    choice_run(FIRST).write(root)
    bypassed_run(SECOND).write(other)
    async with shell(root) as (app, pilot):
        assert app.picture.runs.keys() == {str(root / FIRST)}
        change(root, other)
        await until(pilot, lambda: app.picture.runs.keys() == {str(root / SECOND)})
        # What changes in it from now on is followed too.
        waiting_run("third").write(root)
        set_status(root / SECOND, "done", "running")
        await assert_true(app, pilot, [root], asks=IS_LONG)
        assert app.picture.runs.keys() == {str(root / SECOND), str(root / "third")}
        await until(pilot, lambda: app.health.state == "live")


async def test_a_root_that_is_a_link_is_followed_to_where_it_leads_now(tmp_path: Path) -> None:
    root, other = tmp_path / "one", tmp_path / "other"
    choice_run(FIRST).write(root)
    bypassed_run(SECOND).write(other)
    link, new = tmp_path / "runs", tmp_path / "new"
    link.symlink_to(root)
    new.symlink_to(other)
    async with shell(link) as (app, pilot):
        assert app.picture.runs.keys() == {str(link / FIRST)}
        os.replace(new, link)
        await until(pilot, lambda: app.picture.runs.keys() == {str(link / SECOND)})
        waiting_run("third").write(other)
        await assert_true(app, pilot, [link], asks=IS_LONG)
        # The folder that it led to before is none of ours any more.
        set_status(root / FIRST, "blocked", "running")
        set_status(other / SECOND, "done", "running")
        await assert_true(app, pilot, [link], asks=IS_LONG)
        assert app.health.state == "live"


async def test_a_folder_above_the_root_is_replaced(tmp_path: Path) -> None:
    root, other = tmp_path / "team/runs", tmp_path / "other"
    choice_run(FIRST).write(root)
    bypassed_run(SECOND).write(other / "runs")
    async with shell(root) as (app, pilot):
        replaced_by_a_rename(root.parent, other)
        await until(pilot, lambda: app.picture.runs.keys() == {str(root / SECOND)})
        waiting_run("third").write(root)
        await assert_true(app, pilot, [root], asks=IS_LONG)


async def test_a_root_that_is_not_there_is_said_on_the_bar_until_it_is_back(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    run = choice_run(FIRST).write(root)
    async with shell(root) as (app, pilot):
        away = root.rename(tmp_path / "away")
        await until(pilot, lambda: app.health.state == "polling")
        await until(pilot, lambda: "polling <1m old: a root is not there" in drawn(app))
        assert app.picture.runs == {}
        assert [item.path for item in app.picture.skipped] == [str(root)]
        away.rename(root)
        await until(pilot, lambda: app.health.state == "live")
        set_status(run, "blocked", "running")
        await assert_true(app, pilot, [root], asks=IS_LONG)
        assert "● live" in drawn(app)
