"""The create-once writer among processes: racing, killed, on full disks, after a power cut."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from commit_child import DATA, data_of
from commit_seams import (
    NAME,
    WAYS,
    CheckThenRename,
    InPlace,
    Seam,
    Unnamed,
    WithoutFileSync,
    WithoutFolderSync,
    failing,
    kill_faults,
    race_faults,
    remains,
)

from stopview_core import commit
from stopview_core.commit import Created, Failed, Outcome, create_once

CHILD = [sys.executable, "-I", "-S", str(Path(__file__).with_name("commit_child.py"))]
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
WRITERS = 8
each_way = pytest.mark.parametrize("way", WAYS)


# Races


def _race_faults(way: type[Seam], rounds: int, root: Path) -> list[str]:
    ran = subprocess.run(
        [*CHILD, "race", root, way.__name__, str(rounds), str(WRITERS)],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    faults: list[str] = []
    lines = ran.stdout.splitlines()
    assert len(lines) == rounds
    for number, line in enumerate(lines):
        outcomes = [_outcome(parsed) for parsed in json.loads(line)]
        faults += race_faults(root / str(number), outcomes, list(map(data_of, range(WRITERS))))
    return faults


def _outcome(parsed: dict[str, Any]) -> Outcome:
    fields = dict(parsed)
    made: Outcome = getattr(commit, fields.pop("is"))(**fields)
    return made


@each_way
def test_of_eight_racing_writers_one_wins(way: type[Seam], tmp_path: Path) -> None:
    assert _race_faults(way, 20, tmp_path) == []


@pytest.mark.long
@each_way
def test_of_eight_racing_writers_one_wins_in_200_races(way: type[Seam], tmp_path: Path) -> None:
    assert _race_faults(way, 200, tmp_path) == []


def test_check_then_rename_is_caught_by_the_race(tmp_path: Path) -> None:
    faults = _race_faults(CheckThenRename, 20, tmp_path)
    assert any(re.fullmatch(r"[2-8] winners", fault) for fault in faults)


# SIGKILL


class Writers:
    """A process that forks writers, each of which can be traced from its first system call on."""

    def __init__(self, log: Path) -> None:
        self.log = log
        pipe = subprocess.PIPE
        self.server = subprocess.Popen([*CHILD, "serve"], stdin=pipe, stdout=pipe)

    def run(self, way: type[Seam], branch: Path, *tracing: str) -> tuple[int, list[str]]:
        """The wait status of one traced writer and the system calls it made after its start."""
        self._tell(f"{way.__name__} {branch}")
        pid = self._hear()
        tracer = subprocess.Popen(
            ["strace", "-p", str(pid), "-o", str(self.log), *tracing],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert tracer.stderr is not None
        attached = tracer.stderr.readline()
        self._tell("go")
        status = self._hear()
        complaint = tracer.communicate()[1]
        if "attached" not in attached:
            raise PermissionError(f"strace: {attached}{complaint}".strip())
        calls = re.findall(r"^(\w+)\(", self.log.read_text(), re.MULTILINE)
        return status, [call for call in calls if call not in ("read", "restart_syscall")]

    def close(self) -> None:
        """End the process, which ends by itself once nothing can come any more."""
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        self.server.stdin.close()
        self.server.stdout.close()
        self.server.wait()

    def _tell(self, line: str) -> None:
        assert self.server.stdin is not None
        self.server.stdin.write(f"{line}\n".encode())
        self.server.stdin.flush()

    def _hear(self) -> int:
        assert self.server.stdout is not None
        return int(self.server.stdout.readline())


@pytest.fixture
def writers(tmp_path: Path) -> Iterator[Writers]:
    if shutil.which("strace") is None:
        _cannot_kill("strace is not installed")
    made = Writers(tmp_path / "strace.log")
    try:
        made.run(Unnamed, _fresh(tmp_path / "trial"))
    except PermissionError as error:
        made.close()
        _cannot_kill(str(error))
    yield made
    made.close()


def _cannot_kill(why: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(f"writers cannot be killed at their system calls: {why}")
    pytest.skip(why)


def _fresh(branch: Path) -> Path:
    shutil.rmtree(branch, ignore_errors=True)
    branch.mkdir(parents=True)
    return branch


def _killed_everywhere(
    way: type[Seam], writers: Writers, branch: Path
) -> Iterator[tuple[str, dict[str, bytes], list[str]]]:
    """Kill a writer at each of its system calls in turn: the call, what remained, the faults."""
    status, calls = writers.run(way, _fresh(branch))
    assert status == 0
    assert remains(branch) == {NAME: DATA}
    for index, call in enumerate(calls):
        nth = calls[: index + 1].count(call)
        kill = f"inject={call}:signal=KILL:when={nth}"
        status, seen = writers.run(way, _fresh(branch), "-e", f"trace={call}", "-e", kill)
        assert os.WTERMSIG(status) == signal.SIGKILL, f"{call} {nth}"
        assert seen == [call] * nth
        left = remains(branch)
        faults = kill_faults(branch, DATA, leaves_temporaries=way not in (Unnamed, InPlace))
        yield f"{call} {nth}", left, faults


@each_way
def test_a_writer_killed_at_any_call_leaves_nothing_or_a_whole_file(
    way: type[Seam], writers: Writers, tmp_path: Path
) -> None:
    wholes = nothings = 0
    for call, left, faults in _killed_everywhere(way, writers, tmp_path / "branch"):
        assert faults == [], call
        wholes += NAME in left
        nothings += NAME not in left
    assert nothings >= 10, "killed before the name was given"
    assert wholes >= 5, "killed after"


def test_a_writer_in_place_is_caught_by_a_kill(writers: Writers, tmp_path: Path) -> None:
    rounds = _killed_everywhere(InPlace, writers, tmp_path / "branch")
    assert any("a part of a file" in fault for _, _, faults in rounds for fault in faults)


# Disks


class CannotMount(Exception):
    """This process may not mount, or not this."""


@contextmanager
def _mounted(device: str, where: Path, kind: str, options: str) -> Iterator[Path]:
    where.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", kind, "-o", options, device, where]
    tried = subprocess.run(command, capture_output=True, text=True) if IS_ROOT else None
    if tried is None or tried.returncode:
        raise CannotMount(tried.stderr.strip() if tried else "only root can mount")
    try:
        yield where
    finally:
        subprocess.run(["umount", where], check=True)


def _fill_the_space(root: Path) -> None:
    with (root / "ballast").open("wb", buffering=0) as ballast:
        _until_the_disk_is_full(lambda: ballast.write(bytes(4096)))


def _use_up_the_inodes(root: Path) -> None:
    numbers = count()
    _until_the_disk_is_full(lambda: (root / f"ballast-{next(numbers)}").touch())


def _until_the_disk_is_full(act: Callable[[], object]) -> None:
    try:
        while True:
            act()
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise


def _use_up_the_inodes_but_one(root: Path) -> None:
    _use_up_the_inodes(root)
    (root / "ballast-0").unlink()


def _make_read_only(root: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", root], check=True)


TROUBLES: dict[str, tuple[Callable[[Path], None], int, dict[str, int]]] = {
    "disk full": (_fill_the_space, errno.ENOSPC, {"write": errno.ENOSPC}),
    "no inodes": (_use_up_the_inodes, errno.ENOSPC, {"open": errno.ENOSPC}),
    "one inode": (
        _use_up_the_inodes_but_one,
        errno.ENOSPC,
        {"link_open": errno.ENOSPC, "link": errno.ENOSPC, "rename_new": errno.ENOSPC},
    ),
    "read-only": (_make_read_only, errno.EROFS, {"mkdir": errno.EROFS, "open": errno.EROFS}),
}


@contextmanager
def _in_trouble(
    trouble: str, way: type[Seam], has_folder: bool, tmp_path: Path
) -> Iterator[tuple[Path, Seam, int]]:
    """A branch on a disk that is in trouble, or whose calls fail where none can be mounted."""
    spoil, number, failures = TROUBLES[trouble]
    with ExitStack() as stack:
        disk, seam = tmp_path / "disk", way()
        with suppress(CannotMount):
            mount = _mounted("none", disk, "tmpfs", "size=64k,nr_inodes=20")
            stack.enter_context(mount)
        branch = _fresh(disk / "branch")
        if has_folder:
            (branch / "decision").mkdir()
        if disk.is_mount():
            spoil(disk)
        else:
            seam = failing(way, failures)
        yield branch, seam, number


@each_way
@pytest.mark.parametrize("has_folder", [True, False])
@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_disk_in_trouble_fails_with_its_reason_and_keeps_nothing(
    trouble: str, has_folder: bool, way: type[Seam], tmp_path: Path
) -> None:
    with _in_trouble(trouble, way, has_folder, tmp_path) as (branch, seam, number):
        outcome = create_once(branch, name=NAME, data=DATA, calls=seam)
        if trouble == "one inode" and isinstance(outcome, Created):
            # A rename needs no second inode, and a folder that is there none of its own.
            assert remains(branch) == {NAME: DATA}
            return
        assert isinstance(outcome, Failed)
        assert (outcome.errno, outcome.left) == (number, ())
        assert os.strerror(number) in outcome.why
        assert remains(branch) == {}


@each_way
@pytest.mark.parametrize("size", [0, 1, len(DATA) - 1])
def test_a_limit_for_files_fails_with_its_reason_and_keeps_nothing(
    way: type[Seam], size: int, tmp_path: Path
) -> None:
    command = [*CHILD, "limit", tmp_path, way.__name__, str(size)]
    ran = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    outcome = _outcome(json.loads(ran.stdout))
    assert isinstance(outcome, Failed)
    assert outcome.errno == errno.EFBIG
    assert list(outcome.left) == []
    assert remains(tmp_path) == {}
    assert create_once(tmp_path, name=NAME, data=DATA) == Created(NAME)


# Power cuts. Without root or loop devices the order of the calls stands in: test_commit.py.


def _image(path: Path, *options: str) -> Path:
    with path.open("wb") as image:
        image.truncate(16 * 1024 * 1024)
    command = ["mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,nodiscard", *options, path]
    subprocess.run(command, check=True)
    return path


def _after_a_power_cut(way: type[Seam], mode: str, tmp_path: Path) -> dict[str, bytes]:
    """What is in the folder when the power goes the moment the writer has said saved.

    The image is what the file system has sent to its disk by then; its copy is mounted anew.
    """
    if not IS_ROOT or shutil.which("mkfs.ext4") is None:
        pytest.skip("no image can be made and mounted here; the order of the calls is tested")
    image, copy = _image(tmp_path / "image"), tmp_path / "copy"
    options = f"loop,data={mode}"
    try:
        with _mounted(str(image), tmp_path / "disk", "ext4", options) as disk:
            branch = _fresh(disk / "branch")
            subprocess.run(["sync", "-f", disk], check=True)
            outcome = create_once(branch, name=NAME, data=DATA, calls=way())
            shutil.copyfile(image, copy)
            assert outcome == Created(NAME)
    except CannotMount as error:
        pytest.skip(f"no image can be mounted here ({error}); the order of the calls is tested")
    with _mounted(str(copy), tmp_path / "disk", "ext4", options) as disk:
        return remains(disk / "branch")


@each_way
def test_what_was_called_saved_outlives_a_power_cut(way: type[Seam], tmp_path: Path) -> None:
    assert _after_a_power_cut(way, "ordered", tmp_path)[NAME] == DATA


@pytest.mark.long
@pytest.mark.parametrize("mode", ["writeback", "journal"])
@each_way
def test_what_was_called_saved_outlives_a_power_cut_in_other_modes(
    way: type[Seam], mode: str, tmp_path: Path
) -> None:
    assert _after_a_power_cut(way, mode, tmp_path)[NAME] == DATA


def test_a_file_that_was_not_synced_is_lost_in_a_power_cut(tmp_path: Path) -> None:
    assert _after_a_power_cut(WithoutFileSync, "ordered", tmp_path).get(NAME) != DATA


def test_a_name_that_was_not_synced_is_lost_in_a_power_cut(tmp_path: Path) -> None:
    assert _after_a_power_cut(WithoutFolderSync, "ordered", tmp_path) == {}
