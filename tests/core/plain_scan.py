"""A folder read with nothing kept, shared or left out for speed: what every scan must equal."""

from __future__ import annotations

from pathlib import Path

from stopview_core.folder import Reader
from stopview_core.judge import judge_run
from stopview_core.readings import RunReading
from stopview_core.records import Skipped
from stopview_core.registry.model import Registry
from stopview_core.scan import find_runs, read_run


def plain_scan(root: Path, registry: Registry) -> tuple[dict[str, RunReading], tuple[Skipped, ...]]:
    """Every run below the root by path, and what could not be read outside of runs."""
    reader = Reader()
    runs = {}
    for folder in find_runs(str(root), reader):
        own = Reader()
        run = read_run(folder, own, "list")
        runs[folder.path] = judge_run(run, registry, own).reading
    return runs, tuple(dict.fromkeys(reader.skipped))
