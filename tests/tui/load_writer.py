"""Changes runs below a folder as fast as asked, as a process of its own: what a storm is made of.

It prints how many changes it made and how long they took, as JSON, when it is done.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

FEWEST, MOST = 8, 40
STEPS = range(1, 10)


class Load:
    """Runs below a root that are made, changed, renamed and deleted, at random by a seed."""

    def __init__(self, root: Path, templates: Path, seed: int) -> None:
        self.root = root
        self.random = Random(seed)
        self.templates = sorted(templates.iterdir())
        self.runs = sorted(path for path in root.iterdir() if path.is_dir())
        self.made = 0
        self._kinds: list[tuple[Callable[[], None], int]] = [
            (self.rewrite_a_file, 90),
            (self.make_a_run, 2),
            (self.delete_a_run, 2),
            (self.rename_a_run, 2),
            (self.rename_a_step, 2),
            (self.copy_a_step, 1),
            (self.delete_a_step, 1),
        ]

    def change(self) -> None:
        """Make one change of some kind."""
        kinds, weights = zip(*self._kinds, strict=True)
        self.random.choices(kinds, weights)[0]()

    def rewrite_a_file(self) -> None:
        """Replace a file, whole by a rename, or in place as a careless writer does."""
        names = ("state.json", "response.json", "request.json", "response.md", "stack-model.json")
        run = self.random.choice(self.runs)
        files = [path for path in run.rglob("*") if path.name in names]
        if not files:
            return
        file = self.random.choice(files)
        data = self._other(file.read_bytes())
        if self.random.random() < 0.5:
            new = file.with_name(f".{file.name}.new")
            new.write_bytes(data)
            os.replace(new, file)
        else:
            file.write_bytes(data)

    def _other(self, data: bytes) -> bytes:
        """The file's content with something else in it that is shown."""
        words = (b'"blocked"', b'"running"', b'"done"', b"SOURCE_DRIFT", b"CHOICE_REQUIRED")
        old, new = self.random.sample(words, 2)
        if old[:1] == new[:1] and old in data:
            return data.replace(old, new, 1)
        return data + b"\n"

    def make_a_run(self) -> None:
        """Copy a template, file by file, here or some folders deeper."""
        if len(self.runs) >= MOST:
            return
        self.made += 1
        deeper = self.random.choice(("", "", f"team-{self.made}/quarter"))
        self._copy(self.random.choice(self.templates), self.root / deeper / f"made-{self.made}")

    def _copy(self, template: Path, run: Path) -> None:
        shutil.copytree(template, run)
        self.runs.append(run)

    def delete_a_run(self) -> None:
        """Delete a run, with its folders above where they hold nothing else."""
        if len(self.runs) > FEWEST:
            run = self.runs.pop(self.random.randrange(len(self.runs)))
            shutil.rmtree(run)
            for above in run.parents:
                if above == self.root:
                    return
                above.rmdir()

    def rename_a_run(self) -> None:
        """Rename a run; another may get its old name later."""
        at = self.random.randrange(len(self.runs))
        new = self.runs[at].with_name(f"named-{self.random.randrange(MOST)}")
        if not new.exists():
            self.runs[at].rename(new)
            self.runs[at] = new

    def rename_a_step(self) -> None:
        """Give a step another number."""
        run = self.random.choice(self.runs)
        old = self._steps(run)
        new = run / f"step-{self.random.choice(STEPS)}"
        if old and not new.exists():
            self.random.choice(old).rename(new)

    def copy_a_step(self) -> None:
        """Make a new step, its folders and files at once."""
        run = self.random.choice(self.runs)
        new = run / f"step-{self.random.choice(STEPS)}"
        old = self._steps(run)
        if old and not new.exists():
            shutil.copytree(self.random.choice(old), new)

    def delete_a_step(self) -> None:
        """Delete a step, but not the last."""
        steps = self._steps(self.random.choice(self.runs))
        if len(steps) > 1:
            shutil.rmtree(self.random.choice(steps))

    def _steps(self, run: Path) -> list[Path]:
        return sorted(run.glob("step-*"))


def main() -> None:
    """Make the changes that the arguments ask for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=Path)
    parser.add_argument("templates", type=Path)
    parser.add_argument("--changes", type=int, required=True)
    parser.add_argument("--per-second", type=float, required=True)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    load = Load(asked.root, asked.templates, asked.seed)
    began = time.monotonic()
    for place in range(asked.changes):
        load.change()
        ahead = began + place / asked.per_second - time.monotonic()
        if ahead > 0.01:
            time.sleep(ahead)
    print(json.dumps({"changes": asked.changes, "seconds": time.monotonic() - began}))


if __name__ == "__main__":
    main()
