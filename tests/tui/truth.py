"""Holds what the app shows against what a fresh `stopview list` says of the same folders."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from stopview_core.board import Filter
from stopview_core.registry.load import RegistryChoice, shipped_root
from stopview_core.report.listing import ListAsked, list_branches, list_document
from stopview_core.snapshot import Snapshot, scan_once
from stopview_core.text import clean
from stopview_tui.app import StopviewApp

COMMAND = Path(sys.executable).with_name("stopview")
SOON_S = 3.0
"""How long after the last change the app may take to be right again."""
_CHOICE = RegistryChoice(shipped_root(), "shipped")


async def listed(roots: Sequence[Path], *options: str) -> dict[str, Any]:
    """What the command says, in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        str(COMMAND), "list", *map(str, roots), *options, "--json",
        "--registry", str(shipped_root()),
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, _ = await process.communicate()
    assert process.returncode == 0
    return _of_runs(json.loads(out))


def shown(app: StopviewApp, *, every_branch: bool) -> dict[str, Any]:
    """The same document, of the app's picture."""
    picture = app.picture
    snapshot = Snapshot(picture.runs, picture.skipped, datetime.now(UTC))
    return _document(app, snapshot, every_branch)


def _document(app: StopviewApp, snapshot: Snapshot, every_branch: bool) -> dict[str, Any]:
    assert app.registry is not None
    asked = ListAsked(Filter(), every_branch=every_branch)
    listing = list_branches(list(snapshot.runs.values()), asked)
    document = list_document(snapshot, listing, app.registry, _CHOICE)
    return _of_runs(json.loads(json.dumps(document)))


def _of_runs(document: dict[str, Any]) -> dict[str, Any]:
    """The document without the registry, and what has no order of its own in one order.

    Runs are read in the order of their paths, and stand in a picture in the order they came.
    """
    found = {name: document[name] for name in ("branches", "counts", "notices", "skipped")}
    for name in ("skipped", "notices"):
        found[name] = sorted(found[name], key=lambda item: sorted(item.items()))
    return found


def _by_path(document: dict[str, Any]) -> dict[str, Any]:
    """The document of every branch, in the order of their paths."""
    branches = sorted(document["branches"], key=lambda item: str(item["path"]))
    return {**document, "branches": branches}


def inbox_rows(app: StopviewApp) -> set[tuple[str, str]]:
    """The branches of the Inbox's rows, by the run's folder as it is shown, and key."""
    return {
        (clean(str(row.run_path)), row.branch.key)
        for row in app.inbox.rows()
        if row.branch is not None and row.run_path is not None
    }


def listed_rows(document: dict[str, Any]) -> set[tuple[str, str]]:
    """The same of what `list` says."""
    return {
        (str(Path(item["path"]).parent.parent), item["branch"]) for item in document["branches"]
    }


async def assert_true(
    app: StopviewApp, pilot: Pilot[None], roots: Sequence[Path], *, asks: bool = True
) -> float:
    """Nothing is changed any more: the app comes to show the truth soon. Seconds until it did.

    The truth is what the command says; unless it `asks`, what a scan of our own does, sooner.
    """
    began = time.monotonic()
    brief, whole = await _truth(app, roots, asks=asks)
    while True:
        now = shown(app, every_branch=True)
        is_true = (
            _by_path(now) == _by_path(whole)
            and shown(app, every_branch=False) == brief
            and inbox_rows(app) == listed_rows(brief)
        )
        if is_true:
            return time.monotonic() - began
        if time.monotonic() - began > SOON_S:
            raise AssertionError(_difference(now, whole, app))
        await pilot.pause(0.01)


async def _truth(
    app: StopviewApp, roots: Sequence[Path], *, asks: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What `list` and `list --all` say now."""
    if asks:
        brief, whole = await asyncio.gather(listed(roots), listed(roots, "--all"))
        return brief, whole
    assert app.registry is not None
    snapshot = await asyncio.to_thread(scan_once, roots, app.registry)
    return _document(app, snapshot, False), _document(app, snapshot, True)


def _difference(now: dict[str, Any], whole: dict[str, Any], app: StopviewApp) -> str:
    seen = {(item["path"]): item for item in now["branches"]}
    told = {(item["path"]): item for item in whole["branches"]}
    lines = [f"{app.health}", f"shown {now['counts']}", f"listed {whole['counts']}"]
    lines += [f"missed {path}" for path in sorted(told.keys() - seen.keys())]
    lines += [f"no more there {path}" for path in sorted(seen.keys() - told.keys())]
    lines += [
        f"other {path}: " + str([(k, seen[path][k], told[path][k]) for k in told[path]
                                 if seen[path][k] != told[path][k]])
        for path in sorted(told.keys() & seen.keys()) if told[path] != seen[path]
    ]  # fmt: skip
    lines.append(f"skipped shown {now['skipped']}, listed {whole['skipped']}")
    return "\n".join(lines)


def rss_mib() -> float:
    """This process's resident memory, in MiB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 2**20
