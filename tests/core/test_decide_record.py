"""What a decision records, exactly, whatever names and words it is given."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, timedelta, timezone
from pathlib import Path

import pytest
import yaml
from deciding.checks import fingerprint_of
from deciding.making import AT, made, own, packet_of
from deciding.runs import (
    APPROVAL,
    BOTH,
    BOTH_ID,
    CHOICE,
    CONTRADICTION,
    OPERATOR,
    QUESTION,
    QUESTION_ID,
    Site,
    actor,
    choice_branch,
    decidable_run,
    interaction,
    quick_folder,
    registry,
    requirements,
    sha256,
)
from hypothesis import example, given
from hypothesis import strategies as st

from stopview_core.actor import Actor
from stopview_core.decide import Pick, Wish, decide
from stopview_core.demo import RunBuilder
from stopview_core.dossier import Dossier, open_branch
from stopview_core.errors import UsageError
from stopview_core.sacp import RECEIPT_CAP
from stopview_core.text import clean, without_controls


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A run with something to decide; nothing but `decision/` may change in it."""
    made = Site(decidable_run().write(tmp_path))
    yield made
    made.check()


def test_an_approval_is_recorded_with_all_that_was_weighed(site: Site) -> None:
    assert made(site, reason="We know it.\nAnd it is cheap.").is_written
    packet = packet_of(site, APPROVAL)
    assert packet["handoff_id"] == "audit-trail/1/1"
    assert packet["attempt_id"] == "audit-trail/1/1/decision/0001"
    assert packet["agent_id"] == "human:ada@example.org"
    assert packet["processed_at"] == "2026-11-03T09:30:01.250Z"
    assert packet["source_fingerprint"] == fingerprint_of(site.branch(APPROVAL))
    assert packet["next_owner"] == OPERATOR
    assert [claim["text"] for claim in packet["claims"]] == [
        "ada@example.org selected `outbox` for CHOICE_REQUIRED on architecture.decide.",
        "We know it.\nAnd it is cheap.",
        "Attempt 1/1 is superseded by this decision.",
    ]
    wanted = {
        "run": "audit-trail",
        "branch": "1/1",
        "operator": OPERATOR,
        "stop": CHOICE,
        "domain": "caller",
        "route": "user",
        "selected": "outbox",
        "param": "approval",
        "decision": None,
        "reason": "We know it.\nAnd it is cheap.",
        "alternatives": [
            {
                "id": "one-table",
                "scores": {"cost": 4, "complexity": 3, "reversibility": 4},
                "total": 11,
            },
            {
                "id": "event-log",
                "scores": {"cost": 2, "complexity": 2, "reversibility": 5},
                "total": 9,
            },
            {
                "id": "outbox",
                "scores": {"cost": 3, "complexity": 4.5, "reversibility": 3},
                "total": 10.5,
            },
        ],
        "highest_total": ["one-table"],
        "sequence": 1,
        "supersedes": None,
        "previous": None,
        "evidence": [
            "request/request.json",
            "response/data/stack-model.json",
            "response/response.json",
            "response/response.md",
        ],
        "registry": registry().sha256,
        "via": "command, no terminal",
        "os_user": "ada",
        "host": "desk-7",
        "version": "0.0.1",
    }
    assert {name: own(packet, name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("key", "selected", "param", "decision"),
    [
        (APPROVAL, "one-table", "approval", None),
        (QUESTION, "keep-a-year", None, QUESTION_ID),
        (BOTH, "one-table", "approval", BOTH_ID),
    ],
)
def test_the_pick_goes_the_ways_that_the_branch_asks_for(
    site: Site, key: str, selected: str, param: str | None, decision: str | None
) -> None:
    assert made(site, key, selected).is_written
    packet = packet_of(site, key)
    assert (own(packet, "param"), own(packet, "decision")) == (param, decision)


def test_only_what_can_be_picked_is_on_offer_in_the_receipt(site: Site) -> None:
    made(site, BOTH, "one-table")
    offered = [item["id"] for item in own(packet_of(site, BOTH), "alternatives")]
    assert offered == ["one-table", "outbox"]


def test_nothing_selected_is_recorded_as_such(site: Site) -> None:
    assert made(site, selected=None, reason="Ask the auditors first.").is_written
    packet = packet_of(site, APPROVAL)
    assert own(packet, "selected") is None
    assert packet["next_owner"] == "Human"
    assert packet["human_decision_required"] is True
    assert "waits for a person again" in packet["residual_risk"]


def test_decisions_are_chained_and_say_what_they_replace(site: Site) -> None:
    for selected, supersede in (("outbox", None), ("one-table", "0001"), ("event-log", "0002")):
        assert made(site, selected=selected, supersede=supersede).is_written
    receipts = site.receipts(APPROVAL)
    third = packet_of(site, APPROVAL, "0003.yaml")
    assert own(third, "supersedes") == "0002"
    assert own(third, "previous") == sha256(receipts["0002.yaml"])
    assert own(packet_of(site, APPROVAL, "0002.yaml"), "previous") == sha256(receipts["0001.yaml"])


def test_a_later_attempt_belongs_to_the_handoff_of_the_first(tmp_path: Path) -> None:
    run = RunBuilder("audit-trail", started="2026-11-02T08:00:00Z")
    choice_branch(run, "1/1")
    choice_branch(run, "2/1", resumes="1/1")
    site = Site(run.write(tmp_path))
    assert made(site, "2/1").is_written
    packet = yaml.safe_load(site.receipts("2/1")["0001.yaml"])
    assert packet["handoff_id"] == "audit-trail/1/1"
    assert packet["attempt_id"] == "audit-trail/2/1/decision/0001"
    site.check()


@pytest.mark.parametrize("offset", [timezone(timedelta(hours=8)), UTC, timezone.min])
def test_the_time_is_written_in_utc(site: Site, offset: timezone) -> None:
    wish = Wish(Pick.of("outbox", None))
    decide(site.run, APPROVAL, wish, registry(), actor(), now=lambda: AT.astimezone(offset))
    assert packet_of(site, APPROVAL)["processed_at"] == "2026-11-03T09:30:01.250Z"


HOSTILE = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(
            "'\"\\:#-?&*!%@`|>{}[],\n\r\t \x00\x1b\x7f\x85\xa0\u2028\u202e\ufeff\ud800"
        ),
        st.sampled_from(
            ["- ", ": ", " #", "!!set", "*a", "&a", "---", "...", "🦉", "\r\n", "null"]
        ),
    ),
    max_size=12,
).map("".join)
WORSE = (
    "'",
    '"',
    'He said: "it\'s fine" # really',
    "first\n\n  - second: [x]\n...\n---\n",
    "!!python/object/apply:os.system ['true']",
    "&a [*a, *a]",
    "null",
    "yes",
    "0x1F",
    "2026-11-03",
    "1e3",
    "\x1b]52;c;aGk=\x07\x9b31m",
    "\u202egnihton\u2069\u200b\ufeff",
    "👩‍💻 ✅️",
    "\ud800 half",
    "x" * 10_240,
    "ü:\n" * 3_413,
)


