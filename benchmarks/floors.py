"""The floors: the least that plain Python does for the same files. Run as a script, bare."""

from __future__ import annotations

import os
import queue
import sys
import threading

READ = 1 << 16


def walk_and_read(root: str) -> int:
    """Visit every folder and read every response.json; how many there were."""
    found = 0
    pending = [root]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                elif entry.name == "response.json":
                    read(entry.path)
                    found += 1
    return found


def read(path: str) -> None:
    """Open and read one file to its end."""
    at = os.open(path, os.O_RDONLY)
    while os.read(at, READ):
        pass
    os.close(at)


def walk_and_stat(root: str) -> int:
    """Visit every folder and stat everything in it; how many things there were."""
    found = 0
    pending = [root]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                entry.stat(follow_symlinks=False)
                found += 1
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
    return found


def read_on_threads(root: str, count: int = 8) -> None:
    """The same as `walk_and_read`, on several threads that share the runs."""
    runs: queue.SimpleQueue[str] = queue.SimpleQueue()
    with os.scandir(root) as entries:
        for entry in entries:
            runs.put(entry.path)
    threads = [threading.Thread(target=_read_some, args=(runs,)) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _read_some(runs: queue.SimpleQueue[str]) -> None:
    while True:
        try:
            run = runs.get_nowait()
        except queue.Empty:
            return
        walk_and_read(run)


if __name__ == "__main__":
    if sys.argv[1] == "walk":
        walk_and_read(sys.argv[2])
    else:
        read_on_threads(sys.argv[2])
