"""Reads and writes the files of the user's own: settings, and what was seen."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path


def read_whole(path: Path, cap: int) -> bytes:
    """What a file holds, through links, at most `cap` bytes. OSError where it is none or larger."""
    # What is no file, a pipe for one, must not be waited for.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path} is not a regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(cap + 1)
    finally:
        os.close(descriptor)
    if len(data) > cap:
        raise OSError(f"{path} is larger than {cap} bytes")
    return data


def write_whole(path: Path, data: bytes) -> None:
    """Put a file in place, the old one whole until then; a link to it stays a link. OSError."""
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