def recorded_exactly(site: Site, name: str, reason: str) -> None:
    """The receipt holds these words without their control characters, for every reader."""
    outcome = made(site, reason=reason, who=actor(name))
    assert outcome.is_written
    receipts = site.receipts(APPROVAL)
    packet = packet_of(site, APPROVAL, max(receipts))
    said = without_controls(reason).strip() or None
    assert own(packet, "reason") == said
    assert packet["agent_id"] == f"human:{name.strip()}"
    assert packet == outcome.receipt
    opened = open_branch(site.run, APPROVAL, registry())
    assert isinstance(opened, Dossier)
    decision = opened.reading.decision
    assert decision.status == "in_force"
    assert decision.reason == (None if said is None else clean(said))
    assert decision.by == clean(name.strip())


@pytest.mark.parametrize("reason", WORSE)
def test_hostile_reasons_are_recorded_exactly(site: Site, reason: str) -> None:
    recorded_exactly(site, "ada", reason)


@pytest.mark.parametrize(
    "name",
    ["O'Brien", '"', "a: b # c", "- x", "!!str a", "*a", "null", "👩‍💻", "\u200fada", "x" * 200],
)
def test_hostile_names_are_recorded_exactly(site: Site, name: str) -> None:
    recorded_exactly(site, name, "why not")


@given(reason=HOSTILE, name=HOSTILE)
@example(reason="\r\x00\n", name="a\xa0b")
def test_any_words_are_recorded_exactly(reason: str, name: str) -> None:
    with quick_folder() as folder:
        site = Site(decidable_run().write(folder))
        if without_controls(name).replace("\n", "") != name or not name.strip():
            with pytest.raises(UsageError):
                made(site, reason=reason, who=actor(name))
            assert site.receipts(APPROVAL) == {}
        else:
            recorded_exactly(site, name, reason)
        site.check()


def test_what_the_machine_calls_itself_is_cleaned(site: Site) -> None:
    who = Actor("ada", "root\x1b[31m\nx", "host\x00\tname", "1", "app, terminal")
    assert made(site, who=who).is_written
    packet = packet_of(site, APPROVAL)
    assert (own(packet, "os_user"), own(packet, "host")) == ("root[31m x", "host name")


@pytest.mark.parametrize("name", ["", " ", "\n", "ada\n", "a\tb", "\x1b[2J", "\ud800"])
def test_an_approver_needs_a_name(site: Site, name: str) -> None:
    with pytest.raises(UsageError, match="approver"):
        made(site, who=actor(name))
    assert site.receipts(APPROVAL) == {}


