"""The create-once writer when calls fail and folders vanish: its reasons, and what stays behind."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from commit_seams import (
    ALWAYS_WORKS,
    DATA,
    NAME,
    WAYS,
    Linked,
    Renamed,
    Seam,
    Unnamed,
    before,
    calls_of,
    counting,
    failing,
    failure,
    remains,
)
from evidence_tree import open_descriptors

from stopview_core.commit import Created, Failed, create_once, is_temporary

DISK_TROUBLE = ("ENOSPC", "EROFS", "EDQUOT", "EIO", "EFBIG", "EACCES", "ENOENT", "ESTALE", "EMFILE")
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


def _raise(number: int) -> Callable[[], None]:
    def act() -> None:
        raise failure(number)

    return act


# Failing calls


@each_way
@pytest.mark.parametrize("trouble", DISK_TROUBLE)
def test_any_failing_call_leaves_nothing_and_the_next_write_works(
    way: type[Seam], trouble: str, branch: Path
) -> None:
    number = getattr(errno, trouble)
    calls = calls_of(way, branch)
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
    calls = calls_of(way, branch)
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
    calls = calls_of(way, branch)
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
    calls = calls_of(way, branch)
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
    calls = calls_of(Unnamed, branch)
    seam = before(Unnamed, calls.index("mkdir"), (branch / "decision").mkdir)
    assert create_once(branch, name=NAME, data=DATA, calls=seam) == Created(NAME)
