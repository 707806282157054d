"""Writers as processes of their own, for the tests that race, kill and limit them."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parent), str(HERE.parents[2] / "core")]

import commit_seams  # noqa: E402

from stopview_core.commit import Outcome, create_once  # noqa: E402

DATA = b"".join(b"line %d of a receipt\n" % number for number in range(150))
PR_SET_PTRACER = 0x59616D61


def serve() -> None:
    """For each line `<way> <branch>`: fork a writer, and print its wait status once it ended.

    The writer prints its pid and waits for a line `go`: a tracer can be attached in between.
    """
    while line := _read_line():
        way, _, branch = line.partition(" ")
        seam = commit_seams.dribbling(getattr(commit_seams, way))
        writer = _forked(lambda branch=branch, seam=seam: _commit_when_told(branch, seam))
        print(os.waitpid(writer, 0)[1], flush=True)


def limit(branch: str, way: str, size: str) -> None:
    """Commit under a limit for the size of a file; prints the outcome."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), int(size)))
    seam = getattr(commit_seams, way)()
    print(_as_json(create_once(branch, name=commit_seams.NAME, data=DATA, calls=seam)))


def race(root: str, way: str, rounds: str, writers: str) -> None:
    """For each round, writers that start at once; prints a list of their outcomes a round."""
    for number in range(int(rounds)):
        branch = Path(root) / str(number)
        branch.mkdir()
        print(f"[{', '.join(_race(branch, getattr(commit_seams, way), int(writers)))}]")


def data_of(writer: int) -> bytes:
    """What the writer with this number in a race writes."""
    return b"writer %d\n" % writer * 100


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


def _commit_when_told(branch: str, seam: commit_seams.Seam) -> None:
    # Where only a parent may trace, the writer has to allow it to others.
    with suppress(AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PTRACER, ctypes.c_ulong(-1))
    print(os.getpid(), flush=True)
    assert _read_line() == "go"
    create_once(branch, name=commit_seams.NAME, data=DATA, calls=seam)


def _race(branch: Path, way: type[commit_seams.Seam], writers: int) -> list[str]:
    start_read, start_write = os.pipe()
    results_read, results_write = os.pipe()

    def run(writer: int) -> None:
        os.close(start_write)
        os.read(start_read, 1)
        data = data_of(writer)
        outcome = create_once(branch, name=commit_seams.NAME, data=data, calls=way())
        os.write(results_write, f"{writer} {_as_json(outcome)}\n".encode())

    children = [_forked(lambda writer=writer: run(writer)) for writer in range(writers)]
    for fd in (start_read, start_write, results_write):
        os.close(fd)
    for child in children:
        os.waitpid(child, 0)
    with os.fdopen(results_read) as results:
        lines = dict(line.rstrip("\n").split(" ", 1) for line in results)
    return [lines.get(str(writer), "null") for writer in range(writers)]


def _as_json(outcome: Outcome) -> str:
    return json.dumps({"is": type(outcome).__name__, **asdict(outcome)})


if __name__ == "__main__":
    {"serve": serve, "limit": limit, "race": race}[sys.argv[1]](*sys.argv[2:])
