"""The document of `stopview list`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stopview_core.board import Filter, Row, build_board, run_rows
from stopview_core.readings import BranchReading, RunReading
from stopview_core.registry.load import RegistryChoice
from stopview_core.registry.model import Registry
from stopview_core.report.plain import branch_values, path_values, registry_values, skipped_values
from stopview_core.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class ListAsked:
    """What `list` was asked for: a filter, every branch or only those that matter."""

    filter: Filter
    every_branch: bool = False
    only_decidable: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """The branches listed, in order, and how many the filters hide."""

    branches: tuple[BranchReading, ...]
    hidden: int
    hidden_bypassed: int


def list_branches(runs: Sequence[RunReading], asked: ListAsked) -> Listing:
    """Open blocked branches and those with violations, needs-you first, oldest wait first.

    With `every_branch` all others follow, by run and place.
    """
    rows = [row for run in runs for row in run_rows(run) if row.branch is not None]
    board = build_board(rows, asked.filter)
    shown = [row.branch for row in board.rows if row.branch is not None]
    hidden, hidden_bypassed = board.hidden, board.hidden_bypassed
    if asked.every_branch:
        others = _others(runs, rows)
        admitted = [b for b in others if asked.filter.admits(_as_row(b))]
        hidden += len(others) - len(admitted)
        shown += admitted
    if asked.only_decidable:
        kept = [b for b in shown if b.decidability.is_decidable]
        hidden += len(shown) - len(kept)
        hidden_bypassed += sum(b.is_bypassed for b in shown) - sum(b.is_bypassed for b in kept)
        shown = kept
    return Listing(tuple(shown), hidden, hidden_bypassed)


def list_document(
    snapshot: Snapshot, listing: Listing, registry: Registry, choice: RegistryChoice
) -> dict[str, Any]:
    """`stopview.list/1`, of the shape of `ListDocument`."""
    runs = list(snapshot.runs.values())
    return {
        "schema": "stopview.list/1",
        "registry": registry_values(registry, choice),
        "counts": _counts(runs, listing),
        "branches": [
            {**branch_values(branch), "alternatives": list(branch.offered)}
            for branch in listing.branches
        ],
        "notices": [
            {**path_values(run.path), "text": run.notice} for run in runs if run.notice is not None
        ],
        "skipped": skipped_values(snapshot.all_skipped()),
    }


def _counts(runs: Sequence[RunReading], listing: Listing) -> dict[str, int]:
    told = [
        branch
        for run in runs
        if not run.is_quiet
        for branch in run.branches.values()
        if not branch.is_import
    ]
    return {
        "runs": len(runs),
        "branches": len(told) + sum(len(run.branches) for run in runs if run.is_quiet),
        "open": sum(branch.is_open for branch in told),
        "listed": len(listing.branches),
        "needs_choice": sum(_needs_choice(branch) for branch in told),
        "bypassed": sum(branch.is_bypassed for branch in told),
        "hidden": listing.hidden,
        "hidden_bypassed": listing.hidden_bypassed,
    }


def _needs_choice(branch: BranchReading) -> bool:
    return branch.decidability.is_decidable and branch.decision.status != "in_force"


def _others(runs: Sequence[RunReading], rows: Sequence[Row]) -> list[BranchReading]:
    listed = {row.identity for row in rows}
    return [
        branch
        for run in runs
        for branch in run.branches.values()
        if not branch.is_import and (os.fspath(run.path), branch.key) not in listed
    ]


def _as_row(branch: BranchReading) -> Row:
    from stopview_core.board import Group

    identity = (os.fspath(branch.run_path), branch.key)
    return Row(identity, Group.VIOLATION, branch.run_id, branch.run_path, branch, None, None)
