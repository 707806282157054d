"""The resume packet: what the runtime's gate checks, held against what is printed."""

from __future__ import annotations

import copy
import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from deciding.checks import V
from deciding.runs import (
    APPROVAL,
    BOTH,
    BOTH_ID,
    OPERATOR,
    QUESTION,
    QUESTION_ID,
    Site,
    actor,
    choice_branch,
    decidable_run,
    every_refusal,
    registry,
)

from stopview_core import yamltext
from stopview_core.decide import Pick, Wish, decide
from stopview_core.demo import RunBuilder
from stopview_core.dossier import Dossier, open_branch
from stopview_core.packet import NoPacket, ResumePacket, resume_packet, resume_token
from stopview_core.registry.load import load

UPSTREAM = Path(__file__).parents[2] / ".." / "shared" / "upstream"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A run with something to decide; nothing but `decision/` may change in it."""
    made = Site(decidable_run().write(tmp_path))
    yield made
    made.check()


def write(site: Site, key: str, selected: str | None, supersede: str | None = None) -> None:
    wish = Wish(Pick.of(selected, "because"), supersede=supersede)
    outcome = decide(site.run, key, wish, registry(), actor())
    assert outcome.is_written, outcome.message


def asked(site: Site, key: str) -> ResumePacket | NoPacket:
    found = open_branch(site.run, key, registry())
    assert isinstance(found, Dossier)
    return resume_packet(found)


def packet(site: Site, key: str) -> ResumePacket:
    found = asked(site, key)
    assert isinstance(found, ResumePacket), found
    return found


def refused(site: Site, key: str) -> NoPacket:
    found = asked(site, key)
    assert isinstance(found, NoPacket)
    assert found.message.endswith(".")
    return found


# The runtime's side


def merged(state: dict[str, Any], entries: dict[str, Any]) -> dict[str, Any]:
    """state.json with a packet's entries merged into it, key by key."""
    after = copy.deepcopy(state)
    after.setdefault("chain", []).append(entries["chain"])
    for name in ("steps", "resumes", "requestHashes", "choices"):
        after.setdefault(name, {}).update(entries.get(name, {}))
    return after


def gate_faults(site: Site, found: ResumePacket, blocked: str) -> list[str]:
    """What a runtime's request gate says against a packet (contracts 1.8, the last sentence)."""
    faults = []
    data = found.request_text.encode()
    request = json.loads(data)
    state = merged(site.state(), dict(found.state))
    key = f"{request['step']}/{request['parallel']}"
    if request != found.request or key != found.branch:
        faults.append("the text is not the request")
    if state["requestHashes"].get(key) != f"sha256:{hashlib.sha256(data).hexdigest()}":
        faults.append("the hash does not match")
    if state["chain"][-1] != [key]:
        faults.append("the chain does not end with it")
    resume = request["resume"]
    if f"{resume['step']}/{resume['parallel']}" != blocked:
        faults.append("another branch is resumed")
    if state["resumes"].get(key, {}).get("resumes") != blocked:
        faults.append("state.resumes does not name the branch")
    if state["steps"].get(blocked) != request["operatorId"] or state["steps"].get(key) != OPERATOR:
        faults.append("the operator differs")
    if request["requirements"]["resume"] != resume["token"]:
        faults.append("the token differs")
    if not re.fullmatch(r"step-\d+-parallel-\d+-[a-z][a-z0-9-]*", resume["token"]):
        faults.append(f"the token is {resume['token']}")
    if ("decisionId" in request) != ("selectedOption" in request):
        faults.append("decisionId and selectedOption do not come together")
    if "decisionId" in request:
        choice = state["choices"].get(request["decisionId"])
        if choice is None or choice["selected"] != request["selectedOption"]:
            faults.append("no such choice is recorded")
        elif choice["selectedBy"] != "user" or not choice["sourceRef"]:
            faults.append("the choice is nobody's")
    earlier = {int(path.name.removeprefix("step-")) for path in site.run.glob("step-*")}
    if request["step"] <= max(earlier) or request["parallel"] != 1:
        faults.append("its place is taken")
    return faults


@pytest.mark.parametrize(
    ("key", "selected", "approval", "option"),
    [
        (APPROVAL, "outbox", "outbox", None),
        (QUESTION, "keep-a-year", None, (QUESTION_ID, "keep-a-year")),
        (BOTH, "one-table", "one-table", (BOTH_ID, "one-table")),
    ],
)
def test_the_gate_takes_packets_of_every_kind(
    site: Site, key: str, selected: str, approval: str | None, option: tuple[str, str] | None
) -> None:
    write(site, key, selected)
    found = packet(site, key)
    assert gate_faults(site, found, key) == []
    assert found.branch == "2/1"
    request = json.loads(found.request_text)
    assert request["requirements"]["approval"] == approval
    assert (request.get("decisionId"), request.get("selectedOption")) == (option or (None, None))
    assert ("choices" in found.state) is (option is not None)
    step, _, parallel = key.partition("/")
    where = f"step-{step}/parallel-{parallel}/decision/0001.yaml"
    assert found.where == where
    assert (site.run / where).is_file()
    if option is not None:
        choice = {"selected": option[1], "selectedBy": "user", "sourceRef": where}
        assert found.state["choices"] == {option[0]: choice}


