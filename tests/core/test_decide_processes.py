"""Deciding among processes: racing, through the command too, and killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from commit_seams import CheckThenRename, Seam, Unnamed
from deciding import child
from deciding.checks import receipt_faults
from deciding.runs import (
    APPROVAL,
    CHOICE,
    OPERATOR,
    ROOT,
    Site,
    actor,
    decidable_run,
    quick_folder,
    registry,
)
from deciding.tracing import CHILD, Approvers

from stopview_core.decide import Outcome, Pick, Wish, decide
from stopview_core.dossier import Dossier, open_branch

COMMAND = [sys.executable, "-s", "-c", "from stopview_tui.cli import main; main()"]
WRITERS = 8


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A run with something to decide; nothing but `decision/` may change in it."""
    made = Site(decidable_run().write(tmp_path))
    yield made
    made.check()


def try_once(site: Site, calls: Seam | None = None) -> Outcome:
    wish = Wish(Pick.of("outbox", "because"))
    return decide(site.run, APPROVAL, wish, registry(), actor(), calls=calls or Unnamed())


def receipt_of(site: Site, name: str = "0001.yaml") -> list[str]:
    """What is wrong with a receipt on disk."""
    return receipt_faults(
        site.receipts(APPROVAL)[name],
        where=f"step-1/parallel-1/decision/{name}",
        run_id="audit-trail",
        branch=APPROVAL,
        operator=OPERATOR,
        stop=CHOICE,
        before=None,
    )


# Races


def race_faults(site: Site, told: Sequence[dict[str, Any]], picks: Sequence[str]) -> list[str]:
    """What is wrong after several approvers decided the same branch at once, each its own way."""
    faults = []
    winners = [number for number, one in enumerate(told) if one["written"]]
    if len(winners) != 1:
        faults.append(f"{len(winners)} winners")
    if sorted(site.receipts(APPROVAL)) != ["0001.yaml"]:
        faults.append(f"the folder holds {sorted(site.receipts(APPROVAL))}")
        return faults
    faults += receipt_of(site)
    found = open_branch(site.run, APPROVAL, registry())
    assert isinstance(found, Dossier)
    decision = found.reading.decision
    if decision.by not in {child.approver(number) for number in winners}:
        faults.append(f"{decision.by} stands, and {winners} were told that they had won")
    says = f"{decision.by} selected `{decision.selected}` on {decision.at:%Y-%m-%d %H:%M:%S} UTC"
    for number, one in enumerate(told):
        if one["written"]:
            continue
        is_same = picks[number] == decision.selected
        if (one["code"], one["exit_code"]) != (409, 0 if is_same else 3):
            faults.append(f"{number} was told {one['code']} and exits {one['exit_code']}")
        if says not in one["message"] or not one["where"].endswith("decision/0001.yaml"):
            faults.append(f"{number} was told {one['message']!r}")
    return faults


def run_races(folder: Path, rounds: int) -> list[list[str]]:
    """The faults of each round that has some."""
    sites = [Site(decidable_run(folder=str(n)).write(folder)) for n in range(rounds)]
    command = [*CHILD, "race", str(WRITERS), *(str(site.run) for site in sites)]
    ran = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    lines = ran.stdout.splitlines()
    assert len(lines) == rounds
    picks = [child.pick(number) for number in range(WRITERS)]
    found = []
    for site, line in zip(sites, lines, strict=True):
        site.check()
        found.append(race_faults(site, json.loads(line), picks))
    return [faults for faults in found if faults]


def test_of_eight_approvers_one_wins_and_the_others_hear_who(tmp_path: Path) -> None:
    assert run_races(tmp_path, 20) == []


@pytest.mark.long
def test_of_eight_approvers_one_wins_in_200_races(tmp_path: Path) -> None:
    assert run_races(tmp_path, 200) == []


def test_two_winners_are_caught_by_the_check(site: Site) -> None:
    """Check-then-rename, told apart by the same check: both were told that they had won."""

    class Late(CheckThenRename):
        def between(self) -> None:
            told.append(_told(_decide_as(site, 1)))

    told: list[dict[str, Any]] = []
    first = _decide_as(site, 0, Late())
    told.insert(0, _told(first))
    assert "2 winners" in race_faults(site, told, [child.pick(0), child.pick(1)])


def _decide_as(site: Site, number: int, calls: Seam | None = None) -> Outcome:
    wish = Wish(Pick.of(child.pick(number), None))
    who = actor(child.approver(number))
    return decide(site.run, APPROVAL, wish, registry(), who, calls=calls or Unnamed())


def _told(outcome: Outcome) -> dict[str, Any]:
    told = {"code": outcome.status_code, "exit_code": outcome.exit_code}
    return {
        **told,
        "written": outcome.is_written,
        "message": outcome.message,
        "where": outcome.where,
    }


