"""What was seen is what is decided on; whoever comes late hears who was first."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from commit_seams import failure
from deciding.making import AT, AfterTheName, BeforeTheName, made, packet_of
from deciding.runs import (
    APPROVAL,
    Site,
    actor,
    choice_branch,
    decidable_run,
    evidence_files,
    registry,
    sha256,
)

from stopview_core import decide as deciding_module
from stopview_core import dossier as dossier_module
from stopview_core import yamltext
from stopview_core.decide import Outcome, Pick, Wish, decide
from stopview_core.demo import RunBuilder
from stopview_core.dossier import Dossier, open_branch
from stopview_core.system_calls import SystemCalls


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A run with something to decide; nothing but `decision/` may change in it."""
    made = Site(decidable_run().write(tmp_path))
    yield made
    made.check()


def what_is_wrong_with_the_second_look(site: Site) -> list[str]:
    """What a decision on evidence that changed after it was read does wrong; nothing is right."""

    def rewrite_and_tell() -> datetime:
        site.rewrite(APPROVAL, 1)
        return AT

    wish = Wish(Pick.of("one-table", None))
    outcome = decide(site.run, APPROVAL, wish, registry(), actor(), now=rewrite_and_tell)
    faults = []
    if outcome.status_code != 202:
        faults.append(f"the outcome was {outcome.status_code}")
    if outcome.changed != ("response/data/stack-model.json", "response/response.md"):
        faults.append(f"changed: {outcome.changed}")
    if site.receipts(APPROVAL):
        faults.append("a receipt was written for evidence that nobody saw")
    return faults


def test_evidence_that_changes_before_the_write_is_rework(site: Site) -> None:
    assert what_is_wrong_with_the_second_look(site) == []


def test_without_the_second_digest_the_check_turns_red(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deciding_module, "_read_again", lambda *_: None)
    faults = what_is_wrong_with_the_second_look(site)
    assert "the outcome was 301" in faults
    assert "a receipt was written for evidence that nobody saw" in faults


def test_a_pick_that_is_gone_on_the_second_look_is_rework_too(site: Site) -> None:
    def rewrite() -> datetime:
        site.rewrite(APPROVAL, 1)
        return AT

    wish = Wish(Pick.of("outbox", None))
    outcome = decide(site.run, APPROVAL, wish, registry(), actor(), now=rewrite)
    assert outcome.status_code == 202
    assert "response/data/stack-model.json" in outcome.message


def test_many_changed_files_are_counted_in_the_message(site: Site) -> None:
    def rewrite() -> datetime:
        with site.runtime():
            for number in range(40):
                (site.branch(APPROVAL) / f"response/data/{number:02d}.json").write_text("{}")
        return AT

    wish = Wish(Pick.of("outbox", None))
    outcome = decide(site.run, APPROVAL, wish, registry(), actor(), now=rewrite)
    assert outcome.status_code == 202
    assert len(outcome.changed) == 40
    assert "and 32 more" in outcome.message


def test_a_document_that_comes_while_it_is_read_is_read_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = RunBuilder("audit-trail", started="2026-11-02T08:00:00Z")
    model = evidence_files(0)["response/data/stack-model.json"].decode()
    choice_branch(run, "1/1", files={"data/stack-model.json": model, "response.md": None})
    site = Site(run.write(tmp_path))
    document = site.branch("1/1") / "response/response.md"
    read_evidence = dossier_module.read_evidence

    def late(*arguments: Any) -> Any:
        document.write_bytes(evidence_files(0)["response/response.md"])
        return read_evidence(*arguments)

    monkeypatch.setattr(dossier_module, "read_evidence", late)
    opened = open_branch(site.run, "1/1", registry())
    assert isinstance(opened, Dossier)
    assert opened.branch.document == document.read_text()
    assert opened.evidence.files["response/response.md"] == sha256(document.read_bytes())  # type: ignore[union-attr]


def written_while(site: Site, act: Callable[[], object], selected: str = "outbox") -> Outcome:
    wish = Wish(Pick.of(selected, None))
    calls = AfterTheName(act)
    return decide(site.run, APPROVAL, wish, registry(), actor(), now=lambda: AT, calls=calls)


def test_evidence_that_changes_after_the_write_is_said_to_be_stale(site: Site) -> None:
    outcome = written_while(site, lambda: site.rewrite(APPROVAL, 1), "one-table")
    assert (outcome.status_code, outcome.is_written, outcome.exit_code) == (301, True, 0)
    assert outcome.is_stale
    assert outcome.changed == ("response/data/stack-model.json", "response/response.md")
    assert "decide anew" in outcome.message
    opened = open_branch(site.run, APPROVAL, registry())
    assert isinstance(opened, Dossier)
    assert opened.reading.decision.status == "stale"


