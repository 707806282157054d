"""Which branch continues which, what closes one, and whether a resume brought anything new."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from corpus.parts import (
    BIND,
    BUSINESS,
    CHOICE,
    EVIDENCE,
    IDS,
    bound,
    choice,
    date,
    report,
)
from corpus.receipts import decide
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
from stopview_core.demo import OMIT, Resume, RunBuilder, context

_DIRTY = "CHECKOUT_DIRTY"
_BLOCKED: dict[str, Any] = {"status": "blocked", "stop": _DIRTY}
_OFFER: dict[str, Any] = {"offered": IDS, "highest": ("table",)}
_WITHOUT_DELTA = ("RESUME_WITHOUT_DELTA",)
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


def _twice(
    name: str,
    first: dict[str, Any] | None = None,
    second: dict[str, Any] | None = None,
    *,
    between: bool = False,
    state: Any = None,
) -> RunBuilder:
    """Two attempts that stop alike; `first` and `second` are laid over what both say."""
    run = RunBuilder(name, state=state or {})
    both: dict[str, Any] = {
        **_BLOCKED,
        "requirements": {"role": "be", "policy": None, "sources": ["app", "lib"]},
        "inputs": {"route": "notes/route.json"},
        "contexts": [context("@workspaces/be", "a" * 40), context("@grammar/core")],
    }
    run.file("notes/route.json", {"roots": ["app"]})
    run.branch("1/1", BIND, at="2026-11-02T08:30:00Z", **{**both, **(first or {})})
    if between:
        run.branch("2/1", BUSINESS, at="2026-11-02T09:00:00Z", files={"response.md": report()})
    run.branch(
        "3/1",
        BIND,
        began="2026-11-02T09:30:00Z",
        at="2026-11-02T09:40:00Z",
        resumes="1/1",
        **{**both, **(second or {})},
    )
    return run


def _old_input(folder: Path) -> None:
    date(folder / "notes" / "route.json", 1_600_000_000_000_000_000)


def _new_input(folder: Path) -> None:
    response = folder / "step-1" / "parallel-1" / "response" / "response.json"
    date(folder / "notes" / "route.json", response.stat().st_mtime_ns + 1)


def _no_input(folder: Path) -> None:
    (folder / "notes" / "route.json").unlink()


def _a_decision(folder: Path) -> None:
    decide(
        folder,
        "1/1",
        "clean",
        stop=_DIRTY,
        operator=BIND,
        offered=("clean", "keep"),
        at="2026-11-02T09:00:00.000Z",
        evidence=EVIDENCE[:3],
        param=None,
    )
    _old_input(folder)


def _twice_recipe(
    name: str,
    about: str,
    first: dict[str, Any] | None = None,
    second: dict[str, Any] | None = None,
    *,
    finish: Any = _old_input,
    violations: tuple[str, ...] = (),
    between: bool = False,
    state: Any = None,
    standing: str = "none",
    skipped: tuple[Skip, ...] = (),
    **more: Any,
) -> Recipe:
    branches = {
        "1/1": resumed(_DIRTY, "resume", decision=standing, **more),
        "3/1": again(_DIRTY, violations=violations),
    }
    if between:
        branches["2/1"] = done()
    return Recipe(
        name,
        about,
        lambda: _twice(name, first, second, between=between, state=state),
        branches,
        finish=finish,
        skipped=skipped,
    )


def _parallel_done() -> RunBuilder:
    """Without transitions: another branch of the first attempt's own step became done."""
    run = RunBuilder("no-transitions-done-beside", state={"transitions": OMIT})
    run.branch("1/1", BIND, **_BLOCKED)
    run.branch("1/2", BUSINESS)
    run.branch("2/1", BIND, resumes="1/1", **_BLOCKED)
    return run


