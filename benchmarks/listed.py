"""What the Inbox lists of some runs, in its order, and a run of it that can be changed back."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.commands import STOPVIEW


@dataclass(frozen=True)
class Listed:
    """A branch that waits: its run's id and folder, its key, and the ids that are offered."""

    run: str
    folder: Path
    key: str
    offered: tuple[str, ...]

    @property
    def text(self) -> re.Pattern[bytes]:
        """The run's id as it stands in the list."""
        return re.compile(re.escape(self.run.encode()))


@cache
def listed(root: Path) -> tuple[Listed, ...]:
    """All branches that wait, as `list --json` tells."""
    done = subprocess.run([STOPVIEW, "list", str(root), "--json"], capture_output=True, check=True)
    return tuple(
        Listed(one["run"], Path(one["path"]).parents[1], one["branch"], tuple(one["alternatives"]))
        for one in json.loads(done.stdout)["branches"]
    )


class Changing:
    """A run whose request counts as altered, or not, as its state.json says: its row shows that."""

    FLAG = re.compile(rb"1 violation")

    def __init__(self, branch: Listed, beside: Path) -> None:
        self._file = branch.folder / "state.json"
        self._next = beside / "state.json"
        self._before, stat = self._file.read_bytes(), self._file.stat()
        self._times = (stat.st_atime_ns, stat.st_mtime_ns)
        key = re.escape(branch.key.encode())
        asked, hashed = re.split(rb'(?<="%b": "sha256:)' % key, self._before)
        self._other = asked + (b"1" if hashed[:1] == b"0" else b"0") + hashed[1:]
        self.is_altered = False

    def prepare(self) -> None:
        """Write the next state beside the runs, where nobody watches."""
        self.is_altered = not self.is_altered
        self._next.write_bytes(self._other if self.is_altered else self._before)

    def put(self) -> None:
        """Put it in the place of the file, at once."""
        self._next.rename(self._file)

    def restore(self) -> None:
        """As it was, the time too."""
        self._next.write_bytes(self._before)
        os.utime(self._next, ns=self._times)
        self.put()


@contextmanager
def changing(branch: Listed) -> Iterator[Changing]:
    """The run of a branch to change; afterwards it is as it was."""
    beside = branch.folder.parents[1]
    with TemporaryDirectory(prefix="changing-", dir=beside) as folder:
        change = Changing(branch, Path(folder))
        try:
            yield change
        finally:
            change.restore()
