"""What is on disk, and what it is read as (contracts 1.5)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from corpus.parts import (
    ARCHITECTURE,
    BIND,
    BUSINESS,
    CHOICE,
    IDS,
    PLATFORM,
    RELEASE,
    TOTALS,
    bound,
    choice,
    date,
    report,
)
from corpus.recipe import (
    Expect,
    Recipe,
    Skip,
    a_choice,
    again,
    done,
    for_a_person,
    for_an_operator,
    imported,
)
from stopview_core.board import Group
from stopview_core.demo import OMIT, Exchange, RunBuilder

_THE_CHOICE: dict[str, Any] = {
    "offered": IDS,
    "totals": TOTALS,
    "highest": ("table",),
    "flipped_by": "selectionPolicy",
}


def _running() -> RunBuilder:
    run = RunBuilder("running")
    bound(run)
    run.branch("2/1", BUSINESS, status="running", response=None)
    return run


def _abandoned() -> RunBuilder:
    run = RunBuilder("abandoned")
    run.branch("1/1", BUSINESS, status="running", response=None)
    bound(run, "2/1")
    return run


def _empty_later_step() -> RunBuilder:
    run = RunBuilder("empty-later-step")
    run.branch("1/1", BUSINESS, status="running", response=None)
    run.branch("2/1", BIND, status="running", request=None, response=None)
    return run


def _neither() -> RunBuilder:
    run = RunBuilder("neither")
    run.branch("1/1", BUSINESS, request=None, response=None, files={"response.md": report()})
    bound(run, "2/1")
    return run


def _skeleton() -> RunBuilder:
    run = RunBuilder("skeleton")
    run.branch("1/1", BUSINESS, status="running")
    bound(run, "2/1")
    return run


def _half_done_skeleton() -> RunBuilder:
    """The operator writes response.md first, and response.json once it is through."""
    run = RunBuilder("half-done-skeleton")
    run.branch(
        "1/1",
        RELEASE,
        status="running",
        files={"response.md": report(taken={"ROLLOUT_FAILED": "restarted once"})},
    )
    return run


def _unknown_status() -> RunBuilder:
    run = RunBuilder("unknown-status")
    run.branch("1/1", BUSINESS, status="paused")
    run.branch("1/2", BIND, status="mismatch")
    run.branch("1/3", PLATFORM, response={"status": OMIT})
    return run


def _no_such_type() -> RunBuilder:
    run = RunBuilder("no-such-type")
    run.branch(
        "1/1",
        BUSINESS,
        response={"status": 7, "fallbacks": "none", "fields": ["a"], "next": {"a": 1}},
    )
    bound(run, "1/2")
    return run


def _extra_keys() -> RunBuilder:
    run = RunBuilder(
        "extra-keys",
        mission={"goal": "Orders survive the loss of a region.", "stakeholders": ["ops"]},
        state={"brief": {"depth": 2}, "budget": {"hours": 4}, "schemaVersion": 11, "weather": []},
    )
    bound(run, response={"cost": {"tokens": 12}, "agents": ["a"]}, request={"trace": "x-1"})
    choice(run, "2/1", response={"confidence": 0.4, "links": {"log": "here"}})
    return run


def _no_state() -> RunBuilder:
    run = RunBuilder("no-state", state=None)
    bound(run)
    choice(run, "2/1", at="2026-11-02T11:00:00Z")
    return run


def _half_state() -> RunBuilder:
    run = RunBuilder("half-state", state='{"id": "half-state", "project": "sho')
    bound(run)
    choice(run, "2/1", at="2026-11-02T11:00:00Z")
    return run


def _state_is_a_list() -> RunBuilder:
    run = RunBuilder("state-is-a-list", state='["half", "written"]')
    bound(run)
    return run


def _state_misfits() -> RunBuilder:
    run = RunBuilder(
        "state-misfits",
        state={
            "id": "   ",
            "steps": {"1/1": BIND, "2/1": 4},
            "chain": [["1/1"], "2/1"],
            "transitions": [{"branch": "1/1", "event": "done"}, {"at": "now"}, None],
            "requestHashes": {"1/1": None},
            "startedAt": "last week",
        },
    )
    bound(run)
    return run


def _waits_for_an_exchange() -> RunBuilder:
    run = RunBuilder("waits-for-an-exchange")
    run.branch(
        "1/1",
        ARCHITECTURE,
        status="waiting",
        awaiting={"exchange": "critique", "kind": "independent-critique"},
        exchanges={"critique": Exchange(status="running", response=None)},
    )
    return run


def _exchanges() -> RunBuilder:
    run = RunBuilder("exchanges")
    choice(
        run,
        "1/1",
        exchanges={
            "critique": Exchange(files={"critique.md": "# critique\n"}),
            "review": Exchange(status="blocked", stop="EVIDENCE_MISSING", reason="no log"),
            "second-look": Exchange(status="blocked", stop=CHOICE),
        },
        branch_files={"notes/todo.md": "not an exchange\n"},
    )
    return run


def _blocked_exchange_of_a_done_branch() -> RunBuilder:
    run = RunBuilder("blocked-exchange-of-a-done-branch")
    choice(
        run,
        "1/1",
        status="done",
        policy="automatic",
        exchanges={"critique": Exchange(status="blocked", stop="CRITIQUE_UNRESOLVED")},
    )
    return run


def _faulty_exchanges() -> RunBuilder:
    run = RunBuilder("faulty-exchanges")
    choice(
        run,
        "1/1",
        status="done",
        designs=(),
        exchanges={
            "critique": Exchange(status="blocked"),
            "review": Exchange(stop="MADE_UP"),
            "taken": Exchange(response={"fallbacks": [CHOICE]}),
        },
    )
    return run


def _damaged_exchange() -> RunBuilder:
    run = RunBuilder("damaged-exchange")
    bound(run, exchanges={"critique": Exchange(response='{"status": "blo')})
    return run


def _import_slot() -> RunBuilder:
    run = RunBuilder("import-slot")
    choice(
        run,
        "1/1",
        branch_files={"import.json": {"run": "another-run", "branch": "4/1"}},
        request={"sessionId": "another-run", "step": 4, "operatorId": BUSINESS},
    )
    choice(run, "2/1")
    return run


def _broken_import() -> RunBuilder:
    run = RunBuilder("broken-import")
    bound(run, branch_files={"import.json": "{"}, response="{")
    bound(run, "2/1")
    return run


def _blocked_twice() -> RunBuilder:
    run = RunBuilder("blocked-twice")
    run.branch(
        "1/1",
        BIND,
        status="blocked",
        stop="SOURCE_DRIFT",
        at="2026-11-02T08:30:00Z",
        transitions=[
            {"at": "2026-11-02T08:05:00Z", "branch": "1/1", "event": "dispatched"},
            {"at": "2026-11-02T09:30:00+01:00", "branch": "1/1", "event": "blocked"},
            {"at": "2026-11-02T08:40:00Z", "branch": "1/1", "event": "blocked"},
            {"at": "yesterday", "branch": "1/1", "event": "blocked"},
        ],
    )
    run.branch(
        "1/2",
        BIND,
        status="blocked",
        stop="SOURCE_DRIFT",
        at="2026-11-02T08:50:00Z",
        transitions=[{"at": "2026-11-02T08:59", "branch": "1/2", "event": "blocked"}],
    )
    return run


def _times_beyond() -> RunBuilder:
    run = RunBuilder("times-beyond")
    run.branch(
        "1/1",
        BIND,
        status="blocked",
        stop="SOURCE_DRIFT",
        at="2026-11-02T08:30:00Z",
        transitions=[
            {"at": "0001-01-01T00:00:00+23:59", "branch": "1/1", "event": "blocked"},
            {"at": "9999-12-31T23:59:59-23:59", "branch": "1/1", "event": "blocked"},
        ],
    )
    return run


def _strange_folders() -> RunBuilder:
    run = RunBuilder("strange-folders")
    bound(run)
    bound(run, "12/3")
    run.file("step-x/parallel-1/response/response.json", {"status": "blocked"})
    run.file("step-2/parallel-01/response/response.json", {"status": "blocked"})
    run.file("step-3", "a file\n")
    run.file("notes/step-1/parallel-1/response/response.json", {"status": "blocked"})
    return run


def _link_folders(folder: Path) -> None:
    (folder / "step-4").symlink_to(folder / "step-1")
    (folder / "step-1" / "parallel-2").symlink_to(folder / "step-1" / "parallel-1")


def _only_state() -> RunBuilder:
    return RunBuilder("only-state", state={"status": "running", "steps": {"1/1": BIND}})


def _substituted() -> RunBuilder:
    run = RunBuilder("substituted", state={"substitutions": {"1/1": "DISK_TIRED", "1/2": "OTHER"}})
    run.branch("1/1", BIND, status="blocked", stop="UNKNOWN_STOP")
    run.branch("1/2", BIND, status="blocked", stop="OTHER")
    return run


def _operator_in_state() -> RunBuilder:
    run = RunBuilder("operator-in-state")
    run.branch(
        "1/1",
        BIND,
        status="blocked",
        stop="SOURCE_DRIFT",
        request={"operatorId": OMIT},
        response={"operatorId": OMIT},
    )
    run.branch("1/2", BUSINESS, response={"operatorId": OMIT})
    return run


def _empty_request_folder(folder: Path) -> None:
    (folder / "step-1" / "parallel-2" / "request").mkdir(parents=True)


def _forged_mtime(folder: Path) -> None:
    response = folder / "step-1" / "parallel-1" / "response" / "response.json"
    date(response, 0)


def _read_by_nobody(folder: Path) -> None:
    shutil.rmtree(folder / "step-1" / "parallel-1" / "response")
    os.mkfifo(folder / "step-1" / "parallel-1" / "response")


RECIPES = (
    Recipe(
        "running",
        "A branch with a request and no response is running.",
        _running,
        {"1/1": done(), "2/1": Expect("running")},
    ),
    Recipe(
        "abandoned",
        "A branch with a request and no response is abandoned once a later step has moved on.",
        _abandoned,
        {"1/1": Expect("abandoned"), "2/1": done()},
    ),
    Recipe(
        "empty-later-step",
        "An empty folder of a later step has not moved on.",
        _empty_later_step,
        {"1/1": Expect("running")},
    ),
    Recipe(
        "neither",
        "A branch with neither request nor response is unknown, and that is no violation.",
        _neither,
        {"1/1": Expect("unknown"), "2/1": done()},
    ),
    Recipe(
        "empty-request-folder",
        "A request folder without request.json is no request.",
        lambda: _named("empty-request-folder"),
        {"1/1": done(), "1/2": Expect("unknown")},
        finish=_empty_request_folder,
    ),
    Recipe(
        "skeleton",
        "A skeleton left as running stays what it says.",
        _skeleton,
        {"1/1": Expect("running"), "2/1": done()},
    ),
    Recipe(
        "half-done-skeleton",
        "A running branch may have its fallbacks in response.md before response.json names them.",
        _half_done_skeleton,
        {"1/1": Expect("running", unlisted_fallbacks={"ROLLOUT_FAILED": None})},
    ),
    Recipe(
        "unknown-status",
        "Statuses that no schema knows stay as written.",
        _unknown_status,
        {"1/1": Expect("paused"), "1/2": Expect("mismatch"), "1/3": Expect("unknown")},
    ),
    Recipe(
        "no-such-type",
        "Values of another type than theirs are named, and the rest is read.",
        _no_such_type,
        {"1/1": Expect("unknown", operator=BUSINESS), "1/2": done()},
        skipped=(
            Skip("step-1/parallel-1/response/response.json", "status: expected text, found 7"),
            Skip("step-1/parallel-1/response/response.json", "fallbacks: expected a list"),
            Skip("step-1/parallel-1/response/response.json", "fields: expected an object"),
            Skip("step-1/parallel-1/response/response.json", "next: expected a list"),
        ),
    ),
    Recipe(
        "extra-keys",
        "Keys that nobody knows are no trouble.",
        _extra_keys,
        {"1/1": done(), "2/1": a_choice(CHOICE, **_THE_CHOICE)},
    ),
    Recipe(
        "no-state",
        "A run without state.json is read from its branches, its id is its folder's name.",
        _no_state,
        {
            "1/1": done(operator=BIND),
            "2/1": a_choice(CHOICE, **_THE_CHOICE, blocked_at="2026-11-02T11:00:00Z mtime"),
        },
        run_id="no-state",
    ),
    Recipe(
        "half-state",
        "A half-written state.json is said and hides no branch; nothing is decided meanwhile.",
        _half_state,
        {
            "1/1": done(refusal=400),
            "2/1": for_a_person(
                CHOICE, offered=IDS, highest=("table",), refusal=400, because="state.json: it is"
            ),
        },
        skipped=(Skip("half-state/state.json", "not JSON"),),
        run_id="half-state",
        row_groups=(Group.PERSON,),
    ),
    Recipe(
        "state-is-a-list",
        "A state.json that holds no object is said.",
        _state_is_a_list,
        {"1/1": done()},
        skipped=(Skip("state-is-a-list/state.json", "expected a JSON object"),),
        run_id="state-is-a-list",
        row_groups=(Group.PERSON,),
    ),
    Recipe(
        "state-misfits",
        "Parts of state.json that do not fit are named; the run is not one that cannot be read.",
        _state_misfits,
        {"1/1": done()},
        skipped=(
            Skip("state.json", "steps.2/1: expected"),
            Skip("state.json", "chain[1]: expected"),
            Skip("state.json", "transitions[1]: expected"),
            Skip("state.json", "transitions[2]: expected"),
        ),
        run_id="state-misfits",
    ),
    Recipe(
        "only-state",
        "A folder with nothing but state.json is a run without branches.",
        _only_state,
        {},
    ),
    Recipe(
        "waits-for-an-exchange",
        "A branch that waits for an exchange waits for nobody else.",
        _waits_for_an_exchange,
        {"1/1": Expect("waiting", exchanges={"1/1/critique": "running"})},
    ),
    Recipe(
        "exchanges",
        "Exchanges are shown with their branch, judged by its requirements and never decided.",
        _exchanges,
        {
            "1/1": a_choice(
                CHOICE,
                **_THE_CHOICE,
                exchanges={
                    "1/1/critique": "done",
                    "1/1/review": "blocked EVIDENCE_MISSING resume",
                    "1/1/second-look": f"blocked {CHOICE} user",
                },
            )
        },
    ),
    Recipe(
        "blocked-exchange-of-a-done-branch",
        "A blocked exchange opens no branch.",
        _blocked_exchange_of_a_done_branch,
        {
            "1/1": done(
                offered=IDS,
                highest=("table",),
                exchanges={"1/1/critique": "blocked CRITIQUE_UNRESOLVED resume"},
            )
        },
    ),
    Recipe(
        "faulty-exchanges",
        "What is wrong in an exchange is said at its branch.",
        _faulty_exchanges,
        {
            "1/1": done(
                group=Group.BYPASSED,
                violations=(
                    "APPROVAL_BYPASSED step-1/parallel-1/taken/response/response.json",
                    "STOP_MISSING step-1/parallel-1/critique/response/response.json",
                    "STOP_UNEXPECTED step-1/parallel-1/review/response/response.json",
                    "STOP_UNLISTED step-1/parallel-1/review/response/response.json",
                ),
                fallbacks={CHOICE: None},
            )
        },
    ),
    Recipe(
        "damaged-exchange",
        "An exchange that cannot be read is said, and its branch is read all the same.",
        _damaged_exchange,
        {"1/1": done(exchanges={"1/1/critique": "unreadable"})},
        skipped=(Skip("step-1/parallel-1/critique/response/response.json", "not JSON"),),
    ),
    Recipe(
        "import-slot",
        "A slot with import.json is another run's evidence: shown, never listed, judged, decided.",
        _import_slot,
        {
            "1/1": imported(
                "blocked", refusal=204, because="imported", offered=IDS, highest=("table",)
            ),
            "2/1": a_choice(CHOICE, **_THE_CHOICE),
        },
    ),
    Recipe(
        "broken-import",
        "An import that cannot be read is not for anybody to look at.",
        _broken_import,
        {"1/1": imported("unreadable"), "2/1": done()},
        skipped=(Skip("step-1/parallel-1/response/response.json", "not JSON"),),
    ),
    Recipe(
        "blocked-twice",
        "A branch waits since its latest blocked transition with a time, else since response.json.",
        _blocked_twice,
        {
            "1/1": again("SOURCE_DRIFT", blocked_at="2026-11-02T08:40:00Z transition"),
            "1/2": again("SOURCE_DRIFT", blocked_at="2026-11-02T08:50:00Z mtime"),
        },
    ),
    Recipe(
        "times-beyond",
        "Times that no clock has are no times.",
        _times_beyond,
        {"1/1": again("SOURCE_DRIFT", blocked_at="2026-11-02T08:30:00Z mtime")},
    ),
    Recipe(
        "no-time-at-all",
        "A response dated 1970 waits since then.",
        lambda: _named("no-time-at-all", status="blocked", stop="SOURCE_DRIFT", transitions=[]),
        {"1/1": again("SOURCE_DRIFT", blocked_at="1970-01-01T00:00:00Z mtime")},
        finish=_forged_mtime,
    ),
    Recipe(
        "strange-folders",
        "Folders that are no step or branch are named, links are not followed.",
        _strange_folders,
        {"1/1": done(), "12/3": done()},
        skipped=(
            Skip("strange-folders/step-x", "not step- with a number"),
            Skip("step-2/parallel-01", "not parallel- with a number"),
            Skip("strange-folders/step-3", "not a folder"),
            Skip("strange-folders/step-4", "a link"),
            Skip("step-1/parallel-2", "a link"),
        ),
        finish=_link_folders,
        row_groups=(Group.PERSON,) * 3,
    ),
    Recipe(
        "substituted",
        "A code that the runtime read as UNKNOWN_STOP is shown as it was written.",
        _substituted,
        {
            "1/1": for_a_person("UNKNOWN_STOP", written="DISK_TIRED"),
            "1/2": for_a_person("UNKNOWN_STOP", written="OTHER", violations=("STOP_UNLISTED",)),
        },
    ),
    Recipe(
        "operator-in-state",
        "The operator is the response's, else the request's, else that of state.json.",
        _operator_in_state,
        {"1/1": again("SOURCE_DRIFT", operator=BIND), "1/2": done(operator=BUSINESS)},
    ),
    Recipe(
        "response-is-a-pipe",
        "A pipe in place of the response folder is said, and opens nothing.",
        lambda: _named("response-is-a-pipe"),
        {"1/1": Expect("unreadable", group=Group.PERSON, refusal=400)},
        skipped=(Skip("step-1/parallel-1/response", "not a folder"),),
        finish=_read_by_nobody,
    ),
    Recipe(
        "every-route",
        "Each kind of route leads to its group.",
        lambda: _every_route(),
        {
            "1/1": again("SOURCE_DRIFT"),
            "1/2": for_an_operator("SOURCE_DRIFT", BIND),
            "1/3": for_a_person("INVALID_INPUT", because="asks for something else than a pick"),
            "1/4": Expect(
                "blocked",
                code="SERVICE_UNAVAILABLE",
                route="external",
                group=Group.OUTSIDE,
                refusal=412,
            ),
        },
    ),
    Recipe(
        "a-chain-route",
        "A route of kind chain is read and shown.",
        lambda: _chain_route(),
        {
            "1/1": Expect(
                "blocked",
                code="BUSINESS_AUTHORITY_REQUIRED",
                route=f"chain {BUSINESS}",
                group=Group.OPERATOR,
            )
        },
        registry="patched",
    ),
    Recipe(
        "a-faulty-registry",
        "What a registry fault touches goes to a person and is not decided.",
        lambda: _faulty_registry(),
        {
            "1/1": Expect(
                "blocked",
                code=CHOICE,
                route="user",
                group=Group.PERSON,
                refusal=412,
                because="registry is faulty",
                offered=IDS,
                highest=("table",),
            ),
            "1/2": Expect(
                "blocked",
                code="SOURCE_DRIFT",
                route="unrouted",
                group=Group.PERSON,
                refusal=412,
            ),
            "1/3": for_an_operator("SOURCE_DRIFT", BIND),
        },
        registry="faulty",
    ),
)


def _named(name: str, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    bound(run, **more)
    return run


def _every_route() -> RunBuilder:
    run = RunBuilder("every-route")
    run.branch("1/1", BIND, status="blocked", stop="SOURCE_DRIFT")
    run.branch("1/2", BUSINESS, status="blocked", stop="SOURCE_DRIFT")
    run.branch("1/3", BUSINESS, status="blocked", stop="INVALID_INPUT")
    run.branch("1/4", PLATFORM, status="blocked", stop="SERVICE_UNAVAILABLE")
    return run


def _chain_route() -> RunBuilder:
    run = RunBuilder("a-chain-route")
    run.branch(
        "1/1",
        ARCHITECTURE,
        status="blocked",
        stop="BUSINESS_AUTHORITY_REQUIRED",
        next=[BUSINESS],
    )
    return run


def _faulty_registry() -> RunBuilder:
    run = RunBuilder("a-faulty-registry")
    choice(run, "1/1", next=["user"])
    run.branch("1/2", BIND, status="blocked", stop="SOURCE_DRIFT", next=["git.publish"])
    run.branch("1/3", BUSINESS, status="blocked", stop="SOURCE_DRIFT")
    return run
