"""The create-once writer: what it makes, what it refuses, and what stays behind when calls fail."""

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
    ALWAYS_WORKS,
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
    counting,
    dribbling,
    failing,
    failure,
    order_faults,
    race_faults,
    recorded,
    remains,
)

from stopview_core.commit import Created, Failed, Lost, create_once, is_temporary, sweep
from stopview_core.system_calls import SystemCalls

DATA = b"protocol: SACP/0.1\n" * 200
DISK_TROUBLE = ("ENOSPC", "EROFS", "EDQUOT", "EIO", "EFBIG", "EACCES", "ENOENT", "ESTALE", "EMFILE")
each_way = pytest.mark.parametrize("way", WAYS)


@pytest.fixture
def branch(tmp_path: Path) -> Path:
    made = tmp_path / "step-1" / "parallel-1"
    made.mkdir(parents=True)
    return made


@pytest.fixture(autouse=True)
def _no_descriptor_leaks() -> object:
    count = _open_descriptors()
    yield
    assert _open_descriptors() == count


def _open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0


def _calls_of(way: type[Seam], branch: Path) -> list[str]:
    seam = counting(way)
    assert create_once(branch, name=NAME, data=DATA, calls=seam) == Created(NAME)
    shutil.rmtree(branch / "decision")
    return list(seam.seen)


def _raise(number: int) -> Callable[[], None]:
    def act() -> None:
        raise failure(number)

    return act


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


# Failing calls


@each_way
@pytest.mark.parametrize("trouble", DISK_TROUBLE)
def test_any_failing_call_leaves_nothing_and_the_next_write_works(
    way: type[Seam], trouble: str, branch: Path
) -> None:
    number = getattr(errno, trouble)
    calls = _calls_of(way, branch)
    failed = 0
    for index, call in enumerate(calls):
        if call in ALWAYS_WORKS:
            continue
        seam = before(way, index, _raise(number))
        outcome = create_once(branch, name=NAME, data=DATA, calls=seam)
        if isinstance(outcome, Failed):
            failed += 1
            assert outcome.left == (), call
            # The last look at the name takes "not there" as an answer, not as trouble.
            if outcome.errno != 0 or trouble != "ENOENT":
                assert (outcome.errno, os.strerror(number) in outcome.why) == (number, True)
            assert str(branch) not in outcome.why
            assert remains(branch) == {}, call
            assert create_once(branch, name=NAME, data=DATA) == Created(NAME)
        else:
            assert outcome == Created(NAME), call
            assert {name for name in remains(branch) if not is_temporary(name)} == {NAME}
        assert remains(branch)[NAME] == DATA
        shutil.rmtree(branch / "decision")
    assert failed >= 6


@each_way
def test_a_close_that_fails_has_nothing_left_to_lose(way: type[Seam], branch: Path) -> None:
    seam = failing(way, {"close": errno.EIO}, after=True)
    assert create_once(branch, name=NAME, data=DATA, calls=seam) == Created(NAME)
    assert remains(branch) == {NAME: DATA}


@each_way
@pytest.mark.parametrize("call", ["write", "sync"])
def test_the_reason_names_the_step(way: type[Seam], call: str, branch: Path) -> None:
    (branch / "decision").mkdir()
    why = {"write": "the file could not be written", "sync": "the branch could not be synced"}
    outcome = create_once(branch, name=NAME, data=DATA, calls=failing(way, {call: errno.ENOSPC}))
    assert outcome == Failed(f"{why[call]}: {os.strerror(errno.ENOSPC)}", errno.ENOSPC)


@each_way
def test_a_failed_sync_is_never_repeated(way: type[Seam], branch: Path) -> None:
    calls = _calls_of(way, branch)
    for nth, index in enumerate(i for i, call in enumerate(calls) if call == "sync"):
        seen = counting(way)

        class Both(type(before(way, index, _raise(errno.EIO))), type(seen)):  # type: ignore[misc]
            pass

        seam = Both()
        assert isinstance(create_once(branch, name=NAME, data=DATA, calls=seam), Failed)
        assert seam.seen.count("sync") == nth, "no sync came after the failed one"
        assert remains(branch) == {}
        shutil.rmtree(branch / "decision")


@each_way
@pytest.mark.parametrize("trouble", ["EIO", "EEXIST", "ETIMEDOUT"])
def test_a_name_given_with_a_lost_answer_counts_as_given(
    way: type[Seam], trouble: str, branch: Path
) -> None:
    naming = {Unnamed: "link_open", Linked: "link", Renamed: "rename_new"}[way]
    seam = failing(way, {naming: getattr(errno, trouble)}, after=True)
    assert create_once(branch, name=NAME, data=DATA, calls=seam) == Created(NAME)
    assert remains(branch) == {NAME: DATA}


def test_a_second_link_to_our_file_is_not_taken_for_our_name(branch: Path) -> None:
    """A backup that hard-links the folder raises the count of links; the name is another's."""

    class Copied(Linked):
        def link(self, source: str, name: str, *, dir_fd: int) -> None:
            super().link(source, "copy", dir_fd=dir_fd)
            raise failure(errno.EIO)

    outcome = create_once(branch, name=NAME, data=DATA, calls=Copied())
    assert isinstance(outcome, Failed)
    assert list(remains(branch)) == ["copy"]


