"""Events that the system does not send, or loses: the app polls, says so, and misses nothing."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import PROFILE
from shell_setup import choice_run, drawn, replace_file, shell, until, waiting_run
from truth import assert_true
from watch_setup import Script, watching
from watchfiles._rust_notify import WatchfilesRustInternalError

from stopview_tui.messages import SnapshotChanged
from stopview_tui.watch import mounts
from stopview_tui.watch.notifier import Hints, open_notifier
from stopview_tui.watch.watcher import Tuning

LIMIT = "the system's limit of watches is reached"
CHILD = Path(__file__).with_name("watch_child.py")
AT_MOST_S = 30
REFUSALS = [
    OSError('OS file watch limit reached. about ["/runs"]'),
    OSError(errno.ENOSPC, "No space left on device"),
    OSError(errno.EMFILE, "Too many open files"),
    WatchfilesRustInternalError("Error creating recommended watcher: Too many open files"),
]
CASES = [(error, at_once) for error in REFUSALS for at_once in (True, False)]
if PROFILE != "long":
    CASES = [CASES[0], CASES[-1]]
BY_EVENTS_ONLY = Tuning(reconcile_soonest=3600, heartbeat=0.02, doubtful=50)


class Refusing:
    """Stands in for the kernel's part: will not watch, or ends at the first wait."""

    def __init__(self, error: Exception, *, at_once: bool) -> None:
        self.error = error
        self.at_once = at_once

    def __call__(self, *_: Any) -> Refusing:
        if self.at_once:
            raise self.error
        return self

    def watch(self, *_: Any) -> set[tuple[int, str]]:
        raise self.error

    def close(self) -> None:
        """Nothing is held."""


