"""Rows about memory: what the picture of a thousand runs keeps."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import tracemalloc
from pathlib import Path

from benchmarks.data import Data
from benchmarks.values import Outcome, Row, Samples

COUNT = 1000


def resident(row: Row, data: Data) -> Outcome:
    """What a scanner of a thousand runs keeps, the larger of two measures, each in a process."""
    root, few = data.runs(COUNT), data.runs(100)
    values = {
        how: [_in_process(how, few, root) for _ in range(3)] for how in ("allocated", "resident")
    }
    largest = max(values.values(), key=lambda taken: sorted(taken)[1])
    return Outcome(row, Samples(tuple(largest), "MB"), more={"measures": values})


def _in_process(how: str, few: Path, root: Path) -> float:
    command = [sys.executable, "-m", "benchmarks.memory", how, str(few), str(root)]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    return float(json.loads(done.stdout))


def _measure(how: str, few: Path, root: Path) -> float:
    """Megabytes more than before, after everything that is loaded once was loaded."""
    from stopview_core.registry.load import load, shipped_root
    from stopview_core.snapshot import Scanner

    registry = load(shipped_root())
    Scanner([few], registry).reconcile()
    gc.collect()
    if how == "allocated":
        tracemalloc.start()
    before = _bytes(how)
    scanner = Scanner([root], registry)
    scanner.reconcile()
    gc.collect()
    kept = _bytes(how) - before
    assert len(scanner.snapshot.runs) == COUNT
    return kept / 1e6


def _bytes(how: str) -> int:
    if how == "allocated":
        return tracemalloc.get_traced_memory()[0]
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024


ROWS = (Row("memory", "memory kept for 1,000 runs", 2.5, resident, is_ratio=False),)

if __name__ == "__main__":
    print(json.dumps(_measure(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))))