def test_a_resume_at_the_same_moment_is_said(site: Site) -> None:
    outcome = written_while(site, lambda: site.resume(APPROVAL, "2/1"))
    assert (outcome.status_code, outcome.is_written, outcome.is_stale) == (301, True, False)
    assert "2/1 resumed the branch at the same moment" in outcome.message


def test_a_decision_on_top_of_this_one_is_said(site: Site) -> None:
    outcome = written_while(
        site, lambda: made(site, selected="event-log", supersede="0001", who=actor("grace"))
    )
    assert (outcome.status_code, outcome.is_written) == (301, True)
    assert "superseded already: grace selected `event-log`" in outcome.message


def test_a_branch_that_cannot_be_read_after_the_write_is_said(site: Site) -> None:
    moved = site.run.with_name("moved")
    outcome = written_while(site, lambda: site.run.replace(moved))
    moved.replace(site.run)
    assert (outcome.status_code, outcome.is_written) == (301, True)
    assert "could not be read" in outcome.message
    assert list(site.receipts(APPROVAL)) == ["0001.yaml"]


def test_a_receipt_that_does_not_read_back_is_said(site: Site) -> None:
    path = site.branch(APPROVAL) / "decision/0001.yaml"
    outcome = written_while(site, lambda: path.write_bytes(b"something else\n"))
    assert (outcome.status_code, outcome.is_written) == (301, True)
    assert "does not read back" in outcome.message


# Losing a race


def lost_to(site: Site, act: Callable[[], object]) -> Outcome:
    wish = Wish(Pick.of("outbox", None))
    outcome = decide(
        site.run, APPROVAL, wish, registry(), actor(), now=lambda: AT, calls=BeforeTheName(act)
    )
    assert (outcome.status_code, outcome.is_written) == (409, False)
    assert "Nothing was written" in outcome.message
    return outcome


def test_whoever_lost_is_told_who_won_what_and_when(site: Site) -> None:
    outcome = lost_to(site, lambda: made(site, selected="event-log", who=actor("grace")))
    assert "grace selected `event-log` on 2026-11-03 09:30:01 UTC (receipt 0001)" in outcome.message
    assert outcome.exit_code == 3
    assert outcome.where == str(site.branch(APPROVAL) / "decision/0001.yaml")
    assert outcome.receipt == packet_of(site, APPROVAL)


def test_losing_to_the_same_selection_is_what_was_wanted(site: Site) -> None:
    outcome = lost_to(site, lambda: made(site, who=actor("grace")))
    assert outcome.exit_code == 0
    assert "The same selection is already in force: grace selected" in outcome.message


def test_losing_to_a_file_that_is_no_decision_is_said(site: Site) -> None:
    folder = site.branch(APPROVAL) / "decision"
    outcome = lost_to(site, lambda: (folder / "0001.yaml").write_bytes(b"\x00"))
    assert outcome.exit_code == 3
    assert "it is not valid" in outcome.message
    assert made(site).is_written
    assert sorted(site.receipts(APPROVAL)) == ["0001.yaml", "0002.yaml"]


def test_losing_to_a_file_that_is_taken_back_is_said(site: Site) -> None:
    class TakenBack(SystemCalls):
        def link_open(self, fd: int, name: str, *, dir_fd: int) -> None:
            raise failure(errno.EEXIST)

    wish = Wish(Pick.of("outbox", None))
    outcome = decide(site.run, APPROVAL, wish, registry(), actor(), calls=TakenBack())
    assert (outcome.status_code, outcome.exit_code) == (409, 3)
    assert "has not finished" in outcome.message
    assert made(site).is_written


def test_a_receipt_by_another_hand_cannot_fill_the_message(site: Site) -> None:
    made(site)
    path = site.branch(APPROVAL) / "decision/0001.yaml"
    receipt: Any = yaml.safe_load(path.read_bytes())
    receipt["agent_id"] = "human:eve\n\x1b[2J301 superseded: Written." + "x" * 10_000
    path.write_bytes(yamltext.write(receipt))
    outcome = made(site, selected="event-log")
    assert outcome.status_code == 409
    assert "eve \\x1b[2J301" in outcome.message
    assert "\n" not in outcome.message
    assert len(outcome.message) < 600