def _earlier_done() -> RunBuilder:
    """Without transitions: what was done before the first attempt is no news to the second."""
    run = RunBuilder("no-transitions-done-before", state={"transitions": OMIT})
    run.branch("1/1", BUSINESS)
    run.branch("2/1", BIND, **_BLOCKED)
    run.branch("3/1", BIND, resumes="2/1", **_BLOCKED)
    run.branch("3/2", BUSINESS)
    return run


def _done_before() -> RunBuilder:
    run = RunBuilder("done-before")
    run.branch("1/1", BUSINESS)
    run.branch("2/1", BIND, **_BLOCKED)
    run.branch("3/1", BIND, resumes="2/1", **_BLOCKED)
    run.branch("4/1", BUSINESS)
    return run


def _undated_done() -> RunBuilder:
    run = _done_before()
    run.id = run.folder = "undated-done"
    run.branch("4/1", BUSINESS, transitions=[{"at": "then", "branch": "4/1", "event": "done"}])
    return run


def _untold_done() -> RunBuilder:
    run = RunBuilder("untold-done")
    run.branch("1/1", BIND, **_BLOCKED)
    run.branch("2/1", BUSINESS, transitions=[])
    run.branch("3/1", BIND, resumes="1/1", **_BLOCKED)
    return run


def _third_time() -> RunBuilder:
    run = RunBuilder("third-time")
    run.branch("1/1", BIND, **_BLOCKED)
    run.branch("2/1", BIND, resumes="1/1", requirements={"role": "fe"}, **_BLOCKED)
    run.branch("3/1", BIND, resumes="2/1", requirements={"role": "fe"}, **_BLOCKED)
    return run


def _no_progress_code() -> RunBuilder:
    """NO_PROGRESS is a word; nobody believes it, and nobody needs it."""
    run = RunBuilder("no-progress-code")
    run.branch("1/1", BIND, **_BLOCKED)
    run.branch("2/1", BIND, resumes="1/1", status="blocked", stop="NO_PROGRESS")
    return run


