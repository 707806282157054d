"""The runs that are measured: realistic ones in bulk, made once, kept where asked."""

from __future__ import annotations

import shutil
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
        """A folder of `count` runs, made beside and renamed: one that is there is whole."""
        folder = self.folder / f"runs-{count}"
        if not folder.exists():
            part = self.folder / f"runs-{count}.part"
            shutil.rmtree(part, ignore_errors=True)
            write_many(part, count)
            part.rename(folder)
        return folder

    def many(self) -> Path:
        """The large folder of runs."""
        return self.runs(self.size)
