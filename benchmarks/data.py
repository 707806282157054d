"""The runs that are measured: realistic ones in bulk, made once, kept where asked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from stopview_core.demo import write_many


@dataclass(frozen=True)
class Data:
    """Where the runs lie, how many are many, and how often each thing is measured."""

    folder: Path
    size: int
    repeat: int

    def runs(self, count: int) -> Path:
        """A folder of `count` runs; a half-made one is told by its mark and refused."""
        folder = self.folder / f"runs-{count}"
        mark = self.folder / f"runs-{count}.made"
        if not mark.exists():
            write_many(folder, count)
            mark.touch()
        return folder

    def many(self) -> Path:
        """The large folder of runs."""
        return self.runs(self.size)
