"""Rows about the scanner in one process: the first picture, keeping it true, the history."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.data import Data
from benchmarks.floors import walk_and_read, walk_and_stat
from benchmarks.values import Outcome, Row, Samples, interleaved
from stopview_core.board import build_board, run_rows
from stopview_core.history import HistoryRecord, build_history
from stopview_core.readings import FallbackRecord, Offer, Stamp
from stopview_core.registry.load import load, shipped_root
from stopview_core.snapshot import Scanner

RECORDS = 100_000
FIRST = datetime(2026, 1, 1, tzinfo=UTC)


def _timed(what: Callable[[], object]) -> float:
    began = time.perf_counter()
    what()
    return (time.perf_counter() - began) * 1e3


def first_list(row: Row, data: Data) -> Outcome:
    """All runs read, judged and put in order, against the bare walk."""
    root, registry = data.many(), load(shipped_root())

    def measured() -> None:
        scanner = Scanner([root], registry)
        scanner.reconcile()
        board = build_board(r for run in scanner.snapshot.runs.values() for r in run_rows(run))
        assert len(board.rows) == data.size // 10

    taken, floor = interleaved(
        lambda: _timed(measured), lambda: _timed(lambda: walk_and_read(str(root))), data.repeat
    )
    return Outcome(row, taken, floor)


def nothing_changed(row: Row, data: Data) -> Outcome:
    """A reconcile when nothing changed against a bare walk that stats everything."""
    root = data.many()
    scanner = Scanner([root], load(shipped_root()))
    scanner.reconcile()

    def measured() -> None:
        assert not scanner.reconcile()

    taken, floor = interleaved(
        lambda: _timed(measured), lambda: _timed(lambda: walk_and_stat(str(root))), data.repeat
    )
    return Outcome(row, taken, floor)


def one_changed(row: Row, data: Data) -> Outcome:
    """Processor time of a rescan of one changed file among many runs against among a tenth."""
    registry = load(shipped_root())
    many = _Changing(data.many(), registry)
    few = _Changing(data.runs(data.size // 10), registry)
    gc.collect()
    taken, floor = interleaved(many.rescan, few.rescan, max(data.repeat, 7) * 9)
    many.restore()
    few.restore()
    return Outcome(row, taken, floor, is_also_met=taken.median <= 5.0, more={"also": "<= 5 ms"})


class _Changing:
    """A folder of runs in which one response is rewritten again and again."""

    def __init__(self, root: Path, registry: object) -> None:
        self.scanner = Scanner([root], registry)  # type: ignore[arg-type]
        self.scanner.reconcile()
        run = next(r for r in self.scanner.snapshot.runs.values() if r.open_branches)
        self.file = run.open_branches[0].path / "response/response.json"
        self.before, self.stat = self.file.read_bytes(), self.file.stat()
        self.turn = 0

    def rescan(self) -> float:
        """Milliseconds of processor time."""
        self.turn += 1
        text = self.before.decode().replace('"reason": "', f'"reason": "{self.turn}, ')
        self.file.write_text(text)
        began = time.process_time()
        diff = self.scanner.rescan([str(self.file)])
        took = (time.process_time() - began) * 1e3
        assert len(diff.changed) == 1
        return took

    def restore(self) -> None:
        self.file.write_bytes(self.before)
        os.utime(self.file, ns=(self.stat.st_atime_ns, self.stat.st_mtime_ns))


def long_history(row: Row, data: Data) -> Outcome:
    """The first page of a history of a hundred thousand fallbacks, once they are read."""
    records = _records(data)

    def measured() -> None:
        assert len(build_history(records).records[:50]) == 50

    measured()
    return Outcome(row, Samples(tuple(_timed(measured) for _ in range(data.repeat))))


def _records(data: Data) -> list[HistoryRecord]:
    scanner = Scanner([data.runs(1000)], load(shipped_root()))
    scanner.reconcile()
    runs = list(scanner.snapshot.runs.values())
    found = []
    for place in range(RECORDS):
        run = runs[place * 7919 % len(runs)]
        at = Stamp(FIRST + timedelta(seconds=place * 7919 % RECORDS * 60), "transition")
        offers = (Offer("queue-between", {}, None), Offer("read-replica", {}, None))
        taken = FallbackRecord(
            "CHOICE_REQUIRED", "Took the highest total.", True, True, "read-replica", offers,
            ("read-replica",), at,
        )  # fmt: skip
        key = f"{place // len(runs) + 1}/1"
        found.append(
            HistoryRecord(
                run.id, run.path, key, "architecture.decide", taken.code, at, taken, None, ()
            )
        )
    return found


ROWS = (
    Row("first-list", "all runs in the list, in process, / bare walk and read", 1.5, first_list),
    Row(
        "nothing-changed", "reconcile, nothing changed, / bare walk and stat", 1.2, nothing_changed
    ),
    Row("one-changed", "CPU of a rescan of one path / among a tenth of the runs", 1.2, one_changed),
    Row("history", "first page of 100,000 fallbacks", 300, long_history, is_ratio=False),
)
