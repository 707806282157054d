"""`stopview list`: the blocked branches and those with violations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from stopview_core.scan_helpers import early_helpers
from stopview_tui.cli.common import (
    ago,
    json_option,
    load_registry,
    print_document,
    registry_options,
    roots_of,
    say,
    scan,
    unread_words,
    warn,
    warn_of_faults,
    warn_of_skipped,
    warn_of_strangers,
)

if TYPE_CHECKING:
    from stopview_core.readings import BranchReading
    from stopview_core.report.listing import Listing

ROUTES = ("user", "operator", "resume", "external", "chain")
"""The kinds of routes that there are (contracts 1.3)."""

ROUTES_AS_SHOWN = {"you": "user", "again": "resume", "outside": "external"}
"""What the column ROUTE calls some of them: whoever reads it there may write it here."""


@click.command("list")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@click.option("--all", "every_branch", is_flag=True, help="Every branch, blocked or not.")
@click.option("--code", help="Only branches with this stop or violation code.")
@click.option("--operator", help="Only branches of this operator.")
@click.option(
    "--route",
    type=click.Choice([*ROUTES, *ROUTES_AS_SHOWN]),
    help="Only branches that go this way; the words of the table mean the same.",
)
@click.option("--decidable", is_flag=True, help="Only branches that can be decided here.")
@json_option
@registry_options
def command(
    paths: tuple[Path, ...],
    every_branch: bool,
    code: str | None,
    operator: str | None,
    route: str | None,
    decidable: bool,
    as_json: bool,
    registry_root: Path | None,
    lang: str | None,
) -> None:
    """List open blocked branches and branches with violations below each PATH.

    The files of branches that are done are not all opened for it; `stopview history --violations`
    opens them, and names what is wrong with each fallback and decision.

    \b
    stopview list runs/
    stopview list runs/ --decidable --json
    """
    roots = roots_of(paths)
    with early_helpers(roots, keeps_stamps=False) as early:
        from stopview_core.board import Filter
        from stopview_core.readings import ViolationCode
        from stopview_core.report.listing import ListAsked, list_branches, list_document

        loaded = load_registry(roots[0], registry_root, lang)
        snapshot = scan(roots, loaded.registry, early=early)
    kind = ROUTES_AS_SHOWN.get(route, route) if route is not None else None
    asked = ListAsked(Filter("", code, operator, kind), every_branch, decidable)
    listing = list_branches(list(snapshot.runs.values()), asked)
    warn_of_faults(loaded)
    warn_of_strangers(
        loaded.registry, operator=operator, code=code, other_codes=get_args(ViolationCode)
    )
    if listing.hidden_bypassed:
        warn(
            f"{listing.hidden_bypassed} branch(es) with APPROVAL_BYPASSED are hidden by the filter"
        )
    if as_json:
        print_document(list_document(snapshot, listing, loaded.registry, loaded.choice))
        return
    _print(listing, len(snapshot.runs), unread_words(snapshot.all_skipped()))
    for run in snapshot.runs.values():
        if run.notice:
            warn(f"{run.path}: {run.notice}")
    warn_of_skipped(snapshot.all_skipped())


def _print(listing: Listing, runs: int, unread: str) -> None:
    from stopview_tui.cli.tables import print_table
    from stopview_tui.words import count_of

    names = _run_names(listing.branches)
    if listing.branches:
        print_table(
            ("GROUP", "WAIT", "RUN", "BRANCH", "OPERATOR", "CODE", "ROUTE", "OFFERED", "FLAGS"),
            [_cells(branch, names) for branch in listing.branches],
            whole=("WAIT", "RUN", "BRANCH", "CODE"),
            droppable=("OPERATOR", "GROUP", "OFFERED", "ROUTE"),
        )
    for branch in listing.branches:
        if branch.is_bypassed:
            told = next(v.text for v in branch.violations if v.code == "APPROVAL_BYPASSED")
            say(f"! {names[branch.run_path]} {branch.key}: {told}")
    hidden = f", {listing.hidden} hidden by the filter" if listing.hidden else ""
    say(f"{len(listing.branches)} listed in {count_of(runs, 'run')}{hidden}{unread}")


def _run_names(branches: Iterable[BranchReading]) -> dict[Path, str]:
    """What to call each run: its id, and its path too where another run has the same id."""
    ids = {branch.run_path: branch.run_id for branch in branches}
    counts = Counter(ids.values())
    return {
        path: run_id if counts[run_id] == 1 else f"{run_id} in {path}"
        for path, run_id in ids.items()
    }


def _cells(branch: BranchReading, names: Mapping[Path, str]) -> tuple[str, ...]:
    from stopview_core.board import group_of
    from stopview_tui.words import decision_words, offered_words, route_words

    resolution = branch.resolution
    waits = branch.is_open and branch.blocked_at is not None
    group = group_of(branch)
    flags = [decision_words(branch.decision), *(v.code for v in branch.violations)]
    return (
        group.value if group else "",
        ago(branch.blocked_at.at) if waits and branch.blocked_at else "",
        names[branch.run_path],
        branch.key,
        branch.operator or "?",
        resolution.code if resolution else branch.status,
        route_words(resolution.route) if resolution else "",
        offered_words(branch),
        " ".join(flag for flag in flags if flag),
    )
