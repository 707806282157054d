"""What a person can pick from, merged from every source, and what leads (contracts 1.6, 1.7)."""

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
from stopview_core.demo import Alternative, RunBuilder

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


def _from_all() -> RunBuilder:
    return _architecture(
        "from-all",
        interaction=_question("queue", "table"),
        files={
            **_data(
                {**_scored("queue", cost=3), "label": "A queue"},
                _scored("table", cost=4),
                _scored("cache", cost=9),
            ),
            "response.md": report(
                table(
                    "Alternatives",
                    _COLUMNS,
                    "`queue` | rejected | It orders nothing. | —",
                    "`ghost` | viable | Only told of here. | it is late",
                ),
                table("Falsification", "Attack | Alternative | Verdict", "load | `queue` | holds"),
            ),
            "artifacts/queue.html": "<p>queue</p>\n",
            "artifacts/sketches/table.png": b"\x89PNG",
            "artifacts/nobody.html": "<p>nobody's</p>\n",
        },
    )


def _viewports() -> RunBuilder:
    return _direction(
        "viewports",
        table(
            "Scores",
            _SCORES,
            "`rail` | wide | reach | 4 | pass",
            "`rail` | narrow | reach | 3 | pass",
            "`rail` | wide | calm | 2.5 | fail",
            "`rail` | narrow | calm | 2.5 | fail",
            "`tabs` | wide | reach | 5 | pass",
            "`tabs` | narrow | reach | 1 | fail",
            "`tabs` | wide | calm | 4 | pass",
            "`tabs` | narrow | calm | 3 | pass",
        ),
    )


def _one_viewport_missing() -> RunBuilder:
    return _direction(
        "one-viewport-missing",
        table(
            "Scores",
            _SCORES,
            "`rail` | wide | reach | 4 | pass",
            "`rail` | narrow | reach | 3 | pass",
            "`tabs` | wide | reach | 5 | pass",
            "`tabs` | narrow | reach | — | —",
        ),
    )


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


def _contradicting() -> RunBuilder:
    return _architecture(
        "contradicting",
        files={
            "data/a.json": {"alternatives": [_scored("queue", cost=3, pace=2, calm=1)]},
            "data/b.json": {"alternatives": [_scored("queue", cost=4, pace=2)]},
            "response.md": report(
                table(
                    "Scores",
                    _SCORES,
                    "`queue` | wide | calm | 1 | pass",
                    "`queue` | narrow | calm | 2 | pass",
                    "`queue` | wide | pace | 1 | pass",
                    "`queue` | narrow | pace | 3 | pass",
                )
            ),
        },
    )


def _no_numbers() -> RunBuilder:
    return _architecture(
        "no-numbers",
        files=_data(
            _scored("queue", cost="high", pace=2),
            _scored("table", cost=3, pace=True),
            {"alternativeId": "cache", "scores": [1, 2]},
        ),
    )


def _exact() -> RunBuilder:
    return _architecture(
        "exact",
        files=_data(_scored("queue", cost=0.1, pace=0.2), _scored("table", cost=0.3, pace=0)),
    )


def _asked_axes() -> RunBuilder:
    return _architecture(
        "asked-axes",
        requirements={**ASKED, "tradeoffAxes": ["pace", "cost", "pace", 4]},
        files=_data(
            _scored("queue", cost=3, pace=1, calm=9),
            _scored("table", cost=1, pace=2),
        ),
    )


