"""The create-once writer: what it makes, what it refuses, and the order of its calls."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from commit_seams import (
    DATA,
    NAME,
    WAYS,
    CheckThenRename,
    InPlace,
    Linked,
    Renamed,
    Seam,
    Unnamed,
    WithoutFileSync,
    WithoutFolderSync,
    before,
    calls_of,
    counting,
    dribbling,
    failing,
    failure,
    order_faults,
    race_faults,
    recorded,
    remains,
)
from evidence_tree import open_descriptors

from stopview_core.commit import Created, Failed, Lost, create_once, is_temporary, sweep
from stopview_core.system_calls import SystemCalls

each_way = pytest.mark.parametrize("way", WAYS)


@pytest.fixture
def branch(tmp_path: Path) -> Path:
    made = tmp_path / "step-1" / "parallel-1"
    made.mkdir(parents=True)
    return made


@pytest.fixture(autouse=True)
def _no_descriptor_leaks() -> object:
    count = open_descriptors()
    yield
    assert open_descriptors() == count


# What it makes


@each_way
@pytest.mark.parametrize("has_folder", [True, False])
def test_a_file_is_made_whole_and_alone(way: type[Seam], has_folder: bool, branch: Path) -> None:
    if has_folder:
        (branch / "decision").mkdir()
    assert create_once(branch, name=NAME, data=DATA, calls=way()) == Created(NAME)
    assert remains(branch) == {NAME: DATA}
    assert os.listdir(branch) == ["decision"]
    found = (branch / "decision" / NAME).stat()
    assert stat.S_ISREG(found.st_mode)
    assert found.st_nlink == 1
    assert stat.S_IMODE(found.st_mode) & ~0o644 == 0


@each_way
def test_a_name_that_is_taken_is_lost_and_stays_as_it_is(way: type[Seam], branch: Path) -> None:
    create_once(branch, name=NAME, data=DATA)
    inode = (branch / "decision" / NAME).stat().st_ino
    assert create_once(branch, name=NAME, data=b"other", calls=way()) == Lost(NAME)
    assert remains(branch) == {NAME: DATA}
    assert (branch / "decision" / NAME).stat().st_ino == inode


@each_way
@pytest.mark.parametrize("taken_by", ["folder", "link", "dangling", "fifo"])
def test_whatever_has_the_name_is_not_replaced(
    way: type[Seam], taken_by: str, branch: Path, tmp_path: Path
) -> None:
    place = branch / "decision" / NAME
    place.parent.mkdir()
    target = tmp_path / "elsewhere"
    target.write_bytes(b"mine")
    make: dict[str, Callable[[], None]] = {
        "folder": place.mkdir,
        "link": lambda: place.symlink_to(target),
        "dangling": lambda: place.symlink_to(tmp_path / "nowhere"),
        "fifo": lambda: os.mkfifo(place),
    }
    make[taken_by]()
    kind = place.lstat().st_mode
    assert create_once(branch, name=NAME, data=DATA, calls=way()) == Lost(NAME)
    assert place.lstat().st_mode == kind
    assert target.read_bytes() == b"mine"
    assert not (tmp_path / "nowhere").exists()
    assert os.listdir(place.parent) == [NAME]


@each_way
def test_short_writes_are_carried_on(way: type[Seam], branch: Path) -> None:
    assert create_once(branch, name=NAME, data=DATA, calls=dribbling(way)) == Created(NAME)
    assert remains(branch) == {NAME: DATA}


def test_a_descriptor_of_the_branch_stays_open(branch: Path) -> None:
    fd = os.open(branch, os.O_RDONLY)
    try:
        assert create_once(fd, name=NAME, data=DATA) == Created(NAME)
        assert create_once(fd, name="0002.yaml", data=DATA) == Created("0002.yaml")
        assert os.path.samestat(os.fstat(fd), branch.stat())
    finally:
        os.close(fd)


@pytest.mark.parametrize("name", ["", ".", "..", ".hidden", "a/b", "/a", "a\0b"])
def test_a_name_that_is_no_plain_name_is_a_mistake_of_the_caller(name: str, branch: Path) -> None:
    with pytest.raises(ValueError, match="plain"):
        create_once(branch, name=name, data=DATA)
    with pytest.raises(ValueError, match="plain"):
        create_once(branch, name=NAME, data=DATA, folder=name)
    assert os.listdir(branch) == []


# Where it refuses to go


@pytest.mark.parametrize("kind", ["link", "dangling", "file", "fifo"])
def test_a_decision_that_is_no_folder_is_refused(kind: str, branch: Path, tmp_path: Path) -> None:
    place, outside = branch / "decision", tmp_path / "outside"
    outside.mkdir()
    make: dict[str, Callable[[], object]] = {
        "link": lambda: place.symlink_to(outside),
        "dangling": lambda: place.symlink_to(tmp_path / "nowhere"),
        "file": lambda: place.write_bytes(b"a file"),
        "fifo": lambda: os.mkfifo(place),
    }
    make[kind]()
    outcome = create_once(branch, name=NAME, data=DATA)
    assert isinstance(outcome, Failed)
    assert outcome.left == ()
    assert "decision could not be opened" in outcome.why
    assert os.listdir(outside) == []
    assert not (tmp_path / "nowhere").exists()


def test_a_branch_that_is_a_link_or_not_there_is_refused(branch: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(branch)
    for path in (tmp_path / "link", tmp_path / "nowhere"):
        outcome = create_once(path, name=NAME, data=DATA)
        assert isinstance(outcome, Failed)
        assert "the branch could not be opened" in outcome.why
    assert os.listdir(branch) == []


def test_without_links_and_safe_renames_it_refuses(branch: Path) -> None:
    seam = failing(Renamed, {"rename_new": errno.EINVAL})
    outcome = create_once(branch, name=NAME, data=DATA, calls=seam)
    assert outcome == Failed("this file system cannot name a file without replacing another")
    assert remains(branch) == {}


def test_a_machine_without_renameat2_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import ctypes

    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: object())
    with pytest.raises(OSError) as caught:
        SystemCalls().rename_new("a", "b", dir_fd=-1)
    assert caught.value.errno == errno.ENOSYS


def test_a_system_without_unnamed_files_takes_the_named_way(
    monkeypatch: pytest.MonkeyPatch, branch: Path
) -> None:
    monkeypatch.delattr(os, "O_TMPFILE")
    seam = counting(Seam)
    assert create_once(branch, name=NAME, data=DATA, calls=seam) == Created(NAME)
    assert "link" in seam.seen
    assert remains(branch) == {NAME: DATA}


def test_without_proc_the_named_way_is_taken(branch: Path) -> None:
    seam = failing(Unnamed, {"link_open": errno.ENOENT})
    assert create_once(branch, name=NAME, data=DATA, calls=seam) == Created(NAME)
    assert remains(branch) == {NAME: DATA}


# Order, and the mutants


@each_way
def test_everything_is_synced_before_it_says_saved(way: type[Seam], branch: Path) -> None:
    for name in (NAME, "0002.yaml"):
        seam = recorded(way)
        assert create_once(branch, name=name, data=DATA, calls=seam) == Created(name)
        assert order_faults(seam.log) == []


@pytest.mark.parametrize(
    ("mutant", "fault"),
    [(WithoutFileSync, "the file was not synced"), (WithoutFolderSync, "the folder was not")],
)
def test_a_writer_that_leaves_out_a_sync_is_caught(
    mutant: type[Seam], fault: str, branch: Path
) -> None:
    seam = recorded(mutant)
    assert create_once(branch, name=NAME, data=DATA, calls=seam) == Created(NAME)
    assert any(fault in found for found in order_faults(seam.log))


def _race_lost_at_the_worst_moment(way: type[Seam], branch: Path) -> list[str]:
    """Let another writer finish within each single call of a writer; the faults of all rounds."""
    faults: list[str] = []
    for index in range(len(calls_of(way, branch))):
        others = []

        def act(others: list[object] = others) -> None:
            others.append(create_once(branch, name=NAME, data=b"theirs"))

        mine = create_once(branch, name=NAME, data=DATA, calls=before(way, index, act))
        if others:
            faults += race_faults(branch, [mine, *others], [DATA, b"theirs"])
        shutil.rmtree(branch / "decision")
    return faults


@each_way
def test_another_writer_at_any_moment_means_one_winner(way: type[Seam], branch: Path) -> None:
    assert _race_lost_at_the_worst_moment(way, branch) == []


def test_check_then_rename_is_caught_by_another_writer_in_between(branch: Path) -> None:
    class Interrupted(CheckThenRename):
        def between(self) -> None:
            outcomes.append(create_once(branch, name=NAME, data=b"theirs"))

    outcomes: list[object] = []
    mine = create_once(branch, name=NAME, data=DATA, calls=Interrupted())
    assert "2 winners" in race_faults(branch, [mine, *outcomes], [DATA, b"theirs"])


def test_writing_in_place_is_caught_by_a_full_disk(branch: Path) -> None:
    seam = failing(InPlace, {"write": errno.ENOSPC})
    assert isinstance(create_once(branch, name=NAME, data=DATA, calls=seam), Failed)
    assert remains(branch) == {NAME: b""}


# macOS


@pytest.mark.parametrize("unknown", [errno.ENOTSUP, errno.EINVAL, errno.ENOTTY])
def test_a_full_sync_is_asked_for_where_there_is_one(
    unknown: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    answers: list[int] = [0, unknown, errno.EIO]

    def full_sync(fd: int, what: int) -> int:
        asked.append(f"full {what}")
        if number := answers.pop(0):
            raise failure(number)
        return 0

    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", full_sync)
    monkeypatch.setattr(os, "fsync", lambda fd: asked.append("plain"))
    SystemCalls().sync(7)
    assert asked == ["full 51"]
    SystemCalls().sync(7)
    assert asked == ["full 51", "full 51", "plain"]
    with pytest.raises(OSError, match=re.escape(os.strerror(errno.EIO))):
        SystemCalls().sync(7)
    assert asked[-1] == "full 51", "a failed full sync is not followed by a weaker one"


# Sweeping


def _old_temporary(branch: Path, name: str, age_s: float) -> Path:
    path = branch / "decision" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"part")
    now = SystemCalls().now()
    os.utime(path, (now - age_s, now - age_s))
    return path


def test_only_old_temporaries_are_swept(branch: Path) -> None:
    old = _old_temporary(branch, ".0001.yaml.0123456789abcdef.tmp", 90_000)
    kept = [
        _old_temporary(branch, ".0001.yaml.0123456789abcdee.tmp", 80_000),
        _old_temporary(branch, ".0002.yaml.0123456789abcdef.tmp", -90_000),
        _old_temporary(branch, "0001.yaml", 90_000),
        _old_temporary(branch, ".0001.yaml.tmp", 90_000),
        _old_temporary(branch, ".gitignore", 90_000),
    ]
    (branch / "decision" / ".0003.yaml.0123456789abcdef.tmp").mkdir()
    assert sweep(branch) == (old.name,)
    assert all(path.exists() for path in kept)
    assert sweep(branch) == ()


def test_the_named_way_sweeps_first_and_a_running_writer_is_left_alone(branch: Path) -> None:
    old = _old_temporary(branch, ".0001.yaml.0123456789abcdef.tmp", 90_000)
    young = _old_temporary(branch, ".0001.yaml.0123456789abcdee.tmp", 10)
    assert create_once(branch, name=NAME, data=DATA, calls=Linked()) == Created(NAME)
    assert set(remains(branch)) == {NAME, young.name}
    assert not old.exists()


def test_sweeping_a_link_or_nothing_does_nothing(branch: Path, tmp_path: Path) -> None:
    assert sweep(branch) == ()
    other = tmp_path / "other"
    (other / "decision").mkdir(parents=True)
    old = _old_temporary(other, ".0001.yaml.0123456789abcdef.tmp", 90_000)
    (branch / "decision").symlink_to(other / "decision")
    assert sweep(branch) == ()
    assert old.exists()


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        (".0001.yaml.0123456789abcdef.tmp", True),
        ("0001.yaml.0123456789abcdef.tmp", False),
        (".0001.yaml.0123456789abcde.tmp", False),
        (".0001.yaml", False),
        ("0001.yaml", False),
    ],
)
def test_names_of_unfinished_writes(name: str, is_one: bool) -> None:
    assert is_temporary(name) is is_one
