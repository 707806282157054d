"""A file met half written: the last good reading stays, marked, and heals; later it is damage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from plain_scan import REGISTRY, plain_scan

from stopview_core.board import Group, run_rows
from stopview_core.demo import RunBuilder, write_many
from stopview_core.keeper import REWRITTEN
from stopview_core.readings import RunReading
from stopview_core.snapshot import Scanner

UNRECORDED = """## Fallbacks taken

| Code | Action |
| --- | --- |
| CHOICE_REQUIRED | Took the left lane. |
"""
SECOND = 1_000_000_000
STATE = "state.json"
RESPONSE = "step-3/parallel-1/response/response.json"
TEXT = "step-3/parallel-1/response/response.md"
FILES = [STATE, RESPONSE, "step-3/parallel-1/request/request.json",
         "step-3/parallel-1/response/data/stack-model.json"]  # fmt: skip


class Clock:
    """The time of day: that of a file's last change, and so many seconds more."""

    def __init__(self) -> None:
        self.file: Path | None = None
        self.later = 0.0

    def __call__(self) -> int:
        at = self.file.stat().st_mtime_ns if self.file else 0
        return at + int(self.later * SECOND)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """One run that waits for a choice."""
    return write_many(tmp_path / "runs", 1, blocked_every=1)[0]


@pytest.fixture
def scanner(run: Path, clock: Clock) -> Scanner:
    scanner = Scanner([run.parent], REGISTRY, clock_ns=clock)
    scanner.reconcile()
    return scanner


def shown(scanner: Scanner) -> RunReading:
    (reading,) = scanner.snapshot.runs.values()
    return reading


def tear(file: Path) -> Callable[[], int]:
    """Cut the file in the middle, in place, as a slow writer leaves it; gives how to finish it."""
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    return lambda: file.write_bytes(whole)


@pytest.mark.parametrize("path", FILES)
def test_the_last_good_reading_is_shown_and_marked(
    path: str, run: Path, scanner: Scanner, clock: Clock
) -> None:
    good = shown(scanner)
    clock.file, clock.later = run / path, 0.5
    finish = tear(run / path)
    diff = scanner.reconcile()
    assert diff.changed == {str(run)}
    assert dict(shown(scanner).branches) == dict(good.branches)
    assert [(item.path, item.why) for item in shown(scanner).skipped] == [
        (str(run / path), REWRITTEN)
    ]
    assert scanner.rewritten == {str(run)}
    assert [row.group for row in run_rows(shown(scanner))] == [Group.CHOICE]
    assert not scanner.rescan([str(run / path)])
    finish()
    assert scanner.rescan([str(run / path)]).changed == {str(run)}
    assert shown(scanner) == good
    assert scanner.rewritten == frozenset()


@pytest.mark.parametrize("path", FILES)
def test_after_a_few_seconds_it_is_shown_as_damaged(
    path: str, run: Path, scanner: Scanner, clock: Clock
) -> None:
    clock.file, clock.later = run / path, 0.5
    tear(run / path)
    scanner.reconcile()
    clock.later = 10
    diff = scanner.reconcile()
    assert diff.changed == {str(run)}
    assert shown(scanner) == plain_scan(run.parent)[0][str(run)]
    assert str(run / path) in {item.path for item in shown(scanner).skipped}
    assert REWRITTEN not in {item.why for item in shown(scanner).skipped}
    assert scanner.rewritten == frozenset()


def test_an_old_file_that_is_no_json_was_never_being_written(
    run: Path, scanner: Scanner, clock: Clock
) -> None:
    clock.file, clock.later = run / RESPONSE, 10
    tear(run / RESPONSE)
    scanner.reconcile()
    assert shown(scanner).branches["3/1"].status == "unreadable"


def test_an_emptied_file_is_met_between_two_writes(
    run: Path, scanner: Scanner, clock: Clock
) -> None:
    good = shown(scanner)
    clock.file = run / RESPONSE
    (run / RESPONSE).write_bytes(b"")
    scanner.reconcile()
    assert dict(shown(scanner).branches) == dict(good.branches)


