"""Reading decisions back: which files count, what breaks their chain, and which one stands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from deciding.checks import V
from deciding.runs import (
    APPROVAL,
    CHOICE,
    OPERATOR,
    Site,
    actor,
    decidable_run,
    registry,
    sha256,
)
from hypothesis import given
from hypothesis import strategies as st

from stopview_core import yamltext
from stopview_core.decide import Pick, Wish, decide
from stopview_core.decision_file import DecisionFile, Place, read_file
from stopview_core.decisions import NO_DECISIONS, Decisions, decision_status
from stopview_core.dossier import Dossier, open_branch
from stopview_core.readings import DecisionStatus

AT = datetime(2026, 11, 3, 9, 30, tzinfo=UTC)
WHERE = "step-1/parallel-1/decision/0001.yaml"
PLACE = Place(WHERE, "0001", APPROVAL, OPERATOR, CHOICE)


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


def a_packet() -> dict[str, Any]:
    """A valid receipt as plain values: a person's hand may have written it."""
    return {
        "protocol": "SACP/0.1",
        "type": "receipt",
        "method": "BLOCK",
        "status_code": 301,
        "handoff_id": "audit-trail/1/1",
        "attempt_id": "audit-trail/1/1/decision/0001",
        "agent_id": "human:ada",
        "processed_at": "2026-11-03T09:30:00Z",
        "source_fingerprint": "sha256:0",
        "claims": [],
        "verification": {"status": "passed", "method": "looked at it"},
        "residual_risk": "none known",
        "next_owner": OPERATOR,
        "human_decision_required": False,
        "extensions": {
            f"{V}branch": APPROVAL,
            f"{V}operator": OPERATOR,
            f"{V}stop": CHOICE,
            f"{V}sequence": 1,
            f"{V}selected": "outbox",
            f"{V}alternatives": [{"id": "outbox"}, {"id": "one-table"}],
        },
    }


def read(packet: dict[str, Any], place: Place = PLACE) -> DecisionFile:
    return read_file(place, yamltext.write(packet))


def changed(path: str, value: Any) -> dict[str, Any]:
    """The packet with one value changed; `...` takes it away."""
    packet = a_packet()
    target = packet
    *above, last = path.split("/")
    for name in above:
        target = target[name]
    if value is ...:
        del target[last]
    else:
        target[last] = value
    return packet


# Valid


def test_a_receipt_that_agrees_with_its_place_is_valid() -> None:
    file = read(a_packet())
    assert file.problems == ()
    assert (file.selected, file.approver, file.offered) == (
        "outbox",
        "ada",
        ["outbox", "one-table"],
    )


def test_nothing_selected_is_valid() -> None:
    assert read(changed(f"extensions/{V}selected", None)).is_valid


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("status_code", 409, "status_code: expected 301, found 409"),
        (f"extensions/{V}branch", "1/2", f"{V}branch: expected '1/1', found '1/2'"),
        (f"extensions/{V}operator", "x", f"{V}operator: expected '{OPERATOR}', found 'x'"),
        (f"extensions/{V}stop", ..., f"{V}stop: expected '{CHOICE}', found nothing"),
        (f"extensions/{V}sequence", 2, f"{V}sequence: expected 1, found 2"),
        (f"extensions/{V}sequence", True, f"{V}sequence: expected 1, found True"),
        (f"extensions/{V}sequence", 1.0, f"{V}sequence: expected 1, found 1.0"),
        (f"extensions/{V}sequence", "0001", f"{V}sequence: expected 1, found '0001'"),
        ("attempt_id", "x/0002", "the last part of attempt_id: expected '0001', found '0002'"),
        (f"extensions/{V}selected", "no-such-id", "found 'no-such-id'"),
        (f"extensions/{V}selected", ..., "found nothing"),
        (f"extensions/{V}selected", 1, "found 1"),
        (f"extensions/{V}selected", ["outbox"], "found ['outbox']"),
        (f"extensions/{V}alternatives", "outbox", "found 'outbox'"),
        (f"extensions/{V}alternatives", [], "found 'outbox'"),
        ("extensions", ..., f"{V}branch: expected '1/1', found nothing"),
        ("next_owner", "TBD", "next_owner: expected an owner by name"),
        ("processed_at", "yesterday", "processed_at: expected an ISO 8601 time"),
        ("protocol", "SACP/9", "protocol: expected 'SACP/0.1', found 'SACP/9'"),
    ],
)
def test_what_disagrees_makes_it_invalid_and_says_why(path: str, value: Any, problem: str) -> None:
    file = read(changed(path, value))
    assert not file.is_valid
    assert any(problem in told for told in file.problems), file.problems


@pytest.mark.parametrize("seq", ["00001", "0000"])
def test_a_name_that_no_decision_is_given_makes_it_invalid(seq: str) -> None:
    packet = changed(f"extensions/{V}sequence", int(seq))
    packet["attempt_id"] = f"audit-trail/1/1/decision/{seq}"
    file = read(packet, Place(f"x/{seq}.yaml", seq, APPROVAL, OPERATOR, CHOICE))
    assert file.problems == ("its name is not one that a decision is given",)


@pytest.mark.parametrize("data", [b"", b"\x00", b"- 1\n", b"a: &b 1\nc: *b\n", b"a: 1\na: 2\n"])
def test_what_is_no_packet_says_so(data: bytes) -> None:
    file = read_file(PLACE, data)
    assert file.problems[0].startswith("is no receipt: ")
    assert (file.selected, file.approver, file.processed_at, file.fingerprint) == (
        None,
        "",
        None,
        None,
    )
    assert (file.sha256, file.offered) == (sha256(data), [])


