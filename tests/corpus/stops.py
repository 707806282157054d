"""Stops that had to be there, had not to, or that nobody knows (contracts 1.6)."""

from __future__ import annotations

from typing import Any

from corpus.parts import (
    BUSINESS,
    CHOICE,
    FRONTEND,
    RELEASE,
)
from corpus.recipe import (
    Expect,
    Recipe,
    Skip,
    again,
    done,
    for_a_person,
)
from corpus.registries import WRITTEN_BY_THE_RUNTIME
from stopview_core.board import Group
from stopview_core.demo import RunBuilder

_RESPONSE = "step-1/parallel-1/response/response.json"


def _release(name: str, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    run.branch("1/1", RELEASE, **more)
    return run


def _next(name: str, operator: str, stop: str, *entries: str, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    run.branch("1/1", operator, status="blocked", stop=stop, next=entries, **more)
    return run


RECIPES = (
    Recipe(
        "should-have-continued",
        "A stop on a code that asks to go on.",
        lambda: _release("should-have-continued", status="blocked", stop="RECOVERY_EXHAUSTED"),
        {
            "1/1": for_a_person(
                "RECOVERY_EXHAUSTED", violations=(f"SHOULD_HAVE_CONTINUED {_RESPONSE}",)
            )
        },
    ),
    Recipe(
        "stop-unexpected",
        "A stop on a branch that is not blocked.",
        lambda: _release("stop-unexpected", stop="INVALID_INPUT"),
        {
            "1/1": done(
                code="INVALID_INPUT",
                route="user",
                group=Group.VIOLATION,
                violations=("STOP_UNEXPECTED",),
            )
        },
    ),
    Recipe(
        "stop-missing",
        "A blocked branch without a stop: a person looks.",
        lambda: _release("stop-missing", status="blocked", next=["nobody"]),
        {
            "1/1": Expect(
                "blocked",
                group=Group.PERSON,
                refusal=412,
                because="names no stop code",
                violations=("STOP_MISSING",),
            )
        },
    ),
    Recipe(
        "stop-of-another-type",
        "A stop that is no text is none, and is named.",
        lambda: _release("stop-of-another-type", status="blocked", response={"stop": 17}),
        {"1/1": Expect("blocked", group=Group.PERSON, refusal=412, violations=("STOP_MISSING",))},
        skipped=(Skip("response/response.json", "stop: expected text, found 17"),),
    ),
    Recipe(
        "not-registered",
        "A code that nobody registered is read as UNKNOWN_STOP.",
        lambda: _release("not-registered", status="blocked", stop="MADE_UP"),
        {"1/1": for_a_person("UNKNOWN_STOP", written="MADE_UP", violations=("STOP_UNLISTED",))},
    ),
    Recipe(
        "out-of-scope",
        "A code of another operator is read as UNKNOWN_STOP.",
        lambda: _release("out-of-scope", status="blocked", stop=CHOICE),
        {"1/1": for_a_person("UNKNOWN_STOP", written=CHOICE, violations=("STOP_UNLISTED",))},
    ),
    Recipe(
        "not-in-the-table",
        "A shared code that the operator's Stops table does not list is judged all the same.",
        lambda: _next("not-in-the-table", FRONTEND, "UNKNOWN_STOP"),
        {"1/1": for_a_person("UNKNOWN_STOP")},
    ),
    Recipe(
        "in-scope-and-unlisted",
        "A code in scope that the operator's Stops table does not list.",
        lambda: _next("in-scope-and-unlisted", RELEASE, "EVIDENCE_MISSING"),
        {"1/1": again("EVIDENCE_MISSING", violations=("STOP_UNLISTED",))},
    ),
    Recipe(
        "written-by-the-runtime",
        "A code that the runtime writes stands in nobody's Stops table, and that is sound.",
        lambda: _next("written-by-the-runtime", BUSINESS, WRITTEN_BY_THE_RUNTIME),
        {"1/1": for_a_person(WRITTEN_BY_THE_RUNTIME)},
        registry="patched",
    ),
)
