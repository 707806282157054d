"""A folder full of files and traps, for the tests that read below it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SECRET = b"outside"


def make_tree(where: Path) -> Path:
    """Make the folder, beside a secret that must not be reached from it."""
    (where / "secret").write_bytes(SECRET)
    inside = where / "root"
    (inside / "a" / "b").mkdir(parents=True)
    for name in ("f", "a/f", "a/b/f"):
        (inside / name).write_bytes(b"in " + name.encode())
    (inside / "up").symlink_to("..")
    (inside / "a" / "again").symlink_to("b")
    (inside / "leak").symlink_to(where / "secret")
    (inside / "dangling").symlink_to("nowhere")
    (inside / "loop").symlink_to("loop")
    os.mkfifo(inside / "fifo")
    return inside


def open_descriptors() -> int:
    """How many descriptors this process holds; always the same where that cannot be seen."""
    return len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0


def stat_says(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every stat of a descriptor give this size, as if the file had changed since."""
    real = os.fstat

    def fstat(fd: int) -> os.stat_result:
        found = list(real(fd))
        found[6] = size
        return os.stat_result(found)

    monkeypatch.setattr(os, "fstat", fstat)