@given(st.binary(max_size=400))
def test_no_bytes_break_the_reading(data: bytes) -> None:
    file = read_file(PLACE, data)
    assert not file.is_valid
    assert file.number == 1


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8)),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
        ),
        max_leaves=8,
    ),
    st.sampled_from(["extensions", "agent_id", "processed_at", "claims", "attempt_id"]),
)
def test_no_value_breaks_the_reading(value: Any, name: str) -> None:
    packet = changed(name, value)
    try:
        data = yamltext.write(packet)
    except (ValueError, UnicodeError):
        return
    file = read_file(PLACE, data)
    assert (file.approver, file.offered) is not None
    assert file.processed_at is None or file.processed_at.tzinfo is not None


# Numbers


@pytest.mark.parametrize(
    ("name", "next_name"),
    [
        ("0007.yaml", "0008.yaml"),
        ("00041.yaml", "0042.yaml"),
        ("9999.yaml", "10000.yaml"),
        ("999999998.yaml", "999999999.yaml"),
        ("0000.yaml", "0001.yaml"),
    ],
)
def test_an_invalid_file_takes_its_number(site: Site, name: str, next_name: str) -> None:
    (folder_of(site) / name).write_bytes(b"no packet")
    write(site)
    assert sorted(site.receipts(APPROVAL)) == sorted([name, next_name])
    dossier = opened(site)
    assert dossier.reading.decision.status == "in_force"
    assert dossier.reading.decision.seq == next_name.removesuffix(".yaml")
    codes = [violation.code for violation in dossier.reading.violations]
    assert "DECISION_INVALID" in codes


def test_a_number_that_has_no_successor_is_not_decided_over(site: Site) -> None:
    (folder_of(site) / f"{'9' * 9}.yaml").write_bytes(b"no packet")
    assert not opened(site).decidability.is_decidable
    wish = Wish(Pick.of("outbox", None))
    outcome = decide(site.run, APPROVAL, wish, registry(), actor())
    assert (outcome.status_code, outcome.is_written) == (412, False)
    assert "last number" in outcome.message
    assert len(site.receipts(APPROVAL)) == 1


@pytest.mark.parametrize(
    "name",
    [
        ".0009.yaml.0123456789abcdef.tmp",
        "0009.yaml.bak",
        "0009.yml",
        "009.yaml",
        "0009.yaml\n",
        "٠٠٠٩.yaml",
        "notes.txt",
        f"{'9' * 10}.yaml",
        f"{'0' * 250}.yaml",
    ],
)
def test_other_names_are_no_decisions(site: Site, name: str) -> None:
    (folder_of(site) / name).write_bytes(b"no packet")
    assert opened(site).decisions == NO_DECISIONS
    write(site)
    assert sorted(site.receipts(APPROVAL)) == sorted([name, "0001.yaml"])


@pytest.mark.parametrize("kind", ["folder", "link", "pipe", "too large"])
def test_what_is_no_regular_file_takes_its_number_and_is_not_read(
    site: Site, kind: str, tmp_path: Path
) -> None:
    path = folder_of(site) / "0001.yaml"
    if kind == "folder":
        path.mkdir()
    elif kind == "link":
        other = Site(decidable_run(folder="other").write(tmp_path))
        write(other)
        path.symlink_to(other.branch(APPROVAL) / "decision/0001.yaml")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.write_bytes(b"#" * (256 * 1024 + 1))
    dossier = opened(site)
    assert dossier.reading.decision.status == "none"
    assert [file.is_valid for file in dossier.decisions.files] == [False]
    assert dossier.decisions.files[0].problems[0].startswith("cannot be read: ")
    write(site)
    assert opened(site).reading.decision.seq == "0002"


# The folder


def test_a_folder_that_is_a_link_is_not_read_and_not_decided_in(site: Site, tmp_path: Path) -> None:
    other = Site(decidable_run(folder="other").write(tmp_path))
    write(other)
    (site.branch(APPROVAL) / "decision").symlink_to(other.branch(APPROVAL) / "decision")
    dossier = opened(site)
    assert dossier.decisions.files == ()
    assert dossier.decidability.status_code == 400
    assert "link" in dossier.decidability.why
    assert "DECISION_CHAIN_BROKEN" in [v.code for v in dossier.reading.violations]
    assert any("decision" in item.path for item in dossier.run.skipped)
    assert list(other.receipts(APPROVAL)) == ["0001.yaml"]


def test_a_file_where_the_folder_should_be_is_said(site: Site) -> None:
    (site.branch(APPROVAL) / "decision").write_bytes(b"")
    dossier = opened(site)
    assert dossier.decidability.status_code == 400
    wish = Wish(Pick.of("outbox", None))
    assert decide(site.run, APPROVAL, wish, registry(), actor()).status_code == 400
    (site.branch(APPROVAL) / "decision").unlink()


def test_an_empty_folder_is_no_decision(site: Site) -> None:
    folder_of(site)
    assert opened(site).decisions == NO_DECISIONS


# Which one stands


def test_the_fingerprint_is_asked_only_where_it_matters() -> None:
    def must_not_be_asked() -> str | None:
        raise AssertionError("asked")

    file = read(a_packet())
    none = DecisionStatus("none")
    ask = must_not_be_asked
    assert decision_status(Decisions(), answered=None, is_resumed=True, fingerprint=ask) == none
    resumed = decision_status(
        Decisions((file,)), answered=None, is_resumed=True, fingerprint=must_not_be_asked
    )
    assert (resumed.status, resumed.by, resumed.at) == ("resumed", "ada", AT)


def test_evidence_that_cannot_be_read_holds_no_decision_up() -> None:
    file = read(a_packet())
    found = decision_status(
        Decisions((file,)), answered=None, is_resumed=False, fingerprint=lambda: None
    )
    assert found.status == "stale"
