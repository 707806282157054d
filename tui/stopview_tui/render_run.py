"""Draws a run: its mission, and the cells of its chain with the attempts of a lineage joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from textual.content import Content

from stopview_core.chain import ChainRow, LaneSign
from stopview_core.readings import RunReading
from stopview_core.resolve import Resolution
from stopview_core.text import one_line
from stopview_tui.moments import moment
from stopview_tui.render import (
    BAD,
    GOOD,
    MUTED,
    STRONG,
    TITLE,
    WARNING,
    line,
    lines,
    long_text,
    styled,
    waiting,
)
from stopview_tui.words import count_of, decision_words, route_words

NOT_STARTED = "not started"
_MOST_IN_CELL = 400
_SIGNS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "done": ("✓", GOOD),
        "blocked": ("■", WARNING),
        "running": ("▸", STRONG),
        "waiting": ("…", STRONG),
        "mismatch": ("≠", WARNING),
        "abandoned": ("×", MUTED),
        "stopped": ("×", MUTED),
        "unreadable": ("!", BAD),
        NOT_STARTED: ("·", MUTED),
    }
)
_LANES: Mapping[LaneSign, str] = MappingProxyType({"attempt": "●", "through": "│", "none": " "})


def status_content(status: str) -> Content:
    """A status with its sign; one nobody knows is shown as it is written."""
    sign, style = _SIGNS.get(status, ("?", WARNING))
    return styled((f"{sign} ", style), (one_line(status), style))


def short_line(text: str, style: str = "") -> Content:
    """A text from disk on one line for a cell, where more than a cell shows is not looked at."""
    cut = text if len(text) <= _MOST_IN_CELL else f"{text[:_MOST_IN_CELL]}…"
    return line(cut, style)


def lanes_content(lanes: Sequence[LaneSign]) -> Content:
    """The lanes of the lineages at one line."""
    return styled(("".join(_LANES[lane] for lane in lanes), STRONG))


def run_head(run: RunReading, now: datetime) -> Content:
    """What the run is for, and how it stands."""
    parts = [_mission(run), _standing(run, now)]
    if run.notice:
        parts.append(line(run.notice, WARNING))
    parts += [
        styled((f"{one_line(item.path)}: ", WARNING), one_line(item.why)) for item in run.skipped
    ]
    return lines(parts)


def step_heading(step: int, count: int, lanes: Sequence[LaneSign]) -> Content:
    """The line above a step."""
    return styled(
        lanes_content(lanes),
        " " if lanes else "",
        (f"Step {step}", TITLE),
        (f"  {count} parallel" if count > 1 else "", MUTED),
    )


def key_cell(row: ChainRow) -> Content:
    """The branch's key, or an exchange's name below it."""
    if row.exchange is not None:
        return styled(("└ ", MUTED), one_line(row.exchange.name))
    return line(row.key, STRONG)


def operator_cell(row: ChainRow) -> Content:
    """The operator; for an exchange only where it is another one."""
    if row.exchange is not None:
        is_same = row.branch is not None and row.exchange.operator == row.branch.operator
        return line("" if is_same else row.exchange.operator or "")
    operator = row.branch.operator if row.branch else row.planned_operator
    return line(operator or "", "" if row.branch else MUTED)


def status_cell(row: ChainRow) -> Content:
    """The status."""
    if row.exchange is not None:
        return status_content(row.exchange.status)
    if row.branch is None:
        return status_content(NOT_STARTED)
    return status_content("import" if row.branch.is_import else row.branch.status)


def outcome_cell(row: ChainRow) -> Content:
    """The stop and who it goes to, or the fallbacks taken."""
    if row.exchange is not None:
        return stop_words(row.exchange.resolution, is_open=False)
    if row.branch is None:
        return Content("")
    parts = [stop_words(row.branch.resolution, is_open=row.branch.is_open)]
    parts += [styled(("fell back ", MUTED), line(taken.code)) for taken in row.branch.fallbacks]
    return Content(", ").join(part for part in parts if part)


def attempt_cell(row: ChainRow) -> Content:
    """Which attempt of its lineage it is."""
    if row.attempt is None:
        return Content("")
    return styled((f"{row.attempt.number} of {row.attempt.count}", STRONG))


def decision_cell(row: ChainRow) -> Content:
    """The standing of the branch's decision."""
    if row.branch is None or row.exchange is not None:
        return Content("")
    decision = row.branch.decision
    is_alert = decision.status in ("stale", "withdrawn")
    return line(decision_words(decision), WARNING if is_alert else "")


def flags_cell(row: ChainRow) -> Content:
    """What is wrong with it."""
    if row.branch is None or row.exchange is not None:
        return Content("")
    parts: list[Content] = []
    if row.branch.is_bypassed:
        parts.append(styled(("approval bypassed", BAD)))
    if row.branch.violations:
        parts.append(styled((count_of(len(row.branch.violations), "violation"), WARNING)))
    if row.branch.unreadable:
        parts.append(styled(("partly unreadable", WARNING)))
    if not row.is_in_chain:
        parts.append(styled(("not in the chain", WARNING)))
    return Content(", ").join(parts)


def time_cell(row: ChainRow) -> Content:
    """When it ended, else when it began; `~` where only the file's time says so."""
    if row.exchange is not None or row.branch is None:
        return Content("")
    ended, began = row.times.ended, row.times.began
    if ended is not None:
        mark = "~" if ended.source == "mtime" else ""
        return styled((f"{mark}{moment(ended.at).removesuffix(' UTC')}", MUTED))
    return styled((f"from {moment(began).removesuffix(' UTC')}" if began else "", MUTED))


def took_cell(row: ChainRow) -> Content:
    """How long it took."""
    ended, began = row.times.ended, row.times.began
    if ended is None or began is None or ended.at < began:
        return Content("")
    return styled((waiting(began, ended.at), MUTED))


def _mission(run: RunReading) -> Content:
    if run.goal:
        return styled(("Goal  ", TITLE), long_text(run.goal))
    return styled(("No goal is recorded in state.json.", MUTED))


def _standing(run: RunReading, now: datetime) -> Content:
    parts = [status_content(run.status) if run.status else styled(("status unknown", WARNING))]
    if run.project:
        parts.append(line(f"project {run.project}"))
    if run.started_at:
        parts.append(line(f"started {moment(run.started_at)}", MUTED))
    if run.changed_at:
        parts.append(line(f"last change {waiting(run.changed_at.at, now)} ago", MUTED))
    waits = [branch for branch in run.open_branches if not branch.is_import]
    if waits:
        parts.append(styled((f"{count_of(len(waits), 'open branch', 'open branches')}", WARNING)))
    return Content("  ").join(parts)


def stop_words(resolution: Resolution | None, *, is_open: bool) -> Content:
    """The code it stopped with, and, while it is open, who that goes to."""
    if resolution is None:
        return Content("")
    is_known = resolution.written_code == resolution.code
    words = one_line(resolution.written_code)
    unknown = ("" if is_known else " (not known here)", MUTED)
    if not is_open:
        return styled((words, MUTED), unknown)
    return styled((words, WARNING), " ", line(route_words(resolution.route)), unknown)
