"""Decisions on disk: which one stands, and whether it was heeded (contracts 1.7)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from corpus.parts import BUSINESS, CHOICE, IDS, choice
from corpus.receipts import decide
from corpus.recipe import Expect, Recipe, a_choice, done, resumed
from stopview_core.board import Group
from stopview_core.demo import RunBuilder

_OFFER: dict[str, Any] = {"offered": IDS, "highest": ("table",)}
_LATER = "2026-11-02T12:30:00.000Z"


def _choice(name: str, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    choice(run, "1/1", **more)
    return run


def _resumed(name: str, *, approval: str | None, began: str, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    choice(run, "1/1")
    choice(
        run,
        "2/1",
        resumes="1/1",
        began=began,
        status="done",
        requirements={"approval": approval},
        selected=approval,
        **more,
    )
    return run


def _question(name: str, *, is_answered: bool = False, **second: Any) -> RunBuilder:
    """A question put to a person; the answer is in state.json where the runtime recorded it."""
    run = RunBuilder(name)
    asked = {
        "kind": "choice",
        "decisionId": "wording",
        "options": [{"id": one, "label": one, "tradeoff": "some"} for one in ("keep", "drop")],
    }
    stop = "CONTRADICTION_UNRESOLVED"
    run.branch("1/1", BUSINESS, status="blocked", stop=stop, interaction=asked)
    if is_answered:
        run.choices = {"wording": {"selected": "keep", "selectedBy": "user", "sourceRef": "m"}}
    if second:
        run.branch("2/1", BUSINESS, resumes="1/1", began="2026-11-02T13:00:00Z", **second)
    return run


def _answer(folder: Path) -> None:
    decide(
        folder,
        "1/1",
        "keep",
        stop="CONTRADICTION_UNRESOLVED",
        operator=BUSINESS,
        offered=("keep", "drop"),
        param=None,
        decision="wording",
        evidence=("request/request.json", "response/response.json", "response/response.md"),
    )


def _select(folder: Path) -> None:
    decide(folder, "1/1", "queue")


def _select_and_alter(folder: Path) -> None:
    _select(folder)
    request = folder / "step-2" / "parallel-1" / "request" / "request.json"
    request.write_bytes(request.read_bytes() + b"\n")


def _supersede(folder: Path) -> None:
    _select(folder)
    decide(folder, "1/1", "cache", seq=2, at=_LATER)


def _take_back(folder: Path) -> None:
    _select(folder)
    decide(folder, "1/1", None, seq=2, at=_LATER)


def _rewrite_evidence(folder: Path) -> None:
    _select(folder)
    document = folder / "step-1" / "parallel-1" / "response" / "response.md"
    document.write_text(document.read_text(encoding="utf-8") + "\nOne more thing.\n")


def _older_stands_no_more(folder: Path) -> None:
    """The newest was decided on evidence that is gone: the older one does not come back."""
    _select(folder)
    decide(folder, "1/1", "cache", seq=2, at=_LATER, source_fingerprint="sha256:" + "1" * 64)


RECIPES = (
    Recipe(
        "in-force",
        "A decision stands until the operator resumes.",
        lambda: _choice("in-force"),
        {
            "1/1": a_choice(
                CHOICE, group=Group.DECIDED, decision="in_force", selected="queue", **_OFFER
            )
        },
        finish=_select,
    ),
    Recipe(
        "superseded",
        "The highest number stands; the older one is superseded for good.",
        lambda: _choice("superseded"),
        {
            "1/1": a_choice(
                CHOICE, group=Group.DECIDED, decision="in_force", selected="cache", **_OFFER
            )
        },
        finish=_supersede,
    ),
    Recipe(
        "withdrawn",
        "With nothing selected the branch waits for a person again.",
        lambda: _choice("withdrawn"),
        {"1/1": a_choice(CHOICE, decision="withdrawn", **_OFFER)},
        finish=_take_back,
    ),
    Recipe(
        "stale",
        "Evidence that changed after the decision makes it stale: decide again.",
        lambda: _choice("stale"),
        {"1/1": a_choice(CHOICE, decision="stale", selected="queue", **_OFFER)},
        finish=_rewrite_evidence,
    ),
    Recipe(
        "older-stands-no-more",
        "A stale decision does not bring the one before it back.",
        lambda: _choice("older-stands-no-more"),
        {"1/1": a_choice(CHOICE, decision="stale", selected="cache", **_OFFER)},
        finish=_older_stands_no_more,
    ),
    Recipe(
        "carried-out",
        "An attempt that carries the approval has heeded the decision.",
        lambda: _resumed("carried-out", approval="queue", began="2026-11-02T13:00:00Z"),
        {
            "1/1": resumed(CHOICE, decision="resumed", selected="queue", refusal=200, **_OFFER),
            "2/1": done(**_OFFER),
        },
        finish=_select,
    ),
    Recipe(
        "not-heeded",
        "An attempt that resumed with another approval has ignored the decision.",
        lambda: _resumed("not-heeded", approval="table", began="2026-11-02T13:00:00Z"),
        {
            "1/1": resumed(CHOICE, decision="resumed", selected="queue", **_OFFER),
            "2/1": done(
                group=Group.VIOLATION,
                violations=("DECISION_IGNORED step-2/parallel-1/request/request.json",),
                **_OFFER,
            ),
        },
        finish=_select,
    ),
    Recipe(
        "decided-too-late",
        "A decision made after the attempt had begun could not be heeded.",
        lambda: _resumed("decided-too-late", approval="table", began="2026-11-02T11:00:00Z"),
        {
            "1/1": resumed(CHOICE, decision="resumed", selected="queue", **_OFFER),
            "2/1": done(**_OFFER),
        },
        finish=_select,
    ),
    Recipe(
        "changed-too-late",
        "What counts is the newest decision before the attempt began.",
        lambda: _resumed("changed-too-late", approval="queue", began="2026-11-02T12:15:00Z"),
        {
            "1/1": resumed(CHOICE, decision="resumed", selected="cache", **_OFFER),
            "2/1": done(**_OFFER),
        },
        finish=_supersede,
    ),
    Recipe(
        "not-heeded-and-altered",
        "What a person decided and did not get goes before a request that was changed.",
        lambda: _resumed("not-heeded-and-altered", approval="table", began="2026-11-02T13:00:00Z"),
        {
            "1/1": resumed(CHOICE, decision="resumed", selected="queue", **_OFFER),
            "2/1": done(
                group=Group.VIOLATION, violations=("DECISION_IGNORED", "REQUEST_ALTERED"), **_OFFER
            ),
        },
        finish=_select_and_alter,
    ),
    Recipe(
        "old-one-heeded",
        "An attempt that carries a superseded selection has ignored the newer one.",
        lambda: _resumed("old-one-heeded", approval="queue", began="2026-11-02T13:00:00Z"),
        {
            "1/1": resumed(CHOICE, decision="resumed", selected="cache", **_OFFER),
            "2/1": done(group=Group.VIOLATION, violations=("DECISION_IGNORED",), **_OFFER),
        },
        finish=_supersede,
    ),
    Recipe(
        "taken-back-and-resumed",
        "With nothing selected there is nothing to heed.",
        lambda: _resumed("taken-back-and-resumed", approval=None, began="2026-11-02T13:00:00Z"),
        {
            "1/1": resumed(CHOICE, decision="resumed", **_OFFER),
            "2/1": done(**_OFFER),
        },
        finish=_take_back,
    ),
    Recipe(
        "begun-by-its-request",
        "Without transitions an attempt began when its request was written.",
        lambda: _resumed(
            "begun-by-its-request",
            approval=None,
            began="2026-11-02T13:00:00Z",
            transitions=[],
        ),
        {
            "1/1": resumed(CHOICE, decision="resumed", selected="queue", **_OFFER),
            "2/1": done(group=Group.VIOLATION, violations=("DECISION_IGNORED",), **_OFFER),
        },
        finish=_select,
    ),
    Recipe(
        "answered-question",
        "A question that the runtime recorded as answered is not open to decide.",
        lambda: _question("answered-question", is_answered=True),
        {
            "1/1": Expect(
                "blocked",
                code="CONTRADICTION_UNRESOLVED",
                route="user",
                group=Group.DECIDED,
                decision="answered",
                selected="keep",
                refusal=204,
                because="Already answered by user: keep",
                offered=("keep", "drop"),
            )
        },
    ),
    Recipe(
        "question-decided",
        "A decision on a question stands as any other.",
        lambda: _question("question-decided"),
        {
            "1/1": a_choice(
                "CONTRADICTION_UNRESOLVED",
                group=Group.DECIDED,
                decision="in_force",
                selected="keep",
                offered=("keep", "drop"),
            )
        },
        finish=_answer,
    ),
    Recipe(
        "question-carried-out",
        "An attempt that carries the option has heeded the decision on a question.",
        lambda: _question("question-carried-out", decision_id="wording", selected_option="keep"),
        {
            "1/1": resumed(
                "CONTRADICTION_UNRESOLVED",
                decision="resumed",
                selected="keep",
                offered=("keep", "drop"),
            ),
            "2/1": done(),
        },
        finish=_answer,
    ),
    Recipe(
        "question-not-heeded",
        "The option under another question's name is not the answer.",
        lambda: _question("question-not-heeded", decision_id="other", selected_option="keep"),
        {
            "1/1": resumed(
                "CONTRADICTION_UNRESOLVED",
                decision="resumed",
                selected="keep",
                offered=("keep", "drop"),
            ),
            "2/1": done(group=Group.VIOLATION, violations=("DECISION_IGNORED",)),
        },
        finish=_answer,
    ),
)
