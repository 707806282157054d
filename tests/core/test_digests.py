"""The fingerprint of evidence: made as the contract says, of regular files inside alone."""

from __future__ import annotations

import hashlib
import os
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from evidence_tree import make_tree, open_descriptors, stat_says
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stopview_core.files import (
    Digests,
    FileDigest,
    Unreadable,
    digest_inside,
    fingerprint,
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
    stat_says(1, monkeypatch)
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