def run_commands(folder: Path, rounds: int, writers: int) -> list[list[str]]:
    """The same race between `stopview decide` commands."""
    found = []
    environment = {**os.environ, "STOPVIEW_REGISTRY": str(ROOT), "NO_COLOR": "1"}
    for number in range(rounds):
        site = Site(decidable_run(folder=str(number)).write(folder))
        picks = [child.pick(writer) for writer in range(writers)]
        running = [
            subprocess.Popen(
                [
                    *[*COMMAND, "decide", str(site.run), APPROVAL, "--select", chosen],
                    *["--approver", child.approver(writer), "--json"],
                ],
                stdout=subprocess.PIPE,
                env=environment,
            )
            for writer, chosen in enumerate(picks)
        ]
        told = []
        for process in running:
            document = json.loads(process.communicate()[0])
            told.append(
                {
                    "code": document["status_code"],
                    "exit_code": process.returncode,
                    "written": document["written"],
                    "message": document["message"],
                    "where": document["path"],
                }
            )
        site.check()
        found.append(race_faults(site, told, picks))
    return [faults for faults in found if faults]


def test_of_racing_commands_one_wins_and_the_others_hear_who(tmp_path: Path) -> None:
    assert run_commands(tmp_path, rounds=2, writers=4) == []


@pytest.mark.long
def test_of_racing_commands_one_wins_in_20_races(tmp_path: Path) -> None:
    assert run_commands(tmp_path, rounds=20, writers=8) == []


# SIGKILL


@pytest.fixture
def approvers(tmp_path: Path) -> Iterator[Approvers]:
    if shutil.which("strace") is None:
        _cannot_kill("strace is not installed")
    made = Approvers(tmp_path / "strace.log")
    try:
        made.run(decidable_run(folder="trial").write(tmp_path))
    except PermissionError as error:
        made.close()
        _cannot_kill(str(error))
    yield made
    made.close()


def _cannot_kill(why: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(f"approvers cannot be killed at their system calls: {why}")
    pytest.skip(why)


def kill_faults(site: Site) -> list[str]:
    """What is wrong after an approver was killed: what is left, and the decision after it."""
    site.check()
    names = sorted(site.receipts(APPROVAL))
    if names not in ([], ["0001.yaml"]):
        return [f"left: {names}"]
    faults = receipt_of(site) if names else []
    outcome = try_once(site)
    expected = (409, False) if names else (301, True)
    if (outcome.status_code, outcome.is_written) != expected:
        faults.append(f"the next decision: {outcome.message}")
    return faults


def killed_at(
    approvers: Approvers, folder: Path, is_wanted: Callable[[str, int], bool]
) -> list[int]:
    """Kill an approver at each wanted system call; how often nothing and how often all was left."""
    first = Site(decidable_run(folder="whole").write(folder))
    status, calls = approvers.run(first.run)
    assert status == 0
    assert sorted(first.receipts(APPROVAL)) == ["0001.yaml"]
    told = sum(1 for _ in takewhile(lambda call: call in ("read", "restart_syscall"), calls))
    counts = [0, 0]
    for index, call in enumerate(calls):
        nth = calls[: index + 1].count(call)
        if index < told or (call == "read" and nth <= told + 1) or not is_wanted(call, nth):
            continue
        site = Site(decidable_run(folder=str(index)).write(folder))
        kill = f"inject={call}:signal=KILL:when={nth}"
        status, seen = approvers.run(site.run, "-e", f"trace={call}", "-e", kill)
        if os.WIFEXITED(status):
            assert seen.count(call) < nth, "a call fewer this time: nothing was killed"
            continue
        assert os.WTERMSIG(status) == signal.SIGKILL, f"{call} {nth}"
        counts[bool(site.receipts(APPROVAL))] += 1
        assert kill_faults(site) == [], f"{call} {nth}"
        shutil.rmtree(site.run)
    return counts


COMMITTING = (
    "mkdir",
    "mkdirat",
    "write",
    "fsync",
    "link",
    "linkat",
    "unlink",
    "unlinkat",
    "fchmod",
)


def test_an_approver_killed_leaves_nothing_or_a_whole_receipt(approvers: Approvers) -> None:
    """At every call that changes something, and at some of those that only read."""

    def is_wanted(call: str, nth: int) -> bool:
        return call in COMMITTING or (call in ("openat", "open") and nth % 16 == 0)

    with quick_folder() as folder:
        nothing, whole = killed_at(approvers, folder, is_wanted)
    assert nothing >= 5
    assert whole >= 2


@pytest.mark.long
def test_an_approver_killed_at_any_call_leaves_nothing_or_a_whole_receipt(
    approvers: Approvers,
) -> None:
    with quick_folder() as folder:
        nothing, whole = killed_at(approvers, folder, lambda call, nth: True)
    assert nothing >= 50
    assert whole >= 20
