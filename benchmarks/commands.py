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


class Whole:
    """Runs a whole process again and again; keeps the processor time of each beside."""

    def __init__(self, command: list[str]) -> None:
        self.command = command
        self.cpu_ms: list[float] = []

    def run(self) -> float:
        """Milliseconds from start to end, the output thrown away."""
        before = os.times()
        began = time.perf_counter()
        subprocess.run(
            self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True
        )
        took = time.perf_counter() - began
        after = os.times()
        used = after.children_user + after.children_system
        self.cpu_ms.append((used - before.children_user - before.children_system) * 1e3)
        return took * 1e3


def _outcome(row: Row, measured: Whole, floor: Whole, repeat: int) -> Outcome:
    taken, bare = interleaved(measured.run, floor.run, repeat)
    more: dict[str, object] = {"cpu_ms": measured.cpu_ms, "floor_cpu_ms": floor.cpu_ms}
    return Outcome(row, taken, bare, more=more)


def _list(root: Path) -> list[str]:
    return [STOPVIEW, "list", str(root), "--json"]


def list_many(row: Row, data: Data) -> Outcome:
    """`list` over all runs, all in the page cache, against the bare walk."""
    root = data.many()
    return _outcome(row, Whole(_list(root)), Whole([*FLOORS, "walk", str(root)]), data.repeat)


def list_few(row: Row, data: Data) -> Outcome:
    """`list` over a hundred runs against what importing pydantic costs."""
    floor = Whole([sys.executable, "-c", ONE_MODEL])
    return _outcome(row, Whole(_list(data.runs(100))), floor, max(data.repeat, 11))


def list_cold(row: Row, data: Data) -> Outcome:
    """`list` with nothing of the runs in memory against eight bare threads."""
    if not _drops_caches():
        return Outcome(row, skipped="the page cache cannot be dropped here (needs root)")
    few, root = data.runs(100), data.many()
    measured = Cold(_list(root), _list(few))
    floor = Cold([*FLOORS, "threads", str(root)], [*FLOORS, "threads", str(few)])
    return _outcome(row, measured, floor, min(data.repeat, 3))


class Cold(Whole):
    """The same after the page cache was dropped. Only the runs are cold: the program is warmed
    over a few other runs first."""

    def __init__(self, command: list[str], warming: list[str]) -> None:
        super().__init__(command)
        self._warming = Whole(warming)

    def run(self) -> float:
        """Milliseconds from start to end."""
        os.sync()
        DROP_CACHES.write_text("3")
        self._warming.run()
        return super().run()


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
