"""Many runs are read by several processes: nothing is left out, whatever becomes of the others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from corpus.all import RECIPES
from corpus.compare import Corpus
from plain_scan import REGISTRY, assert_true_picture, in_an_hour, plain_scan

from stopview_core import passes, scan_helpers
from stopview_core.demo import RunBuilder, write_many
from stopview_core.folder import Folder
from stopview_core.keeper import Keeper, Whole
from stopview_core.quiet import QuietRun, read_quiet
from stopview_core.readings import RunReading
from stopview_core.scan_helpers import Helpers, early_helpers, read_many
from stopview_core.snapshot import Scanner, scan_once

pytestmark = pytest.mark.skipif(
    not hasattr(os, "posix_spawn"), reason="helpers are started with posix_spawn"
)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Few runs, and what else a folder of runs holds; already so few are worth a helper."""
    monkeypatch.setattr(passes, "WORTH_HELP", 10)
    monkeypatch.setattr(scan_helpers, "WORTH_HELP", 10)
    monkeypatch.setattr(scan_helpers, "_processors", lambda: 3)
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
    monkeypatch.setattr(scan_helpers, "_CODE", "import os; os.read(0, 1000)")
    let_helpers_finish_first(monkeypatch)
    names = sorted(os.listdir(root))
    answers = dict(read_many(str(root), names, REGISTRY, True))
    assert answers == {name: read_quiet(str(root / name)) for name in names}