@pytest.mark.parametrize("reason", [None, "", " \n", "\x00\x1b"])
def test_none_of_these_needs_a_reason(site: Site, reason: str | None) -> None:
    with pytest.raises(UsageError, match="reason"):
        decide(site.run, APPROVAL, Wish(Pick(None, reason)), registry(), actor())
    assert site.receipts(APPROVAL) == {}


@pytest.mark.parametrize("is_dry_run", [True, False])
def test_what_no_reader_would_take_is_refused_before(site: Site, is_dry_run: bool) -> None:
    outcome = made(site, reason="x" * RECEIPT_CAP, is_dry_run=is_dry_run)
    assert (outcome.status_code, outcome.exit_code) == (412, 3)
    assert "Give a shorter reason" in outcome.message
    assert not (site.branch(APPROVAL) / "decision").exists()


def test_the_largest_reason_that_fits_is_written_and_read(site: Site) -> None:
    recorded_exactly(site, "ada", "x" * (RECEIPT_CAP // 2 - 4_096))
    assert len(site.receipts(APPROVAL)["0001.yaml"]) <= RECEIPT_CAP


def test_a_run_whose_own_words_make_an_unreadable_receipt_is_refused(tmp_path: Path) -> None:
    run = RunBuilder("audit-trail", folder="run", started="2026-11-02T08:00:00Z")
    options = tuple(f"option-{number}-{'x' * 600}" for number in range(400))
    choice_branch(run, "1/1", stop=CONTRADICTION, interaction=interaction("many", options))
    site = Site(run.write(tmp_path))
    outcome = made(site, "1/1", options[3])
    assert (outcome.status_code, outcome.is_written) == (412, False)
    assert "too long" in outcome.message
    assert site.receipts("1/1") == {}


def test_a_question_whose_options_have_no_usable_id_is_not_answered(tmp_path: Path) -> None:
    run = RunBuilder("audit-trail", started="2026-11-02T08:00:00Z")
    bad = interaction("which", ("a\x1b[31m", "\u202eb"))
    choice_branch(run, "1/1", interaction=bad)
    choice_branch(run, "1/2", stop=CONTRADICTION, interaction=bad)
    site = Site(run.write(tmp_path))
    assert own(made(site, "1/1", "outbox").receipt or {}, "decision") is None  # type: ignore[arg-type]
    assert made(site, "1/2", "outbox").status_code == 412
    site.check()


@pytest.mark.parametrize("operator", ["later", "TBD", "someone"])
def test_an_operator_that_is_no_owner_makes_no_receipt(tmp_path: Path, operator: str) -> None:
    run = RunBuilder("audit-trail", started="2026-11-02T08:00:00Z")
    run.branch(
        "1/1",
        operator,
        status="blocked",
        stop=CONTRADICTION,
        requirements=requirements(),
        interaction=interaction("which", ("a", "b")),
    )
    site = Site(run.write(tmp_path))
    outcome = made(site, "1/1", "a")
    assert (outcome.status_code, outcome.is_written) == (412, False)
    assert "next_owner" in outcome.message
    assert site.receipts("1/1") == {}


def test_a_dry_run_gives_the_receipt_that_is_then_written(site: Site) -> None:
    tried = made(site, reason="why", is_dry_run=True)
    assert (tried.status_code, tried.is_written, tried.exit_code) == (301, False, 0)
    assert not (site.branch(APPROVAL) / "decision").exists()
    assert made(site, reason="why").receipt == tried.receipt
    assert packet_of(site, APPROVAL) == tried.receipt


def test_only_the_record_that_was_confirmed_is_written(site: Site) -> None:
    assert made(site, selected=None, reason="Not now.").is_written
    outcome = made(site, seq="0001")
    assert (outcome.status_code, outcome.exit_code) == (409, 3)
    assert "ada@example.org selected none of these on 2026-11-03 09:30:01 UTC" in outcome.message
    assert list(site.receipts(APPROVAL)) == ["0001.yaml"]
    assert made(site, seq="0002").is_written


def test_a_confirmed_number_that_is_not_there_any_more_is_refused(site: Site) -> None:
    outcome = made(site, seq="0002")
    assert (outcome.status_code, outcome.is_written) == (409, False)
    assert "0002" in outcome.message


def test_a_branch_or_an_exchange_that_is_not_there_is_usage(site: Site) -> None:
    for key in ("9/9", "1/1/critique", "1", "", "1/1/", "01/1", "1/1 "):
        with pytest.raises(UsageError):
            made(site, f"{key}x" if key == "1/1/" else key)
    with pytest.raises(UsageError):
        decide(site.run / "none", APPROVAL, Wish(Pick.of("outbox", None)), registry(), actor())
