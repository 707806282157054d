"""What a person can pick from, merged from every source, and what leads (1.6)."""

from __future__ import annotations

from typing import Any

from corpus.parts import (
    ASKED,
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
from corpus.recipe import Recipe, a_choice
from stopview_core.demo import Alternative, RunBuilder


def _from_all() -> RunBuilder:
    return stopped_choice(
        "from-all",
        interaction=question("queue", "table"),
        files={
            **data(
                {**scored("queue", cost=3), "label": "A queue"},
                scored("table", cost=4),
                scored("cache", cost=9),
            ),
            "response.md": report(
                table(
                    "Alternatives",
                    COLUMNS,
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
    return stopped_direction(
        "viewports",
        table(
            "Scores",
            SCORES,
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
    return stopped_direction(
        "one-viewport-missing",
        table(
            "Scores",
            SCORES,
            "`rail` | wide | reach | 4 | pass",
            "`rail` | narrow | reach | 3 | pass",
            "`tabs` | wide | reach | 5 | pass",
            "`tabs` | narrow | reach | — | —",
        ),
    )


def _contradicting() -> RunBuilder:
    return stopped_choice(
        "contradicting",
        files={
            "data/a.json": {"alternatives": [scored("queue", cost=3, pace=2, calm=1)]},
            "data/b.json": {"alternatives": [scored("queue", cost=4, pace=2)]},
            "response.md": report(
                table(
                    "Scores",
                    SCORES,
                    "`queue` | wide | calm | 1 | pass",
                    "`queue` | narrow | calm | 2 | pass",
                    "`queue` | wide | pace | 1 | pass",
                    "`queue` | narrow | pace | 3 | pass",
                )
            ),
        },
    )


def _no_numbers() -> RunBuilder:
    return stopped_choice(
        "no-numbers",
        files=data(
            scored("queue", cost="high", pace=2),
            scored("table", cost=3, pace=True),
            {"alternativeId": "cache", "scores": [1, 2]},
        ),
    )


def _exact() -> RunBuilder:
    return stopped_choice(
        "exact",
        files=data(scored("queue", cost=0.1, pace=0.2), scored("table", cost=0.3, pace=0)),
    )


def _asked_axes() -> RunBuilder:
    return stopped_choice(
        "asked-axes",
        requirements={**ASKED, "tradeoffAxes": ["pace", "cost", "pace", 4]},
        files=data(
            scored("queue", cost=3, pace=1, calm=9),
            scored("table", cost=1, pace=2),
        ),
    )


def _nobody_scored_it() -> RunBuilder:
    return stopped_choice(
        "nobody-scored-it",
        requirements={**ASKED, "tradeoffAxes": ["cost", "beauty"]},
        files=data(scored("queue", cost=3), scored("table", cost=1)),
    )


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
        lambda: stopped_choice(
            "a-score-missing",
            files=data(scored("queue", cost=3, pace=0), scored("table", cost=5)),
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
        lambda: stopped_choice(
            "nobody-ranked", files=data(scored("queue", pace=0), scored("table", cost=5))
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
)
