"""Rows about the command as a whole process: `stopview list --json`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from benchmarks import floors
from benchmarks.data import Data
from benchmarks.values import Outcome, Row, interleaved

STOPVIEW = str(Path(sys.executable).parent / "stopview")
DROP_CACHES = Path("/proc/sys/vm/drop_caches")
FLOORS = [sys.executable, "-I", floors.__file__]
ONE_MODEL = """
from pydantic import BaseModel
class Model(BaseModel):
    value: int
Model(value=1)
"""


def run_whole(command: list[str]) -> float:
    """Milliseconds from start to end of a process, its output thrown away."""
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - began) * 1e3


def _list(root: Path) -> list[str]:
    return [STOPVIEW, "list", str(root), "--json"]


def list_many(row: Row, data: Data) -> Outcome:
    """`list` over all runs, all in the page cache, against the bare walk."""
    root = data.many()
    measured, floor = interleaved(
        lambda: run_whole(_list(root)),
        lambda: run_whole([*FLOORS, "walk", str(root)]),
        data.repeat,
    )
    return Outcome(row, measured, floor)


def list_few(row: Row, data: Data) -> Outcome:
    """`list` over a hundred runs against what importing pydantic costs."""
    root = data.runs(100)
    measured, floor = interleaved(
        lambda: run_whole(_list(root)),
        lambda: run_whole([sys.executable, "-c", ONE_MODEL]),
        max(data.repeat, 11),
    )
    return Outcome(row, measured, floor)


def list_cold(row: Row, data: Data) -> Outcome:
    """`list` with nothing of the runs in memory against eight bare threads."""
    if not _drops_caches():
        return Outcome(row, skipped="the page cache cannot be dropped here (needs root)")
    root = data.many()
    measured, floor = interleaved(
        lambda: _run_cold(_list(root), data),
        lambda: _run_cold([*FLOORS, "threads", str(root)], data),
        min(data.repeat, 3),
    )
    return Outcome(row, measured, floor)


def _run_cold(command: list[str], data: Data) -> float:
    """The program itself stays warm: both are run once on a few runs after the cache is dropped."""
    few = str(data.runs(100))
    os.sync()
    DROP_CACHES.write_text("3")
    run_whole([few if part == str(data.many()) else part for part in command])
    return run_whole(command)


def _drops_caches() -> bool:
    try:
        with DROP_CACHES.open("w"):
            return True
    except OSError:
        return False


ROWS = (
    Row("list-many", "list --json over all runs, warm, / bare walk and read", 1.3, list_many),
    Row("list-few", "list --json over 100 runs / importing pydantic", 1.5, list_few),
    Row("list-cold", "list --json over all runs, cold, / 8 bare threads", 1.3, list_cold),
)
