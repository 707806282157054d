"""Which branch continues which, and what closes one (contracts 1.1, 1.6)."""

from __future__ import annotations

from typing import Any

from corpus.parts import (
    BIND,
    BUSINESS,
    CHOICE,
    IDS,
    bound,
    choice,
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
    resumed,
)
from stopview_core.board import Group
from stopview_core.demo import OMIT, Resume, RunBuilder

_OFFER: dict[str, Any] = {"offered": IDS, "highest": ("table",)}
_BROKEN = ("RESUME_BROKEN",)


def _by_request() -> RunBuilder:
    run = RunBuilder("by-request", state={"resumes": OMIT})
    run.branch("1/1", BUSINESS, status="blocked", stop="SOURCE_DRIFT")
    bound(run, "2/1")
    run.branch("3/1", BUSINESS, resumes="1/1")
    return run


def _by_state() -> RunBuilder:
    """The re-entry's own request does not say that it is one."""
    run = RunBuilder(
        "by-state",
        state={"resumes": {"3/1": {"resumes": "1/1", "stop": "SOURCE_DRIFT"}, "2/1": None}},
    )
    run.branch("1/1", BUSINESS, status="blocked", stop="SOURCE_DRIFT")
    bound(run, "2/1")
    run.branch("3/1", BUSINESS, status="blocked", stop="INVALID_INPUT")
    return run


def _request_before_state() -> RunBuilder:
    run = RunBuilder(
        "request-before-state", state={"resumes": {"2/1": {"resumes": "1/2", "stop": "X"}}}
    )
    run.branch("1/1", BUSINESS, status="blocked", stop="SOURCE_DRIFT")
    run.branch("1/2", BUSINESS, status="blocked", stop="SOURCE_DRIFT")
    run.branch("2/1", BUSINESS, resumes="1/1")
    return run


def _chain_of_attempts() -> RunBuilder:
    run = RunBuilder("chain-of-attempts")
    run.branch("1/1", BUSINESS, status="blocked", stop="SOURCE_DRIFT")
    bound(run, "2/1")
    run.branch(
        "3/1",
        BUSINESS,
        resumes="1/1",
        status="blocked",
        stop="COVERAGE_INCOMPLETE",
        requirements={"dimensions": ["refund"]},
    )
    run.branch(
        "5/1",
        BUSINESS,
        resumes="3/1",
        status="blocked",
        stop="COVERAGE_INCOMPLETE",
        requirements={"dimensions": ["refund", "voucher"]},
    )
    return run


def _several_resumes() -> RunBuilder:
    run = RunBuilder("several-resumes")
    run.branch("1/1", BUSINESS, status="blocked", stop="SOURCE_DRIFT")
    bound(run, "2/1")
    for key in ("3/1", "3/2", "4/1"):
        run.branch(key, BUSINESS, resumes="1/1", requirements={"promise": key})
    return run


def _closed(event: str) -> RunBuilder:
    run = RunBuilder(f"closed-as-{event}")
    lines = (("08:10", "dispatched"), ("08:20", "blocked"), ("09:00", event))
    choice(
        run,
        "1/1",
        transitions=[
            {"at": f"2026-11-02T{at}:00Z", "branch": "1/1", "event": name} for at, name in lines
        ],
    )
    return run


def _opened_again() -> RunBuilder:
    run = RunBuilder("opened-again")
    events = ("blocked", "abandoned", "blocked")
    choice(
        run,
        "1/1",
        transitions=[
            {"at": f"2026-11-02T08:{10 + place}:00Z", "branch": "1/1", "event": event}
            for place, event in enumerate(events)
        ],
    )
    return run


def _cleared_route() -> RunBuilder:
    """The operator it waited for has run: the very same request is a delta."""
    run = RunBuilder("cleared-route")
    run.branch("1/1", BUSINESS, status="blocked", stop="SOURCE_DRIFT", next=[BIND])
    bound(run, "2/1")
    run.branch("3/1", BUSINESS, resumes="1/1", status="blocked", stop="SOURCE_DRIFT")
    return run


