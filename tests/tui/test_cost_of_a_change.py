"""What one changed file touches in the app: only itself, and nothing that is out of view."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from shell_setup import choice_run, replace_file, rows, shell, until, waiting_run

from stopview_core.board import Group
from stopview_core.readings import RunReading
from stopview_core.registry.load import load, shipped_root
from stopview_core.snapshot import Diff, Scanner, Snapshot
from stopview_tui.inbox_model import InboxModel
from stopview_tui.picture import Picture
from stopview_tui.screens.inbox.screen import InboxScreen
from stopview_tui.watch.places import Places

NONE: frozenset[str] = frozenset()


def scanned(root: Path) -> Scanner:
    scanner = Scanner([root], load(shipped_root()))
    scanner.reconcile()
    return scanner


def taken(snapshot: Snapshot, *paths: str) -> Snapshot:
    """The snapshot with only these runs."""
    return Snapshot(MappingProxyType({p: snapshot.runs[p] for p in paths}), (), snapshot.at)


def test_the_same_folders_are_wanted_by_the_same_object(tmp_path: Path) -> None:
    run = str(choice_run("orders").write(tmp_path))
    runs = scanned(tmp_path).snapshot.runs
    places = Places([str(tmp_path)], 100)
    places.look(runs)
    before = places.wanted
    places.look_at(runs, {run}, is_inside=True)
    places.look(runs)
    assert places.wanted is before
    new = Path(run, "step-9")
    new.mkdir()
    places.look_at(runs, {run}, is_inside=True)
    assert places.wanted is not before
    assert str(new) in places.wanted


def test_a_picture_loses_just_what_the_diff_says(tmp_path: Path) -> None:
    first, second = (str(choice_run(name).write(tmp_path)) for name in ("a", "b"))
    whole = scanned(tmp_path).snapshot
    picture = Picture()
    assert picture.add([whole.runs[first]]) == {first}
    assert picture.take(whole, Diff(frozenset({first, second}), NONE, NONE)) == {second}
    assert picture.take(taken(whole, second), Diff(NONE, NONE, frozenset({first}))) == {first}
    assert set(picture.runs) == {second}
    assert picture.add([whole.runs[first]]) == {first}
    assert set(picture.runs) == {first, second}
    assert set(whole.runs) == {first, second}


def test_the_first_snapshot_drops_what_went_meanwhile(tmp_path: Path) -> None:
    first, second = (str(choice_run(name).write(tmp_path)) for name in ("a", "b"))
    whole = scanned(tmp_path).snapshot
    picture = Picture()
    picture.add(whole.runs.values())
    assert picture.take(taken(whole, second), Diff(NONE, NONE, NONE)) == {first}


def test_choices_are_counted_through_every_change(tmp_path: Path) -> None:
    paths = [str(choice_run(name).write(tmp_path)) for name in ("a", "b")]
    paths.append(str(waiting_run("c").write(tmp_path)))
    runs: dict[str, RunReading] = dict(scanned(tmp_path).snapshot.runs)
    inbox = InboxModel()
    inbox.take(runs, paths)
    for step in (lambda: runs.pop(paths[0]), lambda: runs.update({paths[1]: runs[paths[2]]})):
        assert inbox.all_choices == sum(row.group is Group.CHOICE for row in inbox.rows())
        step()
        inbox.take(runs, paths)
    assert inbox.all_choices == sum(row.group is Group.CHOICE for row in inbox.rows()) == 0


@pytest.mark.parametrize("place", [1, -1])
async def test_only_what_is_in_view_is_drawn_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    root = tmp_path / "runs"
    for day in range(40):
        at = f"2026-10-{day % 28 + 1:02}T{day // 28:02}:00:00Z"
        choice_run(f"run-{day:02}", at).write(root)
    async with shell(root) as (app, pilot):
        listed = rows(app)
        run, _ = listed.identities[place]  # type: ignore[misc]
        state = Path(run, "state.json")
        before = state.read_text()

        async def put(text: str) -> None:
            changes = app.picture.changes
            replace_file(state, text)
            app.look_at([str(state)])
            await until(pilot, lambda: app.picture.changes > changes)
            await pilot.pause()

        # The files of the row under the cursor are told in the detail, which lays it out anew.
        assert isinstance(app.screen, InboxScreen)
        await until(pilot, lambda: app.screen._opened is not None)
        # The first time the column of the flags becomes wider, which draws all rows.
        await put(before.replace('"sha256:', '"sha256:0'))
        row = listed.get(listed.identities[place])
        assert row is not None
        assert row.branch is not None
        assert row.branch.violations
        drawn: list[Any] = []
        refresh, layout = type(listed).refresh, type(app.screen)._refresh_layout
        monkeypatch.setattr(
            type(listed),
            "refresh",
            lambda self, *at, **more: drawn.append("rows") or refresh(self, *at, **more),
        )
        monkeypatch.setattr(
            type(app.screen),
            "_refresh_layout",
            lambda self, *at, **more: drawn.append("all") or layout(self, *at, **more),
        )
        await put(before)
        row = listed.get(listed.identities[place])
        assert row is not None
        assert row.branch is not None
        assert not row.branch.violations
        assert drawn == (["rows"] if place == 1 else [])
