"""`stopview history`: fallbacks taken and decisions made, newest first."""

from __future__ import annotations

from pathlib import Path

import click

from stopview_core.alternatives import number
from stopview_core.history import (
    History,
    HistoryFilter,
    HistoryRecord,
    build_history,
    run_records,
)
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
    warn,
    warn_of_faults,
)


@click.command("history")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@click.option("--code", help="Only this stop code.")
@click.option("--operator", help="Only this operator.")
@click.option("--since", metavar="D", help="From this date or time on (ISO 8601).")
@click.option("--until", metavar="D", help="Before this date or time (ISO 8601).")
@click.option("--violations", is_flag=True, help="Only records that break a rule.")
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
        since=parse_when(since) if since else None,
        until=parse_when(until) if until else None,
        only_violations=violations,
    )
    roots = roots_of(paths)
    loaded = load_registry(roots[0], registry_root, lang)
    snapshot = scan(roots, loaded.registry, "history")
    records = [record for run in snapshot.runs.values() for record in run_records(run)]
    history = build_history(records, asked)
    warn_of_faults(loaded)
    if history.hidden_bypassed:
        warn(f"{history.hidden_bypassed} record(s) with APPROVAL_BYPASSED are hidden by the filter")
    if as_json:
        print_document(history_document(history, snapshot, loaded.registry, loaded.choice))
        return
    _print(history)
    for item in snapshot.all_skipped():
        warn(f"not read: {item.path}: {item.why}")


_COLUMNS = (
    "WHEN",
    "RUN",
    "BRANCH",
    "CODE",
    "BY",
    "HOW",
    "SELECTED",
    "OVER",
    "WHAT WAS DONE",
    "FLAGS",
)


def _print(history: History) -> None:
    from stopview_tui.cli.tables import print_table

    if history.records:
        print_table(
            _COLUMNS,
            [_cells(record) for record in history.records],
        )
        print_table(("COUNT", "CODE"), [(str(n), c) for c, n in history.by_code.items()])
    hidden = f", {history.hidden} hidden by the filter" if history.hidden else ""
    say(f"{len(history.records)} records{hidden}")


def _cells(record: HistoryRecord) -> tuple[str, ...]:
    taken = record.decision or record.fallback
    offers = taken.offers if taken else ()
    leading = (taken.highest_total if taken else None) or ()
    weighed = {offer.id: offer for offer in offers}

    def shown(identifier: str) -> str:
        offer = weighed.get(identifier)
        total = offer.total if offer else None
        told = [] if total is None else [str(number(total))]
        told += ["highest"] if identifier in leading else []
        return f"{identifier} ({', '.join(told)})" if told else identifier

    selected = shown(record.selected) if record.selected else ""
    if record.decision is not None and record.selected is None:
        selected = "none of these"
    action = record.fallback.action if record.fallback else None
    reason = record.decision.reason if record.decision else None
    return (
        record.at.at.strftime("%Y-%m-%d %H:%M") if record.at else "?",
        record.run_id,
        record.branch,
        record.code,
        record.decision.by if record.decision else "policy",
        (record.decision.via if record.decision else None) or "",
        selected,
        ", ".join(shown(offer.id) for offer in offers if offer.id != record.selected),
        action or reason or "",
        " ".join(violation.code for violation in record.violations),
    )
