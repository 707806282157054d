"""A file that another process rewrites in place, over and over, read as often as one can."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import PROFILE
from plain_scan import REGISTRY, plain_scan

from stopview_core.demo import SCENARIOS
from stopview_core.keeper import REWRITTEN
from stopview_core.readings import RunReading
from stopview_core.report.plain import branch_values
from stopview_core.snapshot import Scanner

CHILD = Path(__file__).with_name("rewriting_child.py")
READS = 20_000 if PROFILE == "long" else 400
AT_MOST_S = 30
RUN = "orders-out-of-the-shop"
BRANCH = "step-3/parallel-1"
FILES = {
    "state.json": ('"status": "blocked"', '"status": "running"'),
    f"{BRANCH}/response/response.json": ('"blocked"', '"running"'),
    f"{BRANCH}/request/request.json": ('"objective": "', '"objective": "Again: '),
    f"{BRANCH}/response/response.md": ("# ", "# Again: "),
    f"{BRANCH}/response/data/stack-model.json": ('"scores"', '"points"'),
}


@contextmanager
def rewritten(file: Path, contents: tuple[Path, Path]) -> Iterator[None]:
    """The file takes these contents in turn, by the hand of another process."""
    command = [sys.executable, str(CHILD), str(file), *map(str, contents)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as child:
        assert child.stdout is not None
        assert child.stdin is not None
        assert child.stdout.readline() == b"ready\n"
        try:
            yield
        finally:
            child.stdin.close()
            assert child.wait(AT_MOST_S) == 0


def facts(run: RunReading) -> str:
    """All that `list` tells of the run's branches, but for the time by the file's own clock."""
    told: list[dict[str, Any]] = []
    for branch in run.branches.values():
        values = {**branch_values(branch), "offered": list(branch.offered)}
        if values["blocked_at_source"] == "mtime":
            values["blocked_at"] = None
        told.append(values)
    return json.dumps([run.id, run.status, told], sort_keys=True)


@pytest.mark.parametrize("path", FILES)
def test_a_torn_state_is_never_shown_as_a_fact(
    path: str, tmp_path: Path, record_property: Any
) -> None:
    root = tmp_path / "runs"
    file = SCENARIOS[RUN].build().write(root) / path
    old, new = FILES[path]
    first = file.read_text()
    second = first.replace(old, new, 1)
    assert first != second
    contents = tmp_path / "first", tmp_path / "second"
    true = set()
    for place, text in zip(contents, (first, second), strict=True):
        place.write_text(text)
        file.write_text(text)
        true.add(facts(plain_scan(root)[0][str(root / RUN)]))
    scanner = Scanner([root], REGISTRY)
    scanner.reconcile()
    torn = 0
    with rewritten(file, contents):
        for _ in range(READS):
            scanner.rescan([str(file)])
            reading = scanner.snapshot.runs[str(root / RUN)]
            assert facts(reading) in true
            marks = {item.why for item in reading.skipped}
            assert marks <= {REWRITTEN}
            assert bool(marks) == bool(scanner.rewritten)
            torn += bool(marks)
    until = time.monotonic() + AT_MOST_S
    while scanner.rewritten and time.monotonic() < until:
        scanner.rescan([str(file)])
    scanner.reconcile()
    assert dict(scanner.snapshot.runs) == plain_scan(root)[0]
    assert torn > 0, "nothing half written was ever met: the test says nothing"
    record_property("reads", READS)
    record_property("torn reads", torn)
    print(f"{path}: {READS} reads, {torn} of them torn")
