"""Draws the history: what was done without a person and by one, on which scores, and how often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from textual.content import Content

from stopview_core.history import HistoryFilter, HistoryRecord
from stopview_core.readings import RecordedDecision
from stopview_core.text import one_line, shorten
from stopview_tui.moments import moment
from stopview_tui.render import (
    BAD,
    GOOD,
    MUTED,
    STRONG,
    TITLE,
    WARNING,
    line,
    styled,
)
from stopview_tui.render_run import short_line
from stopview_tui.render_run_page import offer_words, over_words
from stopview_tui.render_scores import bar
from stopview_tui.words import count_of, standing_words

BY_POLICY = "policy"
NONE_OF_THESE = "none of these"
ELSEWHERE = "; the Inbox has those of branches"
_SHORTEST, _LONGEST = 6, 16


def when_cell(record: HistoryRecord) -> Content:
    """When it was; `~` where only the file's time says so."""
    if record.at is None:
        return styled(("unknown", WARNING))
    mark = "~" if record.at.source == "mtime" else " "
    return Content(f"{mark}{moment(record.at.at).removesuffix(' UTC')}")


def code_cell(record: HistoryRecord) -> Content:
    """The stop code, `‼` before it where an approval was bypassed."""
    if record.is_bypassed:
        return styled(("‼ ", BAD), line(record.code, BAD))
    return line(record.code)


def by_cell(record: HistoryRecord) -> Content:
    """The policy, or the person."""
    if record.decision is None:
        return styled((BY_POLICY, MUTED))
    return line(record.decision.by, STRONG)


def selected_cell(record: HistoryRecord) -> Content:
    """What was selected, with its total."""
    taken = record.decision or record.fallback
    if taken is None:
        return Content("")
    if taken.selected is None:
        return styled((NONE_OF_THESE, WARNING)) if record.decision else Content("")
    return line(offer_words(taken, taken.selected))


def over_cell(record: HistoryRecord) -> Content:
    """What it was selected over, with totals."""
    taken = record.decision or record.fallback
    return short_line(over_words(taken) if taken else "", MUTED)


def told_cell(record: HistoryRecord) -> Content:
    """The action that a fallback recorded, or the reason that a person gave."""
    if record.decision is not None:
        reason = record.decision.reason
        return styled(("“", MUTED), short_line(reason), ("”", MUTED)) if reason else Content("")
    action = record.fallback.action if record.fallback is not None else None
    return short_line(action) if action else styled(("no action was recorded", WARNING))


def flags_cell(record: HistoryRecord) -> Content:
    """What is wrong with it, and what became of a decision."""
    parts: list[Content] = []
    if record.is_bypassed:
        parts.append(styled(("approval bypassed", BAD)))
    others = {v.code for v in record.violations} - {"APPROVAL_BYPASSED"}
    parts += [styled((code, WARNING)) for code in sorted(others)]
    if record.decision is not None:
        parts.append(standing_mark(record.decision))
    return Content(", ").join(parts)


def standing_mark(made: RecordedDecision) -> Content:
    """What became of a decision: only one that is in force has the sign of it."""
    words = standing_words(made)
    if made.is_in_force:
        return styled((f"✓ {words}", GOOD))
    return styled((words, WARNING if made.standing in ("stale", "ignored") else MUTED))


def group_heading(group: int, count: int) -> Content:
    """The line above a group, where only records that break a rule are shown."""
    name, style = (("‼ Approval bypassed", BAD), ("✗ Other violations", WARNING))[group]
    return styled((name, style), (f"  {count}", MUTED))


def summary(shown: int, decisions: int, hidden: int, hidden_bypassed: int) -> Content:
    """How much is shown and hidden; a hidden bypass is never hidden in silence."""
    parts = [styled((count_of(shown, "record"), STRONG))]
    if shown:
        parts.append(styled(f"{shown - decisions} by policy"))
        parts.append(styled(f"{decisions} by people"))
    if hidden:
        parts.append(styled((f"{hidden} hidden", WARNING)))
    if hidden_bypassed:
        told = count_of(hidden_bypassed, "bypassed approval")
        parts.append(styled((f"‼ {told} among the hidden", BAD)))
    return Content(", ").join(parts)


def filter_words(wanted: HistoryFilter) -> Content:
    """What the list is filtered by; empty where it is not."""
    parts: list[Content] = []
    for name, value in (("code", wanted.code), ("operator", wanted.operator)):
        if value is not None:
            parts.append(styled((f"{name} ", MUTED), line(value)))
    if wanted.since is not None:
        parts.append(styled(("since ", MUTED), moment(wanted.since)))
    if wanted.until is not None:
        parts.append(styled(("until ", MUTED), moment(wanted.until)))
    if wanted.only_violations:
        parts.append(styled(("only violations", WARNING), (ELSEWHERE, MUTED)))
    if wanted.text.strip():
        parts.append(styled(("text ", MUTED), line(wanted.text)))
    return Content("  ").join(parts)


def count_lines(title: str, counts: Mapping[str, int], width: int, most: int) -> list[Content]:
    """How often each name occurs, with a bar that reads without colour; at most `most` lines.

    The rest is said in the last line, with how much it is.
    """
    head = styled((title, TITLE), (f"  {len(counts)}", MUTED))
    named = list(counts.items())
    room = max(most - 1, 0)
    shown = named if len(named) <= room else named[: max(room - 1, 0)]
    rest = named[len(shown) :]
    drawn = [head.truncate(width, ellipsis=True), *_count_lines(shown, width)]
    if rest and room:
        said = f"… {len(rest)} more, {sum(count for _, count in rest)} in all"
        drawn.append(styled((shorten(said, width), MUTED)))
    return drawn[:most]


def _count_lines(named: Sequence[tuple[str, int]], width: int) -> list[Content]:
    """A line a name: the count, a bar of its share of the highest, and the name."""
    highest = max((count for _, count in named), default=1)
    digits = len(str(highest))
    length = min(max(width // 4, _SHORTEST), _LONGEST)
    drawn = []
    for name, count in named:
        number = str(count).rjust(digits)
        filled = bar(Fraction(count, highest), length, is_best=False)
        told = styled((number, STRONG), " ", filled, " ", one_line(name))
        drawn.append(told.truncate(width, ellipsis=True))
    return drawn
