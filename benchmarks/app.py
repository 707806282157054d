"""Rows about the app in a real terminal: the first frame, opening Decide, idle cost, memory."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import app_changes, bare, terminal
from benchmarks.commands import STOPVIEW
from benchmarks.data import Data
from benchmarks.listed import listed
from benchmarks.terminal import LIVE, Terminal, opened, settle
from benchmarks.values import Outcome, Row, Samples, interleaved

BARE = (sys.executable, bare.__file__)
BARE_LINE = re.compile(bare.TEXT.encode())
A_RUN = re.compile(rb"[a-z]+-[a-z]+-\d{5}")
IDLE_S = 20.0


def first_rows(count: Callable[[Data], int]) -> Callable[[Row, Data], Outcome]:
    """A row function: from the start of the command to the first listed run on the terminal."""

    def measure(row: Row, data: Data) -> Outcome:
        root = data.runs(count(data))
        whole: list[float] = []

        def app() -> float:
            with opened((STOPVIEW, str(root))) as screen:
                took = _ms(screen, A_RUN)
                whole.append(_ms(screen, LIVE))
                names = {branch.run.encode() for branch in listed(root)}
                assert A_RUN.findall(screen.seen)[0] in names
            return took

        taken, floor = interleaved(app, _bare_ms, data.repeat)
        return Outcome(row, taken, floor, more={"until_live_ms": whole})

    return measure


def _bare_ms() -> float:
    with opened(BARE) as screen:
        return _ms(screen, BARE_LINE)


def _ms(screen: Terminal, wanted: re.Pattern[bytes]) -> float:
    return (screen.wait_for(wanted) - screen.began_ns) / 1e6


def opening_decide(row: Row, data: Data) -> Outcome:
    """From the key to the last alternative's name on the terminal; the first time in an app."""
    root = data.runs(1000)
    again: list[float] = []

    def once() -> float:
        with opened((STOPVIEW, str(root))) as screen:
            settle(screen)
            first = _decide_ms(screen, listed(root)[0].offered)
            screen.type(b"q")
            screen.read_until_quiet(1.0)
            again.append(_decide_ms(screen, listed(root)[0].offered))
            return first

    values = tuple(once() for _ in range(data.repeat))
    return Outcome(row, Samples(values), more={"second_time_ms": again})


def _decide_ms(screen: Terminal, names: Sequence[str]) -> float:
    screen.forget()
    began = time.monotonic_ns()
    screen.type(b"\r")
    return (max(screen.wait_for(re.compile(name.encode())) for name in names) - began) / 1e6


def idle_bytes(row: Row, data: Data) -> Outcome:
    """What is written while nothing happens, inside of the first minute."""
    with opened((STOPVIEW, str(data.many()))) as screen:
        settle(screen)
        return Outcome(row, Samples((float(screen.read_for(IDLE_S)),), "bytes"))


def idle_cpu(row: Row, data: Data) -> Outcome:
    """Processor time a second while nothing happens, over a minute: with its look at everything."""
    if not terminal.is_measurable():
        return Outcome(row, skipped=terminal.WHY_NOT)
    values = []
    with opened((STOPVIEW, str(data.many()))) as screen:
        settle(screen)
        for _ in range(3):
            before = screen.cpu_ns()
            screen.read_for(IDLE_S)
            values.append((screen.cpu_ns() - before) / 1e6 / IDLE_S)
    return Outcome(row, Samples(tuple(values)), more={"worst": max(values)})


def resident(row: Row, data: Data) -> Outcome:
    """Resident memory (RSS) of the app over a thousand runs, less that of a bare Textual app."""
    if not terminal.is_measurable():
        return Outcome(row, skipped=terminal.WHY_NOT)
    bare_mb, few_mb, app_mb = [], [], []
    for _ in range(3):
        bare_mb.append(_resident_mb(BARE, BARE_LINE))
        few_mb.append(_resident_mb(_app(data.runs(100)), LIVE))
        app_mb.append(_resident_mb(_app(data.runs(1000)), LIVE))
    over = [app - bare for app, bare in zip(app_mb, bare_mb, strict=True)]
    more: dict[str, object] = {"bare_mb": bare_mb, "of_100_runs_mb": few_mb, "app_mb": app_mb}
    return Outcome(row, Samples(tuple(over), "MB"), more=more)


def _app(root: Path) -> Sequence[str]:
    return STOPVIEW, str(root)


def _resident_mb(command: Sequence[str], wanted: re.Pattern[bytes]) -> float:
    with opened(command) as screen:
        screen.wait_for(wanted)
        screen.read_until_quiet(3.0)
        return screen.resident_bytes() / 1e6


def _few(data: Data) -> int:
    return 100


def _many(data: Data) -> int:
    return data.size


ROWS = (
    *app_changes.ROWS,
    Row(
        "frame-few",
        "first rows of 100 runs on the terminal / bare Textual",
        1.5,
        first_rows(_few),
    ),
    Row(
        "frame-many",
        "first rows of all runs on the terminal / bare Textual",
        1.5,
        first_rows(_many),
    ),
    Row(
        "decide",
        "opening Decide: key to all alternatives' names",
        50,
        opening_decide,
        is_ratio=False,
    ),
    Row(
        "idle-bytes",
        "bytes written in 20 idle seconds",
        0,
        idle_bytes,
        is_ratio=False,
    ),
    Row(
        "idle-cpu",
        "CPU in an idle second, all runs",
        20,
        idle_cpu,
        is_ratio=False,
    ),
    Row(
        "app-memory",
        "RSS of the app, 1,000 runs, over bare Textual",
        2.5,
        resident,
        is_ratio=False,
    ),
)
