"""Rewrites a file in place, over and over, until it is ended: what a careless writer does.

Arguments: the file, then two files with the contents that it takes in turn. A prefix of either is
there for a moment each time, mostly too short to be met, sometimes not.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from random import Random


def main() -> None:
    """Rewrite until the parent closes the pipe."""
    file = Path(sys.argv[1])
    contents = [Path(name).read_bytes() for name in sys.argv[2:4]]
    random = Random(0)
    os.set_blocking(0, False)
    print("ready", flush=True)
    turn = 0
    while not _has_ended():
        turn += 1
        data = contents[turn % 2]
        cut = random.choice((0, 0, 1, len(data) // 2, len(data) - 2))
        with file.open("wb", buffering=0) as stream:
            stream.write(data[:cut])
            time.sleep(random.choice((0.0, 0.0, 0.001, 0.004)))
            stream.write(data[cut:])
        time.sleep(random.choice((0.0, 0.001, 0.004)))


def _has_ended() -> bool:
    try:
        return os.read(0, 1) == b""
    except BlockingIOError:
        return False


if __name__ == "__main__":
    main()
