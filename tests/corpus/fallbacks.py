"""Fallbacks taken where they were allowed, and where they were not (contracts 1.6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from corpus.parts import (
    BUSINESS,
    CHOICE,
    DIRECTION,
    FRONTEND,
    IDS,
    TOOK_THE_BEST,
    choice,
    report,
    table,
)
from corpus.receipts import decide
from corpus.recipe import (
    Recipe,
    done,
    for_a_person,
    resumed,
)
from corpus.registries import FLIPS_TO_FALLBACK
from stopview_core.board import Group
from stopview_core.demo import RunBuilder

_OFFER: dict[str, Any] = {"offered": IDS, "highest": ("table",)}
_TAKEN = {CHOICE: TOOK_THE_BEST}
_BYPASSED = ("APPROVAL_BYPASSED",)
_DOCUMENT = "step-1/parallel-1/response/response.md"
_RESPONSE = "step-1/parallel-1/response/response.json"


def _one(name: str, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    choice(run, "1/1", **more)
    return run


def _promised(name: str, second: dict[str, Any], first: dict[str, Any] | None = None) -> RunBuilder:
    """A choice was promised at 1/1; 2/1 goes on under automatic and falls back."""
    run = RunBuilder(name)
    choice(run, "1/1", **(first or {}))
    choice(
        run,
        "2/1",
        **{"resumes": "1/1", "policy": "automatic", "taken": _TAKEN, "selected": "table", **second},
    )
    return run


def _promised_two_ago() -> RunBuilder:
    run = RunBuilder("promised-two-attempts-ago")
    choice(run, "1/1")
    choice(run, "2/1", resumes="1/1", stop="CRITIQUE_UNRESOLVED")
    choice(run, "3/1", resumes="2/1", policy="automatic", taken=_TAKEN, selected="table")
    return run


def _approved_two_ago() -> RunBuilder:
    run = RunBuilder("approved-two-attempts-ago")
    choice(run, "1/1")
    choice(
        run,
        "2/1",
        resumes="1/1",
        stop="CRITIQUE_UNRESOLVED",
        requirements={"approval": "queue"},
    )
    choice(run, "3/1", resumes="2/1", policy="automatic", taken=_TAKEN, selected="table")
    return run


def _question() -> dict[str, Any]:
    return {
        "kind": "choice",
        "decisionId": "store",
        "options": [{"id": one, "label": one, "tradeoff": "some"} for one in IDS],
    }


def _answered_by_the_runtime() -> RunBuilder:
    run = _promised("answered-by-the-runtime", {}, {"interaction": _question()})
    run.choices = {"store": {"selected": "queue", "selectedBy": "user", "sourceRef": "mail-7"}}
    return run


def _decided(folder: Path) -> None:
    decide(folder, "1/1", "queue", at="2026-11-02T08:31:00.000Z")


def _taken_back(folder: Path) -> None:
    _decided(folder)
    decide(folder, "1/1", None, seq=2, at="2026-11-02T08:32:00.000Z")


def _flips(name: str, mode: str) -> RunBuilder:
    run = RunBuilder(name)
    run.branch(
        "1/1",
        BUSINESS,
        requirements={"mode": mode},
        fallbacks=[FLIPS_TO_FALLBACK],
        files={"response.md": report(taken={FLIPS_TO_FALLBACK: "kept the old wording"})},
    )
    run.branch(
        "1/2", BUSINESS, requirements={"mode": mode}, status="blocked", stop=FLIPS_TO_FALLBACK
    )
    return run


def _selected_in_the_document() -> RunBuilder:
    run = RunBuilder("selected-in-the-document")
    run.branch(
        "1/1",
        FRONTEND,
        requirements={"target": "/cart"},
        fallbacks=[DIRECTION],
        files={
            "response.md": report(
                table("Decision", "Value | Why | Field", "— | — | Selected alternative"),
                table(
                    "Decision", "Value | Why | Field", "`tabs` | fewer nodes | Selected candidate"
                ),
                table(
                    "Scores",
                    "Candidate | Viewport | Criterion | Score | Verdict",
                    "`rail` | wide | reach | 4 | pass",
                    "`tabs` | wide | reach | 5 | pass",
                ),
                taken={DIRECTION: "the fewest new nodes"},
            )
        },
    )
    return run


RECIPES = (
    Recipe(
        "bypassed",
        "A fallback that took a choice which the request had promised to a person.",
        lambda: _one("bypassed", taken=_TAKEN, selected="table"),
        {
            "1/1": done(
                group=Group.BYPASSED,
                violations=(f"APPROVAL_BYPASSED {_RESPONSE}",),
                fallbacks={CHOICE: "table"},
                **_OFFER,
            )
        },
    ),
    Recipe(
        "bypassed-in-the-document-only",
        "A bypass that only response.md tells of is found by who reads that.",
        lambda: _one("bypassed-in-the-document-only", taken=_TAKEN, response={"fallbacks": []}),
        {
            "1/1": done(
                group=Group.BYPASSED,
                needs_more=(f"APPROVAL_BYPASSED {_DOCUMENT}", f"FALLBACK_UNRECORDED {_RESPONSE}"),
                unlisted_fallbacks={CHOICE: None},
                **_OFFER,
            )
        },
    ),
    Recipe(
        "promised-before",
        "A person had been promised the choice at an earlier attempt, and nobody answered.",
        lambda: _promised("promised-before", {}),
        {
            "1/1": resumed(CHOICE, **_OFFER),
            "2/1": done(
                group=Group.BYPASSED,
                violations=_BYPASSED,
                fallbacks={CHOICE: "table"},
                **_OFFER,
            ),
        },
    ),
    Recipe(
        "promised-two-attempts-ago",
        "The promise holds over the attempts between.",
        _promised_two_ago,
        {
            "1/1": resumed(CHOICE, **_OFFER),
            "2/1": resumed("CRITIQUE_UNRESOLVED", "resume", **_OFFER),
            "3/1": done(
                group=Group.BYPASSED,
                violations=_BYPASSED,
                fallbacks={CHOICE: "table"},
                **_OFFER,
            ),
        },
    ),
    Recipe(
        "approved-two-attempts-ago",
        "An approval between the promise and the fallback answered it.",
        _approved_two_ago,
        {
            "1/1": resumed(CHOICE, **_OFFER),
            "2/1": resumed("CRITIQUE_UNRESOLVED", "resume", **_OFFER),
            "3/1": done(fallbacks={CHOICE: "table"}, **_OFFER),
        },
    ),
    Recipe(
        "an-empty-approval",
        "An approval of nothing is none.",
        lambda: _promised("an-empty-approval", {"requirements": {"approval": ""}}),
        {
            "1/1": resumed(CHOICE, **_OFFER),
            "2/1": done(
                group=Group.BYPASSED,
                violations=_BYPASSED,
                fallbacks={CHOICE: "table"},
                **_OFFER,
            ),
        },
    ),
    Recipe(
        "decided-before",
        "A decision answered the promise; that it was not heeded is another matter.",
        lambda: _promised("decided-before", {"began": "2026-11-02T08:40:00Z"}),
        {
            "1/1": resumed(CHOICE, decision="resumed", selected="queue", **_OFFER),
            "2/1": done(
                group=Group.VIOLATION,
                violations=("DECISION_IGNORED",),
                fallbacks={CHOICE: "table"},
                **_OFFER,
            ),
        },
        finish=_decided,
    ),
    Recipe(
        "decision-taken-back",
        "A decision that was taken back answers nothing.",
        lambda: _promised("decision-taken-back", {"began": "2026-11-02T08:40:00Z"}),
        {
            "1/1": resumed(CHOICE, decision="resumed", **_OFFER),
            "2/1": done(
                group=Group.BYPASSED,
                violations=_BYPASSED,
                fallbacks={CHOICE: "table"},
                **_OFFER,
            ),
        },
        finish=_taken_back,
    ),
    Recipe(
        "answered-by-the-runtime",
        "An answer that the runtime recorded answered the promise.",
        _answered_by_the_runtime,
        {
            "1/1": resumed(CHOICE, decision="answered", selected="queue", **_OFFER),
            "2/1": done(fallbacks={CHOICE: "table"}, **_OFFER),
        },
    ),
    Recipe(
        "another-code-was-promised",
        "The promise is about its own code.",
        lambda: _promised(
            "another-code-was-promised",
            {
                "taken": {"COMPATIBILITY_UNVERIFIED": "marked"},
                "requirements": {"approval": None},
            },
        ),
        {
            "1/1": resumed(CHOICE, **_OFFER),
            "2/1": done(fallbacks={"COMPATIBILITY_UNVERIFIED": "table"}, **_OFFER),
        },
    ),
    Recipe(
        "fell-back",
        "A fallback under automatic, recorded in both places, is what was asked for.",
        lambda: _one("fell-back", policy="automatic", taken=_TAKEN, selected="table"),
        {"1/1": done(fallbacks={CHOICE: "table"}, **_OFFER)},
    ),
    Recipe(
        "fell-back-by-default",
        "Where the request does not say, the operator's declared default does.",
        lambda: _one("fell-back-by-default", policy=None, taken=_TAKEN, selected="queue"),
        {"1/1": done(fallbacks={CHOICE: "queue"}, **_OFFER)},
    ),
    Recipe(
        "selected-in-the-document",
        "What was selected stands under Decision where no data file names it.",
        _selected_in_the_document,
        {
            "1/1": done(
                fallbacks={DIRECTION: "tabs"},
                offered=("rail", "tabs"),
                totals={"rail": 4, "tabs": 5},
                highest=("tabs",),
            )
        },
    ),
    Recipe(
        "not-allowed",
        "A fallback past a code that ends the branch.",
        lambda: _one("not-allowed", policy="automatic", taken={"INVALID_INPUT": "guessed"}),
        {
            "1/1": done(
                group=Group.VIOLATION,
                violations=("FALLBACK_NOT_ALLOWED",),
                fallbacks={"INVALID_INPUT": None},
                **_OFFER,
            )
        },
    ),
    Recipe(
        "unregistered-fallback",
        "A fallback on a code that nobody registered.",
        lambda: _one("unregistered-fallback", policy="automatic", taken={"MADE_UP": "went on"}),
        {
            "1/1": done(
                group=Group.VIOLATION,
                violations=("FALLBACK_NOT_ALLOWED",),
                fallbacks={"MADE_UP": None},
                **_OFFER,
            )
        },
    ),
    Recipe(
        "flips-to-a-fallback",
        "A code that ends a branch may be flipped into a fallback by the request.",
        lambda: _flips("flips-to-a-fallback", "reconcile"),
        {
            "1/1": done(fallbacks={FLIPS_TO_FALLBACK: None}),
            "1/2": for_a_person(
                FLIPS_TO_FALLBACK,
                violations=("SHOULD_HAVE_CONTINUED",),
                flipped_by="mode",
            ),
        },
        registry="patched",
    ),
    Recipe(
        "is-not-flipped",
        "Without the value that flips it, the code ends the branch.",
        lambda: _flips("is-not-flipped", "model"),
        {
            "1/1": done(
                group=Group.VIOLATION,
                violations=("FALLBACK_NOT_ALLOWED",),
                fallbacks={FLIPS_TO_FALLBACK: None},
            ),
            "1/2": for_a_person(FLIPS_TO_FALLBACK),
        },
        registry="patched",
    ),
)