@each_way
def test_what_cannot_be_told_is_said(way: type[Seam], branch: Path) -> None:
    naming = {Unnamed: "link_open", Linked: "link", Renamed: "rename_new"}[way]

    class Blind(type(failing(way, {naming: errno.EIO}, after=True))):  # type: ignore[misc]
        def stat(self, name: str, *, dir_fd: int) -> os.stat_result:
            if name == NAME:
                raise failure(errno.EIO)
            return super().stat(name, dir_fd=dir_fd)

    outcome = create_once(branch, name=NAME, data=DATA, calls=Blind())
    assert isinstance(outcome, Failed)
    assert outcome.left == (NAME,)
    assert "could not be found out" in outcome.why


# The last step: the name is there, the folder's sync is not


def _last_sync(way: type[Seam], branch: Path) -> int:
    calls = _calls_of(way, branch)
    return max(index for index, call in enumerate(calls) if call == "sync")


@each_way
def test_a_name_that_could_not_be_synced_is_taken_back(way: type[Seam], branch: Path) -> None:
    seam = before(way, _last_sync(way, branch), _raise(errno.EIO))
    outcome = create_once(branch, name=NAME, data=DATA, calls=seam)
    assert isinstance(outcome, Failed)
    assert outcome.left == ()
    assert "removed again" in outcome.why
    assert "power cut may bring it back" in outcome.why
    assert remains(branch) == {}


@each_way
def test_a_name_that_cannot_be_taken_back_is_reported(way: type[Seam], branch: Path) -> None:
    class Stuck(type(before(way, _last_sync(way, branch), _raise(errno.EIO)))):  # type: ignore[misc]
        def unlink(self, name: str, *, dir_fd: int) -> None:
            raise failure(errno.EROFS)

    outcome = create_once(branch, name=NAME, data=DATA, calls=Stuck())
    assert isinstance(outcome, Failed)
    assert outcome.errno == errno.EIO
    assert set(outcome.left) == set(remains(branch))
    assert outcome.left[0] == NAME
    assert "could not be removed again" in outcome.why


def test_a_name_that_others_built_upon_is_not_taken_back(branch: Path) -> None:
    def act() -> None:
        assert create_once(branch, name="0002.yaml", data=b"later") == Created("0002.yaml")
        raise failure(errno.EIO)

    seam = before(Unnamed, _last_sync(Unnamed, branch), act)
    outcome = create_once(branch, name=NAME, data=DATA, calls=seam)
    assert isinstance(outcome, Failed)
    assert outcome.left == (NAME,)
    assert "a later one" in outcome.why
    assert remains(branch) == {NAME: DATA, "0002.yaml": b"later"}


def test_an_unfinished_file_that_stays_is_reported(branch: Path) -> None:
    seam = failing(Linked, {"write": errno.ENOSPC, "unlink": errno.EIO})
    outcome = create_once(branch, name=NAME, data=DATA, calls=seam)
    assert isinstance(outcome, Failed)
    assert outcome.errno == errno.ENOSPC
    assert list(outcome.left) == list(remains(branch))
    assert all(map(is_temporary, outcome.left))
    assert "could not be removed" in outcome.why


# Folders that vanish or change under the writer


@each_way
@pytest.mark.parametrize("gone", ["decision", "branch"])
def test_a_folder_that_vanishes_at_any_call_is_never_called_saved(
    way: type[Seam], gone: str, branch: Path
) -> None:
    calls = _calls_of(way, branch)
    doomed = branch / "decision" if gone == "decision" else branch
    last_look = max(index for index, call in enumerate(calls) if call == "fstat") - 1
    failed = 0
    for index in range(last_look + 1):
        branch.mkdir(parents=True, exist_ok=True)
        seam = before(way, index, lambda: shutil.rmtree(doomed, ignore_errors=True))
        outcome = create_once(branch, name=NAME, data=DATA, calls=seam)
        if isinstance(outcome, Failed):
            failed += 1
            assert outcome.left == ()
            assert remains(branch) == {}
        else:
            assert outcome == Created(NAME)
            assert remains(branch) == {NAME: DATA}
            shutil.rmtree(branch / "decision")
    assert failed >= 5


@each_way
def test_a_folder_moved_away_is_never_called_saved(
    way: type[Seam], branch: Path, tmp_path: Path
) -> None:
    def act() -> None:
        (branch / "decision").rename(tmp_path / "moved")
        (branch / "decision").mkdir()

    seam = before(way, _last_sync(way, branch), act)
    outcome = create_once(branch, name=NAME, data=DATA, calls=seam)
    assert isinstance(outcome, Failed)
    assert outcome.left == ()
    assert "taken away" in outcome.why
    assert remains(branch) == {}
    assert os.listdir(tmp_path / "moved") == []


def test_a_folder_that_someone_else_makes_first_is_used(branch: Path) -> None:
    calls = _calls_of(Unnamed, branch)
    seam = before(Unnamed, calls.index("mkdir"), (branch / "decision").mkdir)
    assert create_once(branch, name=NAME, data=DATA, calls=seam) == Created(NAME)


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
    for index in range(len(_calls_of(way, branch))):
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
