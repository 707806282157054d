"""Ids and options that can be picked or not, and evidence not to decide on (1.7)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from corpus.parts import (
    BUSINESS,
    CHOICE,
    COLUMNS,
    DIRECTION,
    IDS,
    SCORES,
    TOTALS,
    choice,
    data,
    question,
    report,
    scored,
    stopped_choice,
    stopped_direction,
    table,
)
from corpus.recipe import Recipe, Skip, a_choice, again, done, for_a_person
from stopview_core.demo import RunBuilder

_NOTHING_FOUND = "No alternatives were found"


def _contradiction(name: str, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    run.branch("1/1", BUSINESS, **{"status": "blocked", "stop": "CONTRADICTION_UNRESOLVED", **more})
    return run


def _notes_make_no_ids() -> RunBuilder:
    return stopped_direction(
        "notes-make-no-ids",
        table("Falsification", "Attack | Candidate | Verdict", "slow net | `rail` | holds"),
        table("Why not the others", "Candidate | Rejected because", "`tabs` | they hide"),
        table("Candidate limits", "Candidate | Criterion | Candidate says", "`rail` | reach | no"),
        table("Scores by feeling", SCORES, "`rail` | wide | reach | 4 | pass"),
        files={"artifacts/rail.html": "<p>rail</p>\n"},
    )


def _why_not() -> RunBuilder:
    return stopped_direction(
        "why-not",
        table(
            "Scores",
            SCORES,
            "`rail` | wide | reach | 4 | pass",
            "`tabs` | wide | reach | 5 | pass",
        ),
        table("Why not the others", "Candidate | Rejected because", "`tabs` | they hide"),
    )


def _reordered_columns() -> RunBuilder:
    return stopped_choice(
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
    return stopped_choice(
        "hostile-ids",
        files={
            **data(
                scored("\x1b[2Jgone", cost=1),
                scored("two\nlines", cost=1),
                scored("[/x]", cost=1),
                scored("../../state", cost=2),
                scored("", cost=3),
                scored("—", cost=3),
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
        lambda: stopped_choice(
            "placeholders",
            files={
                "response.md": report(
                    table("Alternatives", COLUMNS, "— | — | — | —", "`—` | — | — | —")
                )
            },
        ),
        {"1/1": for_a_person(CHOICE, because=_NOTHING_FOUND)},
    ),
    Recipe(
        "another-list",
        "A list of something else that is called alternatives is not read as such.",
        lambda: stopped_choice(
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
        lambda: stopped_choice("options-alone", interaction=question("queue", "table")),
        {"1/1": a_choice(CHOICE, offered=("queue", "table"))},
    ),
    Recipe(
        "options-of-others",
        "Options that are no alternatives cannot be decided: an approval would be missing.",
        lambda: _named("options-of-others", interaction=question("yes", "no")),
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
        lambda: _contradiction("a-question", interaction=question("keep", "drop")),
        {"1/1": a_choice("CONTRADICTION_UNRESOLVED", offered=("keep", "drop"))},
    ),
    Recipe(
        "a-question-without-name",
        "A question without a decisionId cannot be answered.",
        lambda: _contradiction(
            "a-question-without-name", interaction=question("keep", "drop", identifier=None)
        ),
        {"1/1": for_a_person("CONTRADICTION_UNRESOLVED", offered=("keep", "drop"))},
    ),
    Recipe(
        "a-question-without-options",
        "A question without options cannot be answered here.",
        lambda: _contradiction("a-question-without-options", interaction=question()),
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
        lambda: stopped_choice(
            "a-question-for-an-operator",
            stop="CRITIQUE_UNRESOLVED",
            interaction=question("keep", "drop"),
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