def _broken(name: str, resume: Resume | None, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    bound(run)
    run.branch("2/1", BUSINESS, status="blocked", stop="SOURCE_DRIFT")
    run.branch("2/2", BUSINESS, resumes=resume, **more)
    run.branch("3/1", BUSINESS, status="blocked", stop="INVALID_INPUT")
    return run


def _broken_at(key: str, name: str) -> Any:
    return lambda: _broken(name, Resume(key, "a-token", "SOURCE_DRIFT"))


def _resumes_another_operator() -> RunBuilder:
    run = RunBuilder("resumes-another-operator")
    run.branch("1/1", BUSINESS, status="blocked", stop="SOURCE_DRIFT")
    run.branch("2/1", BIND, resumes="1/1")
    return run


def _resumes_what_is_done() -> RunBuilder:
    run = RunBuilder("resumes-what-is-done")
    run.branch("1/1", BUSINESS)
    run.branch("2/1", BUSINESS, resumes=Resume("1/1", "t"))
    return run


def _resumes_what_had_blocked() -> RunBuilder:
    """The runtime rewrote the first attempt once it was settled: the transitions still tell."""
    run = RunBuilder("resumes-what-had-blocked")
    run.branch(
        "1/1",
        BUSINESS,
        status="superseded",
        transitions=[{"at": "2026-11-02T08:20:00Z", "branch": "1/1", "event": "blocked"}],
    )
    run.branch("2/1", BUSINESS, resumes=Resume("1/1", "t"))
    return run


def _resumes_the_unreadable() -> RunBuilder:
    run = RunBuilder("resumes-the-unreadable")
    run.branch("1/1", BUSINESS, status="blocked", stop="SOURCE_DRIFT", response="{", transitions=[])
    run.branch("2/1", BUSINESS, resumes="1/1")
    return run


def _approved() -> RunBuilder:
    run = RunBuilder("approved")
    choice(run, "1/1")
    choice(
        run,
        "2/1",
        resumes="1/1",
        status="done",
        requirements={"approval": "queue"},
        selected="queue",
    )
    return run


RECIPES = (
    Recipe(
        "by-request",
        "A request that names the attempt it resumes makes a lineage.",
        _by_request,
        {
            "1/1": resumed(
                "SOURCE_DRIFT",
                f"operator {BIND}",
                attempts=("1/1", "3/1"),
                resumed_by=("3/1",),
                refusal=200,
                because="3/1 resumed 1/1 and is done",
            ),
            "2/1": done(attempts=("2/1",)),
            "3/1": done(attempts=("1/1", "3/1")),
        },
    ),
    Recipe(
        "by-state",
        "A re-entry that looks like a second run is one lineage by state.json.",
        _by_state,
        {
            "1/1": resumed(
                "SOURCE_DRIFT",
                f"operator {BIND}",
                attempts=("1/1", "3/1"),
                refusal=204,
                because="3/1 resumed 1/1 and is not done yet",
            ),
            "2/1": done(),
            "3/1": for_a_person("INVALID_INPUT", attempts=("1/1", "3/1")),
        },
    ),
    Recipe(
        "request-before-state",
        "Where request and state name different attempts, the request counts.",
        _request_before_state,
        {
            "1/1": resumed("SOURCE_DRIFT", f"operator {BIND}", attempts=("1/1", "2/1")),
            "1/2": for_an_operator("SOURCE_DRIFT", BIND, attempts=("1/2",)),
            "2/1": done(),
        },
    ),
    Recipe(
        "chain-of-attempts",
        "Attempts that continue each other are one lineage, however many.",
        _chain_of_attempts,
        {
            "1/1": resumed("SOURCE_DRIFT", f"operator {BIND}", attempts=("1/1", "3/1", "5/1")),
            "2/1": done(),
            "3/1": resumed("COVERAGE_INCOMPLETE", "resume", attempts=("1/1", "3/1", "5/1")),
            "5/1": again("COVERAGE_INCOMPLETE", attempts=("1/1", "3/1", "5/1")),
        },
    ),
    Recipe(
        "several-resumes",
        "One attempt may be resumed several times.",
        _several_resumes,
        {
            "1/1": resumed(
                "SOURCE_DRIFT",
                f"operator {BIND}",
                resumed_by=("3/1", "3/2", "4/1"),
                attempts=("1/1", "3/1", "3/2", "4/1"),
            ),
            "2/1": done(),
            "3/1": done(attempts=("1/1", "3/1", "3/2", "4/1")),
            "3/2": done(),
            "4/1": done(),
        },
    ),
    *(
        Recipe(
            f"closed-as-{event}",
            f"A branch whose last transition is {event} waits no longer.",
            lambda event=event: _closed(event),  # type: ignore[misc]
            {"1/1": resumed(CHOICE, **_OFFER, refusal=204, because="closed by the runtime")},
        )
        for event in ("resolved", "abandoned", "replanned")
    ),
    Recipe(
        "opened-again",
        "Only the last transition closes a branch.",
        _opened_again,
        {"1/1": a_choice(CHOICE, **_OFFER, blocked_at="2026-11-02T08:12:00Z transition")},
    ),
    Recipe(
        "cleared-route",
        "An operator route that was cleared and resumed with the same request is healthy.",
        _cleared_route,
        {
            "1/1": resumed("SOURCE_DRIFT", f"operator {BIND}"),
            "2/1": done(),
            "3/1": for_an_operator("SOURCE_DRIFT", BIND),
        },
    ),
    Recipe(
        "approved",
        "A choice that was approved and resumed is healthy.",
        _approved,
        {
            "1/1": resumed(CHOICE, **_OFFER, attempts=("1/1", "2/1")),
            "2/1": done(offered=IDS, highest=("table",)),
        },
    ),
    *(
        Recipe(
            name,
            about,
            _broken_at(key, name),
            {
                "1/1": done(),
                "2/1": for_an_operator("SOURCE_DRIFT", BIND),
                "2/2": done(group=Group.VIOLATION, violations=_BROKEN),
                "3/1": for_a_person("INVALID_INPUT"),
            },
        )
        for name, about, key in (
            ("resumes-nothing", "A resume of a branch that is not there is broken.", "9/9"),
            ("resumes-its-own-step", "A resume within one step is broken.", "2/1"),
            ("resumes-a-later-one", "A resume of a later step is broken.", "3/1"),
        )
    ),
    Recipe(
        "resumes-no-branch",
        "A resume that names no step and parallel is broken.",
        lambda: _broken("resumes-no-branch", None, request={"resume": {"step": "two"}}),
        {
            "1/1": done(),
            "2/1": for_an_operator("SOURCE_DRIFT", BIND),
            "2/2": done(
                group=Group.VIOLATION,
                needs_more=("RESUME_BROKEN step-2/parallel-2/request/request.json",),
            ),
            "3/1": for_a_person("INVALID_INPUT"),
        },
    ),
    Recipe(
        "resumes-another-operator",
        "A resume of another operator's branch is broken.",
        _resumes_another_operator,
        {
            "1/1": resumed("SOURCE_DRIFT", f"operator {BIND}"),
            "2/1": done(group=Group.VIOLATION, violations=_BROKEN),
        },
    ),
    Recipe(
        "resumes-what-is-done",
        "A resume of a branch that did not block is broken; state.json alone tells `list`.",
        _resumes_what_is_done,
        {
            "1/1": done(),
            "2/1": done(
                group=Group.VIOLATION,
                violations=("RESUME_BROKEN step-2/parallel-1/request/request.json",),
            ),
        },
    ),
    Recipe(
        "resumes-what-had-blocked",
        "A branch that has a blocked transition did block, whatever its status says now.",
        _resumes_what_had_blocked,
        {"1/1": Expect("superseded"), "2/1": done()},
    ),
    Recipe(
        "resumes-the-unreadable",
        "Whether a branch that cannot be read did block is not known, so nothing is said.",
        _resumes_the_unreadable,
        {
            "1/1": Expect("unreadable", group=Group.PERSON, refusal=400),
            "2/1": done(),
        },
        skipped=(Skip("step-1/parallel-1/response/response.json", "not JSON"),),
    ),
)