def test_nothing_else_of_the_request_changes(site: Site) -> None:
    write(site, APPROVAL, "outbox")
    blocked = json.loads((site.branch(APPROVAL) / "request/request.json").read_bytes())
    request = dict(packet(site, APPROVAL).request)
    token = "step-1-parallel-1-choice-required"
    assert request["resume"] == {"step": 1, "parallel": 1, "token": token}
    wanted = {**blocked, "step": 2, "parallel": 1, "resume": request["resume"]}
    wanted["requirements"] = {**blocked["requirements"], "approval": "outbox", "resume": token}
    assert request == wanted
    assert list(request) == list(blocked), "the order of the keys stays"


def test_the_text_is_ascii_with_one_line_feed_at_its_end(site: Site) -> None:
    with site.runtime():
        path = site.branch(APPROVAL) / "request/request.json"
        request = json.loads(path.read_bytes())
        request["requirements"]["objective"] = "für immer \u2028 \x1b[31m 🦉 \\ \" '"
        path.write_text(json.dumps(request))
    write(site, APPROVAL, "outbox")
    found = packet(site, APPROVAL)
    assert found.request_text.isascii()
    assert found.request_text.endswith("}\n")
    assert not found.request_text.endswith("\n\n")
    assert json.loads(found.request_text)["requirements"]["objective"].startswith("für immer")
    assert gate_faults(site, found, APPROVAL) == []


def test_the_state_is_only_what_has_to_be_merged(site: Site) -> None:
    write(site, APPROVAL, "outbox")
    found = packet(site, APPROVAL)
    assert dict(found.state) == {
        "steps": {"2/1": OPERATOR},
        "chain": ["2/1"],
        "resumes": {"2/1": {"resumes": "1/1", "stop": "CHOICE_REQUIRED"}},
        "requestHashes": {
            "2/1": f"sha256:{hashlib.sha256(found.request_text.encode()).hexdigest()}"
        },
    }


def test_a_branch_that_state_json_does_not_list_is_added(tmp_path: Path) -> None:
    run = RunBuilder("audit-trail", started="2026-11-02T08:00:00Z", state={"steps": {}})
    choice_branch(run, "1/1")
    site = Site(run.write(tmp_path))
    write(site, "1/1", "outbox")
    found = packet(site, "1/1")
    assert found.state["steps"] == {"1/1": OPERATOR, "2/1": OPERATOR}
    assert gate_faults(site, found, "1/1") == []


def test_a_run_without_state_json_gets_a_packet(tmp_path: Path) -> None:
    run = RunBuilder("audit-trail", started="2026-11-02T08:00:00Z", state=None)
    choice_branch(run, "1/1")
    site = Site(run.write(tmp_path))
    write(site, "1/1", "outbox")
    assert packet(site, "1/1").state["steps"] == {"1/1": OPERATOR, "2/1": OPERATOR}


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ({}, "4/1"),
        ({"steps": {"1/1": OPERATOR, "3/1": "quality.verify", "7/2": OPERATOR}}, "8/1"),
        ({"chain": [["1/1"], ["9/1"]]}, "10/1"),
        ({"chain": [["1/1"], ["not a key", "x/9"]]}, "4/1"),
    ],
)
def test_the_step_is_the_one_after_the_last_on_disk_or_planned(
    tmp_path: Path, state: dict[str, Any], expected: str
) -> None:
    run = RunBuilder("audit-trail", started="2026-11-02T08:00:00Z", state=state)
    choice_branch(run, "1/1")
    run.branch("3/1", "quality.verify", status="running")
    site = Site(run.write(tmp_path))
    write(site, "1/1", "outbox")
    assert packet(site, "1/1").branch == expected


def test_a_later_attempt_carries_what_the_earlier_one_was_answered(tmp_path: Path) -> None:
    choice = {"selected": "b", "selectedBy": "user", "sourceRef": "a conversation"}
    run = RunBuilder("audit-trail", started="2026-11-02T08:00:00Z", choices={"first": choice})
    choice_branch(run, "1/1")
    choice_branch(run, "2/1", resumes="1/1", decision_id="first", selected_option="b")
    site = Site(run.write(tmp_path))
    write(site, "2/1", "outbox")
    found = packet(site, "2/1")
    assert (found.request["decisionId"], found.request["selectedOption"]) == ("first", "b")
    assert gate_faults(site, found, "2/1") == []
    assert found.request["resume"]["token"] == "step-2-parallel-1-choice-required"


def test_the_newest_decision_is_the_one_that_is_carried(site: Site) -> None:
    write(site, APPROVAL, "outbox")
    write(site, APPROVAL, "event-log", "0001")
    found = packet(site, APPROVAL)
    assert found.request["requirements"]["approval"] == "event-log"
    assert found.where.endswith("0002.yaml")


