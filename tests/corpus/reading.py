"""What is on disk, and what it is read as (contracts 1.5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from corpus.parts import (
    BIND,
    BUSINESS,
    CHOICE,
    IDS,
    PLATFORM,
    RELEASE,
    TOTALS,
    bound,
    choice,
    report,
)
from corpus.recipe import (
    Expect,
    Recipe,
    Skip,
    a_choice,
    done,
    for_a_person,
)
from stopview_core.board import Group
from stopview_core.demo import OMIT, RunBuilder

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
        response={"fallbacks": "none", "fields": ["a"], "next": {"a": 1}},
    )
    bound(run, "1/2")
    return run


def _status_of_no_type() -> RunBuilder:
    run = RunBuilder("status-of-no-type")
    bound(run)
    run.branch("2/1", BUSINESS, response={"status": ["blocked"], "stop": CHOICE})
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


def _state_lost(name: str, **parts: Any) -> RunBuilder:
    """A choice in a run whose state.json has these parts."""
    run = RunBuilder(name, state=parts)
    bound(run)
    choice(run, "2/1", at="2026-11-02T11:00:00Z")
    return run


def _lost(name: str, what: str, why: str, *, count: int = 1, **parts: Any) -> Recipe:
    return Recipe(
        name,
        f"{what}: a branch may have gone on there, so nothing is decided meanwhile.",
        lambda: _state_lost(name, **parts),
        {
            "1/1": done(refusal=400),
            "2/1": for_a_person(
                CHOICE, offered=IDS, highest=("table",), refusal=400, because=f"state.json: {why}"
            ),
        },
        skipped=(Skip("state.json", f"{why}"),) * count,
        run_id=name,
    )


def _only_state() -> RunBuilder:
    return RunBuilder("only-state", state={"status": "running", "steps": {"1/1": BIND}})


def _empty_request_folder(folder: Path) -> None:
    (folder / "step-1" / "parallel-2" / "request").mkdir(parents=True)


def _named(name: str, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    bound(run, **more)
    return run


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
        {"1/1": done(operator=BUSINESS), "1/2": done()},
        skipped=(
            Skip("step-1/parallel-1/response/response.json", "fallbacks: expected a list"),
            Skip("step-1/parallel-1/response/response.json", "fields: expected an object"),
            Skip("step-1/parallel-1/response/response.json", "next: expected a list"),
        ),
    ),
    Recipe(
        "status-of-no-type",
        "A status that is no text tells nothing: the response counts as one that cannot be read.",
        _status_of_no_type,
        {"1/1": done(), "2/1": Expect("unreadable", group=Group.PERSON, refusal=400)},
        skipped=(
            Skip("step-2/parallel-1/response/response.json", "status: expected text, found ['bl"),
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
    _lost("lost-transitions", "Transitions are no list", "transitions: expected", transitions="x"),
    _lost("lost-resumes", "Resumes are no object", "resumes: expected", resumes=["2/1"]),
    _lost("lost-resume", "A resume is unreadable", "resumes.3/1: expected", resumes={"3/1": 4}),
    _lost("lost-choices", "Choices are no object", "choices: expected", choices=[1]),
    _lost("lost-choice", "A choice is unreadable", "choices.q: expected", choices={"q": "yes"}),
    _lost(
        "lost-event",
        "A branch's event is unreadable",
        "transitions[0]: expected",
        transitions=[{"branch": "2/1", "event": None}],
    ),
    Recipe(
        "event-of-no-branch",
        "A transition that names no branch is said, and hinders nothing.",
        lambda: _state_lost("event-of-no-branch", transitions=[{"event": "paused"}]),
        {"1/1": done(operator=None), "2/1": a_choice(CHOICE, **_THE_CHOICE)},
        skipped=(Skip("state.json", "transitions[0]: expected"),),
        run_id="event-of-no-branch",
    ),
    Recipe(
        "only-state",
        "A folder with nothing but state.json is a run without branches.",
        _only_state,
        {},
    ),
)
