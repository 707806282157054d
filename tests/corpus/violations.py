"""Each rule of contracts 1.6 broken once, and what looks like it and is sound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from corpus.parts import (
    ARCHITECTURE,
    BIND,
    BUSINESS,
    CHOICE,
    DEPENDENCY,
    DIRECTION,
    FRONTEND,
    IDS,
    RELEASE,
    TOOK_THE_BEST,
    bound,
    choice,
    report,
    table,
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
from corpus.registries import FLIPS_TO_FALLBACK, WRITTEN_BY_THE_RUNTIME
from stopview_core.board import Group
from stopview_core.demo import RunBuilder

_OFFER: dict[str, Any] = {"offered": IDS, "highest": ("table",)}
_TAKEN = {CHOICE: TOOK_THE_BEST}
_BYPASSED = ("APPROVAL_BYPASSED",)
_UNRECORDED = ("FALLBACK_UNRECORDED",)
_DOCUMENT = "step-1/parallel-1/response/response.md"
_RESPONSE = "step-1/parallel-1/response/response.json"


def _one(name: str, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    choice(run, "1/1", **more)
    return run


def _release(name: str, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    run.branch("1/1", RELEASE, **more)
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


def _unlike_documents() -> RunBuilder:
    return _release(
        "in-the-document-only", files={"response.md": report(taken={"ROLLOUT_FAILED": "again"})}
    )


def _no_document_due() -> RunBuilder:
    run = RunBuilder("no-document-due")
    run.branch("1/1", DEPENDENCY, fallbacks=["DEPENDENCY_PROOF_FAILED"])
    return run


def _operators_differ() -> RunBuilder:
    run = RunBuilder("operators-differ", state={"steps": {"1/1": BUSINESS, "2/1": FRONTEND}})
    bound(run)
    choice(run, "2/1")
    run.branch("3/1", BUSINESS, request={"operatorId": RELEASE})
    return run


def _next(name: str, operator: str, stop: str, *entries: str, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    run.branch("1/1", operator, status="blocked", stop=stop, next=entries, **more)
    return run


def _altered() -> RunBuilder:
    run = RunBuilder("altered")
    choice(run, "1/1")
    bound(run, "2/1")
    run.file("step-1/parallel-1/request/request.json", _other_request())
    run.file("step-2/parallel-1/request/request.json", {"operatorId": BIND})
    return run


def _other_request() -> dict[str, Any]:
    return {
        "operatorId": ARCHITECTURE,
        "requirements": {"selectionPolicy": "approval-required", "objective": "another"},
    }


def _unhashed() -> RunBuilder:
    run = RunBuilder("unhashed", state={"requestHashes": {"9/9": "sha256:00", "1/1": ""}})
    choice(run, "1/1")
    return run


def _hashed_in_capitals() -> RunBuilder:
    run = RunBuilder("hashed-in-capitals")
    choice(run, "1/1")
    hashes = run._state()["requestHashes"]
    assert isinstance(hashes, dict)
    run.state = {"requestHashes": {"1/1": str(hashes["1/1"]).partition(":")[2].upper()}}
    return run


def _another_registry() -> RunBuilder:
    """A run of operators that nobody here knows, with a stop and a fallback each."""
    run = RunBuilder("another-registry")
    for step in range(1, 7):
        run.branch(
            f"{step}/1",
            f"novel.write{step}",
            status="blocked",
            stop="MUSE_GONE",
            next=["novel.rest"],
            fallbacks=["ADVERB_CUT"],
        )
    run.branch("7/1", BIND, status="blocked", stop="SOURCE_DRIFT", next=["novel.write1"])
    return run


def _one_unknown_operator() -> RunBuilder:
    run = RunBuilder("one-unknown-operator")
    bound(run)
    run.branch("2/1", "novel.write", status="blocked", stop="MUSE_GONE", next=["novel.rest"])
    return run


def _nobody_named() -> RunBuilder:
    run = RunBuilder("nobody-named", state={"steps": {}})
    run.branch(
        "1/1",
        BIND,
        status="blocked",
        stop="SOURCE_DRIFT",
        request={"operatorId": None},
        response={"operatorId": None},
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
    Recipe(
        "in-the-document-only",
        "A fallback that only response.md records.",
        _unlike_documents,
        {
            "1/1": done(
                group=Group.VIOLATION,
                needs_more=(f"FALLBACK_UNRECORDED {_RESPONSE}",),
                unlisted_fallbacks={"ROLLOUT_FAILED": None},
            )
        },
    ),
    Recipe(
        "in-the-response-only",
        "A fallback that only response.json records.",
        lambda: _release(
            "in-the-response-only",
            fallbacks=["ROLLOUT_FAILED"],
            files={"response.md": report(table("Fallbacks", "Code | Action", "A | b"))},
        ),
        {
            "1/1": done(
                group=Group.VIOLATION,
                violations=(f"FALLBACK_UNRECORDED {_DOCUMENT}",),
                fallbacks={"ROLLOUT_FAILED": None},
            )
        },
    ),
    Recipe(
        "without-a-document",
        "A fallback of an operator that owes a response.md and left none.",
        lambda: _release("without-a-document", fallbacks=["ROLLOUT_FAILED"]),
        {
            "1/1": done(
                group=Group.VIOLATION,
                violations=_UNRECORDED,
                fallbacks={"ROLLOUT_FAILED": None},
            )
        },
    ),
    Recipe(
        "no-document-due",
        "An operator whose Outputs name no response.md records fallbacks in one place.",
        _no_document_due,
        {
            "1/1": done(
                group=Group.VIOLATION,
                violations=("FALLBACK_NOT_ALLOWED",),
                fallbacks={"DEPENDENCY_PROOF_FAILED": None},
            )
        },
    ),
    Recipe(
        "none-taken",
        "A row that says none was taken is no fallback.",
        lambda: _release(
            "none-taken",
            files={"response.md": report(taken={"none": "—", "—": "—", "None taken": "-"})},
        ),
        {"1/1": done()},
    ),
    Recipe(
        "twice-recorded",
        "A fallback recorded twice in one place is one fallback.",
        lambda: _release(
            "twice-recorded",
            fallbacks=["ROLLOUT_FAILED", "ROLLOUT_FAILED"],
            files={
                "response.md": report(
                    table(
                        "Fallbacks taken",
                        "Code | Action",
                        "`ROLLOUT_FAILED` | once",
                        "`ROLLOUT_FAILED` | twice",
                    )
                )
            },
        ),
        {"1/1": done(fallbacks={"ROLLOUT_FAILED": None})},
    ),
    Recipe(
        "operators-differ",
        "Files that name different operators; nothing is decided on them.",
        _operators_differ,
        {
            "1/1": done(group=Group.VIOLATION, violations=("OPERATOR_MISMATCH",)),
            "2/1": for_a_person(
                CHOICE,
                violations=("OPERATOR_MISMATCH",),
                because="different operators",
                **_OFFER,
            ),
            "3/1": done(group=Group.VIOLATION, violations=("OPERATOR_MISMATCH",)),
        },
    ),
    Recipe(
        "next-disagrees",
        "Somebody comes next whom neither the route nor the operator's Next table names.",
        lambda: _next("next-disagrees", BUSINESS, "SOURCE_DRIFT", BIND, RELEASE, RELEASE),
        {"1/1": for_an_operator("SOURCE_DRIFT", BIND, violations=("NEXT_DISAGREES",))},
    ),
    Recipe(
        "next-is-the-route",
        "The route's target may come next, and whom the Next table names.",
        lambda: _next("next-is-the-route", BUSINESS, "SOURCE_DRIFT", BIND, FRONTEND, "git.publish"),
        {"1/1": for_an_operator("SOURCE_DRIFT", BIND)},
    ),
    Recipe(
        "next-is-itself",
        "On a resume the operator itself comes next.",
        lambda: _next("next-is-itself", BIND, "SOURCE_DRIFT", BIND),
        {"1/1": again("SOURCE_DRIFT")},
    ),
    Recipe(
        "next-is-a-person",
        "The kind of the route may come next: user, external.",
        lambda: _next("next-is-a-person", BUSINESS, "INVALID_INPUT", "user"),
        {"1/1": for_a_person("INVALID_INPUT")},
    ),
    Recipe(
        "next-is-another-kind",
        "Another kind than the route's may not.",
        lambda: _next("next-is-another-kind", BUSINESS, "INVALID_INPUT", "external"),
        {"1/1": for_a_person("INVALID_INPUT", violations=("NEXT_DISAGREES",))},
    ),
    Recipe(
        "altered",
        "A request that is not the one that was dispatched.",
        _altered,
        {
            "1/1": a_choice(CHOICE, violations=("REQUEST_ALTERED",), **_OFFER),
            "2/1": done(group=Group.VIOLATION, violations=("REQUEST_ALTERED",)),
        },
    ),
    Recipe(
        "unhashed",
        "Without a hash in state.json there is nothing to say.",
        _unhashed,
        {"1/1": a_choice(CHOICE, **_OFFER)},
    ),
    Recipe(
        "hashed-in-capitals",
        "A hash is the same in capitals and without its prefix.",
        _hashed_in_capitals,
        {"1/1": a_choice(CHOICE, **_OFFER)},
    ),
    Recipe(
        "another-registry",
        "A run of operators that nobody here knows gets one notice and no flood.",
        _another_registry,
        {
            **{
                f"{step}/1": Expect(
                    "blocked",
                    code="UNKNOWN_STOP",
                    route="unrouted",
                    group=Group.PERSON,
                    refusal=412,
                    fallbacks={"ADVERB_CUT": None},
                )
                for step in range(1, 7)
            },
            "7/1": again("SOURCE_DRIFT"),
        },
        notice="6 of its 7 operators are not in the one in use",
    ),
    Recipe(
        "one-unknown-operator",
        "One stray operator is told of where it stopped.",
        _one_unknown_operator,
        {
            "1/1": done(),
            "2/1": Expect(
                "blocked",
                code="UNKNOWN_STOP",
                route="unrouted",
                group=Group.PERSON,
                violations=("STOP_UNLISTED",),
                refusal=412,
            ),
        },
    ),
    Recipe(
        "nobody-named",
        "A stop of nobody is for a person to look at.",
        _nobody_named,
        {
            "1/1": Expect(
                "blocked",
                code="UNKNOWN_STOP",
                route="unrouted",
                group=Group.PERSON,
                violations=("STOP_UNLISTED",),
                refusal=412,
            )
        },
    ),
    Recipe(
        "several-at-once",
        "A bypass is named before all else that is wrong with a branch.",
        lambda: _several(),
        {
            "1/1": done(
                code="UNKNOWN_STOP",
                route="user",
                group=Group.BYPASSED,
                violations=(
                    "APPROVAL_BYPASSED",
                    "FALLBACK_NOT_ALLOWED",
                    "FALLBACK_UNRECORDED",
                    "FALLBACK_UNRECORDED",
                    "STOP_UNEXPECTED",
                    "STOP_UNLISTED",
                ),
                fallbacks={DIRECTION: None, "INVALID_INPUT": None},
            )
        },
    ),
)


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


def _several() -> RunBuilder:
    run = RunBuilder("several-at-once")
    run.branch(
        "1/1",
        FRONTEND,
        requirements={"selectionPolicy": "approval-required"},
        stop="MADE_UP",
        fallbacks=["INVALID_INPUT", DIRECTION],
    )
    return run