def _unknown_stops_differ() -> RunBuilder:
    run = RunBuilder("unknown-stops-differ", state={"substitutions": {"1/1": "A", "2/1": "B"}})
    run.branch("1/1", BIND, status="blocked", stop="UNKNOWN_STOP")
    run.branch("2/1", BIND, resumes="1/1", status="blocked", stop="UNKNOWN_STOP")
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
    _twice_recipe(
        "nothing-new",
        "A resume that asks the very same and stops alike brought nothing new.",
        violations=_WITHOUT_DELTA,
    ),
    _twice_recipe(
        "another-order",
        "The order of lists is nothing new, nor is a null that was not written before.",
        second={
            "requirements": {"sources": ["lib", "app"], "role": "be", "approval": None},
            "contexts": [context("@grammar/core"), context("@workspaces/be", "a" * 40)],
        },
        violations=_WITHOUT_DELTA,
    ),
    _twice_recipe(
        "another-requirement",
        "Another requirement is something new.",
        second={"requirements": {"role": "be", "policy": None, "sources": ["app"]}},
    ),
    _twice_recipe(
        "another-input",
        "Another input is something new.",
        second={"inputs": {"route": "notes/route.json", "log": "notes/route.json"}},
    ),
    _twice_recipe(
        "another-head",
        "Another head of a context is something new.",
        second={"contexts": [context("@workspaces/be", "b" * 40), context("@grammar/core")]},
    ),
    _twice_recipe(
        "an-option-selected",
        "A selected option is something new.",
        second={"decision_id": "q", "selected_option": "clean"},
    ),
    _twice_recipe(
        "work-between",
        "Another branch that became done between the two is something new.",
        between=True,
    ),
    _twice_recipe(
        "a-newer-input",
        "A file behind an unchanged input that is newer than the first answer is something new.",
        finish=_new_input,
    ),
    _twice_recipe(
        "an-input-gone",
        "When the file behind an input is not there, nobody knows, and nothing is said.",
        finish=_no_input,
    ),
    _twice_recipe(
        "an-input-outside",
        "What an input outside of the run holds is not looked at, and nothing is said.",
        first={"inputs": {"route": "../../etc/passwd"}},
        second={"inputs": {"route": "../../etc/passwd"}},
    ),
    _twice_recipe(
        "inputs-of-another-kind",
        "Inputs that are no paths cannot be compared with their files, and nothing is said.",
        first={"request": {"inputs": {"route": ["notes/route.json", 7]}}},
        second={"request": {"inputs": {"route": ["notes/route.json", 7]}}},
        skipped=(
            Skip("step-1/parallel-1/request/request.json", "inputs.route: expected"),
            Skip("step-3/parallel-1/request/request.json", "inputs.route: expected"),
        ),
    ),
    _twice_recipe(
        "a-decision-between",
        "A decision on the first attempt is something new.",
        first={"files": {}},
        finish=_a_decision,
        standing="resumed",
        selected="clean",
    ),
    _twice_recipe(
        "an-answer-between",
        "An answer that the runtime recorded is something new.",
        first={
            "interaction": {
                "kind": "choice",
                "decisionId": "q",
                "options": [{"id": "clean", "label": "Clean it", "tradeoff": "slow"}],
            }
        },
        state={"choices": {"q": {"selected": "clean", "selectedBy": "user", "sourceRef": "mail"}}},
        standing="answered",
        selected="clean",
        offered=("clean",),
    ),
    Recipe(
        "no-transitions-done-beside",
        "Without transitions a done branch of the first attempt's step is something new.",
        _parallel_done,
        {"1/1": resumed(_DIRTY, "resume"), "1/2": done(), "2/1": again(_DIRTY)},
    ),
    Recipe(
        "no-transitions-done-before",
        "Without transitions what was done in an earlier step, or beside the resume, is not.",
        _earlier_done,
        {
            "1/1": done(),
            "2/1": resumed(_DIRTY, "resume"),
            "3/1": again(_DIRTY, violations=_WITHOUT_DELTA),
            "3/2": done(),
        },
    ),
    Recipe(
        "done-before",
        "What was done before the first attempt or after the second is nothing new.",
        _done_before,
        {
            "1/1": done(),
            "2/1": resumed(_DIRTY, "resume"),
            "3/1": again(_DIRTY, violations=_WITHOUT_DELTA),
            "4/1": done(),
        },
    ),
    Recipe(
        "undated-done",
        "When it is not known when another branch was done, nothing is said.",
        _undated_done,
        {
            "1/1": done(),
            "2/1": resumed(_DIRTY, "resume"),
            "3/1": again(_DIRTY),
            "4/1": done(),
        },
    ),
    Recipe(
        "untold-done",
        "A branch between the two is done and no transition tells when: nothing is said.",
        _untold_done,
        {"1/1": resumed(_DIRTY, "resume"), "2/1": done(), "3/1": again(_DIRTY)},
    ),
    Recipe(
        "third-time",
        "Each resume is compared with the attempt that it resumes.",
        _third_time,
        {
            "1/1": resumed(_DIRTY, "resume"),
            "2/1": resumed(_DIRTY, "resume"),
            "3/1": again(_DIRTY, violations=_WITHOUT_DELTA),
        },
    ),
    Recipe(
        "no-progress-code",
        "The code NO_PROGRESS is not what tells that a resume brought nothing new.",
        _no_progress_code,
        {"1/1": resumed(_DIRTY, "resume"), "2/1": for_a_person("NO_PROGRESS")},
    ),
    Recipe(
        "unknown-stops-differ",
        "Two codes that were both read as UNKNOWN_STOP are compared as they were written.",
        _unknown_stops_differ,
        {
            "1/1": resumed("UNKNOWN_STOP", written="A"),
            "2/1": for_a_person("UNKNOWN_STOP", written="B"),
        },
    ),
)
