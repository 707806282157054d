"""Many runs are read by several processes: nothing is left out, whatever becomes of the others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from plain_scan import REGISTRY, assert_true_picture, in_an_hour, plain_scan

from stopview_core import passes, quiet_helpers
from stopview_core.demo import RunBuilder, write_many
from stopview_core.quiet import read_quiet
from stopview_core.quiet_helpers import Helpers, early_helpers, read_quiet_runs
from stopview_core.readings import RunReading
from stopview_core.snapshot import Scanner, scan_once

pytestmark = pytest.mark.skipif(
    not hasattr(os, "posix_spawn"), reason="helpers are started with posix_spawn"
)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Few runs, and what else a folder of runs holds; already so few are worth a helper."""
    monkeypatch.setattr(passes, "WORTH_HELP", 10)
    monkeypatch.setattr(quiet_helpers, "WORTH_HELP", 10)
    monkeypatch.setattr(quiet_helpers, "_processors", lambda: 3)
    root = tmp_path / "runs"
    write_many(root, 40)
    inner = RunBuilder("inner")
    inner.branch("1/1", "workspace.bind")
    inner.write(root / "in-between")
    (root / "a-link").symlink_to(root / "in-between")
    (root / "notes.txt").write_text("note")
    (root / "no-\udcff-utf8").mkdir()
    return root


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The process ids of all helpers; whatever happens, none of them stays behind."""
    pids: list[int] = []
    spawn = os.posix_spawn

    def recorded(*arguments: Any, **options: Any) -> int:
        pids.append(spawn(*arguments, **options))
        return pids[-1]

    monkeypatch.setattr("os.posix_spawn", recorded)
    yield pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def let_helpers_finish_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left for who started them."""
    start = Helpers.start

    def started_and_done(self: Helpers, count: int, *, is_cold: bool = False) -> None:
        start(self, count, is_cold=is_cold)
        while self.collect():
            os.sched_yield()

    monkeypatch.setattr(Helpers, "start", started_and_done)


@pytest.mark.parametrize("is_done_first", [False, True])
def test_helpers_read_what_one_would_read(
    is_done_first: bool, root: Path, started: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_done_first:
        let_helpers_finish_first(monkeypatch)
    told: list[RunReading] = []
    scanner = Scanner([root], REGISTRY, clock_ns=in_an_hour)
    scanner.reconcile(told.append)
    assert_true_picture(scanner, root)
    assert list(scanner.snapshot.runs) == sorted(scanner.snapshot.runs)
    assert sorted(str(run.path) for run in told) == list(scanner.snapshot.runs)
    assert not scanner.reconcile()
    assert len(started) == 2


def test_overlapping_roots_show_a_run_once(root: Path) -> None:
    snapshot = scan_once([root, root], REGISTRY)
    assert dict(snapshot.runs) == plain_scan(root)[0]


def test_early_helpers_are_taken_by_who_reads_the_folder(root: Path) -> None:
    with early_helpers([root, root / "in-between"], keeps_stamps=False) as early:
        assert list(early) == [str(root)]
        snapshot = scan_once([root], REGISTRY, early=early)
        assert early == {}
    assert dict(snapshot.runs) == plain_scan(root)[0]


def test_early_helpers_that_nobody_took_are_ended(root: Path) -> None:
    with early_helpers([root, root / "nowhere"], keeps_stamps=True) as early:
        assert len(early) == 1


def test_who_stops_half_way_leaves_no_helper_behind(root: Path) -> None:
    class Stopped(Exception): ...

    def stop(run: RunReading) -> None:
        raise Stopped

    scanner = Scanner([root], REGISTRY, clock_ns=in_an_hour)
    with pytest.raises(Stopped):
        scanner.reconcile(stop)
    scanner.reconcile()
    assert_true_picture(scanner, root)


@pytest.mark.parametrize("program", ["/bin/false", "/nowhere", "/bin/cat"])
def test_helpers_that_fail_leave_nothing_out(
    program: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", program)
    scanner = Scanner([root], REGISTRY, clock_ns=in_an_hour)
    scanner.reconcile()
    assert_true_picture(scanner, root)


def test_a_helper_that_dies_over_its_share_leaves_nothing_out(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes every share and answers none."""
    monkeypatch.setattr(quiet_helpers, "_CODE", "import os; os.read(0, 1000)")
    let_helpers_finish_first(monkeypatch)
    names = sorted(os.listdir(root))
    answers = dict(read_quiet_runs(str(root), names, True))
    assert answers == {name: read_quiet(str(root / name)) for name in names}


def test_what_comes_while_a_share_is_read_is_taken_once(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A helper answers all it can during the asker's first share, names nobody asked for too."""
    next_ticket = quiet_helpers.next_ticket
    helpers = Helpers(str(root), True)

    def ticket_and_all_answers(tickets: int) -> int | None:
        ticket = next_ticket(tickets)
        while helpers.collect():
            os.sched_yield()
        return ticket

    monkeypatch.setattr(quiet_helpers, "next_ticket", ticket_and_all_answers)
    asked = sorted(os.listdir(root))[::2]
    answers = list(read_quiet_runs(str(root), asked, True, helpers))
    assert sorted(name for name, _ in answers) == asked
    assert dict(answers) == {name: read_quiet(str(root / name)) for name in asked}


def test_waiting_for_the_disk_calls_for_more_helpers(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = iter(range(0, 10**9, 10**6))
    monkeypatch.setattr(quiet_helpers, "_waits", lambda: next(waits))
    asked: list[int] = []
    start = Helpers.start

    def counted(self: Helpers, count: int, *, is_cold: bool = False) -> None:
        asked.append(count)
        start(self, count, is_cold=is_cold)

    monkeypatch.setattr(Helpers, "start", counted)
    assert dict(scan_once([root], REGISTRY).runs) == plain_scan(root)[0]
    assert asked == [2, 7]
