"""Choices of which nobody can tell whether a later attempt took them up (1.7, Resumed)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from corpus.parts import CHOICE, IDS, TOTALS, bound, choice
from corpus.recipe import Expect, Recipe, Skip, a_choice, done, for_a_person
from stopview_core.board import Group
from stopview_core.demo import RunBuilder

_REQUEST = "step-2/parallel-1/request/request.json"


def _choice_and_later(name: str, *, state: Any = None, **later: Any) -> RunBuilder:
    """A choice at 1/1 that was put to a person, and another attempt at 2/1, done."""
    settled = {"resumes": {}, **(state or {})}
    run = RunBuilder(name, state=settled)
    choice(run, "1/1")
    bound(run, "2/1", **later)
    return run


def _become_link(folder: Path) -> None:
    os.rename(folder / "step-2", folder.parent / f".{folder.name}-moved")
    os.symlink(folder.parent / f".{folder.name}-moved", folder / "step-2")


def _become_file(folder: Path) -> None:
    os.rename(folder / "step-2/parallel-1", folder.parent / f".{folder.name}-moved")
    (folder / "step-2/parallel-1").write_text("")


def _earlier() -> RunBuilder:
    run = RunBuilder("earlier-request-half-written")
    bound(run, "1/1", request="{")
    choice(run, "2/1")
    bound(run, "2/2", request=None)
    return run


def _unread(
    name: str,
    about: str,
    because: str,
    skipped: tuple[Skip, ...],
    branches: Mapping[str, Expect],
    *,
    finish: Callable[[Path], None] | None = None,
    row_groups: tuple[Group, ...] = (),
    **later: Any,
) -> Recipe:
    return Recipe(
        name,
        about,
        lambda: _choice_and_later(name, **later),
        {
            "1/1": for_a_person(
                CHOICE, offered=IDS, highest=("table",), refusal=400, because=because
            ),
            **branches,
        },
        skipped=skipped,
        finish=finish,
        row_groups=row_groups,
    )


RECIPES = (
    _unread(
        "later-request-half-written",
        "A later request that is half-written may resume the choice: it is not decided on.",
        f"It may have been resumed: {_REQUEST}: it is not JSON",
        (Skip(_REQUEST, "not JSON"),),
        {"2/1": done()},
        request='{"operatorId": "architecture.dec',
    ),
    _unread(
        "later-resume-of-no-form",
        "A later request whose resume cannot be read may resume the choice.",
        f"It may have been resumed: {_REQUEST}: resume: expected",
        (),
        {
            "2/1": done(
                group=Group.VIOLATION,
                violations=(f"RESUME_BROKEN {_REQUEST}",),
            )
        },
        request={"resume": "1/1"},
    ),
    _unread(
        "later-step-is-a-link",
        "A later step that is a link is not followed, and may hold the resume.",
        "It may have been resumed: step-2: a link",
        (Skip("step-2", "a link"),),
        {},
        finish=_become_link,
        row_groups=(Group.PERSON,),
    ),
    _unread(
        "later-branch-is-a-file",
        "A later branch that is no folder may have been the resume.",
        "It may have been resumed: step-2/parallel-1: not a folder",
        (Skip("step-2/parallel-1", "not a folder"),),
        {},
        finish=_become_file,
        row_groups=(Group.PERSON,),
    ),
    Recipe(
        "later-request-half-written-and-known",
        "Where state.json says what the later attempt resumes, its request need not.",
        lambda: _choice_and_later(
            "later-request-half-written-and-known",
            state={"resumes": {"2/1": {"resumes": "9/9", "stop": CHOICE}}},
            request="{",
        ),
        {
            "1/1": a_choice(CHOICE, offered=IDS, totals=TOTALS, highest=("table",)),
            "2/1": done(
                group=Group.VIOLATION,
                violations=("RESUME_BROKEN state.json",),
            ),
        },
        skipped=(Skip(_REQUEST, "not JSON"),),
    ),
    Recipe(
        "earlier-request-half-written",
        "An earlier request, or one of the same step, cannot resume the choice.",
        _earlier,
        {
            "1/1": done(),
            "2/1": a_choice(CHOICE, offered=IDS, totals=TOTALS, highest=("table",)),
            "2/2": done(),
        },
        skipped=(Skip("step-1/parallel-1/request/request.json", "not JSON", needs_more=True),),
    ),
)
