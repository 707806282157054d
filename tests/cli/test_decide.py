"""`stopview decide`: every row of the table of outcomes, by exit code, document and message."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from deciding.asking import Ran, asker
from deciding.checks import receipt_faults
from deciding.runs import (
    APPROVAL,
    BOTH,
    CHOICE,
    OPERATOR,
    QUESTION,
    QUESTION_ID,
    ROOT,
    Site,
    decidable_run,
    every_refusal,
    registry,
)

from stopview_core.dossier import open_branch
from stopview_core.evidence import Evidence
from stopview_core.system_calls import SystemCalls
from stopview_tui.cli.root import run as stopview

NEXT_STEPS = ("look", "decide", "pick one of", "supersede", "nothing is left", "give a shorter")


@pytest.fixture(autouse=True)
def _somebody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of whoever runs the tests decides who the approver is or which registry is used."""
    monkeypatch.setenv("STOPVIEW_APPROVER", "ada@example.org")
    monkeypatch.setenv("STOPVIEW_REGISTRY", str(ROOT))
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A run with something to decide; nothing but `decision/` may change in it."""
    made = Site(decidable_run().write(tmp_path / "runs"))
    yield made
    made.check()


@pytest.fixture
def refusing(tmp_path: Path) -> Iterator[Site]:
    """A run in which hardly anything can be decided; nothing may change in it."""
    made = Site(every_refusal().write(tmp_path / "runs"))
    yield made
    made.check()


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    return asker(capsys)


def fingerprint(site: Site, key: str) -> str:
    dossier = open_branch(site.run, key, registry())
    assert not isinstance(dossier, tuple)
    evidence = dossier.evidence  # type: ignore[union-attr]
    assert isinstance(evidence, Evidence)
    return evidence.fingerprint


def assert_refused(ran: Ran, code: int, *, exit_code: int = 3) -> None:
    """Nothing was written, the code and the exit code fit, and the next step is named."""
    document = ran.document
    assert (document["status_code"], ran.exit_code) == (code, exit_code), document["message"]
    assert document["schema"] == "stopview.decide/1"
    assert document["written"] is False
    assert "othing was written" in document["message"] or "not written" in document["message"]
    assert any(step in document["message"].lower() for step in NEXT_STEPS) or code in (204, 409)


def test_301_is_written_and_the_receipt_is_what_the_document_says(site: Site, ask: Any) -> None:
    ran = ask(site, APPROVAL, "--select", "outbox", "--reason", "We know it already.")
    assert ran.exit_code == 0
    document = ran.document
    assert (document["status_code"], document["name"]) == (301, "superseded_by_human_decision")
    assert document["written"] is True
    assert document["stale"] is False
    path = site.branch(APPROVAL) / "decision/0001.yaml"
    assert document["path"] == str(path)
    assert document["message"].startswith("Written: step-1/parallel-1/decision/0001.yaml.")
    faults = receipt_faults(
        path.read_bytes(),
        where="step-1/parallel-1/decision/0001.yaml",
        run_id="audit-trail",
        branch=APPROVAL,
        operator=OPERATOR,
        stop=CHOICE,
        before=None,
    )
    assert faults == []
    own = document["receipt"]["extensions"]
    assert own["vendor.stopview.selected"] == "outbox"
    assert own["vendor.stopview.reason"] == "We know it already."
    assert own["vendor.stopview.via"] == "command, no terminal"
    assert document["receipt"]["agent_id"] == "human:ada@example.org"


def test_301_for_people_says_where(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = stopview(["decide", str(site.run), QUESTION, "--select", "keep-a-year"])
    out, err = capsys.readouterr()
    assert exit_code == 0
    assert err == ""
    assert "301 superseded_by_human_decision: Written: step-1/parallel-2/decision/0001.yaml" in out
    assert str(site.branch(QUESTION) / "decision/0001.yaml") in out


def test_301_dry_run_shows_the_record_and_writes_nothing(site: Site, ask: Any) -> None:
    ran = ask(site, APPROVAL, "--select", "outbox", "--dry-run")
    assert ran.exit_code == 0
    assert ran.document["status_code"] == 301
    assert ran.document["written"] is False
    assert ran.document["receipt"]["extensions"]["vendor.stopview.sequence"] == 1
    assert ran.document["fingerprint"] == fingerprint(site, APPROVAL)
    assert not (site.branch(APPROVAL) / "decision").exists()


def test_301_with_the_fingerprint_that_is_expected(site: Site, ask: Any) -> None:
    seen = fingerprint(site, APPROVAL)
    ran = ask(site, APPROVAL, "--select", "outbox", "--expect", seen)
    assert (ran.exit_code, ran.document["status_code"]) == (0, 301)
    assert ran.document["receipt"]["source_fingerprint"] == seen


def test_301_on_evidence_that_changed_once_it_was_in_place_is_said_to_be_stale(
    site: Site, ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked = SystemCalls.link_open

    def link_and_change(self: SystemCalls, fd: int, name: str, *, dir_fd: int) -> None:
        linked(self, fd, name, dir_fd=dir_fd)
        site.rewrite(APPROVAL, 1)

    monkeypatch.setattr(SystemCalls, "link_open", link_and_change)
    ran = ask(site, APPROVAL, "--select", "one-table")
    assert (ran.exit_code, ran.document["status_code"], ran.document["written"]) == (0, 301, True)
    assert ran.document["stale"] is True
    assert ran.document["changed"] == ["response/data/stack-model.json", "response/response.md"]
    assert "decide anew" in ran.document["message"]


def test_409_the_same_selection_is_in_force(site: Site, ask: Any) -> None:
    first = ask(site, APPROVAL, "--select", "outbox")
    again = ask(site, APPROVAL, "--select", "outbox", "--approver", "grace")
    assert_refused(again, 409, exit_code=0)
    assert again.document["receipt"] == first.document["receipt"]
    assert again.document["path"] == first.document["path"]
    assert "ada@example.org selected `outbox` on" in again.document["message"]
    assert list(site.receipts(APPROVAL)) == ["0001.yaml"]


def test_409_another_selection_is_in_force(site: Site, ask: Any) -> None:
    first = ask(site, APPROVAL, "--select", "outbox")
    for options in ([], ["--supersede", "0002"], ["--supersede", "7"]):
        ran = ask(site, APPROVAL, "--select", "event-log", *options)
        assert_refused(ran, 409)
        assert "ada@example.org selected `outbox` on 2" in ran.document["message"]
        assert "supersede 0001" in ran.document["message"]
        assert ran.document["receipt"] == first.document["receipt"]
    assert list(site.receipts(APPROVAL)) == ["0001.yaml"]


def test_409_nothing_to_supersede(site: Site, ask: Any) -> None:
    for options in ([], ["--dry-run"]):
        ran = ask(site, APPROVAL, "--select", "outbox", "--supersede", "0001", *options)
        assert_refused(ran, 409)
        assert "There is no decision 0001 to supersede" in ran.document["message"]
    assert site.receipts(APPROVAL) == {}


@pytest.mark.parametrize("state", ["withdrawn", "stale"])
def test_409_another_than_the_newest_is_to_be_superseded(site: Site, ask: Any, state: str) -> None:
    ask(site, APPROVAL, "--select", "outbox")
    if state == "stale":
        ask(site, APPROVAL, "--select", "event-log", "--supersede", "1")
        site.rewrite(APPROVAL, 1)
    else:
        ask(site, APPROVAL, "--none", "--reason", "Wait.", "--supersede", "1")
    for seq in ("0001", "0003"):
        ran = ask(site, APPROVAL, "--select", "one-table", "--supersede", seq)
        assert_refused(ran, 409)
        assert f"Decision {seq} is not the newest" in ran.document["message"]
        assert "(receipt 0002)" in ran.document["message"]
        assert ran.document["path"].endswith("0002.yaml")
    assert sorted(site.receipts(APPROVAL)) == ["0001.yaml", "0002.yaml"]
    ran = ask(site, APPROVAL, "--select", "one-table", "--supersede", "0002")
    assert (ran.exit_code, ran.document["status_code"]) == (0, 301)


@pytest.mark.parametrize("seq", ["0001", "1"])
def test_301_superseding_what_is_in_force(site: Site, ask: Any, seq: str) -> None:
    ask(site, APPROVAL, "--select", "outbox")
    ran = ask(site, APPROVAL, "--select", "event-log", "--supersede", seq)
    assert (ran.exit_code, ran.document["status_code"]) == (0, 301)
    own = ran.document["receipt"]["extensions"]
    assert own["vendor.stopview.supersedes"] == "0001"
    assert own["vendor.stopview.sequence"] == 2


def test_301_none_takes_a_decision_back_and_the_next_needs_no_supersede(
    site: Site, ask: Any
) -> None:
    ask(site, APPROVAL, "--select", "outbox")
    taken_back = ask(site, APPROVAL, "--none", "--reason", "Wait.", "--supersede", "0001")
    assert (taken_back.exit_code, taken_back.document["status_code"]) == (0, 301)
    assert taken_back.document["receipt"]["next_owner"] == "Human"
    assert taken_back.document["receipt"]["human_decision_required"] is True
    assert "waits for a person again" in taken_back.document["message"]
    after = ask(site, APPROVAL, "--select", "event-log")
    assert (after.exit_code, after.document["status_code"]) == (0, 301)
    assert after.document["receipt"]["extensions"]["vendor.stopview.supersedes"] == "0002"


def test_409_someone_else_won_the_race(
    site: Site, ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked = SystemCalls.link_open

    def be_late(self: SystemCalls, fd: int, name: str, *, dir_fd: int) -> None:
        monkeypatch.setattr(SystemCalls, "link_open", linked)
        ask(site, APPROVAL, "--select", "event-log", "--approver", "grace")
        linked(self, fd, name, dir_fd=dir_fd)

    monkeypatch.setattr(SystemCalls, "link_open", be_late)
    ran = ask(site, APPROVAL, "--select", "outbox")
    assert_refused(ran, 409)
    assert "grace selected `event-log` on 2" in ran.document["message"]
    assert ran.document["path"].endswith("step-1/parallel-1/decision/0001.yaml")
    assert list(site.receipts(APPROVAL)) == ["0001.yaml"]


def test_202_the_evidence_is_not_what_is_expected(site: Site, ask: Any) -> None:
    seen = fingerprint(site, APPROVAL)
    site.rewrite(APPROVAL, 1)
    ran = ask(site, APPROVAL, "--select", "one-table", "--expect", seen)
    assert_refused(ran, 202)
    assert ran.document["fingerprint"] == fingerprint(site, APPROVAL)
    assert site.receipts(APPROVAL) == {}


def test_202_goes_before_what_is_in_force(site: Site, ask: Any) -> None:
    ask(site, APPROVAL, "--select", "outbox")
    assert_refused(ask(site, APPROVAL, "--select", "event-log", "--expect", f"sha256:{0:064}"), 202)


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("1/1/critique", "is an exchange inside 1/1"),
        ("1/2", "1/2 is not blocked"),
        ("1/3", "1/3 is not blocked"),
        ("1/4", "another run's evidence"),
        ("1/14", "2/2 resumed 1/14 and is not done yet"),
    ],
)
def test_204_nothing_to_decide(refusing: Site, ask: Any, key: str, says: str) -> None:
    ran = ask(refusing, key, "--select", "outbox")
    assert_refused(ran, 204)
    assert says in ran.document["message"]


@pytest.mark.parametrize("event", ["resolved", "abandoned", "replanned"])
def test_204_closed_by_the_runtime(site: Site, ask: Any, event: str) -> None:
    site.transition(APPROVAL, event)
    ran = ask(site, APPROVAL, "--select", "outbox")
    assert_refused(ran, 204)
    assert "closed by the runtime" in ran.document["message"]


def test_204_answered_elsewhere(site: Site, ask: Any) -> None:
    site.choose(QUESTION_ID, "keep-a-year")
    ran = ask(site, QUESTION, "--select", "keep-90-days")
    assert_refused(ran, 204)
    assert "Already answered by user: keep-a-year" in ran.document["message"]


def test_200_resumed_and_done(refusing: Site, ask: Any) -> None:
    ran = ask(refusing, "1/13", "--select", "outbox")
    assert_refused(ran, 200)
    assert "2/1 resumed 1/13 and is done" in ran.document["message"]


def test_200_goes_before_a_broken_choice_of_id(refusing: Site, ask: Any) -> None:
    assert_refused(ask(refusing, "1/13", "--select", "no-such-id"), 200)


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("1/5", "No alternatives were found"),
        ("1/6", "CHOICE_REQUIRED does not end a branch here"),
        ("1/7", "SOURCE_DRIFT is not for a person to decide"),
        ("1/8", "UNKNOWN_STOP asks for something else than a pick"),
        ("1/9", "names no stop code"),
        ("1/10", "the operator would refuse to finish"),
        ("1/11", "name different operators"),
    ],
)
def test_412_not_decidable(refusing: Site, ask: Any, key: str, says: str) -> None:
    ran = ask(refusing, key, "--select", "outbox")
    assert (ran.document["status_code"], ran.exit_code) == (412, 3)
    assert ran.document["written"] is False
    assert says in ran.document["message"]
    assert "Nothing was written" in ran.document["message"]


def test_412_the_id_is_not_among_the_alternatives(site: Site, ask: Any) -> None:
    ran = ask(site, BOTH, "--select", "event-log")
    assert_refused(ran, 412)
    assert ran.document["alternatives"] == ["one-table", "outbox"]
    assert "pick one of one-table, outbox" in ran.document["message"]


def test_412_says_too_that_the_evidence_changed(site: Site, ask: Any) -> None:
    seen = fingerprint(site, APPROVAL)
    site.rewrite(APPROVAL, 1)
    ran = ask(site, APPROVAL, "--select", "outbox", "--expect", seen)
    assert_refused(ran, 412)
    assert "not what it was when you looked" in ran.document["message"]
    assert ran.document["fingerprint"] == fingerprint(site, APPROVAL) != seen


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_412_a_receipt_that_nobody_would_read_back(
    site: Site, ask: Any, options: tuple[str, ...]
) -> None:
    ran = ask(site, APPROVAL, "--select", "outbox", "--reason", "why " * 40_000, *options)
    assert_refused(ran, 412)
    assert "Give a shorter reason" in ran.document["message"]
    assert site.receipts(APPROVAL) == {}


def _half_written(site: Site, path: str) -> None:
    with site.runtime():
        target = site.run / path
        target.write_bytes(target.read_bytes()[:-40])


@pytest.mark.parametrize(
    "path",
    [
        "state.json",
        "step-1/parallel-1/response/response.json",
        "step-1/parallel-1/request/request.json",
    ],
)
def test_400_the_run_or_the_branch_cannot_be_read(site: Site, ask: Any, path: str) -> None:
    _half_written(site, path)
    ran = ask(site, APPROVAL, "--select", "outbox")
    assert_refused(ran, 400)
    assert path.rpartition("/")[2] in ran.document["message"]


def test_400_the_evidence_cannot_be_read(site: Site, refusing: Site, ask: Any) -> None:
    with site.runtime():
        path = site.branch(APPROVAL) / "response/response.md"
        path.unlink()
        path.symlink_to("/etc/hostname")
    ran = ask(site, APPROVAL, "--select", "outbox")
    assert_refused(ran, 400)
    assert "response/response.md" in ran.document["message"]
    assert_refused(ask(refusing, "1/12", "--select", "outbox"), 400)


def test_400_the_folder_of_decisions_is_a_link(site: Site, ask: Any, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (site.branch(APPROVAL) / "decision").symlink_to(elsewhere)
    ran = ask(site, APPROVAL, "--select", "outbox")
    assert_refused(ran, 400)
    assert list(elsewhere.iterdir()) == []


def test_500_the_write_failed(site: Site, ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: SystemCalls, fd: int, data: memoryview) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(SystemCalls, "write", full)
    ran = ask(site, APPROVAL, "--select", "outbox")
    assert_refused(ran, 500, exit_code=4)
    assert "No space left on device" in ran.document["message"]
    assert "No file is left behind" in ran.document["message"]
    assert site.receipts(APPROVAL) == {}
