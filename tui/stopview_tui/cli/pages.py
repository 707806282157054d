"""Prints a run or a branch as a page for people."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from stopview_core.readings import BranchReading, RunReading, Standing
from stopview_core.report.models import (
    AlternativeDoc,
    DecisionFileDoc,
    FallbackDoc,
    ReceiptDoc,
    ShowBranchDocument,
    ShownBranch,
    ShowRunDocument,
)
from stopview_tui.cli.common import say, warn
from stopview_tui.cli.tables import print_table, table_width


def print_run(document: ShowRunDocument, run: RunReading) -> None:
    """The run, then each branch in full."""
    say(f"{document.run}  {document.status or ''}".rstrip())
    say(document.path)
    for label, text in (("Goal", document.goal), ("Project", document.project)):
        if text:
            say(f"{label}: {text}")
    if document.notice:
        warn(document.notice)
    for branch in document.branches:
        say()
        _print_branch(branch, run.branches[branch.branch])
    _print_skipped(document)


def print_branch(document: ShowBranchDocument, reading: BranchReading) -> None:
    """One branch."""
    _print_branch(document, reading)
    if document.fingerprint:
        say(f"Fingerprint: {document.fingerprint}")
    _print_skipped(document)


def _print_skipped(document: ShowRunDocument | ShowBranchDocument) -> None:
    for item in document.skipped:
        warn(f"not read: {item.path}: {item.why}")


def _print_branch(branch: ShownBranch, reading: BranchReading) -> None:
    say(f"{branch.branch}  {branch.operator or '?'}  {branch.status}  {branch.code or ''}".rstrip())
    for violation in branch.violations:
        say(f"  ! {violation.code}: {violation.text} ({violation.where})")
    if branch.code is not None:
        _print_stop(branch)
    if branch.alternatives:
        _print_alternatives(branch)
    for record in branch.fallbacks:
        _print_fallback(record)
    standings = {made.seq: made.standing for made in reading.decisions}
    for decision in branch.decisions:
        _print_decision(decision, standings.get(decision.seq))
    for receipt in branch.receipts:
        _print_receipt(receipt)
    for exchange in branch.exchanges:
        code = f"  {exchange.code}" if exchange.code else ""
        say(f"  Exchange {exchange.branch}: {exchange.operator or '?'}  {exchange.status}{code}")
    if len(branch.lineage) > 1:
        say(f"  Attempts: {' -> '.join(branch.lineage)}")


def _print_stop(branch: ShownBranch) -> None:
    say(f"  What happened: {branch.meaning or 'the registry does not say'}")
    if branch.reason:
        say(f"  The agent says: {branch.reason}")
    for sentence in branch.why:
        say(f"  {sentence}")
    if branch.resume:
        say(f"  What you can do: {branch.resume}")
    if branch.not_decidable_because:
        say(f"  Not decided here: {branch.not_decidable_because}")
    if branch.blocked_at:
        say(f"  Blocked at {branch.blocked_at} (from the {branch.blocked_at_source})")


def _print_alternatives(branch: ShownBranch) -> None:
    axes = branch.axes or sorted({axis for a in branch.alternatives for axis in a.scores})
    highest = branch.highest_total or []
    blocks = {}
    if any(a.total is not None or any(a.scores.values()) for a in branch.alternatives):
        rows = [_alternative_cells(a, axes, highest) for a in branch.alternatives]
        columns = ("ALTERNATIVE", *axes, "TOTAL", "STATUS", "MARK")
        if len(rows) > _MOST_ROWS or table_width(columns, rows) > _WIDEST:
            blocks = {row[0]: dict(zip(columns, row, strict=True)) for row in rows}
        else:
            print_table(columns, rows, whole=("ALTERNATIVE", "TOTAL"), droppable=("STATUS", "MARK"))
        if any(a.total is not None for a in branch.alternatives):
            say("  The total is the sum over the axes; higher counts more in it.")
    for alternative in branch.alternatives:
        _print_words(alternative, blocks.get(alternative.id))
    if branch.uses_means:
        say("  Where several viewports were scored, the mean is shown and summed.")
    if branch.fallback:
        say(f"  What the fallback would do: {branch.fallback}")


_MOST_ROWS = 20
_WIDEST = 200
"""Columns of the terminal: a line that is longer, or a longer table, is read by nobody."""
_OWN_COLUMNS = ("TOTAL", "STATUS", "MARK")


def _alternative_cells(
    alternative: AlternativeDoc, axes: Sequence[str], highest: Sequence[str]
) -> tuple[str, ...]:
    mark = ""
    if alternative.id in highest:
        mark = "highest total" if len(highest) == 1 else "tied for the highest total"
    return (
        alternative.id,
        *(_number(alternative.scores.get(axis)) for axis in axes),
        "not ranked" if alternative.total is None else _number(alternative.total),
        alternative.status or "",
        mark,
    )


def _print_words(alternative: AlternativeDoc, row: Mapping[str, str] | None) -> None:
    """What is said of an alternative, each on a line of its own.

    `row` holds its cells by column, where it stands in no table.
    """
    can = "" if alternative.selectable else " (cannot be picked)"
    say(f"  {alternative.id}{can}{': ' if alternative.label else ''}{alternative.label or ''}")
    for name, cell in (row or {}).items():
        if cell and name != "ALTERNATIVE":
            say(f"    {name.lower() if name in _OWN_COLUMNS else name}: {cell}")
    for label, text in (
        ("trade-off", alternative.tradeoff),
        ("assessment", alternative.assessment),
        ("rejected because", alternative.rejected_because),
        ("artifacts", ", ".join(alternative.artifacts)),
    ):
        if text:
            say(f"    {label}: {text}")
    for note in alternative.notes:
        cells = "; ".join(f"{column}: {text}" for column, text in note.cells.items() if text)
        say(f"    {note.heading}: {cells}")


def _number(value: int | float | None) -> str:
    return "missing" if value is None else json.dumps(value)


def _print_fallback(record: FallbackDoc) -> None:
    selected = f", selecting {record.selected}" if record.selected else ""
    say(f"  Fallback {record.code}{selected}: {record.action or 'no action recorded'}")


_STANDINGS: dict[Standing, str] = {
    "in_force": "in force",
    "superseded": "superseded",
    "withdrawn": "taken back: nothing is selected",
    "stale": "stale: the evidence changed after it",
    "resumed": "carried on by a later attempt",
    "ignored": "ignored: a later attempt went on without it",
}


def _print_decision(decision: DecisionFileDoc, standing: Standing | None) -> None:
    if not decision.valid:
        say(f"  Decision {decision.seq} does not count: {'; '.join(decision.problems)}")
        return
    reason = f": {decision.reason}" if decision.reason else ""
    say(
        f"  Decision {decision.seq}: {decision.by} selected "
        f"{decision.selected or 'none of these'} at {decision.at}{reason}"
    )
    if standing is not None:
        say(f"    {_STANDINGS[standing]}")
    highest = ", ".join(decision.highest_total or []) or "none is ranked"
    say(f"    offered {', '.join(decision.alternatives)}; highest total: {highest}")
    how = f"made by {decision.via}" if decision.via else "it does not say how it was made"
    over = f", in place of {decision.supersedes}" if decision.supersedes else ""
    say(f"    {how}{over}")


def _print_receipt(receipt: ReceiptDoc) -> None:
    code = "no status code" if receipt.status_code is None else str(receipt.status_code)
    say(f"  Receipt {receipt.path}: {code} {receipt.name or ''}".rstrip())
    if receipt.family and receipt.guidance:
        say(f"    {receipt.family}")
        say(f"    try again: {receipt.retry}; {receipt.guidance}")
        say(f"    typical fix: {receipt.typical_fix}")
    for fault in receipt.faults:
        say(f"    ! {fault}")
