"""Draws the list of runs, and one run in short."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePath

from textual.content import Content

from stopview_core.lineage import sort_key
from stopview_core.readings import BranchReading, RunReading
from stopview_core.run_board import RunRow
from stopview_core.text import one_line
from stopview_tui.render import (
    BAD,
    GOOD,
    MUTED,
    STRONG,
    TITLE,
    WARNING,
    line,
    lines,
    styled,
    waiting,
)
from stopview_tui.render_run import run_head, short_line, status_content, stop_words
from stopview_tui.words import count_of, decision_words, run_words


def run_cell(row: RunRow) -> Content:
    """The run's id, and its folder where that has another name."""
    return line(run_words(row.run.id, PurePath(row.path)), STRONG)


def status_cell(row: RunRow) -> Content:
    """The status; `!` where state.json cannot be read now, so that it may be an older one."""
    status = row.run.status
    if row.unreadable is not None:
        told = status_content(status) if status else styled(("unreadable", BAD))
        return styled(("! ", BAD), told)
    return status_content(status) if status else styled(("no status", MUTED))


def project_cell(row: RunRow) -> Content:
    """The project."""
    return short_line(row.run.project or "", MUTED)


def steps_cell(row: RunRow) -> Content:
    """How many steps it has."""
    return Content(str(row.steps))


def open_cell(row: RunRow) -> Content:
    """How many branches wait."""
    return styled((str(row.open_branches) if row.open_branches else "", WARNING))


def choices_cell(row: RunRow) -> Content:
    """For how many of them it is your choice."""
    return styled((str(row.choices) if row.choices else "", GOOD))


def blocked_cell(row: RunRow, now: datetime) -> Content:
    """How long it has been blocked."""
    text = waiting(row.blocked_since, now)
    return styled((text, STRONG if "d" in text else ""))


def violations_cell(row: RunRow) -> Content:
    """How many rules were broken; a bypassed approval is said in words."""
    if row.is_bypassed:
        return styled((f"‼ {row.violations}, approval bypassed", BAD))
    return styled((str(row.violations) if row.violations else "", WARNING))


def changed_cell(row: RunRow, now: datetime) -> Content:
    """How long ago it last changed; `~` where only a file's time says so."""
    changed = row.run.changed_at
    if changed is None:
        return Content("")
    mark = "~" if changed.source == "mtime" else ""
    return styled((f"{mark}{waiting(changed.at, now)}", MUTED))


def goal_cell(row: RunRow) -> Content:
    """What it is for."""
    return short_line(row.run.goal or "", MUTED)


def run_page(run: RunReading, now: datetime) -> Content:
    """One run in short: its goal, how it stands, and a line a branch."""
    head = styled((one_line(run.id), STRONG), (f"  {one_line(str(run.path))}", MUTED))
    parts = [head, run_head(run, now), Content("")]
    for step, branches in _steps(run):
        parts.append(styled((f"Step {step}", TITLE)))
        parts += [_branch_line(branch) for branch in branches]
    return lines(parts)


def _steps(run: RunReading) -> Sequence[tuple[int, list[BranchReading]]]:
    steps: dict[int, list[BranchReading]] = {}
    for key in sorted(run.branches, key=sort_key):
        steps.setdefault(sort_key(key)[0], []).append(run.branches[key])
    return list(steps.items())


def _branch_line(branch: BranchReading) -> Content:
    parts = [
        styled((f"  {branch.key}  ", MUTED), line(branch.operator or "")),
        status_content("import" if branch.is_import else branch.status),
        stop_words(branch.resolution, is_open=branch.is_open),
        line(decision_words(branch.decision)),
    ]
    parts += [styled(("fell back ", MUTED), line(taken.code)) for taken in branch.fallbacks]
    if branch.violations:
        style = BAD if branch.is_bypassed else WARNING
        parts.append(styled((count_of(len(branch.violations), "violation"), style)))
    return Content("  ").join(part for part in parts if part)
