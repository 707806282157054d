"""Runs whose files are damaged: what is read of them, and two whole ones to break file by file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from corpus.parts import (
    BUSINESS,
    CHOICE,
    FRONTEND,
    IDS,
    TOOK_THE_BEST,
    bound,
    choice,
    report,
    table,
)
from corpus.receipts import decide, packet, put
from corpus.recipe import Expect, Recipe, Skip, done, for_a_person
from stopview_core.board import Group
from stopview_core.demo import Exchange, RunBuilder

_OFFER: dict[str, Any] = {"offered": IDS, "highest": ("table",)}
_REQUEST = "step-1/parallel-1/request/request.json"
_RESPONSE = "step-1/parallel-1/response/response.json"
_DOCUMENT = "step-1/parallel-1/response/response.md"
_NOT_KNOWN = "the request that says it cannot be read"


def whole() -> RunBuilder:
    """A sound run with a file of each kind: done, fallen back, with an exchange, open, resumed."""
    run = RunBuilder("whole", mission={"goal": "Orders survive the loss of a region."})
    bound(run)
    run.branch(
        "1/2",
        BUSINESS,
        files={
            "response.md": report(),
            "data/claims.json": {"claims": []},
            "data/model.json": {"states": ["placed", "paid"]},
        },
        branch_files={"notes/receipt.yaml": _receipt()},
    )
    choice(
        run,
        "2/1",
        policy="automatic",
        taken={CHOICE: TOOK_THE_BEST},
        selected="table",
        exchanges={"critique": Exchange(files={"critique.md": "# critique\n"})},
    )
    run.branch(
        "3/1",
        FRONTEND,
        status="blocked",
        stop="DIRECTION_CHOICE_REQUIRED",
        requirements={"target": "/cart", "selectionPolicy": "approval-required"},
        files={
            "response.md": report(
                table(
                    "Scores",
                    "Candidate | Viewport | Criterion | Score | Verdict",
                    "`rail` | wide | reach | 4 | pass",
                    "`tabs` | wide | reach | 5 | pass",
                )
            ),
            "data/coverage.json": {"regions": []},
            "artifacts/rail.html": "<p>rail</p>\n",
            "artifacts/tabs.html": "<p>tabs</p>\n",
        },
    )
    bound(run, "3/2", status="blocked", stop="SOURCE_DRIFT")
    bound(run, "4/1", resumes="3/2", requirements={"role": "be"})
    return run


def decided() -> RunBuilder:
    """A run with a choice that was decided twice, and a branch beside it."""
    run = RunBuilder("decided")
    choice(run, "1/1")
    bound(run, "1/2")
    return run


def decide_twice(folder: Path) -> None:
    """Decide the choice of `decided`, and change the decision."""
    decide(folder, "1/1", "queue")
    decide(folder, "1/1", "cache", seq=2, at="2026-11-02T12:30:00.000Z")


def _receipt() -> str:
    import yaml

    return yaml.safe_dump(packet(), sort_keys=False)


def _one(name: str, **more: Any) -> Callable[[], RunBuilder]:
    def build() -> RunBuilder:
        run = RunBuilder(name)
        choice(run, "1/1", **more)
        return run

    return build


def _fell_back_unasked() -> RunBuilder:
    run = RunBuilder("fell-back-unasked")
    choice(run, "1/1", policy="automatic", taken={CHOICE: TOOK_THE_BEST}, request="{")
    return run


def _other_files(folder: Path) -> None:
    """Pipes, links and folders where a runtime never puts them."""
    branch = folder / "step-1" / "parallel-1"
    os.mkfifo(branch / "response" / "artifacts-pipe")
    (branch / "loop").symlink_to(branch)
    (folder / "leases").mkdir()


def _linked_request(folder: Path) -> None:
    branch = folder / "step-1" / "parallel-1"
    shutil.move(branch / "request", folder / "elsewhere")
    (branch / "request").symlink_to(folder / "elsewhere")


def _hidden_receipts(folder: Path) -> None:
    branch = folder / "step-1" / "parallel-1"
    (branch / "a.yaml").symlink_to(branch / "b.yaml")
    os.mkfifo(branch / "c.yml")
    (branch / "d.yaml").write_text("protocol: SACP/0.1\nclaims: [")
    put(branch / "e.yaml", {"protocol": "SACP/0.2"})
    (branch / "f.yaml").write_text("- just\n- a list\n")


RECIPES = (
    Recipe(
        "request-cut",
        "Whether a choice was promised cannot be told without the request: a person looks.",
        _one("request-cut", request='{"operatorId": "architecture.dec'),
        {
            "1/1": for_a_person(CHOICE, refusal=400, because="request/request.json", **_OFFER),
        },
        skipped=(Skip(_REQUEST, "not JSON"),),
    ),
    Recipe(
        "request-gone",
        "A blocked branch without a request is for a person to look at.",
        _one("request-gone", request=None),
        {"1/1": for_a_person(CHOICE, refusal=400, because="is not there", **_OFFER)},
    ),
    Recipe(
        "request-linked",
        "A request behind a link is not read.",
        _one("request-linked"),
        {"1/1": for_a_person(CHOICE, refusal=400, **_OFFER)},
        skipped=(Skip("step-1/parallel-1/request", "a link"),),
        finish=_linked_request,
    ),
    Recipe(
        "fell-back-unasked",
        "Whether a fallback was allowed cannot be told without the request, so nothing is said.",
        _fell_back_unasked,
        {"1/1": done(fallbacks={CHOICE: None}, **_OFFER)},
        skipped=(Skip(_REQUEST, "not JSON"),),
    ),
    Recipe(
        "document-of-bytes",
        "A response.md that is no text is said, and nothing is decided beside it.",
        _one("document-of-bytes", files={"response.md": b"\xff\xfe## Alternatives"}),
        {"1/1": for_a_person(CHOICE, refusal=400, because="response.md", **_OFFER)},
        skipped=(Skip(_DOCUMENT, "not UTF-8"),),
    ),
    Recipe(
        "document-empty",
        "An empty response.md is said.",
        _one("document-empty", files={"response.md": b""}),
        {
            "1/1": Expect(
                "blocked", code=CHOICE, route="user", group=Group.CHOICE, decidable=True, **_OFFER
            )
        },
        skipped=(Skip(_DOCUMENT, "empty"),),
    ),
    Recipe(
        "response-not-an-object",
        "A response that is a list cannot be read.",
        _one("response-not-an-object", response="[]"),
        {
            "1/1": Expect(
                "unreadable",
                group=Group.PERSON,
                refusal=400,
                because="expected a JSON object",
                **_OFFER,
            )
        },
        skipped=(Skip(_RESPONSE, "expected a JSON object"),),
    ),
    Recipe(
        "response-of-surrogates",
        "Half a character cannot be read.",
        _one("response-of-surrogates", response='{"status": "blocked", "reason": "\\ud800"}'),
        {"1/1": Expect("unreadable", group=Group.PERSON, refusal=400, **_OFFER)},
        skipped=(Skip(_RESPONSE, "not JSON"),),
    ),
    Recipe(
        "response-too-deep",
        "Nesting without end cannot be read.",
        _one("response-too-deep", response="[" * 5000),
        {"1/1": Expect("unreadable", group=Group.PERSON, refusal=400, **_OFFER)},
        skipped=(Skip(_RESPONSE, "not JSON"),),
    ),
    Recipe(
        "other-files",
        "What nobody expects in a run is passed by, and links are named.",
        _one("other-files"),
        {
            "1/1": Expect(
                "blocked", code=CHOICE, route="user", group=Group.CHOICE, decidable=True, **_OFFER
            )
        },
        skipped=(Skip("step-1/parallel-1/loop", "a link"),),
        finish=_other_files,
    ),
    Recipe(
        "hidden-receipts",
        "Receipts that cannot be read are named; YAML of something else is not.",
        _one("hidden-receipts"),
        {
            "1/1": Expect(
                "blocked", code=CHOICE, route="user", group=Group.CHOICE, decidable=True, **_OFFER
            )
        },
        skipped=(
            Skip("parallel-1/a.yaml", "a link"),
            Skip("parallel-1/c.yml", "not a regular file", needs_more=True),
            Skip("parallel-1/d.yaml", "no receipt", needs_more=True),
        ),
        finish=_hidden_receipts,
    ),
)
