"""The run generator: what it derives, what a recipe may override, and what it renders."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stopview_core.demo import (
    OMIT,
    Alternative,
    Attack,
    Candidate,
    Exchange,
    Handoff,
    Resume,
    RunBuilder,
    architecture_markdown,
    context,
    frontend_markdown,
    head,
    resume_token,
    stack_model,
    table,
)

AT = "2026-11-02T09:31:00Z"


def read(path: Path) -> dict:
    return json.loads(path.read_bytes())


def sha256(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def blocked_then_resumed() -> RunBuilder:
    run = RunBuilder("two-attempts", started="2026-11-02T08:00:00Z")
    run.branch(
        "1/1",
        "architecture.decide",
        status="blocked",
        stop="CHOICE_REQUIRED",
        at=AT,
        requirements={"selectionPolicy": "approval-required", "approval": None},
        contexts=[context("@workspaces/be", head("x"))],
        reason="which one?",
        handoff=Handoff("caller", "user"),
    )
    run.branch(
        "2/1",
        "architecture.decide",
        at="2026-11-03T10:00:00Z",
        requirements={"selectionPolicy": "approval-required", "approval": "b"},
        inputs={"stack-model": "step-1/parallel-1/response/data/stack-model.json"},
        resumes="1/1",
    )
    return run


def test_a_branch_lands_where_the_runtime_puts_it(tmp_path: Path) -> None:
    run = RunBuilder("layout", folder="elsewhere")
    run.branch(
        "2/3",
        "architecture.decide",
        files={"data/stack-model.json": {"a": 1}, "response.md": "# x\n", "artifacts/a.html": b"<"},
        branch_files={"import.json": {"from": "other"}},
        exchanges={"critique": Exchange(files={"critique.md": "# c\n"})},
    )
    folder = run.write(tmp_path)
    found = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    root = "step-2/parallel-3"
    assert folder == tmp_path / "elsewhere"
    assert found == [
        "state.json",
        f"{root}/critique/request/request.json",
        f"{root}/critique/response/critique.md",
        f"{root}/critique/response/response.json",
        f"{root}/import.json",
        f"{root}/request/request.json",
        f"{root}/response/artifacts/a.html",
        f"{root}/response/data/stack-model.json",
        f"{root}/response/response.json",
        f"{root}/response/response.md",
    ]
    assert read(folder / root / "response/response.json")["fields"] == {
        "architecture-decision": "response/response.md",
        "stack-model": "response/data/stack-model.json",
        "independent-critique": "critique/response/critique.md",
    }
    assert read(folder / root / "critique/response/response.json")["exchange"] == "critique"


def test_a_resume_agrees_in_request_requirements_and_state(tmp_path: Path) -> None:
    folder = blocked_then_resumed().write(tmp_path)
    state = read(folder / "state.json")
    request = read(folder / "step-2/parallel-1/request/request.json")
    token = "step-1-parallel-1-choice-required"
    assert resume_token(1, 1, "CHOICE_REQUIRED") == token
    assert request["resume"] == {"step": 1, "parallel": 1, "token": token}
    assert request["requirements"]["resume"] == token
    assert state["resumes"] == {"2/1": {"resumes": "1/1", "stop": "CHOICE_REQUIRED"}}
    first = read(folder / "step-1/parallel-1/request/request.json")
    assert first["resume"] is None
    assert first["requirements"]["resume"] is None


def test_state_follows_from_the_branches(tmp_path: Path) -> None:
    run = blocked_then_resumed()
    run.branch(
        "3/2",
        "backend.source.apply",
        status="blocked",
        stop="SOURCE_DRIFT",
        at="2026-11-03T11:00:00Z",
        reason="it moved",
        handoff=Handoff("workspace", "operator", "workspace.bind"),
    )
    run.branch("3/1", "quality.verify", at="2026-11-03T11:30:00Z")
    state = read(run.write(tmp_path) / "state.json")
    assert state["chain"] == [["1/1"], ["2/1"], ["3/1", "3/2"]]
    assert state["steps"]["3/2"] == "backend.source.apply"
    assert state["status"] == "blocked"
    assert state["stoppedAt"] == {
        "branch": "3/2",
        "operator": "backend.source.apply",
        "stop": "SOURCE_DRIFT",
        "domain": "workspace",
        "route": {"kind": "operator", "target": "workspace.bind"},
        "why": "it moved",
    }


def test_a_resumed_block_is_not_where_the_run_stopped(tmp_path: Path) -> None:
    state = read(blocked_then_resumed().write(tmp_path) / "state.json")
    assert "stoppedAt" not in state
    assert state["status"] == "done"


def test_a_run_with_work_in_its_last_step_is_running(tmp_path: Path) -> None:
    run = blocked_then_resumed()
    run.branch("3/1", "quality.verify", status="running", began="2026-11-03T10:10:00Z")
    folder = run.write(tmp_path)
    state = read(folder / "state.json")
    assert state["status"] == "running"
    assert [t["event"] for t in state["transitions"] if t["branch"] == "3/1"] == ["dispatched"]
    assert read(folder / "step-3/parallel-1/response/response.json")["status"] == "running"


def test_transitions_are_the_story_of_the_run_in_order(tmp_path: Path) -> None:
    run = RunBuilder("told", started="2026-11-02T08:00:00Z")
    run.branch(
        "1/1",
        "architecture.decide",
        status="blocked",
        stop="CHOICE_REQUIRED",
        began="2026-11-02T08:00:00Z",
        at="2026-11-02T09:00:00Z",
        exchanges={"critique": Exchange()},
    )
    run.branch("2/1", "architecture.decide", at="2026-11-02T11:00:00Z", resumes="1/1")
    run.branch("2/2", "quality.verify", status="mismatch", at="2026-11-02T10:50:00Z")
    lines = read(run.write(tmp_path) / "state.json")["transitions"]
    assert [
        (line["at"][11:16], line["branch"], line["event"], line.get("note")) for line in lines
    ] == [
        ("08:00", "1/1", "dispatched", None),
        ("08:30", "1/1", "waiting", "awaiting critique"),
        ("08:45", "1/1", "resumed", "critique answered"),
        ("09:00", "1/1", "blocked", "CHOICE_REQUIRED"),
        ("10:30", "2/2", "dispatched", None),
        ("10:40", "2/1", "dispatched", "resumes 1/1"),
        ("10:50", "2/2", "invalid", None),
        ("11:00", "2/1", "done", None),
    ]


def test_times_that_are_left_out_follow_the_steps_before() -> None:
    run = RunBuilder("untimed", started="2026-11-02T08:00:00Z")
    first = run.branch("1/1", "workspace.bind")
    beside = run.branch("1/2", "workspace.bind")
    later = run.branch("2/1", "business.decide")
    assert first.ended == beside.ended < later.began < later.ended
    assert first.began >= run.started


def test_files_carry_the_time_of_their_branch(tmp_path: Path) -> None:
    run = RunBuilder("timed", started="2026-11-02T08:00:00Z")
    run.branch(
        "1/1",
        "architecture.decide",
        began="2026-11-02T09:01:00Z",
        at=AT,
        files={"response.md": "x"},
        exchanges={
            "critique": Exchange(asked="2026-11-02T09:10:00Z", answered="2026-11-02T09:20:00Z")
        },
    )
    folder = run.write(tmp_path)
    times = {
        path.relative_to(folder).as_posix(): path.stat().st_mtime_ns
        for path in folder.rglob("*")
        if path.is_file()
    }

    def at(text: str) -> int:
        return int(datetime.fromisoformat(text).timestamp()) * 1_000_000_000

    root = "step-1/parallel-1"
    assert times == {
        "state.json": at(AT),
        f"{root}/request/request.json": at("2026-11-02T09:01:00Z"),
        f"{root}/response/response.json": at(AT),
        f"{root}/response/response.md": at(AT),
        f"{root}/critique/request/request.json": at("2026-11-02T09:10:00Z"),
        f"{root}/critique/response/response.json": at("2026-11-02T09:20:00Z"),
    }


def test_a_request_hash_is_of_the_bytes_that_are_written(tmp_path: Path) -> None:
    run = RunBuilder("hashed")
    run.branch("1/1", "a.b", request={"extra": 1, "inputs": OMIT})
    run.branch("2/1", "a.b", request=b"{broken")
    run.branch("3/1", "a.b", request=None)
    folder = run.write(tmp_path)
    first = (folder / "step-1/parallel-1/request/request.json").read_bytes()
    assert json.loads(first)["extra"] == 1
    assert "inputs" not in json.loads(first)
    assert read(folder / "state.json")["requestHashes"] == {
        "1/1": sha256(first),
        "2/1": sha256(b"{broken"),
    }
    assert not (folder / "step-3/parallel-1/request").exists()


def test_each_part_of_a_run_can_be_removed_or_replaced(tmp_path: Path) -> None:
    run = RunBuilder("altered", state={"status": "stopped", "chain": OMIT, "later": {"x": None}})
    run.branch("1/1", "a.b", response=None, transitions=[{"at": "never", "branch": "1/1"}])
    run.branch("2/1", "a.b", files={"response.json": b"\xff\xfe"}, response={"stop": "X"})
    run.branch("3/1", "a.b", branch_files={"request/request.json": None}, fields={"own": ["p"]})
    run.file("step-3/parallel-1/response/response.md", "# late\n")
    folder = run.write(tmp_path)
    state = read(folder / "state.json")
    assert (state["status"], state["later"], "chain" in state) == ("stopped", {"x": None}, False)
    assert {"at": "never", "branch": "1/1"} in state["transitions"]
    assert not (folder / "step-1/parallel-1/response").exists()
    assert (folder / "step-2/parallel-1/response/response.json").read_bytes() == b"\xff\xfe"
    assert not (folder / "step-3/parallel-1/request").exists()
    assert read(folder / "step-3/parallel-1/response/response.json")["fields"] == {"own": ["p"]}
    assert (folder / "step-3/parallel-1/response/response.md").read_text() == "# late\n"


@pytest.mark.parametrize(("state", "expected"), [(None, None), (b"{", b"{"), ("[]", b"[]")])
def test_state_can_be_missing_or_broken(
    tmp_path: Path, state: bytes | str | None, expected: bytes | None
) -> None:
    folder = RunBuilder("bare", state=state)
    folder.branch("1/1", "a.b")
    written = folder.write(tmp_path) / "state.json"
    assert (written.read_bytes() if written.exists() else None) == expected


def test_a_wrong_resume_has_to_be_spelled_out(tmp_path: Path) -> None:
    run = RunBuilder("broken-resume")
    run.branch("1/1", "a.b")
    with pytest.raises(ValueError, match="did not stop"):
        run.branch("2/1", "a.b", resumes="1/1")
    with pytest.raises(ValueError, match="no branch of broken-resume"):
        run.branch("2/1", "a.b", resumes="7/1")
    run.branch("2/1", "a.b", resumes=Resume("7/1", "step-7-parallel-1-x"))
    request = read(run.write(tmp_path) / "step-2/parallel-1/request/request.json")
    assert request["resume"] == {"step": 7, "parallel": 1, "token": "step-7-parallel-1-x"}


@pytest.mark.parametrize("key", ["", "1", "1/", "/1", "a/1", "1/1/critique", "-1/1"])
def test_a_key_that_is_none_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="no branch key"):
        RunBuilder("keys").branch(key, "a.b")


def test_a_time_without_an_offset_is_refused() -> None:
    with pytest.raises(ValueError, match="no offset"):
        RunBuilder("naive", started="2026-11-02T08:00:00")


def test_a_run_is_never_written_over_another(tmp_path: Path) -> None:
    blocked_then_resumed().write(tmp_path)
    with pytest.raises(FileExistsError):
        blocked_then_resumed().write(tmp_path)


def test_an_interaction_and_its_answer_are_written(tmp_path: Path) -> None:
    asked = {"kind": "choice", "decisionId": "d", "options": [{"id": "a", "label": "A"}]}
    run = RunBuilder("asked", choices={"d": {"selected": "a", "selectedBy": "user"}})
    run.branch("1/1", "a.b", status="blocked", stop="X_Y", interaction=asked)
    run.branch("2/1", "a.b", resumes="1/1", decision_id="d", selected_option="a")
    folder = run.write(tmp_path)
    request = read(folder / "step-2/parallel-1/request/request.json")
    assert read(folder / "step-1/parallel-1/response/response.json")["interaction"] == asked
    assert (request["decisionId"], request["selectedOption"]) == ("d", "a")
    assert read(folder / "state.json")["choices"]["d"]["selected"] == "a"


ALTERNATIVES = (
    Alternative("a", {"cost": 3, "risk": 2.5}, "first | of two"),
    Alternative("b", {"cost": 4}, "second", "rejected", "too\nslow"),
)


def test_architecture_markdown_and_stack_model_hold_the_same_alternatives() -> None:
    text = architecture_markdown(
        "d",
        objective="o",
        policy="automatic",
        alternatives=ALTERNATIVES,
        selected="a",
        attacks=[Attack("load", "b", "fails", "it fell over")],
        fallbacks={"CHOICE_REQUIRED": "selected `a`"},
    )
    assert "| Selected alternative | `a` |" in text
    assert "| Alternative | cost | risk | Total |" in text
    assert "| `a` | 3 | 2.5 | 5.5 |" in text
    assert "| `b` | 4 | — | 4 |" in text
    assert r"| `a` | viable | first \| of two | — |" in text
    assert "| `b` | rejected | second | too slow |" in text
    assert "| load | `b` | fails | it fell over |" in text
    assert text.endswith("| `CHOICE_REQUIRED` | selected `a` |\n")
    assert stack_model("d", ALTERNATIVES, selected="a")["alternatives"] == [
        {
            "alternativeId": "a",
            "status": "viable",
            "scores": {"cost": 3, "risk": 2.5},
            "rejectedBecause": None,
        },
        {
            "alternativeId": "b",
            "status": "rejected",
            "scores": {"cost": 4},
            "rejectedBecause": "too\nslow",
        },
    ]


def test_scores_stay_out_of_a_decision_that_is_open() -> None:
    text = architecture_markdown("d", objective="o", policy="p", alternatives=ALTERNATIVES)
    assert "| Selected alternative | `—` |" in text
    assert "Total" not in text
    assert text.endswith("## Fallbacks taken\n\n| Code | Action |\n| --- | --- |\n")


def test_frontend_markdown_scores_each_viewport() -> None:
    one = Candidate("one", {"wide": {"A-1": 4, "A-2": 2}, "narrow": {"A-1": 3}}, "too wide")
    text = frontend_markdown("d", decision={"Target": "/x"}, candidates=[one], selected="one")
    rows = [line for line in text.splitlines() if line.startswith("| `one` |")]
    assert rows == [
        "| `one` | wide | `A-1` | 4 | pass |",
        "| `one` | wide | `A-2` | 2 | fail |",
        "| `one` | narrow | `A-1` | 3 | pass |",
        "| `one` | too wide |",
    ]
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings == [
        "## Decision",
        "## Scores",
        "## Falsification",
        "## Candidate limits",
        "## Why not the others",
        "## Fallbacks taken",
    ]


@given(st.lists(st.lists(st.text(max_size=20), min_size=2, max_size=2), max_size=4))
def test_no_cell_breaks_a_table(rows: list[list[str]]) -> None:
    lines = table(("A", "B"), rows).split("\n")
    assert len(lines) == 2 + len(rows)
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in lines)
