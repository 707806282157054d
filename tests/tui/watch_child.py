"""Watches a root, and prints what the watcher says of itself and of the runs, a line each time.

Arguments: the root, and limits of this process's user namespace to set before, as `name=number`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from textual.message import Message

from stopview_core.registry.load import load, shipped_root
from stopview_core.snapshot import Scanner
from stopview_tui.messages import SnapshotChanged, WatchReported
from stopview_tui.watch.watcher import Watcher


def main() -> None:
    """Watch until the parent ends this."""
    for limit in sys.argv[2:]:
        name, _, number = limit.partition("=")
        Path("/proc/sys/user", name).write_text(number, encoding="ascii")
    Watcher(Scanner([Path(sys.argv[1])], load(shipped_root())), tell).run()


def tell(message: Message) -> None:
    """Print a message that says something here."""
    told: object = None
    if isinstance(message, WatchReported):
        told = {"state": message.health.state, "why": message.health.why}
    elif isinstance(message, SnapshotChanged):
        told = {"runs": {run.id: run.status for run in message.snapshot.runs.values()}}
    if told is not None:
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
