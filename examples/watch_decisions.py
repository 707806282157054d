"""Carries decisions out: watches runs, and resumes each branch on which a decision is in force.

This is the runtime's half, small enough to copy. It needs Python and the `stopview` command:

    python examples/watch_decisions.py runs/ --every 5

It writes the next request and merges state.json; a runtime would then start the operator. Why each
step is as it is: docs/protocol.md.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import fcntl
import hashlib
import json
import os
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

PENDING = ".request.json.new"  # a request that state.json may not know of yet


def stopview(*arguments: str) -> tuple[int, dict[str, Any]]:
    """A command's exit code and its JSON document; empty where it had none to print."""
    ran = subprocess.run([COMMAND, *arguments, "--json"], stdout=subprocess.PIPE, check=False)
    return ran.returncode, json.loads(ran.stdout or b"{}")


def look(paths: list[str]) -> None:
    """Look once at everything below the paths, and carry out what is decided."""
    _, listed = stopview("list", "--all", *paths)
    branches = listed.get("branches", [])
    for run in sorted({Path(branch["path"]).parents[1] for branch in branches}):
        with alone(run):
            finish_or_drop(run)
    for branch in branches:
        if branch["decision"]["status"] == "in_force":
            run = Path(branch["path"]).parents[1]
            with alone(run):
                print(f"{run} {branch['branch']}: {carry_out(run, branch['branch'])}", flush=True)


def carry_out(run: Path, branch: str) -> str:
    """Resume the branch with its decision, or say why not."""
    _, seen = stopview("show", str(run), branch)
    exit_code, packet = stopview("resume", str(run), branch)
    if exit_code != 0:
        return packet.get("message", "there is no packet")
    key, text = packet["branch"], packet["requestText"].encode()
    if packet["state"]["requestHashes"][key] != digest(text):
        return "the packet was damaged on its way"

    request = run / "step-{}/parallel-{}/request".format(*key.split("/"))
    request.mkdir(parents=True)
    replace(request / PENDING, text)
    before = read_state(run)
    write_state(run, merged(before, packet["state"], key, branch))
    # From here on no other decision is taken. Was one made while this one was being fetched?
    _, now = stopview("show", str(run), branch)
    if standing(now) != standing(seen):
        write_state(run, before)
        finish_or_drop(run)
        return "it was decided anew meanwhile"
    (request / PENDING).replace(request / "request.json")
    return f"resumed as {key} with {packet['receipt']}"


def standing(shown: dict[str, Any]) -> tuple[str, str]:
    """Which receipt stands, and on which evidence."""
    return shown["decision"]["seq"], shown["fingerprint"]


def merged(state: dict[str, Any], entries: dict[str, Any], key: str, branch: str) -> dict[str, Any]:
    """state.json with the packet's entries merged in, key by key; nothing else of it changes."""
    after = copy.deepcopy(state)
    for name, value in entries.items():
        if name == "chain":
            after.setdefault("chain", []).append(value)
        else:
            after.setdefault(name, {}).update(value)
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    line = {"at": at, "branch": key, "event": "dispatched", "note": f"resumes {branch}"}
    after.setdefault("transitions", []).append(line)
    return after


def finish_or_drop(run: Path) -> None:
    """Put right what an interrupted pass left: a request that state.json knows of, or not."""
    for pending in run.glob(f"step-*/parallel-*/request/{PENDING}"):
        step, parallel = pending.parents[2].name[5:], pending.parents[1].name[9:]
        hashes = read_state(run).get("requestHashes", {})
        if hashes.get(f"{step}/{parallel}") == digest(pending.read_bytes()):
            pending.replace(pending.with_name("request.json"))
            continue
        pending.unlink()
        for folder in list(pending.parents)[:3]:
            with contextlib.suppress(OSError):  # other branches of the step may be there
                folder.rmdir()


def read_state(run: Path) -> dict[str, Any]:
    """What state.json holds; nothing where there is none yet."""
    path = run / "state.json"
    return json.loads(path.read_bytes()) if path.exists() else {}


def write_state(run: Path, state: dict[str, Any]) -> None:
    """Replace state.json as a whole: a reader sees the old one or the new one."""
    replace(run / "state.json", (json.dumps(state, indent=2) + "\n").encode())


def replace(path: Path, data: bytes) -> None:
    """Put the bytes there, all at once and durably, and not one byte more or less."""
    temporary = path.with_name(f".{path.name}.part")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def digest(data: bytes) -> str:
    """As state.requestHashes has it."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


@contextlib.contextmanager
def alone(run: Path) -> Iterator[None]:
    """Keep other watchers out of the run meanwhile."""
    folder = os.open(run, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def main() -> None:
    """Look again and again, or once."""
    parser = argparse.ArgumentParser(description="Carry decisions out.")
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a run, or a folder with runs")
    parser.add_argument("--every", type=float, default=5, metavar="SECONDS")
    parser.add_argument("--once", action="store_true", help="look once and end")
    asked = parser.parse_args()
    look(asked.paths)
    while not asked.once:
        time.sleep(asked.every)
        look(asked.paths)


COMMAND = os.environ.get("STOPVIEW", "stopview")

if __name__ == "__main__":
    main()
