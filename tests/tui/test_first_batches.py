"""The first scan hands its runs on: a few at once, then the rarer the longer it takes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from stopview_core.demo import SCENARIOS
from stopview_core.readings import RunReading
from stopview_core.registry.load import load, shipped_root
from stopview_core.snapshot import scan_once
from stopview_tui.watch.signals import Batch, Interrupt, Stopped


@pytest.fixture
def run(tmp_path: Path) -> RunReading:
    next(iter(SCENARIOS.values())).build().write(tmp_path)
    (found,) = scan_once([tmp_path], load(shipped_root())).runs.values()
    return found


def handed_on(run: RunReading, times: Iterator[float], count: int) -> list[tuple[float, int]]:
    """When each batch was handed on, and of how many runs."""
    now = [0.0]
    found: list[tuple[float, int]] = []
    batch = Batch(
        lambda runs: found.append((now[0], len(runs))),
        Interrupt(),
        lambda: now[0],
        first=4,
        every=1.0,
        rarest=4.0,
    )
    for _ in range(count):
        now[0] = next(times)
        batch.add(run)
    batch.flush()
    batch.flush()
    return found


def test_the_first_batch_goes_as_soon_as_it_is_full_the_others_by_time(run: RunReading) -> None:
    quick = (at / 100 for at in range(1, 10_000))
    found = handed_on(run, quick, 1_000)
    assert found[0] == (0.04, 4)
    gaps = [after[0] - before[0] for before, after in pairwise(found[:-1])]
    assert [round(gap) for gap in gaps] == [2, 4]
    assert sum(count for _, count in found) == 1_000


def test_the_first_batch_goes_by_time_where_runs_come_slowly(run: RunReading) -> None:
    slow = (at * 1.5 for at in range(1, 100))
    assert [count for _, count in handed_on(run, slow, 12)] == [1, 2, 3, 3, 3]


def test_a_stop_ends_the_scan(run: RunReading) -> None:
    interrupt = Interrupt()
    batch = Batch(lambda runs: None, interrupt, lambda: 0.0)
    batch.add(run)
    interrupt.stop()
    with pytest.raises(Stopped):
        batch.add(run)
