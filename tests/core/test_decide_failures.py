"""A write that fails says why and leaves nothing behind."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from commit_seams import WAYS, Seam, before, counting, failing, failure
from deciding.making import AT, made, packet_of
from deciding.runs import (
    APPROVAL,
    Site,
    actor,
    decidable_run,
    registry,
)
from deciding.watching import watched

from stopview_core.commit import create_once
from stopview_core.decide import Pick, Wish, decide
from stopview_core.dossier import Dossier, open_branch
from stopview_core.system_calls import SystemCalls


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A run with something to decide; nothing but `decision/` may change in it."""
    made = Site(decidable_run().write(tmp_path))
    yield made
    made.check()


def nothing_is_left(site: Site) -> list[str]:
    """What a failed write left of itself."""
    faults = list(site.receipts(APPROVAL))
    opened = open_branch(site.run, APPROVAL, registry())
    if not isinstance(opened, Dossier) or opened.reading.decision.status != "none":
        faults.append("the branch is not as it was")
    return faults


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("call", "number"),
    [
        ("mkdir", errno.EROFS),
        ("open", errno.EMFILE),
        ("write", errno.ENOSPC),
        ("write", errno.EDQUOT),
        ("write", errno.EFBIG),
        ("sync", errno.EIO),
    ],
)
def test_a_failed_write_is_500_says_why_and_leaves_nothing(
    site: Site, way: type[Seam], call: str, number: int
) -> None:
    wish = Wish(Pick.of("outbox", None))
    calls = failing(way, {call: number})
    outcome = decide(site.run, APPROVAL, wish, registry(), actor(), calls=calls)
    assert (outcome.status_code, outcome.exit_code, outcome.is_written) == (500, 4, False)
    assert os.strerror(number) in outcome.message
    assert "No file is left behind" in outcome.message
    assert nothing_is_left(site) == []
    assert made(site).is_written


@pytest.mark.parametrize("way", WAYS)
def test_an_error_at_any_call_writes_all_or_nothing(way: type[Seam], tmp_path: Path) -> None:
    count = counting(way)
    site = Site(decidable_run().write(tmp_path / "count"))
    wish = Wish(Pick.of("outbox", None))
    decide(site.run, APPROVAL, wish, registry(), actor(), calls=count)
    outcomes = set()
    for index, call in enumerate(count.seen):
        if call in ("close", "now"):
            continue
        site = Site(decidable_run().write(tmp_path / str(index)))

        def fail() -> None:
            raise failure(errno.EIO)

        calls = before(way, index, fail)
        outcome = decide(site.run, APPROVAL, wish, registry(), actor(), calls=calls)
        outcomes.add(outcome.status_code)
        if outcome.is_written:
            assert packet_of(site, APPROVAL) == outcome.receipt
        else:
            assert outcome.status_code == 500, call
            left = [name for name in nothing_is_left(site) if name not in outcome.message]
            assert left == [], call
            assert made(site).is_written, call
        site.check()
    assert 500 in outcomes


def test_a_receipt_that_could_neither_be_settled_nor_taken_back_is_named(site: Site) -> None:
    class Stuck(SystemCalls):
        is_named = False

        def link_open(self, fd: int, name: str, *, dir_fd: int) -> None:
            super().link_open(fd, name, dir_fd=dir_fd)
            self.is_named = True

        def sync(self, fd: int) -> None:
            if self.is_named:
                raise failure(errno.EIO)
            super().sync(fd)

        def unlink(self, name: str, *, dir_fd: int) -> None:
            raise failure(errno.EIO)

    wish = Wish(Pick.of("outbox", None))
    outcome = decide(site.run, APPROVAL, wish, registry(), actor(), calls=Stuck())
    assert (outcome.status_code, outcome.exit_code, outcome.is_written) == (500, 4, False)
    assert "No file is left behind" not in outcome.message
    assert "step-1/parallel-1/decision/0001.yaml counts" in outcome.message
    assert outcome.where == str(site.branch(APPROVAL) / "decision/0001.yaml")


