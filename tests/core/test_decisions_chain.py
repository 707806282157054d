"""Several decisions of one branch: what breaks their chain, and which one stands."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from deciding.runs import (
    APPROVAL,
    CHOICE,
    QUESTION,
    QUESTION_ID,
    Site,
    actor,
    decidable_run,
    registry,
)

from stopview_core.decide import Pick, Wish, decide
from stopview_core.dossier import Dossier, open_branch

AT = datetime(2026, 11, 3, 9, 30, tzinfo=UTC)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A run with something to decide; nothing but `decision/` may change in it."""
    made = Site(decidable_run().write(tmp_path))
    yield made
    made.check()


def write(
    site: Site, selected: str | None = "outbox", supersede: str | None = None, key: str = APPROVAL
) -> None:
    wish = Wish(Pick.of(selected, "because"), supersede=supersede)
    outcome = decide(site.run, key, wish, registry(), actor(), now=lambda: AT)
    assert outcome.is_written, outcome.message


def opened(site: Site, key: str = APPROVAL) -> Dossier:
    found = open_branch(site.run, key, registry())
    assert isinstance(found, Dossier)
    return found


def folder_of(site: Site, key: str = APPROVAL) -> Path:
    made = site.branch(key) / "decision"
    made.mkdir(exist_ok=True)
    return made


def chain_problems(site: Site) -> list[str]:
    dossier = opened(site)
    told = [v.text for v in dossier.reading.violations if v.code == "DECISION_CHAIN_BROKEN"]
    assert len(told) == len(dossier.decisions.chain_problems)
    return told


def three(site: Site) -> Path:
    write(site, "outbox")
    write(site, "one-table", "0001")
    write(site, "event-log", "0002")
    assert chain_problems(site) == []
    return folder_of(site)


def test_a_missing_number_is_a_broken_chain_and_does_not_void_the_newest(site: Site) -> None:
    (three(site) / "0002.yaml").unlink()
    told = chain_problems(site)
    assert any("number 0002 is not there" in text for text in told)
    assert any("not the sha256" in text for text in told)
    assert opened(site).reading.decision.status == "in_force"
    assert opened(site).reading.decision.selected == "event-log"


def test_missing_first_numbers_are_a_broken_chain(site: Site) -> None:
    folder = three(site)
    (folder / "0001.yaml").unlink()
    (folder / "0002.yaml").unlink()
    told = chain_problems(site)
    assert any("the numbers 0001 to 0002 are not there" in text for text in told)
    assert any("none stands before it" in text for text in told)


def test_an_altered_file_is_a_broken_chain(site: Site) -> None:
    path = three(site) / "0001.yaml"
    path.write_bytes(path.read_bytes() + b"# altered\n")
    assert chain_problems(site) == [
        "The chain of decisions is broken: `previous` is not the sha256 of the file before it."
    ]
    assert opened(site).reading.decision.status == "in_force"


def test_a_number_that_is_there_twice_is_a_broken_chain(site: Site) -> None:
    folder = three(site)
    shutil.copy(folder / "0003.yaml", folder / "00003.yaml")
    assert any("number 0003 is there twice" in text for text in chain_problems(site))


def test_a_file_before_that_cannot_be_read_leaves_the_chain_in_doubt(site: Site) -> None:
    path = three(site) / "0002.yaml"
    path.unlink()
    path.mkdir()
    assert any("cannot be compared" in text for text in chain_problems(site))


# Which one stands


def status(site: Site, key: str = APPROVAL) -> str:
    return opened(site, key).reading.decision.status


def test_statuses_follow_what_happens(site: Site) -> None:
    assert status(site) == "none"
    write(site)
    assert status(site) == "in_force"
    site.rewrite(APPROVAL, 1)
    assert status(site) == "stale"
    site.rewrite(APPROVAL, 0)
    assert status(site) == "in_force"
    write(site, None, "0001")
    assert status(site) == "withdrawn"
    site.rewrite(APPROVAL, 1)
    assert status(site) == "stale"
    write(site, "event-log")
    assert status(site) == "in_force"
    site.rewrite(APPROVAL, 0)
    assert status(site) == "stale", "older receipts are superseded for good"
    site.resume(APPROVAL, "2/1")
    assert status(site) == "resumed"


def test_what_the_runtime_recorded_itself_is_answered(site: Site) -> None:
    site.choose(QUESTION_ID, "keep-a-year")
    decision = opened(site, QUESTION).reading.decision
    assert (decision.status, decision.selected, decision.by) == ("answered", "keep-a-year", "user")


def test_an_older_receipt_stands_in_for_an_invalid_newest(site: Site) -> None:
    write(site)
    (folder_of(site) / "0002.yaml").write_bytes(b"no packet")
    decision = opened(site).reading.decision
    assert (decision.status, decision.seq) == ("in_force", "0001")
    write(site, "one-table", "0001")
    assert sorted(site.receipts(APPROVAL)) == ["0001.yaml", "0002.yaml", "0003.yaml"]


def test_a_stop_that_was_replaced_makes_its_decision_invalid(site: Site) -> None:
    write(site)
    with site.runtime():
        path = site.branch(APPROVAL) / "response/response.json"
        path.write_text(path.read_text().replace(CHOICE, "NO_VIABLE_ALTERNATIVE"))
    dossier = opened(site)
    assert dossier.reading.decision.status == "none"
    assert "DECISION_INVALID" in [v.code for v in dossier.reading.violations]
