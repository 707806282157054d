"""`stopview decide` on disks in trouble: why it failed, and that nothing is left."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import pytest
from commit_seams import Seam, Unnamed, before, failing
from deciding.asking import Ran, asker
from deciding.making import made
from deciding.runs import APPROVAL, ROOT, Site, decidable_run
from deciding.tracing import CHILD

from stopview_core.decide import decide

IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
FIRST_WRITE = 5
"""The place among the calls of a commit, whose folder is there, at which the file is written."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A run with something to decide; nothing but `decision/` may change in it."""
    made = Site(decidable_run().write(tmp_path))
    yield made
    made.check()


@pytest.fixture
def command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """`stopview decide` in this process."""
    monkeypatch.setenv("STOPVIEW_APPROVER", "ada@example.org")
    monkeypatch.setenv("STOPVIEW_REGISTRY", str(ROOT))
    return asker(capsys)


def _mount(where: Path, options: str) -> bool:
    """Whether a small file system in memory could be mounted there."""
    if not IS_ROOT:
        return False
    command = ["mount", "-t", "tmpfs", "-o", options, "none", where]
    return subprocess.run(command, capture_output=True).returncode == 0


def _until_full(act: Callable[[], object]) -> None:
    with suppress(OSError):
        while True:
            act()


def _fill_the_space(disk: Path) -> None:
    with (disk / "ballast").open("wb", buffering=0) as ballast:
        _until_full(lambda: ballast.write(bytes(4096)))


def _use_up_the_inodes(disk: Path) -> None:
    numbers = count()
    _until_full(lambda: (disk / f"ballast-{next(numbers)}").touch())


def _make_read_only(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)


TROUBLES: dict[str, tuple[Callable[[Path], None], int, dict[str, int]]] = {
    "disk full": (_fill_the_space, errno.ENOSPC, {"write": errno.ENOSPC}),
    "no inodes": (_use_up_the_inodes, errno.ENOSPC, {"open": errno.ENOSPC}),
    "read-only": (_make_read_only, errno.EROFS, {"mkdir": errno.EROFS, "open": errno.EROFS}),
}


@contextmanager
def in_trouble(trouble: str, has_folder: bool, disk: Path) -> Iterator[tuple[Site, Seam, int]]:
    """A run on a disk in trouble, or one whose calls fail where no disk can be mounted."""
    spoil, number, failures = TROUBLES[trouble]
    disk.mkdir()
    is_mounted = _mount(disk, "size=512k,nr_inodes=100")
    try:
        site = Site(decidable_run().write(disk))
        if has_folder:
            (site.branch(APPROVAL) / "decision").mkdir()
        if is_mounted:
            spoil(disk)
        yield site, Unnamed() if is_mounted else failing(Unnamed, failures), number
    finally:
        if is_mounted:
            subprocess.run(["umount", disk], check=True)


@pytest.mark.parametrize("has_folder", [True, False])
@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_disk_in_trouble_is_500_with_its_reason_and_keeps_nothing(
    trouble: str,
    has_folder: bool,
    tmp_path: Path,
    command: Callable[..., Ran],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with in_trouble(trouble, has_folder, tmp_path / "disk") as (site, calls, number):
        monkeypatch.setitem(decide.__kwdefaults__, "calls", calls)
        ran = command(site, APPROVAL, "--select", "outbox")
        assert_failed(ran, number)
        assert site.receipts(APPROVAL) == {}
        site.check()


@pytest.mark.parametrize("gone", ["run", "branch", "decision"])
def test_a_folder_that_vanishes_under_the_command_is_500_and_makes_no_new_one(
    gone: str, tmp_path: Path, command: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Site(decidable_run().write(tmp_path))
    doomed = {"run": site.run, "branch": site.branch(APPROVAL)}
    doomed["decision"] = site.branch(APPROVAL) / "decision"
    doomed["decision"].mkdir()

    def vanish() -> None:
        Site.hands += 1
        shutil.rmtree(doomed[gone])

    calls = before(Unnamed, FIRST_WRITE, vanish)
    monkeypatch.setitem(decide.__kwdefaults__, "calls", calls)
    ran = command(site, APPROVAL, "--select", "outbox")
    assert (ran.document["status_code"], ran.exit_code) == (500, 4)
    assert ran.document["written"] is False
    assert "No file is left behind" in ran.document["message"]
    assert not doomed[gone].exists()


@pytest.mark.parametrize("size", [0, 1, 2_000])
def test_a_limit_for_files_is_500_with_its_reason_and_keeps_nothing(site: Site, size: int) -> None:
    started = [*CHILD, "limit", str(site.run), str(size)]
    ended = subprocess.run(started, capture_output=True, text=True)
    assert_failed(Ran(ended.returncode, json.loads(ended.stdout), ended.stderr), errno.EFBIG)
    assert site.receipts(APPROVAL) == {}
    assert made(site).is_written


def assert_failed(ran: Ran, number: int) -> None:
    """The command says 500, which error it was, and that nothing is left."""
    document = ran.document
    assert (document["status_code"], ran.exit_code, document["written"]) == (500, 4, False)
    assert os.strerror(number) in document["message"]
    assert "No file is left behind" in document["message"]
