"""A write that fails says why and leaves nothing behind."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

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
    assert "Nothing is left behind" in outcome.message
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
    assert "Nothing is left behind" not in outcome.message
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
    assert "Nothing is left behind" in outcome.message
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
