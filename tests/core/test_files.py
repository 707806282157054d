"""Bounded reading that follows no link and leaves no folder."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from evidence_tree import SECRET, make_tree, open_descriptors, stat_says
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stopview_core.files import (
    Digests,
    Unreadable,
    digest_inside,
    normalise,
    open_folder,
    open_folder_inside,
    open_inside,
    read_bytes,
    read_inside,
    read_stamped,
    sha256_inside,
)

CAP = 1_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_tree(tmp_path)


@pytest.fixture
def root_fd(root: Path) -> Iterator[int]:
    fd = os.open(root, os.O_RDONLY)
    yield fd
    os.close(fd)


@pytest.fixture(autouse=True)
def _no_descriptor_leaks(request: pytest.FixtureRequest) -> Iterator[None]:
    if "root_fd" in request.fixturenames:
        request.getfixturevalue("root_fd")
    count = open_descriptors()
    yield
    assert open_descriptors() == count


def _kind(found: object) -> str:
    assert isinstance(found, Unreadable), found
    return found.kind


# One file


@pytest.mark.parametrize("size", [0, 1, CAP - 1, CAP])
def test_a_file_up_to_the_cap_is_read_whole(size: int, tmp_path: Path) -> None:
    data = os.urandom(size)
    (tmp_path / "file").write_bytes(data)
    assert read_bytes(tmp_path / "file", cap=CAP) == data


def test_a_file_over_the_cap_is_refused_without_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(bytes(CAP + 1))
    monkeypatch.setattr(os, "read", lambda *_: pytest.fail("it was read"))
    assert read_bytes(tmp_path / "file", cap=CAP) == Unreadable(
        "it is larger than 1000 bytes", "too_large"
    )


@pytest.mark.parametrize("said", [0, 10, CAP])
@pytest.mark.parametrize("size", [5, 10, 500, CAP, CAP + 1, 10 * CAP])
def test_a_file_that_changes_its_size_is_read_to_its_end_or_refused(
    said: int, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = os.urandom(size)
    (tmp_path / "file").write_bytes(data)
    stat_says(said, monkeypatch)
    found = read_bytes(tmp_path / "file", cap=CAP)
    if size <= CAP:
        assert found == data
    else:
        assert _kind(found) == "too_large"


def test_the_stat_comes_from_the_descriptor_that_was_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"data")
    os.utime(path, ns=(1, 2_000_000_003))
    found = read_stamped(path, cap=CAP)
    assert not isinstance(found, Unreadable)
    assert (found.data, found.stat.st_mtime_ns, found.stat.st_size) == (b"data", 2_000_000_003, 4)
    assert os.path.samestat(found.stat, path.stat())


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("nothing", "missing"),
        ("a", "not_regular"),
        ("fifo", "not_regular"),
        ("leak", "link"),
        ("dangling", "link"),
        ("loop", "link"),
        ("f/below", "not_regular"),
        ("x" * 300, "missing"),
        ("a\0b", "error"),
        ("\ud800", "error"),
    ],
)
def test_whatever_is_no_regular_file_is_refused_with_its_kind(
    name: str, kind: str, root_fd: int
) -> None:
    assert _kind(read_bytes(name, dir_fd=root_fd, cap=CAP)) == kind
    assert _kind(read_inside(root_fd, name, cap=CAP)) == kind
    assert _kind(sha256_inside(root_fd, name, cap=CAP)) == kind


def test_a_fifo_with_a_waiting_writer_is_neither_read_nor_waited_for(root: Path) -> None:
    holder = os.open(root / "fifo", os.O_RDWR | os.O_NONBLOCK)
    os.write(holder, b"bait")
    assert _kind(read_bytes(root / "fifo", cap=CAP)) == "not_regular"
    assert os.read(holder, 10) == b"bait"
    os.close(holder)


def test_devices_and_sockets_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _kind(read_bytes("/dev/zero", cap=CAP)) == "not_regular"
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        assert _kind(read_bytes("socket", cap=CAP)) == "not_regular"


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.EACCES, "permission"),
        (errno.EPERM, "permission"),
        (errno.EIO, "error"),
        (errno.EMFILE, "error"),
        (errno.ESTALE, "error"),
    ],
)
def test_trouble_on_opening_is_a_value(
    number: int, kind: str, root_fd: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> int:
        raise OSError(number, "text of the system")

    monkeypatch.setattr(os, "open", fail)
    assert _kind(read_bytes("f", dir_fd=root_fd, cap=CAP)) == kind
    assert _kind(read_inside(root_fd, "a/f", cap=CAP)) == kind
    assert _kind(digest_inside(root_fd, ["a/f"])) == kind


@pytest.mark.parametrize("call", ["read", "fstat"])
def test_trouble_on_reading_is_a_value(
    call: str, root_fd: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise OSError(errno.EIO, "text of the system")

    monkeypatch.setattr(os, call, fail)
    assert read_bytes("f", dir_fd=root_fd, cap=CAP) == Unreadable(os.strerror(errno.EIO), "error")
    assert _kind(read_inside(root_fd, "a/f", cap=CAP)) == "error"
    assert digest_inside(root_fd, ["a/f"]) == Unreadable(os.strerror(errno.EIO), "error", "a/f")


# Below a folder


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("up/secret", "link"),
        ("up/root/f", "link"),
        ("a/again/f", "link"),
        ("leak", "link"),
        ("../secret", "outside"),
        ("a/../f", "outside"),
        ("a/b/../../../secret", "outside"),
        ("/etc/hostname", "outside"),
        ("//f", "outside"),
        ("", "outside"),
        (".", "outside"),
        ("nothing/f", "missing"),
        ("f/f", "not_regular"),
        ("fifo/f", "not_regular"),
        ("a/b", "not_regular"),
    ],
)
def test_a_path_that_leads_astray_is_refused(path: str, kind: str, root_fd: int) -> None:
    assert _kind(read_inside(root_fd, path, cap=CAP)) == kind
    assert _kind(sha256_inside(root_fd, path, cap=CAP)) == kind


@pytest.mark.parametrize("path", ["a/b/f", "./a/b/f", "a//b/./f", "a/b/f/"])
def test_a_path_inside_is_read(path: str, root_fd: int) -> None:
    assert read_inside(root_fd, path, cap=CAP) == b"in a/b/f"
    assert normalise(path) == "a/b/f"


PARTS = st.sampled_from(
    ["a", "b", "f", "up", "again", "leak", "root", "secret", "dangling", "fifo", "..", ".", ""]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(PARTS, min_size=1, max_size=6))
def test_nothing_outside_is_ever_read(parts: list[str], root: Path, root_fd: int) -> None:
    path = "/".join(parts)
    found = read_inside(root_fd, path, cap=CAP)
    name = normalise(path)
    if isinstance(found, bytes):
        assert isinstance(name, str)
        assert found == b"in " + name.encode()
    else:
        plain = isinstance(name, str) and (root / name).is_file()
        assert not plain or (root / str(name)).resolve() != root / str(name)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.text(st.characters() | st.sampled_from("/.\0\udc80"), max_size=40))
def test_no_path_makes_it_raise(path: str, root_fd: int) -> None:
    assert isinstance(read_inside(root_fd, path, cap=CAP), bytes | Unreadable)
    assert isinstance(digest_inside(root_fd, [path]), Digests | Unreadable)
    folder = open_folder_inside(root_fd, path)
    if isinstance(folder, int):
        os.close(folder)


def test_a_folder_swapped_for_a_link_in_between_leads_nowhere(
    root: Path, root_fd: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root.parent / "f").write_bytes(SECRET)
    real = os.open

    def swapping(path: str, flags: int, *, dir_fd: int) -> int:
        opened = real(path, flags, dir_fd=dir_fd)
        if path == "a":
            (root / "a").rename(root / "old")
            (root / "a").symlink_to(root.parent)
        return opened

    monkeypatch.setattr(os, "open", swapping)
    assert read_inside(root_fd, "a/f", cap=CAP) == b"in a/f"
    assert _kind(read_inside(root_fd, "a/f", cap=CAP)) == "link"


def test_a_folder_that_may_only_be_passed_through_is_passed(root: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may list every folder")
    fd = os.open(root, os.O_RDONLY)
    (root / "a").chmod(0o100)
    try:
        assert read_inside(fd, "a/f", cap=CAP) == b"in a/f"
    finally:
        (root / "a").chmod(0o700)
        os.close(fd)


def test_folders_are_opened_to_be_listed(root: Path, root_fd: int) -> None:
    wanted = {"a/b": ["f"], "a/": ["again", "b", "f"], ".": sorted(os.listdir(root))}
    for path, names in wanted.items():
        fd = open_folder_inside(root_fd, path)
        assert isinstance(fd, int)
        assert sorted(os.listdir(fd)) == names
        os.close(fd)
    fd = open_folder(root)
    assert isinstance(fd, int)
    os.close(fd)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("f", "not_regular"),
        ("up", "link"),
        ("a/again", "link"),
        ("..", "outside"),
        ("x", "missing"),
    ],
)
def test_what_is_no_folder_is_not_opened_as_one(path: str, kind: str, root_fd: int) -> None:
    assert _kind(open_folder_inside(root_fd, path)) == kind
    if "/" not in path and kind != "outside":
        assert _kind(open_folder(path, dir_fd=root_fd)) == kind


def test_an_opened_file_is_the_callers_to_close(root: Path, root_fd: int) -> None:
    fd = open_inside(root_fd, "a/f")
    assert isinstance(fd, int)
    assert os.path.samestat(os.fstat(fd), (root / "a" / "f").stat())
    assert os.get_inheritable(fd) is False
    os.close(fd)
