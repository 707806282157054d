"""`stopview history`: fallbacks taken and decisions made, newest first."""

from __future__ import annotations

from pathlib import Path

import click

from stopview_core.history import HistoryFilter, build_history, count_elsewhere, run_records
from stopview_core.report.history import history_document
from stopview_tui.cli.common import (
    json_option,
    load_registry,
    parse_when,
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


@click.command("history")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@click.option("--code", help="Only this stop code.")
@click.option("--operator", help="Only this operator.")
@click.option("--since", metavar="D", help="From this date or time on (ISO 8601).")
@click.option("--until", metavar="D", help="Before this date or time (ISO 8601).")
@click.option(
    "--violations",
    is_flag=True,
    help="Only records that break a rule (list has those of branches).",
)
@json_option
@registry_options
def command(
    paths: tuple[Path, ...],
    code: str | None,
    operator: str | None,
    since: str | None,
    until: str | None,
    violations: bool,
    as_json: bool,
    registry_root: Path | None,
    lang: str | None,
) -> None:
    """List what was decided without a person, and by one: newest first, with counts per code.

    \b
    stopview history runs/ --since 2026-11-01
    stopview history runs/ --violations --json
    """
    asked = HistoryFilter(
        code=code,
        operator=operator,
        since=None if since is None else parse_when(since),
        until=None if until is None else parse_when(until),
        only_violations=violations,
    )
    roots = roots_of(paths)
    loaded = load_registry(roots[0], registry_root, lang)
    snapshot = scan(roots, loaded.registry, "history")
    records = [record for run in snapshot.runs.values() for record in run_records(run)]
    history = build_history(records, asked)
    warn_of_faults(loaded)
    warn_of_strangers(loaded.registry, operator=operator, code=code)
    if history.hidden_bypassed:
        warn(f"{history.hidden_bypassed} record(s) with APPROVAL_BYPASSED are hidden by the filter")
    elsewhere = count_elsewhere(snapshot.runs.values()) if violations else 0
    if as_json:
        if elsewhere:
            warn(_elsewhere_words(elsewhere))
        print_document(history_document(history, snapshot, loaded.registry, loaded.choice))
        return
    from stopview_tui.cli.history_page import print_history

    print_history(history, unread_words(snapshot.all_skipped()))
    if elsewhere:
        say(_elsewhere_words(elsewhere))
    warn_of_skipped(snapshot.all_skipped())


def _elsewhere_words(count: int) -> str:
    what = "1 more violation is" if count == 1 else f"{count} more violations are"
    return f"{what} about no fallback and no decision: see `stopview list`"
