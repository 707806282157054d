"""Records, operators, requests and runs that disagree (contracts 1.6)."""

from __future__ import annotations

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
    bound,
    choice,
    report,
    table,
)
from corpus.recipe import (
    Expect,
    Recipe,
    a_choice,
    again,
    done,
    for_a_person,
    for_an_operator,
)
from stopview_core.board import Group
from stopview_core.demo import RunBuilder

_OFFER: dict[str, Any] = {"offered": IDS, "highest": ("table",)}
_UNRECORDED = ("FALLBACK_UNRECORDED",)
_DOCUMENT = "step-1/parallel-1/response/response.md"
_RESPONSE = "step-1/parallel-1/response/response.json"


def _release(name: str, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    run.branch("1/1", RELEASE, **more)
    return run


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


def _one_unknown_everywhere() -> RunBuilder:
    run = RunBuilder("one-unknown-everywhere")
    for step in range(1, 5):
        run.branch(f"{step}/1", "novel.write", status="blocked", stop="MUSE_GONE")
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


RECIPES = (
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
        "one-unknown-everywhere",
        "One operator that nobody here knows, in branch after branch, is no flood either.",
        _one_unknown_everywhere,
        {
            f"{step}/1": Expect(
                "blocked", code="UNKNOWN_STOP", route="unrouted", group=Group.PERSON, refusal=412
            )
            for step in range(1, 5)
        },
        notice="1 of its 1 operators is not in the one in use (novel.write)",
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
