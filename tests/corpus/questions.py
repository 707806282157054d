"""Ids and options that can be picked or not, and evidence not to decide on (1.7)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from corpus.parts import (
    ARCHITECTURE,
    ASKED,
    BUSINESS,
    CHOICE,
    DIRECTION,
    FRONTEND,
    IDS,
    TOTALS,
    choice,
    report,
    table,
)
from corpus.recipe import Recipe, Skip, a_choice, again, done, for_a_person
from stopview_core.demo import RunBuilder

_COLUMNS = "Alternative | Status | Assessment | Rejected because"
_SCORES = "Candidate | Viewport | Criterion | Score | Verdict"
_NOTHING_FOUND = "No alternatives were found"


def _architecture(name: str, **more: Any) -> RunBuilder:
    """One branch blocked on CHOICE_REQUIRED with just these files."""
    run = RunBuilder(name)
    settled: dict[str, Any] = {
        "status": "blocked",
        "stop": CHOICE,
        "requirements": ASKED,
        **more,
    }
    run.branch("1/1", ARCHITECTURE, **settled)
    return run


def _direction(name: str, *sections: Any, **more: Any) -> RunBuilder:
    """One branch blocked on DIRECTION_CHOICE_REQUIRED with these sections in response.md."""
    run = RunBuilder(name)
    files = {"response.md": report(*sections), **more.pop("files", {})}
    run.branch(
        "1/1",
        FRONTEND,
        **{
            "status": "blocked",
            "stop": DIRECTION,
            "requirements": {"target": "/cart", "selectionPolicy": "approval-required"},
            "files": files,
            **more,
        },
    )
    return run


def _data(*alternatives: Any, **more: Any) -> dict[str, Any]:
    return {"data/stack-model.json": {"alternatives": list(alternatives), **more}}


def _scored(name: str, **scores: Any) -> dict[str, Any]:
    return {"alternativeId": name, "status": "viable", "scores": scores}


def _question(*options: str, identifier: str | None = "store-question") -> dict[str, Any]:
    return {
        "kind": "choice",
        "decisionId": identifier,
        "options": [
            {"id": option, "label": option.title(), "tradeoff": "costs time"} for option in options
        ],
    }


def _contradiction(name: str, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    run.branch("1/1", BUSINESS, **{"status": "blocked", "stop": "CONTRADICTION_UNRESOLVED", **more})
    return run


def _notes_make_no_ids() -> RunBuilder:
    return _direction(
        "notes-make-no-ids",
        table("Falsification", "Attack | Candidate | Verdict", "slow net | `rail` | holds"),
        table("Why not the others", "Candidate | Rejected because", "`tabs` | they hide"),
        table("Candidate limits", "Candidate | Criterion | Candidate says", "`rail` | reach | no"),
        table("Scores by feeling", _SCORES, "`rail` | wide | reach | 4 | pass"),
        files={"artifacts/rail.html": "<p>rail</p>\n"},
    )


def _why_not() -> RunBuilder:
    return _direction(
        "why-not",
        table(
            "Scores",
            _SCORES,
            "`rail` | wide | reach | 4 | pass",
            "`tabs` | wide | reach | 5 | pass",
        ),
        table("Why not the others", "Candidate | Rejected because", "`tabs` | they hide"),
    )


def _reordered_columns() -> RunBuilder:
    return _architecture(
        "reordered-columns",
        files={
            "response.md": report(
                table(
                    "Alternatives",
                    "Assessment | Alternative | Owner",
                    "It works. | `queue` | ada",
                    "It too. | `a¦b` | bob",
                )
            )
        },
    )


def _hostile_ids() -> RunBuilder:
    return _architecture(
        "hostile-ids",
        files={
            **_data(
                _scored("\x1b[2Jgone", cost=1),
                _scored("two\nlines", cost=1),
                _scored("[/x]", cost=1),
                _scored("../../state", cost=2),
                _scored("", cost=3),
                _scored("—", cost=3),
                {"status": "viable"},
                "queue",
            )
        },
    )


def _evidence_that_leaves() -> RunBuilder:
    run = RunBuilder("evidence-that-leaves")
    choice(run, "1/1", fields={"notes": ["./response/response.md", "../../state.json"]})
    return run


def _linked_artifact(folder: Path) -> None:
    artifacts = folder / "step-1" / "parallel-1" / "response" / "artifacts"
    (artifacts / "queue.html").unlink()
    (artifacts / "queue.html").symlink_to("/etc/hostname")


def _piped_data(folder: Path) -> None:
    os.mkfifo(folder / "step-1" / "parallel-1" / "response" / "data" / "more.json")


def _named(name: str, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    choice(run, "1/1", **more)
    return run


RECIPES = (
    Recipe(
        "notes-make-no-ids",
        "Tables that tell of alternatives, and artifacts, make none.",
        _notes_make_no_ids,
        {"1/1": for_a_person(DIRECTION, because=_NOTHING_FOUND, totals={})},
    ),
    Recipe(
        "why-not",
        "A table of reasons against says why an alternative was rejected.",
        _why_not,
        {
            "1/1": a_choice(
                DIRECTION,
                offered=("rail", "tabs"),
                totals={"rail": 4, "tabs": 5},
                highest=("tabs",),
            )
        },
    ),
    Recipe(
        "reordered-columns",
        "Columns are found by their names, wherever they stand.",
        _reordered_columns,
        {"1/1": a_choice(CHOICE, offered=("queue", "a|b"))},
    ),
    Recipe(
        "placeholders",
        "A row of dashes is no alternative.",
        lambda: _architecture(
            "placeholders",
            files={
                "response.md": report(
                    table("Alternatives", _COLUMNS, "— | — | — | —", "`—` | — | — | —")
                )
            },
        ),
        {"1/1": for_a_person(CHOICE, because=_NOTHING_FOUND)},
    ),
    Recipe(
        "another-list",
        "A list of something else that is called alternatives is not read as such.",
        lambda: _architecture(
            "another-list",
            files={
                "data/plans.json": {"alternatives": ["a", {"name": "b"}]},
                "data/other.json": ["alternatives"],
            },
        ),
        {"1/1": for_a_person(CHOICE, because=_NOTHING_FOUND)},
    ),
    Recipe(
        "hostile-ids",
        "An id that cannot be shown as it is cannot be picked.",
        _hostile_ids,
        {
            "1/1": a_choice(
                CHOICE,
                offered=("[/x]", "../../state"),
                totals={"[/x]": 1, "../../state": 2},
                highest=("../../state",),
                problems=(
                    "cannot be an alternative's id",
                    "cannot be an alternative's id",
                    "alternatives[6]: no alternativeId",
                    "alternatives[7]: no alternativeId",
                ),
            )
        },
    ),
    Recipe(
        "options-alone",
        "Where only options are told of, they are the alternatives, and a pick goes both ways.",
        lambda: _architecture("options-alone", interaction=_question("queue", "table")),
        {"1/1": a_choice(CHOICE, offered=("queue", "table"))},
    ),
    Recipe(
        "options-of-others",
        "Options that are no alternatives cannot be decided: an approval would be missing.",
        lambda: _named("options-of-others", interaction=_question("yes", "no")),
        {
            "1/1": for_a_person(
                CHOICE,
                offered=("yes", "no"),
                totals={"yes": None, "no": None, **TOTALS},
                because="not those of the alternatives",
            )
        },
    ),
    Recipe(
        "a-question",
        "A question with options can be decided, whatever the code's disposition rests on.",
        lambda: _contradiction("a-question", interaction=_question("keep", "drop")),
        {"1/1": a_choice("CONTRADICTION_UNRESOLVED", offered=("keep", "drop"))},
    ),
    Recipe(
        "a-question-without-name",
        "A question without a decisionId cannot be answered.",
        lambda: _contradiction(
            "a-question-without-name", interaction=_question("keep", "drop", identifier=None)
        ),
        {"1/1": for_a_person("CONTRADICTION_UNRESOLVED", offered=("keep", "drop"))},
    ),
    Recipe(
        "a-question-without-options",
        "A question without options cannot be answered here.",
        lambda: _contradiction("a-question-without-options", interaction=_question()),
        {"1/1": for_a_person("CONTRADICTION_UNRESOLVED")},
    ),
    Recipe(
        "broken-options",
        "Options that are none are named.",
        lambda: _contradiction(
            "broken-options",
            interaction={
                "kind": 5,
                "decisionId": "q",
                "options": [{"id": "keep"}, {"label": "no id"}, "drop"],
            },
        ),
        {"1/1": a_choice("CONTRADICTION_UNRESOLVED", offered=("keep",))},
        skipped=(
            Skip("response.json", "kind: expected text"),
            Skip("response.json", "interaction.options[1]: expected"),
            Skip("response.json", "interaction.options[2]: expected"),
        ),
    ),
    Recipe(
        "a-question-for-an-operator",
        "A question on a stop that is not for a person is not decided here.",
        lambda: _architecture(
            "a-question-for-an-operator",
            stop="CRITIQUE_UNRESOLVED",
            interaction=_question("keep", "drop"),
        ),
        {
            "1/1": again(
                "CRITIQUE_UNRESOLVED",
                offered=("keep", "drop"),
                refusal=412,
                because="is not for a person to decide",
            )
        },
    ),
    Recipe(
        "under-automatic",
        "Under automatic a choice falls back; a branch that stops has to be looked at.",
        lambda: _named("under-automatic", policy="automatic"),
        {
            "1/1": for_a_person(
                CHOICE,
                offered=IDS,
                highest=("table",),
                violations=("SHOULD_HAVE_CONTINUED",),
                because="does not end a branch here",
            )
        },
    ),
    Recipe(
        "evidence-that-leaves",
        "Evidence that leaves the branch is not evidence to decide on.",
        _evidence_that_leaves,
        {
            "1/1": for_a_person(
                CHOICE, offered=IDS, highest=("table",), refusal=400, because="../../state.json"
            )
        },
        skipped=(Skip("state.json", "it leaves its folder"),),
    ),
    Recipe(
        "a-linked-artifact",
        "A link among the artifacts that are shown is not followed, and nothing is decided on it.",
        lambda: _named("a-linked-artifact", files={"artifacts/queue.html": "<p>queue</p>"}),
        {
            "1/1": for_a_person(
                CHOICE, offered=IDS, highest=("table",), refusal=400, because="it is a link"
            )
        },
        skipped=(Skip("response/artifacts/queue.html", "a link"),),
        finish=_linked_artifact,
    ),
    Recipe(
        "piped-data",
        "A pipe among the data is said, and nothing is decided on it.",
        lambda: _named("piped-data"),
        {
            "1/1": for_a_person(
                CHOICE, offered=IDS, highest=("table",), refusal=400, because="more.json"
            )
        },
        skipped=(Skip("response/data/more.json", "not a regular file"),),
        finish=_piped_data,
    ),
    Recipe(
        "half-the-data",
        "Where a data file cannot be read, a person would decide on less than there is.",
        lambda: _named("half-the-data", files={"data/more.json": '{"alternatives": ['}),
        {
            "1/1": for_a_person(
                CHOICE, offered=IDS, highest=("table",), refusal=400, because="more.json"
            )
        },
        skipped=(Skip("response/data/more.json", "not JSON"),),
    ),
    Recipe(
        "done-with-designs",
        "A branch that is done keeps its alternatives for who opens it.",
        lambda: _named("done-with-designs", status="done", policy="automatic", selected="table"),
        {"1/1": done(offered=IDS, totals=TOTALS, highest=("table",))},
    ),
)
