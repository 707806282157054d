"""Since when a branch waits, under which folder, and for whom (contracts 1.4, 1.5)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from corpus.parts import (
    ARCHITECTURE,
    BIND,
    BUSINESS,
    CHOICE,
    IDS,
    PLATFORM,
    bound,
    choice,
    date,
)
from corpus.recipe import (
    Expect,
    Recipe,
    Skip,
    again,
    done,
    for_a_person,
    for_an_operator,
)
from stopview_core.board import Group
from stopview_core.demo import OMIT, RunBuilder


def _blocked_twice() -> RunBuilder:
    run = RunBuilder("blocked-twice")
    run.branch(
        "1/1",
        BIND,
        status="blocked",
        stop="SOURCE_DRIFT",
        at="2026-11-02T08:30:00Z",
        transitions=[
            {"at": "2026-11-02T08:05:00Z", "branch": "1/1", "event": "dispatched"},
            {"at": "2026-11-02T09:30:00+01:00", "branch": "1/1", "event": "blocked"},
            {"at": "2026-11-02T08:40:00Z", "branch": "1/1", "event": "blocked"},
            {"at": "yesterday", "branch": "1/1", "event": "blocked"},
        ],
    )
    run.branch(
        "1/2",
        BIND,
        status="blocked",
        stop="SOURCE_DRIFT",
        at="2026-11-02T08:50:00Z",
        transitions=[{"at": "2026-11-02T08:59", "branch": "1/2", "event": "blocked"}],
    )
    return run


def _times_beyond() -> RunBuilder:
    run = RunBuilder("times-beyond")
    run.branch(
        "1/1",
        BIND,
        status="blocked",
        stop="SOURCE_DRIFT",
        at="2026-11-02T08:30:00Z",
        transitions=[
            {"at": "0001-01-01T00:00:00+23:59", "branch": "1/1", "event": "blocked"},
            {"at": "9999-12-31T23:59:59-23:59", "branch": "1/1", "event": "blocked"},
        ],
    )
    return run


def _strange_folders() -> RunBuilder:
    run = RunBuilder("strange-folders")
    bound(run)
    bound(run, "12/3")
    run.file("step-x/parallel-1/response/response.json", {"status": "blocked"})
    run.file("step-2/parallel-01/response/response.json", {"status": "blocked"})
    run.file("step-3", "a file\n")
    run.file("notes/step-1/parallel-1/response/response.json", {"status": "blocked"})
    return run


def _link_folders(folder: Path) -> None:
    (folder / "step-4").symlink_to(folder / "step-1")
    (folder / "step-1" / "parallel-2").symlink_to(folder / "step-1" / "parallel-1")


def _substituted() -> RunBuilder:
    run = RunBuilder("substituted", state={"substitutions": {"1/1": "DISK_TIRED", "1/2": "OTHER"}})
    run.branch("1/1", BIND, status="blocked", stop="UNKNOWN_STOP")
    run.branch("1/2", BIND, status="blocked", stop="OTHER")
    return run


def _operator_in_state() -> RunBuilder:
    run = RunBuilder("operator-in-state")
    run.branch(
        "1/1",
        BIND,
        status="blocked",
        stop="SOURCE_DRIFT",
        request={"operatorId": OMIT},
        response={"operatorId": OMIT},
    )
    run.branch("1/2", BUSINESS, response={"operatorId": OMIT})
    return run


def _forged_mtime(folder: Path) -> None:
    response = folder / "step-1" / "parallel-1" / "response" / "response.json"
    date(response, 0)


def _read_by_nobody(folder: Path) -> None:
    shutil.rmtree(folder / "step-1" / "parallel-1" / "response")
    os.mkfifo(folder / "step-1" / "parallel-1" / "response")


def _named(name: str, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    bound(run, **more)
    return run


def _every_route() -> RunBuilder:
    run = RunBuilder("every-route")
    run.branch("1/1", BIND, status="blocked", stop="SOURCE_DRIFT")
    run.branch("1/2", BUSINESS, status="blocked", stop="SOURCE_DRIFT")
    run.branch("1/3", BUSINESS, status="blocked", stop="INVALID_INPUT")
    run.branch("1/4", PLATFORM, status="blocked", stop="SERVICE_UNAVAILABLE")
    return run


def _chain_route() -> RunBuilder:
    run = RunBuilder("a-chain-route")
    run.branch(
        "1/1",
        ARCHITECTURE,
        status="blocked",
        stop="BUSINESS_AUTHORITY_REQUIRED",
        next=[BUSINESS],
    )
    return run


def _faulty_registry() -> RunBuilder:
    run = RunBuilder("a-faulty-registry")
    choice(run, "1/1", next=["user"])
    run.branch("1/2", BIND, status="blocked", stop="SOURCE_DRIFT", next=["git.publish"])
    run.branch("1/3", BUSINESS, status="blocked", stop="SOURCE_DRIFT")
    return run


RECIPES = (
    Recipe(
        "blocked-twice",
        "A branch waits since its latest blocked transition with a time, else since response.json.",
        _blocked_twice,
        {
            "1/1": again("SOURCE_DRIFT", blocked_at="2026-11-02T08:40:00Z transition"),
            "1/2": again("SOURCE_DRIFT", blocked_at="2026-11-02T08:50:00Z mtime"),
        },
    ),
    Recipe(
        "times-beyond",
        "Times that no clock has are no times.",
        _times_beyond,
        {"1/1": again("SOURCE_DRIFT", blocked_at="2026-11-02T08:30:00Z mtime")},
    ),
    Recipe(
        "no-time-at-all",
        "A response dated 1970 waits since then.",
        lambda: _named("no-time-at-all", status="blocked", stop="SOURCE_DRIFT", transitions=[]),
        {"1/1": again("SOURCE_DRIFT", blocked_at="1970-01-01T00:00:00Z mtime")},
        finish=_forged_mtime,
    ),
    Recipe(
        "strange-folders",
        "Folders that are no step or branch are named, links are not followed.",
        _strange_folders,
        {"1/1": done(), "12/3": done()},
        skipped=(
            Skip("strange-folders/step-x", "not step- with a number"),
            Skip("step-2/parallel-01", "not parallel- with a number"),
            Skip("strange-folders/step-3", "not a folder"),
            Skip("strange-folders/step-4", "a link"),
            Skip("step-1/parallel-2", "a link"),
        ),
        finish=_link_folders,
        row_groups=(Group.PERSON,) * 3,
    ),
    Recipe(
        "substituted",
        "A code that the runtime read as UNKNOWN_STOP is shown as it was written.",
        _substituted,
        {
            "1/1": for_a_person("UNKNOWN_STOP", written="DISK_TIRED"),
            "1/2": for_a_person("UNKNOWN_STOP", written="OTHER", violations=("STOP_UNLISTED",)),
        },
    ),
    Recipe(
        "operator-in-state",
        "The operator is the response's, else the request's, else that of state.json.",
        _operator_in_state,
        {"1/1": again("SOURCE_DRIFT", operator=BIND), "1/2": done(operator=BUSINESS)},
    ),
    Recipe(
        "response-is-a-pipe",
        "A pipe in place of the response folder is said, and opens nothing.",
        lambda: _named("response-is-a-pipe"),
        {"1/1": Expect("unreadable", group=Group.PERSON, refusal=400)},
        skipped=(Skip("step-1/parallel-1/response", "not a folder"),),
        finish=_read_by_nobody,
    ),
    Recipe(
        "every-route",
        "Each kind of route leads to its group.",
        lambda: _every_route(),
        {
            "1/1": again("SOURCE_DRIFT"),
            "1/2": for_an_operator("SOURCE_DRIFT", BIND),
            "1/3": for_a_person("INVALID_INPUT", because="asks for something else than a pick"),
            "1/4": Expect(
                "blocked",
                code="SERVICE_UNAVAILABLE",
                route="external",
                group=Group.OUTSIDE,
                refusal=412,
            ),
        },
    ),
    Recipe(
        "a-chain-route",
        "A route of kind chain is read and shown.",
        lambda: _chain_route(),
        {
            "1/1": Expect(
                "blocked",
                code="BUSINESS_AUTHORITY_REQUIRED",
                route=f"chain {BUSINESS}",
                group=Group.OPERATOR,
            )
        },
        registry="patched",
    ),
    Recipe(
        "a-faulty-registry",
        "What a registry fault touches goes to a person and is not decided.",
        lambda: _faulty_registry(),
        {
            "1/1": Expect(
                "blocked",
                code=CHOICE,
                route="user",
                group=Group.PERSON,
                refusal=412,
                because="registry is faulty",
                offered=IDS,
                highest=("table",),
            ),
            "1/2": Expect(
                "blocked",
                code="SOURCE_DRIFT",
                route="unrouted",
                group=Group.PERSON,
                refusal=412,
            ),
            "1/3": for_an_operator("SOURCE_DRIFT", BIND),
        },
        registry="faulty",
    ),
)