def test_a_folder_that_vanishes_is_500_and_makes_no_new_one(tmp_path: Path) -> None:
    site = Site(decidable_run().write(tmp_path))

    class Vanishing(SystemCalls):
        def stat(self, name: str, *, dir_fd: int) -> os.stat_result:
            shutil.rmtree(site.run, ignore_errors=True)
            return super().stat(name, dir_fd=dir_fd)

    wish = Wish(Pick.of("outbox", None))
    outcome = decide(site.run, APPROVAL, wish, registry(), actor(), calls=Vanishing())
    assert (outcome.status_code, outcome.exit_code) == (500, 4)
    assert os.strerror(errno.ENOENT) in outcome.message
    assert not site.run.exists()


def test_a_run_that_vanishes_between_reading_and_writing_is_500(tmp_path: Path) -> None:
    site = Site(decidable_run().write(tmp_path))

    def vanish() -> datetime:
        shutil.rmtree(site.run)
        return AT

    wish = Wish(Pick.of("outbox", None))
    outcome = decide(site.run, APPROVAL, wish, registry(), actor(), now=vanish)
    assert (outcome.status_code, outcome.exit_code) == (500, 4)
    assert "No file is left behind" in outcome.message
    assert not site.run.exists()


def test_a_run_swapped_for_another_is_not_written_into(site: Site, tmp_path: Path) -> None:
    """The folder is held before the second look: what was looked at is what is written into."""
    other = decidable_run(folder="other").write(tmp_path)
    (other / "step-1/parallel-1/response/response.md").write_text("# Another run\n")
    aside = tmp_path / "aside"

    def swap() -> datetime:
        site.run.replace(aside)
        other.replace(site.run)
        return AT

    wish = Wish(Pick.of("outbox", None))
    outcome = decide(site.run, APPROVAL, wish, registry(), actor(), now=swap)
    assert outcome.status_code == 202
    assert site.receipts(APPROVAL) == {}
    shutil.rmtree(site.run)
    aside.replace(site.run)
    assert site.receipts(APPROVAL) == {}


# What every test rests on: tests/conftest.py watches each commit.


def faults_of(writer: Callable[..., object], site: Site, data: bytes) -> list[str]:
    """What the watch says of one commit by this writer."""
    faults: list[str] = []
    fd = os.open(site.branch(APPROVAL), os.O_RDONLY)
    try:
        watched(writer, faults)(fd, name="0001.yaml", data=data, folder="decision")
    finally:
        os.close(fd)
    return faults


@pytest.fixture
def receipt(site: Site) -> bytes:
    """A receipt that is sound, taken out of the run again."""
    made(site)
    path = site.branch(APPROVAL) / "decision/0001.yaml"
    data = path.read_bytes()
    path.unlink()
    return data


def test_a_commit_that_touches_anything_else_is_caught(site: Site, receipt: bytes) -> None:
    state = (site.run / "state.json").stat()

    def meddling(branch_fd: int, **asked: Any) -> object:
        os.utime(site.run / "state.json")
        return create_once(branch_fd, **asked)

    assert faults_of(meddling, site, receipt) == ["state.json changed"]
    os.utime(site.run / "state.json", ns=(state.st_atime_ns, state.st_mtime_ns))


@pytest.mark.parametrize(
    ("whole", "spoilt", "fault"),
    [
        (b"human_decision_required: false", b"human_decision_required: true", "human_decision"),
        (b"support_status: supported", b"support_status: unverified", "a claim rests on"),
        (b"vendor.stopview.previous: null", b"vendor.stopview.previous: x", "previous is"),
        (b"status_code: 301", b"status_code: '301'", "status_code is"),
    ],
)
def test_a_receipt_that_is_not_sound_is_caught(
    site: Site, receipt: bytes, whole: bytes, spoilt: bytes, fault: str
) -> None:
    assert whole in receipt
    faults = faults_of(create_once, site, receipt.replace(whole, spoilt))
    assert any(fault in found for found in faults), faults


def test_a_commit_that_is_sound_passes(site: Site, receipt: bytes) -> None:
    assert faults_of(create_once, site, receipt) == []