def test_what_comes_while_a_share_is_read_is_taken_once(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A helper answers all it can during the asker's first share, names nobody asked for too."""
    next_ticket = scan_helpers.next_ticket
    helpers = Helpers(str(root), True)

    def ticket_and_all_answers(tickets: int) -> int | None:
        ticket = next_ticket(tickets)
        while helpers.collect():
            os.sched_yield()
        return ticket

    monkeypatch.setattr(scan_helpers, "next_ticket", ticket_and_all_answers)
    asked = sorted(os.listdir(root))[::2]
    answers = list(read_many(str(root), asked, REGISTRY, True, helpers))
    assert sorted(name for name, _ in answers) == asked
    assert dict(answers) == {name: as_a_helper(root / name) for name in asked}
    assert any(isinstance(answer, Whole) for _, answer in answers)


def as_a_helper(path: Path) -> QuietRun | Whole | None:
    """What a helper that has the registry answers."""
    return read_quiet(str(path)) or Keeper(REGISTRY, "list").read_whole(str(path))


def judged_here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the runs that the asker reads whole by itself."""
    paths: list[str] = []
    read = Keeper.read

    def noted(self: Keeper, folder: Folder, *others: Any) -> RunReading:
        paths.append(folder.path)
        return read(self, folder, *others)

    monkeypatch.setattr(Keeper, "read", noted)
    return paths


def test_helpers_read_whole_what_is_not_quiet(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    let_helpers_finish_first(monkeypatch)
    paths = judged_here(monkeypatch)
    scanner = Scanner([root], REGISTRY, clock_ns=in_an_hour)
    scanner.reconcile()
    assert_true_picture(scanner, root)
    stopped = [run for run in scanner.snapshot.runs.values() if run.status == "blocked"]
    assert stopped
    assert not {str(run.path) for run in stopped} & set(paths)
    entries = {id(entry) for entry in REGISTRY.entries.values()}
    resolutions = [b.resolution for run in stopped for b in run.branches.values() if b.resolution]
    assert resolutions
    assert all(id(resolution.entry) in entries for resolution in resolutions)


@pytest.mark.usefixtures("root")
def test_helpers_read_whole_every_kind_of_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus, together = Corpus(tmp_path / "corpus"), tmp_path / "together"
    together.mkdir()
    for recipe in RECIPES:
        if recipe.registry == "shipped":
            corpus.read(recipe).folder.rename(together / recipe.name)
    let_helpers_finish_first(monkeypatch)
    paths = judged_here(monkeypatch)
    scanner = Scanner([together], REGISTRY, clock_ns=in_an_hour)
    scanner.reconcile()
    assert len(scanner.snapshot.runs) > len(RECIPES) // 2
    assert not paths
    assert_true_picture(scanner, together)


def test_what_a_helper_read_is_read_again_once_it_changes(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_helpers_finish_first(monkeypatch)
    scanner = Scanner([root], REGISTRY, clock_ns=in_an_hour)
    scanner.reconcile()
    path, run = next((p, r) for p, r in scanner.snapshot.runs.items() if r.status == "blocked")
    key = next(key for key, branch in run.branches.items() if branch.status == "blocked")
    step, parallel = key.split("/")
    response = Path(path, f"step-{step}/parallel-{parallel}/response/response.json")
    told = json.loads(response.read_text())
    response.write_text(json.dumps({**told, "reason": "said later"}))
    assert path in scanner.reconcile().changed
    assert scanner.snapshot.runs[path].branches[key].reason == "said later"


def test_a_helper_that_cannot_be_given_the_registry_leaves_nothing_out(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is larger than what a pipe takes in at once."""
    large = replace(REGISTRY, kinds={**REGISTRY.kinds, "much": "x" * (4 << 20)})
    paths = judged_here(monkeypatch)
    let_helpers_finish_first(monkeypatch)
    scanner = Scanner([root], large, clock_ns=in_an_hour)
    scanner.reconcile()
    assert_true_picture(scanner, root)
    assert {path for path, run in scanner.snapshot.runs.items() if run.status == "blocked"} <= set(
        paths
    )


def test_runs_below_a_relative_folder_are_told_as_they_were_asked_for(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root.parent)
    let_helpers_finish_first(monkeypatch)
    assert dict(scan_once([Path("runs")], REGISTRY).runs) == plain_scan(Path("runs"))[0]


OTHERS = """
import sys
from pathlib import Path
from plain_scan import REGISTRY, assert_true_picture, in_an_hour
from stopview_core import passes, scan_helpers
from stopview_core.scan_helpers import Helpers
from stopview_core.snapshot import Scanner
passes.WORTH_HELP = scan_helpers.WORTH_HELP = 10
scan_helpers._processors = lambda: 2
start = Helpers.start
def started_and_done(self, count, *, is_cold=False):
    start(self, count, is_cold=is_cold)
    while self.collect():
        pass
Helpers.start = started_and_done
scanner = Scanner([Path(sys.argv[1])], REGISTRY, clock_ns=in_an_hour)
scanner.reconcile()
assert_true_picture(scanner, Path(sys.argv[1]))
print(len(scanner.snapshot.runs))
"""


@pytest.mark.parametrize(
    "spoken",
    [
        {"PYTHONUTF8": "0", "LC_ALL": "C"},
        {"PYTHONUTF8": "1", "LC_ALL": "en_US.ISO-8859-1"},
        {"LC_ALL": "C"},
        {"PYTHONUTF8": "1", "LC_ALL": "POSIX"},
    ],
    ids=str,
)
def test_names_mean_the_same_to_helpers(root: Path, spoken: dict[str, str]) -> None:
    told = root.rename(root.with_name("caf\u00e9"))
    env = {name: value for name, value in os.environ.items() if not name.startswith("LC_")}
    ended = subprocess.run(
        [sys.executable, "-c", OTHERS, str(told)],
        env={**env, **spoken, "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
    )
    assert ended.stderr == ""
    assert int(ended.stdout) == 41


def test_waiting_for_the_disk_calls_for_more_helpers(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = iter(range(0, 10**9, 10**6))
    monkeypatch.setattr(scan_helpers, "_waits", lambda: next(waits))
    asked: list[int] = []
    start = Helpers.start

    def counted(self: Helpers, count: int, *, is_cold: bool = False) -> None:
        asked.append(count)
        start(self, count, is_cold=is_cold)

    monkeypatch.setattr(Helpers, "start", counted)
    assert dict(scan_once([root], REGISTRY).runs) == plain_scan(root)[0]
    assert asked == [2, 7]
