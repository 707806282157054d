"""Approvers as processes of their own, for the tests that race, kill and limit them."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path[:0] = [str(TESTS), str(TESTS.parent / "core"), str(TESTS.parent / "tui")]

from deciding.runs import APPROVAL, ROOT, actor, registry  # noqa: E402
from stopview_core.decide import Outcome, Pick, Wish, decide  # noqa: E402
from stopview_tui.cli.root import run as stopview  # noqa: E402

PR_SET_PTRACER = 0x59616D61
PICKS = ("one-table", "event-log", "outbox")


def approver(number: int) -> str:
    """The name of the writer with this number in a race."""
    return f"approver-{number}"


def pick(number: int) -> str:
    """What the writer with this number wants."""
    return PICKS[number % len(PICKS)]


def serve() -> None:
    """For each run named on a line: fork `stopview decide`, and print its wait status at its end.

    It prints its pid and waits for a line `go`: a tracer can be attached in between.
    """
    # What the command imports is there before, so that what is traced is what the command does.
    stopview(["decide", os.devnull, APPROVAL, "--select", pick(0)])
    while run := _read_line():
        child = _forked(lambda run=run: _decide_when_told(run))
        print(os.waitpid(child, 0)[1], flush=True)


def limit(run: str, size: str) -> None:
    """`stopview decide` under a limit for the size of a file; it prints its document to a pipe."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), int(size)))
    sys.exit(_command(run))


def race(writers: str, *runs: str) -> None:
    """For each run, writers that decide it at once; prints a list of their outcomes a run."""
    registry()
    for run in runs:
        print(f"[{', '.join(_race(Path(run), int(writers)))}]")


def _decide(run: Path, number: int, supersede: str | None = None) -> Outcome:
    wish = Wish(Pick.of(pick(number), None), supersede=supersede)
    return decide(run, APPROVAL, wish, registry(), actor(approver(number)))


def _command(run: str) -> int:
    """The exit code of the command."""
    asked = ["decide", run, APPROVAL, "--select", pick(0), "--approver", approver(0)]
    return stopview([*asked, "--registry", str(ROOT), "--json"])


def _decide_when_told(run: str) -> None:
    # Where only a parent may trace, the writer has to allow it to others.
    with suppress(AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PTRACER, ctypes.c_ulong(-1))
    print(os.getpid(), flush=True)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the document is not for who reads the pid
    assert os.read(0, 3) == b"go\n"  # in one call: killed in between, it would leave some of it
    assert _command(run) == 0


def _race(run: Path, writers: int) -> list[str]:
    start_read, start_write = os.pipe()
    results_read, results_write = os.pipe()

    def act(number: int) -> None:
        os.close(start_write)
        os.read(start_read, 1)
        os.write(results_write, f"{number} {_as_json(_decide(run, number))}\n".encode())

    children = [_forked(lambda number=number: act(number)) for number in range(writers)]
    for fd in (start_read, start_write, results_write):
        os.close(fd)
    with os.fdopen(results_read) as results:
        lines = dict(line.rstrip("\n").split(" ", 1) for line in results)
    for child in children:
        os.waitpid(child, 0)
    return [lines.get(str(number), "null") for number in range(writers)]


def _as_json(outcome: Outcome) -> str:
    told = {
        "code": outcome.status_code,
        "exit_code": outcome.exit_code,
        "written": outcome.is_written,
        "message": outcome.message,
        "where": outcome.where,
    }
    return json.dumps(told)


def _read_line() -> str:
    # Byte by byte: what is read ahead here would be missing in the writer.
    line = b""
    while (byte := os.read(0, 1)) not in (b"", b"\n"):
        line += byte
    return line.decode()


def _forked(act: Callable[[], object]) -> int:
    sys.stdout.flush()
    if (child := os.fork()) == 0:
        try:
            act()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return child


if __name__ == "__main__":
    {"serve": serve, "limit": limit, "race": race}[sys.argv[1]](*sys.argv[2:])
