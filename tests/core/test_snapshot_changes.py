"""Any sequence of changes on disk: the scanner's picture stays the true one, and its diff exact."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from plain_scan import REGISTRY, assert_exact, assert_true_picture, in_an_hour

from stopview_core.demo import SCENARIOS, RunBuilder
from stopview_core.snapshot import Scanner


def quiet_run() -> RunBuilder:
    run = RunBuilder("quiet")
    run.branch("1/1", "workspace.bind")
    run.branch("2/1", "business.decide")
    return run


# What a file may come to hold, by its name.
VARIANTS = {
    "state.json": [
        b'{"id": "same"}', b"{", b"[]", b'{"id": "two", "status": "done", "steps": {"1/1": "x.y"}}',
        b'{"resumes": {"2/1": {"resumes": "1/1"}}}',
    ],
    "request.json": [b'{"operatorId": "git.publish"}', b"{}", b'{"requirements": 1', b""],
    "response.json": [
        b'{"operatorId": "workspace.bind", "status": "done"}',
        b'{"operatorId": "workspace.bind", "status": "blocked", "stop": "PERMISSION_REQUIRED"}',
        b'{"operatorId": "business.decide", "status": "done", "fallbacks": ["CHOICE_REQUIRED"]}',
        b'{"status": "blocked"}', b'{"status": "don',
    ],
    "response.md": [b"# Empty\n", b"## Fallbacks taken\n\n| Code | Action |\n|-|-|\n| A | b |\n"],
    "import.json": [b"{}"],
    "0001.yaml": [b"protocol: SACP/0.1\n", b"{"],
    "stack-model.json": [b'{"alternatives": []}', b"{"],
    "notes.txt": [b"note"],
}  # fmt: skip
BRANCH_FILES = [
    "request/request.json", "response/response.json", "response/response.md", "import.json",
    "decision/0001.yaml", "response/data/stack-model.json", "ask/response/response.json",
]  # fmt: skip
FOLDERS = ["a", "b", "group/c", "group/d", "group/deep/e"]
PLACES = [
    "state.json", "notes.txt",
    *(f"step-{n}/parallel-1/{file}" for n in (1, 2) for file in BRANCH_FILES),
    "step-2/parallel-2/response/response.json",
]  # fmt: skip
POOL: list[Callable[[], RunBuilder]] = [
    quiet_run,
    *(SCENARIOS[name].build for name in sorted(SCENARIOS)[::3]),
]
FILES = st.tuples(st.sampled_from(FOLDERS), st.sampled_from(PLACES)).map("/".join)
MOVABLE = st.one_of(
    FILES,
    st.sampled_from([*FOLDERS, "group", "group/deep"]),
    st.tuples(
        st.sampled_from(FOLDERS),
        st.sampled_from(["step-1", "step-2/parallel-1", "step-1/parallel-1/response"]),
    ).map("/".join),
)
CHOICES = st.integers(min_value=0, max_value=99)


class Changes(RuleBasedStateMachine):
    """Any sequence of changes on disk, seen by one scanner that walks and one that takes hints."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.root = self.folder / "runs"
        self.root.mkdir()
        self.walking = Scanner([self.root], REGISTRY, clock_ns=in_an_hour)
        self.hinted = Scanner([self.root], REGISTRY, clock_ns=in_an_hour)
        self.hinted.reconcile()
        self.hints: set[str] = set()
        self.tick = time.time_ns()

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @initialize(kinds=st.lists(CHOICES, min_size=2, max_size=4))
    def fill(self, kinds: list[int]) -> None:
        for folder, kind in zip(FOLDERS, kinds, strict=False):
            self.write_run(folder, kind)

    @rule(folder=st.sampled_from(FOLDERS), kind=CHOICES)
    def write_run(self, folder: str, kind: int) -> None:
        target = self.root / folder
        if target.exists() or not self.makes_way(target):
            return
        run = POOL[kind % len(POOL)]()
        made = run.write(self.folder / "made")
        made.rename(target)
        self.hints.add(str(target))

    @rule(path=FILES, choice=CHOICES, is_in_place=st.booleans())
    def write_file(self, path: str, choice: int, is_in_place: bool) -> None:
        target = self.root / path
        if target.is_dir() or not self.makes_way(target):
            return
        variants = VARIANTS[target.name]
        data = variants[choice % len(variants)]
        written = target if is_in_place else target.with_name(".new")
        written.write_bytes(data)
        self.date(written)
        if not is_in_place:
            written.replace(target)
        self.hints.add(str(target))

    @rule(path=MOVABLE)
    def remove(self, path: str) -> None:
        target = self.root / path
        if target.is_dir() and not target.is_symlink():
            shutil.rmtree(target)
        elif os.path.lexists(target):
            target.unlink()
        self.hints.add(str(target))

    @rule(path=MOVABLE, to=MOVABLE)
    def move(self, path: str, to: str) -> None:
        source, target = self.root / path, self.root / to
        if not source.exists() or target.is_relative_to(source) or os.path.lexists(target):
            return
        if self.makes_way(target):
            source.rename(target)
            self.hints |= {str(source), str(target)}

    @rule(path=MOVABLE)
    def link(self, path: str) -> None:
        """Move something out of the way and leave a link to it."""
        source = self.root / path
        self.tick += 1
        aside = self.folder / "aside" / str(self.tick)
        if os.path.lexists(source):
            aside.parent.mkdir(exist_ok=True)
            source.rename(aside)
            source.symlink_to(aside)
            self.hints.add(str(source))

    @rule(path=st.sampled_from(FOLDERS))
    def hint_in_vain(self, path: str) -> None:
        self.hints.add(str(self.root / path / "step-1"))

    @precondition(lambda self: self.hints)
    @rule()
    def look_again(self) -> None:
        before = dict(self.hinted.snapshot.runs)
        diff = self.hinted.rescan(self.hints)
        self.hints = set()
        assert_true_picture(self.hinted, self.root)
        assert_exact(diff, before, dict(self.hinted.snapshot.runs))

    @invariant()
    def a_walk_finds_the_truth(self) -> None:
        earlier = self.walking.snapshot
        before = dict(earlier.runs)
        diff = self.walking.reconcile()
        assert_true_picture(self.walking, self.root)
        assert_exact(diff, before, dict(self.walking.snapshot.runs))
        assert dict(earlier.runs) == before

    def makes_way(self, target: Path) -> bool:
        """Make the folders above the target, as a program would; what is new of them is hinted."""
        for above in reversed(target.relative_to(self.root).parents[:-1]):
            folder = self.root / above
            if folder.is_symlink() or folder.is_file():
                return False
            if not folder.exists():
                folder.mkdir()
                self.hints.add(str(folder))
        return True

    def date(self, file: Path) -> None:
        """Each write has a time of its own, however fast they follow each other."""
        self.tick += 1_000_000
        os.utime(file, ns=(self.tick, self.tick))


TestChanges = Changes.TestCase
TestChanges.settings = settings(max_examples=settings().max_examples // 2, stateful_step_count=12)
