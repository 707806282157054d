"""The watcher on real files: what changes is seen, and every trouble with events is got over."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from watch_setup import LIMIT, Script, watching

from stopview_core.demo import SCENARIOS, RunBuilder
from stopview_tui.messages import RunsRead, SnapshotChanged, WatchFailed, WatchReported
from stopview_tui.watch import places
from stopview_tui.watch.mounts import mounted_kind
from stopview_tui.watch.notifier import Hints, NotWatchable
from stopview_tui.watch.places import Places
from stopview_tui.watch.watcher import NO_EVENTS_HERE, NOT_ALL, ROOT_IS_GONE

ORDERS = "orders-out-of-the-shop"
LIMITS = "api-rate-limits"
DRIFT = "SOURCE_DRIFT"


def write(root: Path, name: str) -> Path:
    return SCENARIOS[name].build().write(root)


def status(run: object) -> object:
    return getattr(run, "status", None)


def set_status(run: Path, value: str) -> None:
    """As a careful runtime does it: whole, by a rename."""
    state = run / "state.json"
    new = run / ".state.json.new"
    text = state.read_text()
    new.write_text(text.replace('"status": "blocked"', f'"status": "{value}"', 1))
    os.replace(new, state)


def test_the_first_runs_are_told_before_the_picture_is_whole(tmp_path: Path) -> None:
    write(tmp_path, ORDERS)
    with watching([tmp_path]) as (_, told):
        told.next_state("reading")
        assert [run.id for run in told.next(RunsRead).runs] == [ORDERS]
        first = told.next(SnapshotChanged)
        assert first.is_first
        assert first.diff.added == {str(tmp_path / ORDERS)}
        assert told.next_state("live").health.why == ""


def test_what_others_make_change_and_delete_is_seen(tmp_path: Path) -> None:
    write(tmp_path, ORDERS)
    with watching([tmp_path]) as (_, told):
        told.next_state("live")
        # A run that is not there yet: its folder first, then its files, by another process.
        source = tmp_path.parent / "elsewhere"
        write(source, LIMITS)
        copy = "import shutil, sys; shutil.copytree(sys.argv[1], sys.argv[2])"
        target = tmp_path / LIMITS
        subprocess.run([sys.executable, "-c", copy, str(source / LIMITS), str(target)], check=True)
        told.next_with(LIMITS, lambda run: len(run.branches) == 3)
        # A new branch with its files at once, deep in folders that are new.
        run = RunBuilder(ORDERS, state=b"{}")
        run.branch("7/1", "workspace.bind", status="blocked", stop=DRIFT)
        extra = run.write(source / "again") / "step-7"
        shutil.copytree(extra, tmp_path / ORDERS / "step-7")
        told.next_with(
            ORDERS,
            lambda run: "7/1" in run.branches and run.branches["7/1"].written_code == DRIFT,
        )
        set_status(tmp_path / LIMITS, "running")
        told.next_with(LIMITS, lambda run: status(run) == "running")
        decision = tmp_path / ORDERS / "step-3/parallel-1/decision"
        decision.mkdir()
        (decision / "0001.yaml").write_text("status_code: 301\n")
        told.next_with(ORDERS, lambda run: bool(run.branches["3/1"].violations))
        shutil.rmtree(tmp_path / LIMITS)
        gone = told.next(SnapshotChanged, lambda message: bool(message.diff.removed))
        assert gone.diff.removed == {str(tmp_path / LIMITS)}


def test_a_run_that_grows_below_a_new_folder_is_found(tmp_path: Path) -> None:
    with watching([tmp_path]) as (_, told):
        told.next_state("live")
        folder = tmp_path / "team" / "quarter"
        folder.mkdir(parents=True)
        write(folder, ORDERS)
        told.next_with(ORDERS, lambda run: len(run.branches) == 3)


def test_a_root_that_is_deleted_and_made_again_is_watched_again(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    write(root, ORDERS)
    with watching([root]) as (_, told):
        told.next_state("live")
        shutil.rmtree(root)
        told.next(SnapshotChanged, lambda message: not message.snapshot.runs)
        assert told.next_state("polling").health.why == ROOT_IS_GONE
        write(root, LIMITS)
        told.next_with(LIMITS, lambda run: status(run) == "blocked")
        told.next_state("live")
        set_status(root / LIMITS, "running")
        told.next_with(LIMITS, lambda run: status(run) == "running")


def test_a_name_that_is_not_utf8_ends_in_polling_and_heals(tmp_path: Path) -> None:
    run = write(tmp_path, LIMITS)
    with watching([tmp_path]) as (_, told):
        told.next_state("live")
        (Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe"))).touch()
        assert "UTF-8" in told.next_state("polling").health.why
        set_status(run, "running")
        told.next_with(LIMITS, lambda run: status(run) == "running")
        told.next_state("live")


def test_a_folder_that_is_not_utf8_is_looked_at_but_not_watched(tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    odd.mkdir()
    write(odd, ORDERS)
    with watching([tmp_path]) as (_, told):
        assert len(told.next(SnapshotChanged).snapshot.runs) == 1
        told.next_state("live")


def test_what_is_half_written_is_looked_at_again_without_an_event(tmp_path: Path) -> None:
    run = write(tmp_path, LIMITS)
    script = Script()
    with watching([tmp_path], open_notifier=script.open) as (_, told):
        told.next_state("live")
        state = run / "state.json"
        whole = state.read_text()
        state.write_text(whole[:40])
        script.sent.put(Hints(frozenset({str(state)})))
        told.next(SnapshotChanged, lambda message: bool(message.snapshot.all_skipped()))
        state.write_text(whole.replace('"status": "blocked"', '"status": "running"', 1))
        told.next_with(LIMITS, lambda run: status(run) == "running")


def test_a_refusal_of_the_system_is_polled_over_and_tried_again(tmp_path: Path) -> None:
    run = write(tmp_path, LIMITS)
    script = Script()
    script.refusals = [LIMIT, LIMIT]
    with watching([tmp_path], open_notifier=script.open) as (_, told):
        assert told.next_state("polling").health.why == str(LIMIT)
        set_status(run, "running")
        told.next_with(LIMITS, lambda run: status(run) == "running")
        told.next_state("live")
        assert script.refusals == []


def test_a_folder_that_goes_while_it_is_armed_is_no_trouble(tmp_path: Path) -> None:
    write(tmp_path, LIMITS)
    script = Script()
    script.refusals = [NotWatchable("a folder went away", is_passing=True)]
    with watching([tmp_path], open_notifier=script.open) as (_, told):
        told.next_state("live")
        assert not any(
            isinstance(message, WatchReported) and message.health.state == "polling"
            for message in told.all
        )


def test_lost_events_are_polled_over_and_nothing_stays_open(tmp_path: Path) -> None:
    run = write(tmp_path, LIMITS)
    script = Script()
    with watching([tmp_path], open_notifier=script.open) as (_, told):
        told.next_state("live")
        script.sent.put(NotWatchable("the queue ran over"))
        assert told.next_state("polling").health.why == "the queue ran over"
        set_status(run, "running")
        told.next_with(LIMITS, lambda run: status(run) == "running")
        told.next_state("live")
        assert script.open_count == 1
    assert script.open_count == 0


def test_a_file_system_without_events_is_polled(tmp_path: Path) -> None:
    run = write(tmp_path, LIMITS)
    with watching([tmp_path], is_silent=lambda _: True) as (_, told):
        assert told.next_state("polling").health.why == NO_EVENTS_HERE
        set_status(run, "running")
        told.next_with(LIMITS, lambda run: status(run) == "running")


def test_a_hint_of_the_app_is_looked_at_at_once(tmp_path: Path) -> None:
    run = write(tmp_path, LIMITS)
    script = Script()
    with watching([tmp_path], open_notifier=script.open) as (watcher, told):
        told.next_state("live")
        set_status(run, "running")
        watcher.hint([str(run)])
        told.next_with(LIMITS, lambda run: status(run) == "running")
        set_status(run, "blocked")
        write(tmp_path, ORDERS)
        watcher.refresh()
        told.next_with(ORDERS, lambda run: len(run.branches) == 3)


def test_trouble_of_our_own_is_told_and_reading_goes_on(tmp_path: Path) -> None:
    run = write(tmp_path, LIMITS)
    script = Script()
    with watching([tmp_path], open_notifier=script.open) as (watcher, told):
        told.next_state("live")
        script.sent.put(ZeroDivisionError("by [/x]"))
        failed = told.next(WatchFailed)
        assert "ZeroDivisionError" in failed.details
        assert "by [/x]" in failed.why
        told.next_state("failed")
        told.next_state("live")
        set_status(run, "running")
        watcher.hint([str(run)])
        told.next_with(LIMITS, lambda run: status(run) == "running")


@pytest.mark.parametrize("most", [0, 1])
def test_roots_and_what_can_change_is_watched_and_no_link_is_followed(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "MOST_RESTING", most)
    live = write(tmp_path, ORDERS)
    done = RunBuilder("all-done")
    done.branch("1/1", "workspace.bind")
    done.write(tmp_path)
    (live / "elsewhere").symlink_to("/usr")
    script = Script()
    with watching([tmp_path], open_notifier=script.open) as (_, told):
        told.next_state("live")
        folders = script.opened.get(timeout=30)
    assert str(tmp_path) in folders
    assert str(live / "step-3/parallel-1/response") in folders
    # Of most runs that are done, their own folder: taken up again, they change there.
    assert str(tmp_path / "all-done") in folders
    assert any("all-done/" in folder for folder in folders) == bool(most)
    assert not any("elsewhere" in folder for folder in folders)
    assert all(folder.startswith(str(tmp_path)) for folder in folders)


def test_more_than_the_budget_is_said_and_the_newest_runs_are_watched(tmp_path: Path) -> None:
    for day in (1, 2, 3):
        run = RunBuilder(f"run-{day}", started=f"2026-11-0{day}T08:00:00Z")
        run.branch("1/1", "workspace.bind", status="blocked", stop="SOURCE_DRIFT")
        run.write(tmp_path)
    script = Script()
    with watching([tmp_path], open_notifier=script.open) as (watcher, told):
        told.next_state("live")
        watcher._places.most = 10
        watcher.refresh()
        report = told.next(WatchReported, lambda report: report.health.why == NOT_ALL)
        assert report.health.state == "live"
        script.opened.get(timeout=30)
        folders = script.opened.get(timeout=30)
    assert str(tmp_path / "run-3/step-1/parallel-1/response") in folders
    assert not any("run-1/" in folder for folder in folders)
    assert len(folders) <= 10


def test_a_folder_made_anew_at_the_same_place_is_another_one(tmp_path: Path) -> None:
    watched = Places([str(tmp_path)], 100)
    watched.look({})
    before = dict(watched.wanted)
    moved = tmp_path.with_name("moved")
    tmp_path.rename(moved)
    tmp_path.mkdir()
    watched.look({})
    assert watched.wanted.keys() == before.keys()
    assert watched.wanted != before
    tmp_path.rmdir()
    watched.look({})
    assert watched.wanted == {}
    moved.rename(tmp_path)


def test_the_kind_of_a_file_system_is_that_of_the_nearest_mount() -> None:
    mounts = (
        "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
        "30 22 0:40 / /mnt/team\\040runs rw shared:1 - nfs4 server:/x rw\n"
        "31 30 0:41 / /mnt/team\\040runs/local rw - tmpfs tmpfs rw\n"
        "broken line\n"
    )
    assert mounted_kind("/home", mounts) == "ext4"
    assert mounted_kind("/mnt/team runs/orders", mounts) == "nfs4"
    assert mounted_kind("/mnt/team runs/local/x", mounts) == "tmpfs"
    assert mounted_kind("/mnt/team runs too", mounts) == "ext4"
    assert mounted_kind("/home", "") == ""
