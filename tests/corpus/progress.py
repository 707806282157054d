"""Whether a resume brought anything new: what RESUME_WITHOUT_DELTA is about (1.6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from corpus.parts import (
    BIND,
    BUSINESS,
    EVIDENCE,
    date,
    report,
)
from corpus.receipts import decide
from corpus.recipe import (
    Recipe,
    Skip,
    again,
    done,
    for_a_person,
    resumed,
)
from stopview_core.demo import OMIT, RunBuilder, context

_DIRTY = "CHECKOUT_DIRTY"
_BLOCKED: dict[str, Any] = {"status": "blocked", "stop": _DIRTY}
_WITHOUT_DELTA = ("RESUME_WITHOUT_DELTA",)


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


RECIPES = (
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
