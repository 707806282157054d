"""Bounded reading that follows no link and leaves no folder, and the fingerprint of evidence."""

from __future__ import annotations

import errno
import hashlib
import os
import socket
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stopview_core import files
from stopview_core.files import (
    Digests,
    FileDigest,
    Unreadable,
    digest_inside,
    fingerprint,
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
SECRET = b"outside"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with files and traps, beside a secret that must not be reached from it."""
    (tmp_path / "secret").write_bytes(SECRET)
    inside = tmp_path / "root"
    (inside / "a" / "b").mkdir(parents=True)
    (inside / "f").write_bytes(b"in f")
    (inside / "a" / "f").write_bytes(b"in a/f")
    (inside / "a" / "b" / "f").write_bytes(b"in a/b/f")
    (inside / "up").symlink_to("..")
    (inside / "a" / "again").symlink_to("b")
    (inside / "leak").symlink_to(tmp_path / "secret")
    (inside / "dangling").symlink_to("nowhere")
    (inside / "loop").symlink_to("loop")
    os.mkfifo(inside / "fifo")
    return inside


@pytest.fixture
def root_fd(root: Path) -> Iterator[int]:
    fd = os.open(root, os.O_RDONLY)
    yield fd
    os.close(fd)


@pytest.fixture(autouse=True)
def _no_descriptor_leaks(request: pytest.FixtureRequest) -> Iterator[None]:
    if "root_fd" in request.fixturenames:
        request.getfixturevalue("root_fd")
    count = _open_descriptors()
    yield
    assert _open_descriptors() == count


def _open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0


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
    monkeypatch.setattr(files.os, "read", lambda *_: pytest.fail("it was read"))
    assert read_bytes(tmp_path / "file", cap=CAP) == Unreadable(
        "it is larger than 1000 bytes", "too_large"
    )


def _stat_says(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fstat

    def fstat(fd: int) -> os.stat_result:
        found = list(real(fd))
        found[6] = size
        return os.stat_result(found)

    monkeypatch.setattr(files.os, "fstat", fstat)


@pytest.mark.parametrize("said", [0, 10, CAP])
@pytest.mark.parametrize("size", [5, 10, 500, CAP, CAP + 1, 10 * CAP])
def test_a_file_that_changes_its_size_is_read_to_its_end_or_refused(
    said: int, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = os.urandom(size)
    (tmp_path / "file").write_bytes(data)
    _stat_says(said, monkeypatch)
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

    monkeypatch.setattr(files.os, "open", fail)
    assert _kind(read_bytes("f", dir_fd=root_fd, cap=CAP)) == kind
    assert _kind(read_inside(root_fd, "a/f", cap=CAP)) == kind
    assert _kind(digest_inside(root_fd, ["a/f"])) == kind


@pytest.mark.parametrize("call", ["read", "fstat"])
def test_trouble_on_reading_is_a_value(
    call: str, root_fd: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise OSError(errno.EIO, "text of the system")

    monkeypatch.setattr(files.os, call, fail)
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

    monkeypatch.setattr(files.os, "open", swapping)
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


# Digests


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_the_fingerprint_is_made_as_the_contract_says(root_fd: int) -> None:
    found = digest_inside(root_fd, ["f", "./a/f", "none", "a//f", "a/b/f"])
    lines = [
        f"{_sha256(b'in f')}  f\n",
        f"{_sha256(b'in a/f')}  a/f\n",
        f"{_sha256(b'in a/b/f')}  a/b/f\n",
        "absent  none\n",
    ]
    expected = _sha256("".join(sorted(lines)).encode())
    assert found == Digests(
        expected,
        (
            FileDigest("a/b/f", _sha256(b"in a/b/f"), 8),
            FileDigest("a/f", _sha256(b"in a/f"), 6),
            FileDigest("f", _sha256(b"in f"), 4),
            FileDigest("none", None, 0),
        ),
        18,
    )


def test_the_fingerprint_of_nothing() -> None:
    assert fingerprint({}) == _sha256(b"")


def test_names_that_are_not_utf8_keep_their_bytes(root: Path, root_fd: int) -> None:
    raw = b"\xff\xe9"
    try:
        Path(os.fsdecode(os.fsencode(root) + b"/" + raw)).write_bytes(b"x")
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")
    found = digest_inside(root_fd, [os.fsdecode(raw)])
    assert isinstance(found, Digests)
    assert found.fingerprint == _sha256(_sha256(b"x").encode() + b"  " + raw + b"\n")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("leak", "link"),
        ("up/secret", "link"),
        ("../secret", "outside"),
        ("a", "not_regular"),
        ("fifo", "not_regular"),
        ("f/f", "not_regular"),
    ],
)
def test_evidence_that_is_no_regular_file_inside_has_no_fingerprint(
    path: str, kind: str, root_fd: int
) -> None:
    found = digest_inside(root_fd, ["f", path])
    assert _kind(found) == kind
    assert isinstance(found, Unreadable)
    assert found.path == path


def test_a_line_feed_in_a_name_cannot_stand_for_a_second_line(root: Path, root_fd: int) -> None:
    (root / "f\nabsent  g").write_bytes(b"in f")
    found = digest_inside(root_fd, ["f\nabsent  g"])
    assert _kind(found) == "error"
    assert isinstance(digest_inside(root_fd, ["f", "g"]), Digests)


def test_the_budget_holds_for_all_files_together(root_fd: int) -> None:
    paths = ["f", "a/f", "a/b/f"]
    assert isinstance(digest_inside(root_fd, paths, budget=18), Digests)
    found = digest_inside(root_fd, paths, budget=17)
    assert isinstance(found, Unreadable)
    assert (found.kind, found.why) == ("too_large", "the evidence is larger than 17 bytes")
    assert found.path in paths


def test_a_file_that_grows_while_it_is_digested_stays_within_the_budget(
    root: Path, root_fd: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    _stat_says(1, monkeypatch)
    assert _kind(sha256_inside(root_fd, "a/b/f", cap=7)) == "too_large"
    assert sha256_inside(root_fd, "a/b/f", cap=8) == FileDigest("a/b/f", _sha256(b"in a/b/f"), 8)


def test_a_large_file_is_digested_in_little_memory(root: Path, root_fd: int) -> None:
    size = 16 * 1024 * 1024
    with (root / "large").open("wb") as large:
        large.truncate(size)
    tracemalloc.start()
    found = sha256_inside(root_fd, "large", cap=size)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == FileDigest("large", _sha256(bytes(size)), size)
    assert peak < 2 * 1024 * 1024


NAMES = st.sampled_from(["f", "a/f", "a/b/f", "g", "a/g"])


def _write(root: Path, contents: dict[str, bytes]) -> None:
    for name in ("f", "a/f", "a/b/f", "g", "a/g"):
        (root / name).unlink(missing_ok=True)
    for name, data in contents.items():
        (root / name).write_bytes(data)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    one=st.dictionaries(NAMES, st.binary(max_size=3)),
    other=st.dictionaries(NAMES, st.binary(max_size=3)),
    asked=st.lists(NAMES),
    asked_otherwise=st.randoms(use_true_random=False),
)
def test_fingerprints_are_equal_exactly_when_the_evidence_is(
    one: dict[str, bytes],
    other: dict[str, bytes],
    asked: list[str],
    asked_otherwise: Callable[..., object],
    root: Path,
    root_fd: int,
) -> None:
    _write(root, one)
    first = digest_inside(root_fd, asked)
    again = [f"./{path}" for path in asked] + asked
    asked_otherwise.shuffle(again)  # type: ignore[attr-defined]
    assert digest_inside(root_fd, again) == first
    _write(root, other)
    second = digest_inside(root_fd, asked)
    same = {path: one.get(path) for path in asked} == {path: other.get(path) for path in asked}
    assert isinstance(first, Digests)
    assert isinstance(second, Digests)
    assert (first.fingerprint == second.fingerprint) is same