def _nobody_scored_it() -> RunBuilder:
    return _architecture(
        "nobody-scored-it",
        requirements={**ASKED, "tradeoffAxes": ["cost", "beauty"]},
        files=_data(_scored("queue", cost=3), _scored("table", cost=1)),
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
        "merged",
        "Alternatives of a data file and of a table are one by their id.",
        lambda: _named("merged"),
        {"1/1": a_choice(CHOICE, offered=IDS, totals=TOTALS, highest=("table",), missing={})},
    ),
    Recipe(
        "from-all",
        "Options say what can be picked; every other source only tells of it.",
        _from_all,
        {
            "1/1": a_choice(
                CHOICE,
                offered=("queue", "table"),
                totals={"queue": 3, "table": 4, "cache": 9, "ghost": None},
                highest=("table",),
                missing={"ghost": (("cost", None),)},
            )
        },
    ),
    Recipe(
        "viewports",
        "Several rows of one criterion are summed by their mean.",
        _viewports,
        {
            "1/1": a_choice(
                DIRECTION,
                offered=("rail", "tabs"),
                totals={"rail": 6, "tabs": 6.5},
                highest=("tabs",),
            )
        },
    ),
    Recipe(
        "one-viewport-missing",
        "A score that another has on a viewport and this one lacks leaves it without a total.",
        _one_viewport_missing,
        {
            "1/1": a_choice(
                DIRECTION,
                offered=("rail", "tabs"),
                totals={"rail": 3.5, "tabs": None},
                missing={"tabs": (("reach", "narrow"),)},
                highest=("rail",),
            )
        },
    ),
    Recipe(
        "a-score-missing",
        "A missing score is never a zero, and a zero is a score.",
        lambda: _architecture(
            "a-score-missing",
            files=_data(_scored("queue", cost=3, pace=0), _scored("table", cost=5)),
        ),
        {
            "1/1": a_choice(
                CHOICE,
                offered=("queue", "table"),
                totals={"queue": 3, "table": None},
                missing={"table": (("pace", None),)},
                highest=("queue",),
            )
        },
    ),
    Recipe(
        "nobody-ranked",
        "Where nobody has every score, nobody leads.",
        lambda: _architecture(
            "nobody-ranked", files=_data(_scored("queue", pace=0), _scored("table", cost=5))
        ),
        {
            "1/1": a_choice(
                CHOICE, offered=("queue", "table"), totals={"queue": None, "table": None}
            )
        },
    ),
    Recipe(
        "a-tie",
        "Equal totals are a tie of all that have them.",
        lambda: _named(
            "a-tie",
            designs=(
                Alternative("queue", {"cost": 3, "pace": 4}, "a"),
                Alternative("table", {"cost": 4, "pace": 3}, "b"),
                Alternative("cache", {"cost": 1, "pace": 3}, "c"),
            ),
        ),
        {
            "1/1": a_choice(
                CHOICE,
                offered=IDS,
                totals={"queue": 7, "table": 7, "cache": 4},
                highest=("queue", "table"),
            )
        },
    ),
    Recipe(
        "exact",
        "Sums are exact: a tenth and two tenths are three tenths.",
        _exact,
        {
            "1/1": a_choice(
                CHOICE,
                offered=("queue", "table"),
                totals={"queue": 0.3, "table": 0.3},
                highest=("queue", "table"),
            )
        },
    ),
    Recipe(
        "asked-axes",
        "Axes that were asked for are summed, others are only shown.",
        _asked_axes,
        {
            "1/1": a_choice(
                CHOICE,
                offered=("queue", "table"),
                totals={"queue": 4, "table": 3},
                missing={"table": (("calm", None),)},
                highest=("queue",),
            )
        },
    ),
    Recipe(
        "nobody-scored-it",
        "An axis that was asked for and that nobody scored is missing for nobody.",
        _nobody_scored_it,
        {
            "1/1": a_choice(
                CHOICE,
                offered=("queue", "table"),
                totals={"queue": 3, "table": 1},
                missing={},
                highest=("queue",),
            )
        },
    ),
    Recipe(
        "contradicting",
        "Of scores that contradict the first source is shown, and the others are named.",
        _contradicting,
        {
            "1/1": a_choice(
                CHOICE,
                offered=("queue",),
                totals={"queue": 6},
                highest=("queue",),
                problems=(
                    "response/data/b.json: queue on cost: 4 here, 3 in response/data/a.json",
                    "response/response.md: queue on calm: 1.5 here, 1 in response/data/a.json",
                ),
            )
        },
    ),
    Recipe(
        "no-numbers",
        "What is no number is no score, and is named.",
        _no_numbers,
        {
            "1/1": a_choice(
                CHOICE,
                offered=("queue", "table", "cache"),
                totals={"queue": None, "table": None, "cache": None},
                problems=(
                    "alternatives[0].scores.cost: expected a number",
                    "alternatives[1].scores.pace: expected a number",
                    "alternatives[2].scores: expected an object",
                ),
            )
        },
    ),
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
