"""Draws the Inbox's cells and group headings."""

from __future__ import annotations

from datetime import datetime

from textual.content import Content

from stopview_core.board import Group, Row
from stopview_core.readings import BranchReading
from stopview_core.text import one_line
from stopview_tui.render import BAD, GOOD, MUTED, STRONG, WARNING, line, styled, waiting
from stopview_tui.words import (
    count_of,
    decision_words,
    offered_words,
    route_words,
    run_words,
    worst_words,
)

UNREADABLE = "cannot be read"
_SIGN = {
    Group.BYPASSED: ("‼", BAD),
    Group.CHOICE: ("?", GOOD),
    Group.DECIDED: ("✓", STRONG),
    Group.PERSON: ("!", WARNING),
    Group.OPERATOR: ("»", STRONG),
    Group.OUTSIDE: ("…", STRONG),
    Group.VIOLATION: ("✗", WARNING),
}
_CODE_STYLE = {Group.BYPASSED: BAD, Group.CHOICE: GOOD, Group.PERSON: WARNING}


def heading(group: Group, count: int) -> Content:
    """The line above a group."""
    sign, style = _SIGN[group]
    name = f" {group.value} " if group is Group.BYPASSED else group.value
    shown = f"{style} reverse" if group is Group.BYPASSED else style
    return styled((f"{sign} ", style), (name, shown), (f"  {count}", MUTED))


def wait_cell(row: Row, now: datetime) -> Content:
    """How long it has been blocked; `~` where only the file's time says so."""
    text = waiting(row.waits_since, now)
    stamp = row.branch.blocked_at if row.branch else None
    if text and stamp is not None and stamp.source == "mtime":
        text = f"~{text}"
    return styled((text, STRONG if "d" in text else ""))


def run_cell(row: Row) -> Content:
    """The run's id, and its folder where that has another name."""
    return line(run_words(row.run_id, row.run_path))


def branch_cell(row: Row) -> Content:
    """The branch's key."""
    return line(row.branch.key if row.branch else "", MUTED)


def operator_cell(row: Row) -> Content:
    """The operator that stopped."""
    return line((row.branch.operator if row.branch else None) or "")


def code_cell(row: Row) -> Content:
    """The stop code, else what stands in its place."""
    return styled((one_line(_code_words(row)), _CODE_STYLE.get(row.group, "")))


def route_cell(row: Row) -> Content:
    """Who it goes to."""
    branch = row.branch
    if branch is None or branch.resolution is None or not branch.is_open:
        return Content("")
    return line(route_words(branch.resolution.route))


def offered_cell(row: Row, width: int) -> Content:
    """What can be picked, in short where there is no room."""
    if row.branch is None:
        return Content("")
    text = offered_words(row.branch)
    return line(text if len(text) <= width else text.partition(" ")[0], MUTED)


def flags_cell(row: Row, *, is_seen: bool = False) -> Content:
    """What else is to be known about it, in words. `is_seen`: its violations are marked as seen."""
    if row.skipped is not None:
        return line(row.skipped.why, WARNING)
    if row.branch is None:
        return Content("")
    flags = _flags(row.branch, row.group, is_seen=is_seen)
    parts: list[Content] = [styled((one_line(text), style)) for text, style in flags]
    return Content(", ").join(parts)


def _code_words(row: Row) -> str:
    branch = row.branch
    if branch is None or branch.status == "unreadable":
        return UNREADABLE
    if branch.resolution is None and branch.violations:
        return worst_words(branch.violations)
    return row.code or f"{branch.status}, no stop code"


def _flags(branch: BranchReading, group: Group, *, is_seen: bool) -> list[tuple[str, str]]:
    flags: list[tuple[str, str]] = []
    if branch.is_bypassed and group is not Group.BYPASSED:
        flags.append(("approval bypassed", BAD))
    if branch.decision.status not in ("none", "resumed"):
        is_alert = branch.decision.status in ("stale", "withdrawn")
        flags.append((decision_words(branch.decision), WARNING if is_alert else ""))
    if is_seen:
        flags.append((f"{count_of(len(branch.violations), 'violation')} seen", MUTED))
    elif branch.violations:
        flags.append((count_of(len(branch.violations), "violation"), WARNING))
    resolution = branch.resolution
    if resolution is not None and resolution.is_faulty:
        flags.append(("registry fault", WARNING))
    if resolution is not None and resolution.code != resolution.written_code:
        flags.append((f"written {resolution.written_code}", MUTED))
    if branch.unreadable:
        flags.append(("partly unreadable", WARNING))
    return flags
