"""A folder read with nothing kept, shared or left out for speed: what every scan must equal."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from stopview_core.folder import Reader
from stopview_core.judge import judge_run
from stopview_core.readings import RunReading
from stopview_core.records import Skipped
from stopview_core.registry.load import load, shipped_root
from stopview_core.registry.model import Registry
from stopview_core.scan import find_runs, read_run
from stopview_core.snapshot import Diff, Scanner

REGISTRY = load(shipped_root())
_HOUR_NS = 3_600_000_000_000


def in_an_hour() -> int:
    """A clock by which every file is old: stamps alone decide, and nothing is half written."""
    return time.time_ns() + _HOUR_NS


def plain_scan(
    root: Path, registry: Registry = REGISTRY
) -> tuple[dict[str, RunReading], tuple[Skipped, ...]]:
    """Every run below the root by path, and what could not be read outside of runs."""
    reader = Reader()
    runs = {}
    for folder in find_runs(str(root), reader):
        own = Reader()
        run = read_run(folder, own, "list")
        runs[folder.path] = judge_run(run, registry, own).reading
    return runs, tuple(dict.fromkeys(reader.skipped))


def assert_true_picture(scanner: Scanner, root: Path) -> None:
    """The scanner's snapshot is what is there."""
    runs, skipped = plain_scan(root, scanner.registry)
    assert dict(scanner.snapshot.runs) == runs
    assert sorted(map(str, scanner.snapshot.skipped)) == sorted(map(str, skipped))


def assert_exact(
    diff: Diff, before: Mapping[str, RunReading], after: Mapping[str, RunReading]
) -> None:
    """The diff names what differs between the two, and nothing else."""
    assert diff.added == after.keys() - before.keys()
    assert diff.removed == before.keys() - after.keys()
    assert diff.changed == {
        path for path in after.keys() & before.keys() if after[path] != before[path]
    }
