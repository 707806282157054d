"""Exchanges and imports: what lies in a branch and is not its own (contracts 1.5)."""

from __future__ import annotations

from typing import Any

from corpus.parts import (
    ARCHITECTURE,
    BUSINESS,
    CHOICE,
    IDS,
    TOTALS,
    bound,
    choice,
)
from corpus.recipe import (
    Expect,
    Recipe,
    Skip,
    a_choice,
    done,
    imported,
)
from stopview_core.board import Group
from stopview_core.demo import OMIT, Exchange, RunBuilder

_THE_CHOICE: dict[str, Any] = {
    "offered": IDS,
    "totals": TOTALS,
    "highest": ("table",),
    "flipped_by": "selectionPolicy",
}


def _waits_for_an_exchange() -> RunBuilder:
    run = RunBuilder("waits-for-an-exchange")
    run.branch(
        "1/1",
        ARCHITECTURE,
        status="waiting",
        awaiting={"exchange": "critique", "kind": "independent-critique"},
        exchanges={"critique": Exchange(status="running", response=None)},
    )
    return run


def _exchanges() -> RunBuilder:
    run = RunBuilder("exchanges")
    choice(
        run,
        "1/1",
        exchanges={
            "critique": Exchange(files={"critique.md": "# critique\n"}),
            "review": Exchange(status="blocked", stop="EVIDENCE_MISSING", reason="no log"),
            "second-look": Exchange(status="blocked", stop=CHOICE),
        },
        branch_files={"notes/todo.md": "not an exchange\n"},
    )
    return run


def _blocked_exchange_of_a_done_branch() -> RunBuilder:
    run = RunBuilder("blocked-exchange-of-a-done-branch")
    choice(
        run,
        "1/1",
        status="done",
        policy="automatic",
        exchanges={"critique": Exchange(status="blocked", stop="CRITIQUE_UNRESOLVED")},
    )
    return run


def _faulty_exchanges() -> RunBuilder:
    run = RunBuilder("faulty-exchanges")
    choice(
        run,
        "1/1",
        status="done",
        designs=(),
        exchanges={
            "critique": Exchange(status="blocked"),
            "review": Exchange(stop="MADE_UP"),
            "taken": Exchange(response={"fallbacks": [CHOICE]}),
        },
    )
    return run


def _exchange_of_another() -> RunBuilder:
    """Only its request says whose it is."""
    run = RunBuilder("exchange-of-another")
    bound(
        run,
        exchanges={
            "critique": Exchange(
                status="blocked",
                stop="CRITIQUE_UNRESOLVED",
                request={"operatorId": ARCHITECTURE},
                response={"operatorId": OMIT},
            )
        },
    )
    return run


def _damaged_exchange() -> RunBuilder:
    run = RunBuilder("damaged-exchange")
    bound(run, exchanges={"critique": Exchange(response='{"status": "blo')})
    return run


def _import_slot() -> RunBuilder:
    run = RunBuilder("import-slot")
    choice(
        run,
        "1/1",
        branch_files={"import.json": {"run": "another-run", "branch": "4/1"}},
        request={"sessionId": "another-run", "step": 4, "operatorId": BUSINESS},
    )
    choice(run, "2/1")
    return run


def _broken_import() -> RunBuilder:
    run = RunBuilder("broken-import")
    bound(run, branch_files={"import.json": "{"}, response="{")
    bound(run, "2/1")
    return run


RECIPES = (
    Recipe(
        "waits-for-an-exchange",
        "A branch that waits for an exchange waits for nobody else.",
        _waits_for_an_exchange,
        {"1/1": Expect("waiting", exchanges={"1/1/critique": "running"})},
    ),
    Recipe(
        "exchanges",
        "Exchanges are shown with their branch, judged by its requirements and never decided.",
        _exchanges,
        {
            "1/1": a_choice(
                CHOICE,
                **_THE_CHOICE,
                exchanges={
                    "1/1/critique": "done",
                    "1/1/review": "blocked EVIDENCE_MISSING resume",
                    "1/1/second-look": f"blocked {CHOICE} user",
                },
            )
        },
    ),
    Recipe(
        "blocked-exchange-of-a-done-branch",
        "A blocked exchange opens no branch.",
        _blocked_exchange_of_a_done_branch,
        {
            "1/1": done(
                offered=IDS,
                highest=("table",),
                exchanges={"1/1/critique": "blocked CRITIQUE_UNRESOLVED resume"},
            )
        },
    ),
    Recipe(
        "faulty-exchanges",
        "What is wrong in an exchange is said at its branch.",
        _faulty_exchanges,
        {
            "1/1": done(
                group=Group.BYPASSED,
                violations=(
                    "APPROVAL_BYPASSED step-1/parallel-1/taken/response/response.json",
                    "STOP_MISSING step-1/parallel-1/critique/response/response.json",
                    "STOP_UNEXPECTED step-1/parallel-1/review/response/response.json",
                    "STOP_UNLISTED step-1/parallel-1/review/response/response.json",
                ),
                fallbacks={CHOICE: None},
            )
        },
    ),
    Recipe(
        "exchange-of-another",
        "An exchange that its own response does not name is its request's operator's.",
        _exchange_of_another,
        {"1/1": done(exchanges={"1/1/critique": "blocked CRITIQUE_UNRESOLVED resume"})},
    ),
    Recipe(
        "damaged-exchange",
        "An exchange that cannot be read is said, and its branch is read all the same.",
        _damaged_exchange,
        {"1/1": done(exchanges={"1/1/critique": "unreadable"})},
        skipped=(Skip("step-1/parallel-1/critique/response/response.json", "not JSON"),),
    ),
    Recipe(
        "import-slot",
        "A slot with import.json is another run's evidence: shown, never listed, judged, decided.",
        _import_slot,
        {
            "1/1": imported(
                "blocked", refusal=204, because="imported", offered=IDS, highest=("table",)
            ),
            "2/1": a_choice(CHOICE, **_THE_CHOICE),
        },
    ),
    Recipe(
        "broken-import",
        "An import that cannot be read is not for anybody to look at.",
        _broken_import,
        {"1/1": imported("unreadable"), "2/1": done()},
        skipped=(Skip("step-1/parallel-1/response/response.json", "not JSON"),),
    ),
)