def test_what_was_damaged_before_stays_damaged(run: Path, scanner: Scanner, clock: Clock) -> None:
    clock.file, clock.later = run / RESPONSE, 10
    tear(run / RESPONSE)
    scanner.reconcile()
    clock.later = 0
    (run / RESPONSE).write_bytes(b'{"other')
    scanner.reconcile()
    assert shown(scanner).branches["3/1"].status == "unreadable"
    assert scanner.rewritten == frozenset()


def test_a_file_that_comes_half_written_does_not_hide_the_run(
    run: Path, scanner: Scanner, clock: Clock
) -> None:
    good = shown(scanner)
    late = run / "step-4/parallel-1/response/response.json"
    late.parent.mkdir(parents=True)
    late.write_bytes(b'{"status": "do')
    clock.file = late
    scanner.reconcile()
    assert dict(shown(scanner).branches) == dict(good.branches)
    late.write_bytes(b'{"status": "done"}')
    scanner.reconcile()
    assert shown(scanner).branches["4/1"].status == "done"


def test_a_run_first_met_half_written_is_shown_as_it_is(run: Path, clock: Clock) -> None:
    clock.file = run / STATE
    tear(run / STATE)
    scanner = Scanner([run.parent], REGISTRY, clock_ns=clock)
    scanner.reconcile()
    assert shown(scanner) == plain_scan(run.parent)[0][str(run)]
    assert [item.path for item in shown(scanner).skipped] == [str(run / STATE)]


def test_a_file_of_the_far_future_is_damaged_at_once(
    run: Path, scanner: Scanner, clock: Clock
) -> None:
    clock.file, clock.later = run / RESPONSE, -3600
    tear(run / RESPONSE)
    scanner.reconcile()
    assert shown(scanner).branches["3/1"].status == "unreadable"


def test_a_quiet_run_is_kept_too(tmp_path: Path, clock: Clock) -> None:
    builder = RunBuilder("quiet")
    builder.branch("1/1", "workspace.bind")
    run = builder.write(tmp_path / "runs")
    scanner = Scanner([run.parent], REGISTRY, clock_ns=clock)
    scanner.reconcile()
    good = shown(scanner)
    clock.file = run / STATE
    finish = tear(run / STATE)
    scanner.reconcile()
    assert dict(shown(scanner).branches) == dict(good.branches)
    assert shown(scanner).skipped
    finish()
    scanner.reconcile()
    assert shown(scanner) == good


@pytest.mark.parametrize("torn", ["", "#", UNRECORDED], ids=["empty", "cut", "with a violation"])
def test_a_text_is_taken_only_once_it_was_left_alone_for_a_moment(
    torn: str, run: Path, scanner: Scanner, clock: Clock
) -> None:
    good = shown(scanner)
    text = run / TEXT
    clock.file, clock.later = text, 0.01
    text.write_text(torn)
    assert scanner.rescan([str(text)]).changed == {str(run)}
    assert dict(shown(scanner).branches) == dict(good.branches)
    assert [(item.path, item.why) for item in shown(scanner).skipped] == [(str(text), REWRITTEN)]
    assert scanner.rewritten == {str(run)}
    clock.later = 1
    scanner.rescan([str(text)])
    assert shown(scanner) == plain_scan(run.parent)[0][str(run)]
    assert bool(shown(scanner).branches["3/1"].violations) == (torn == UNRECORDED)
    assert scanner.rewritten == frozenset()


def test_a_text_that_was_put_in_place_whole_is_taken_at_once(
    run: Path, scanner: Scanner, clock: Clock
) -> None:
    text = run / TEXT
    clock.file, clock.later = text, 0.01
    new = text.with_name("new")
    new.write_text(UNRECORDED)
    new.rename(text)
    scanner.rescan([str(text)])
    assert shown(scanner) == plain_scan(run.parent)[0][str(run)]
    assert shown(scanner).branches["3/1"].violations
    assert scanner.rewritten == frozenset()
    # Still young, and the same as it was taken: another change is not held back by it.
    (run / RESPONSE).write_text('{"status": "done"}')
    scanner.rescan([str(run / RESPONSE)])
    assert shown(scanner).branches["3/1"].status == "done"
