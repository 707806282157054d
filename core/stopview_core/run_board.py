"""Decides which runs the Runs mode shows, in which order, and what filters hide."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from stopview_core.board import Filter
from stopview_core.readings import BranchReading, RunReading
from stopview_core.records import Skipped, branch_key

_EVERYTHING = Filter()


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run in short. `steps` counts the steps of its chain and of its folders.

    `blocked_since` is when the branch that waits longest stopped, `choices` how many of its
    branches can be decided and have no selection in force, `violations` how many it has.
    `unreadable` says why state.json could not be read, where it could not.
    """

    run: RunReading
    steps: int
    open_branches: int
    choices: int
    blocked_since: datetime | None
    violations: int
    is_bypassed: bool
    unreadable: Skipped | None

    @property
    def identity(self) -> str:
        """Names it over rescans: the run's folder. Ids repeat in real life."""
        return str(self.run.path)

    @property
    def path(self) -> Path:
        """The run's folder."""
        return self.run.path


@dataclass(frozen=True, slots=True)
class RunBoard:
    """The runs shown, how many a filter hides, and how many hidden ones bypassed an approval."""

    rows: tuple[RunRow, ...]
    hidden: int
    hidden_bypassed: int


def run_row(run: RunReading) -> RunRow:
    """The run in short. A branch that was imported is another run's and counts for nothing."""
    told = () if run.is_quiet else run.branches.values()
    own = [branch for branch in told if not branch.is_import]
    waiting = [branch for branch in own if branch.is_open]
    state = f"{run.path}/state.json"
    return RunRow(
        run=run,
        steps=len(_steps(run)),
        open_branches=len(waiting),
        choices=sum(_needs_choice(branch) for branch in waiting),
        blocked_since=min((b.blocked_at.at for b in waiting if b.blocked_at), default=None),
        violations=sum(len(branch.violations) for branch in own),
        is_bypassed=any(branch.is_bypassed for branch in own),
        unreadable=next((s for s in run.skipped if s.path == state and not s.is_partial), None),
    )


def build_run_board(rows: Iterable[RunRow], filter: Filter = _EVERYTHING) -> RunBoard:
    """The runs in order, those filtered out counted."""
    shown, hidden, bypassed = [], 0, 0
    for row in rows:
        if admits_run(filter, row):
            shown.append(row)
        else:
            hidden += 1
            bypassed += row.is_bypassed
    shown.sort(key=run_order)
    return RunBoard(tuple(shown), hidden, bypassed)


def run_order(row: RunRow) -> tuple[float, str]:
    """The sort key of runs: what changed last first, those without a time at the end."""
    changed = row.run.changed_at
    return (-changed.at.timestamp() if changed else float("inf"), row.identity)


def admits_run(filter: Filter, row: RunRow) -> bool:
    """Whether the run is shown: it has every word, and one branch with code, operator and route."""
    if filter.is_empty:
        return True
    wants_branch = filter.code or filter.operator or filter.route
    if wants_branch and not any(_is_wanted(filter, one) for one in row.run.branches.values()):
        return False
    words = filter.text.lower().split()
    return not words or all(word in _search_text(row) for word in words)


def codes_of(branch: BranchReading) -> set[str]:
    """Every code that a branch is found by: its stop, its fallbacks and its violations."""
    codes: set[str] = {violation.code for violation in branch.violations}
    codes.update(taken.code for taken in branch.fallbacks)
    if branch.resolution is not None:
        codes |= {branch.resolution.code, branch.resolution.written_code}
    return codes


def _is_wanted(filter: Filter, branch: BranchReading) -> bool:
    if filter.code is not None and filter.code not in codes_of(branch):
        return False
    if filter.operator is not None and branch.operator != filter.operator:
        return False
    route = branch.resolution.route.kind if branch.resolution else None
    return filter.route is None or route == filter.route


def _needs_choice(branch: BranchReading) -> bool:
    is_answered = branch.decision.status in ("in_force", "answered")
    return branch.decidability.is_decidable and not is_answered


def _steps(run: RunReading) -> set[int]:
    keys = [*run.branches, *(key for step in run.chain for key in step)]
    return {found[0] for key in keys if (found := branch_key(key)) is not None}


def _search_text(row: RunRow) -> str:
    run = row.run
    parts = [run.id, str(run.path), run.project or "", run.goal or "", run.status or ""]
    for branch in run.branches.values():
        parts += [branch.operator or "", branch.status, branch.reason or "", *codes_of(branch)]
    if row.unreadable is not None:
        parts.append(row.unreadable.why)
    return "\n".join(parts).lower()