@pytest.mark.parametrize(("error", "at_once"), CASES)
async def test_a_limit_is_polled_over_and_said_on_the_bar(
    error: Exception, at_once: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing = Refusing(error, at_once=at_once)
    monkeypatch.setattr("watchfiles._rust_notify.RustNotify", refusing)
    await _is_polled(tmp_path / "runs", LIMIT)


async def test_a_network_folder_is_polled_and_that_is_said_on_the_bar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = "22 1 8:1 / / rw - nfs4 server:/x rw\n"
    monkeypatch.setattr(mounts, "_mounts", lambda: table)
    await _is_polled(tmp_path / "runs", "this file system sends no events")


def test_a_folder_that_may_not_be_read_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def watch(folders: list[str], *options: Any) -> Refusing:
        asked.append(folders)
        assert not options[-1], "this option of watchfiles hides a limit that is reached"
        if "/closed" in folders:
            raise PermissionError("Permission denied (os error 13)")
        return Refusing(RuntimeError(), at_once=False)

    monkeypatch.setattr("watchfiles._rust_notify.RustNotify", watch)
    monkeypatch.setattr(os, "access", lambda path, _: path != "/closed")
    open_notifier(["/open", "/closed"])
    assert asked == [["/open", "/closed"], ["/open"]]


async def _is_polled(root: Path, why: str) -> None:
    run = choice_run("lanes").write(root)
    async with shell(root, size=(160, 40)) as (app, pilot):
        await until(pilot, lambda: app.health.state == "polling")
        await until(pilot, lambda: f"polling <1m old: {why}" in drawn(app))
        set_status(run, "blocked", "running")
        waiting_run("drift").write(root)
        await assert_true(app, pilot, [root], asks=False)
        assert len(app.picture.runs) == 2


async def test_names_that_are_not_utf8_hide_nothing(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    choice_run("lanes").write(root)
    odd = Path(os.fsdecode(os.fsencode(root) + b"/\xff\xfe"))
    async with shell(root, size=(160, 40)) as (app, pilot):
        run = waiting_run("drift").write(odd)
        await until(pilot, lambda: "a name is not UTF-8" in drawn(app))
        await assert_true(app, pilot, [root], asks=False)
        # Whatever the state by now: it changes where no watch can be.
        set_status(run, "blocked", "running")
        await assert_true(app, pilot, [root], asks=False)
        assert len(app.picture.runs) == 2


def test_events_that_a_full_queue_lost_are_made_up_for(tmp_path: Path) -> None:
    run = choice_run("lanes").write(tmp_path)
    script = Script()
    with watching([tmp_path], open_notifier=script.open, tuning=BY_EVENTS_ONLY) as (_, told):
        told.next_state("live")
        script.opened.get(timeout=AT_MOST_S)
        set_status(run, "blocked", "running")
        storm = frozenset(f"{tmp_path}/none-{place}" for place in range(60))
        script.sent.put(Hints(storm))
        told.next_with("lanes", lambda run: run.status == "running")
        # The word that a watched folder went may be lost too: all of them are watched anew.
        script.opened.get(timeout=AT_MOST_S)


def test_many_places_are_looked_at_as_one(tmp_path: Path) -> None:
    for place in range(3):
        choice_run(f"lanes-{place}").write(tmp_path)
    script = Script()
    tuning = Tuning(reconcile_soonest=3600, heartbeat=0.02, many=1)
    with watching([tmp_path], open_notifier=script.open, tuning=tuning) as (_, told):
        told.next_state("live")
        for place in range(3):
            set_status(tmp_path / f"lanes-{place}", "blocked", "running")
        # Two are named: everything is looked at, the third one too.
        script.sent.put(Hints(frozenset(f"{tmp_path}/lanes-{place}" for place in (0, 1))))
        changed = told.next(SnapshotChanged, lambda message: bool(message.diff.changed))
        assert {run.status for run in changed.snapshot.runs.values()} == {"running"}


def test_what_goes_and_comes_back_with_the_same_inode_is_watched_anew(tmp_path: Path) -> None:
    run = choice_run("lanes").write(tmp_path)
    script = Script()
    with watching([tmp_path], open_notifier=script.open, tuning=BY_EVENTS_ONLY) as (_, told):
        told.next_state("live")
        first = script.opened.get(timeout=AT_MOST_S)
        step = f"{run}/step-1"
        script.sent.put(Hints(frozenset({step}), came_or_went=frozenset({step})))
        assert set(script.opened.get(timeout=AT_MOST_S)) == set(first)


def test_a_run_half_written_is_looked_at_again_while_others_change(tmp_path: Path) -> None:
    torn, busy = choice_run("torn").write(tmp_path), choice_run("busy").write(tmp_path)
    script = Script()
    with watching([tmp_path], open_notifier=script.open) as (_, told):
        told.next_state("live")
        state = torn / "state.json"
        whole = state.read_text()
        state.write_text(whole[:40])
        script.sent.put(Hints(frozenset({str(state)})))
        told.next(SnapshotChanged, lambda message: bool(message.snapshot.all_skipped()))
        state.write_text(whole)
        for _ in range(200):
            script.sent.put(Hints(frozenset({str(busy)})))
        told.next(SnapshotChanged, lambda message: not message.snapshot.all_skipped())
        assert script.sent.qsize() > 0, "it was not while the other one changed"


@pytest.mark.parametrize("limit", ["max_inotify_watches=4", "max_inotify_instances=0"])
def test_a_real_limit_of_the_kernel_is_polled_over(limit: str, tmp_path: Path) -> None:
    run = choice_run("lanes").write(tmp_path)
    with child_in_a_namespace(tmp_path, limit) as lines:
        assert {"state": "polling", "why": LIMIT} in until_line(lines, "state", "polling")
        set_status(run, "blocked", "running")
        until_line(lines, "runs", {"lanes": "running"})


@contextmanager
def child_in_a_namespace(root: Path, limit: str) -> Iterator[Iterator[dict[str, Any]]]:
    """A watcher in a user namespace of its own, whose limits touch nobody else."""
    unshare = shutil.which("unshare")
    tried = [unshare or "", "--user", "--map-root-user", "true"]
    if unshare is None or subprocess.run(tried, capture_output=True, check=False).returncode:
        pytest.skip("user namespaces cannot be made here")
    command = [*tried[:-1], sys.executable, str(CHILD), str(root), limit]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            yield (json.loads(line) for line in child.stdout)
        finally:
            child.kill()


def until_line(lines: Iterator[dict[str, Any]], name: str, value: object) -> list[dict[str, Any]]:
    """The lines up to one that says this."""
    seen: list[dict[str, Any]] = []
    began = time.monotonic()
    for line in lines:
        seen.append(line)
        if line.get(name) == value:
            return seen
        assert time.monotonic() - began < AT_MOST_S, seen
    raise AssertionError(f"the child ended after {seen}")


def set_status(run: Path, old: str, new: str) -> None:
    state = run / "state.json"
    text = state.read_text()
    assert f'"status": "{old}"' in text
    replace_file(state, text.replace(f'"status": "{old}"', f'"status": "{new}"', 1))