def test_an_answer_that_the_runtime_recorded_alike_is_carried_out(site: Site) -> None:
    """A runtime that merged the state and then stopped short asks again."""
    write(site, QUESTION, "keep-a-year")
    site.choose(QUESTION_ID, "keep-a-year")
    assert gate_faults(site, packet(site, QUESTION), QUESTION) == []


# No packet


def test_no_decision(site: Site) -> None:
    told = refused(site, APPROVAL)
    assert told.status_code == 412
    assert told.message == "No decision was made on 1/1. Decide it first."


@pytest.mark.parametrize(
    ("key", "code", "says"),
    [
        ("1/2", 204, "1/2 is not blocked."),
        ("1/4", 204, "1/4 is another run's evidence, imported."),
        ("1/5", 412, "No alternatives were found to pick from."),
        ("1/7", 412, "SOURCE_DRIFT is not for a person to decide: it goes to workspace.bind"),
        ("1/9", 412, "The branch names no stop code"),
        ("1/13", 200, "2/1 resumed 1/13 and is done."),
        ("1/14", 204, "2/2 resumed 1/14 and is not done yet."),
    ],
)
def test_a_branch_that_nobody_can_decide_says_why(
    tmp_path: Path, key: str, code: int, says: str
) -> None:
    told = refused(Site(every_refusal().write(tmp_path)), key)
    assert told.status_code == code
    assert told.message.startswith(f"No decision was made on {key}, and none can be made here. ")
    assert says in told.message
    assert "Decide it" not in told.message


def test_nothing_selected(site: Site) -> None:
    write(site, APPROVAL, None)
    told = refused(site, APPROVAL)
    assert told.status_code == 412
    assert "waits for a person again" in told.message


def test_stale_evidence(site: Site) -> None:
    write(site, APPROVAL, "outbox")
    site.rewrite(APPROVAL, 1)
    told = refused(site, APPROVAL)
    assert told.status_code == 202
    assert "decide anew" in told.message


def test_resumed_already(site: Site) -> None:
    write(site, APPROVAL, "outbox")
    site.resume(APPROVAL, "2/1", carries={"approval": "outbox"})
    told = refused(site, APPROVAL)
    assert told.status_code == 204
    assert "2/1" in told.message


def test_answered_by_the_runtime(site: Site) -> None:
    site.choose(QUESTION_ID, "keep-a-year")
    assert refused(site, QUESTION).status_code == 204


def test_answered_otherwise_by_the_runtime(site: Site) -> None:
    write(site, QUESTION, "keep-a-year")
    site.choose(QUESTION_ID, "keep-90-days")
    told = refused(site, QUESTION)
    assert told.status_code == 204
    assert "another answer to 1/2: keep-90-days, by user" in told.message


@pytest.mark.parametrize(
    "path",
    [
        "state.json",
        "step-1/parallel-1/request/request.json",
        "step-1/parallel-1/response/response.json",
    ],
)
def test_what_cannot_be_read_gets_no_packet(site: Site, path: str) -> None:
    write(site, APPROVAL, "outbox")
    with site.runtime():
        (site.run / path).write_bytes(b'{"id": ')
    assert refused(site, APPROVAL).status_code in (202, 400)


def test_an_operator_that_differs_gets_no_packet(site: Site) -> None:
    write(site, APPROVAL, "outbox")
    state = site.state()
    state["steps"][APPROVAL] = "business.decide"
    site.set_state(state)
    told = refused(site, APPROVAL)
    assert told.status_code == 412
    assert "operator" in told.message


@pytest.mark.parametrize("param", [None, "selectionPolicy", "resume"])
def test_a_receipt_writes_no_other_requirement(site: Site, param: str | None) -> None:
    """A receipt by another hand may be valid and name any param: only approval is carried."""
    write(site, APPROVAL, "outbox")
    path = site.branch(APPROVAL) / "decision/0001.yaml"
    receipt: Any = yamltext.read(path.read_bytes(), cap=1 << 20)
    receipt["extensions"][f"{V}param"] = param
    path.write_bytes(yamltext.write(receipt))
    assert refused(site, APPROVAL).status_code == 412


def test_tokens() -> None:
    assert resume_token("12/3", "DIRECTION_CHOICE_REQUIRED") == (
        "step-12-parallel-3-direction-choice-required"
    )


@pytest.mark.skipif(not UPSTREAM.is_dir(), reason="the real runs are not beside the project")
def test_a_real_run_gets_a_packet(tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(UPSTREAM / "runs/approval-required-blocked", run)
    real = load(UPSTREAM)
    wish = Wish(Pick.of("split-view", "fewest clicks"))
    assert decide(run, "2/1", wish, real, actor()).is_written
    found = open_branch(run, "2/1", real)
    assert isinstance(found, Dossier)
    made = resume_packet(found)
    assert isinstance(made, ResumePacket)
    assert made.request["requirements"]["approval"] == "split-view"
    assert made.state["resumes"] == {"3/1": {"resumes": "2/1", "stop": "DIRECTION_CHOICE_REQUIRED"}}
