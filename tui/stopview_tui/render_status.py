"""Draws the status bar: what does not fit is left out, the least needed first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from textual.content import Content
from textual.style import Style

from stopview_core.text import one_line
from stopview_tui.inbox_model import Counts
from stopview_tui.messages import Health
from stopview_tui.render import ACCENT, BAD, GOOD, MUTED, STRONG, WARNING, styled
from stopview_tui.words import count_of

STALE_AFTER_S = 150
INBOX = "inbox"
"""The mode that the counts are of."""
_MINUTE = 60


@dataclass(frozen=True, slots=True)
class Facts:
    """What the bar says. `now` is the time of the last minute step.

    `modes` are (digit, id, title); `registry` is its name with the beginning of its digest.
    `counts` are the Inbox's under its filter, `choices` all rows that need one, hidden or not.
    """

    modes: tuple[tuple[str, str, str], ...]
    mode: str
    health: Health
    counts: Counts
    choices: int
    runs: int
    registry: str
    faults: int
    approver: str
    now: datetime


def status_line(facts: Facts, width: int) -> Content:
    """The bar in at most `width` cells."""
    parts = [
        (0, _modes(facts, with_titles=True)),
        (0, health_words(facts.health, facts.now, facts.runs)),
        (0, _counts(facts)),
        (2, _registry(facts)),
        (3, styled(("by ", MUTED), one_line(facts.approver))),
    ]
    while _width(parts) > width and len(parts) > 3:
        parts.remove(max(parts, key=lambda part: part[0]))
    if _width(parts) > width:
        parts[0] = (0, _modes(facts, with_titles=False))
    if _width(parts) > width:
        parts[1] = (0, health_words(facts.health, facts.now, facts.runs, in_short=True))
    return _joined(parts).truncate(width, ellipsis=True)


def health_words(health: Health, now: datetime, runs: int, *, in_short: bool = False) -> Content:
    """How the picture is kept and how old it is, in steps of a minute."""
    age = int((now - health.at).total_seconds()) if health.at else 0
    shown = "<1m old" if age < _MINUTE else f"{age // _MINUTE}m old"
    if health.at is None:
        shown = "never read"
    if health.state == "reading":
        told = f"reading, {count_of(runs, 'run')}" if runs and not in_short else "reading"
        return styled(("… ", ACCENT), told)
    if health.state == "failed" or age >= STALE_AFTER_S:
        why = f": {one_line(health.why)}" if health.why and not in_short else ""
        return styled(("○ stale", BAD), f" {shown}{why}")
    if health.state == "polling":
        why = f": {one_line(health.why)}" if health.why and not in_short else ""
        return styled(("◐ polling", WARNING), "" if in_short else f" {shown}{why}")
    if health.why and not in_short:
        return styled(("● live", GOOD), f" {shown}, {one_line(health.why)}")
    return styled(("● live", GOOD), "" if in_short else f" {shown}")


def hidden_words(hidden: int, bypassed: int) -> Content:
    """How many rows a filter hides, and that an approval that was bypassed is among them."""
    told = styled((f"{hidden} hidden", WARNING))
    return styled(told, (f" ({bypassed} bypassed!)", BAD)) if bypassed else told


def _modes(facts: Facts, *, with_titles: bool) -> Content:
    tabs = []
    for digit, mode, title in facts.modes:
        is_here = mode == facts.mode
        text = f" {digit} {title} " if with_titles or is_here else f" {digit} "
        link = Style.from_meta({"@click": f"app.mode('{mode}')"})
        tabs.append(Content.styled(text, link + Style(bold=is_here, reverse=is_here)))
    return Content("").join(tabs)


def _counts(facts: Facts) -> Content:
    """What the Inbox shows and hides; elsewhere, where nobody sees its filter, all choices."""
    counts, is_inbox = facts.counts, facts.mode == INBOX
    if _knows_nothing_yet(facts):
        return Content("")
    choices = counts.choices if is_inbox else facts.choices
    parts = [styled((count_of(choices, "choice"), GOOD if choices else STRONG))]
    if not is_inbox:
        return parts[0]
    parts.append(styled(f"{counts.shown} shown"))
    if counts.hidden:
        parts.append(hidden_words(counts.hidden, counts.hidden_bypassed))
    if counts.seen:
        parts.append(styled((f"{counts.seen} seen", MUTED)))
    return Content(", ").join(parts)


def _registry(facts: Facts) -> Content:
    if not facts.registry:
        return Content("") if _knows_nothing_yet(facts) else styled(("no registry", WARNING))
    if facts.faults:
        told = count_of(facts.faults, "fault")
        return styled(("registry ", MUTED), one_line(facts.registry), (f" {told}", BAD))
    return styled(("registry ", MUTED), one_line(facts.registry))


def _knows_nothing_yet(facts: Facts) -> bool:
    """Whether a count of nothing would only say that nothing was read so far."""
    return facts.health.state == "reading" and facts.runs == 0


def _joined(parts: list[tuple[int, Content]]) -> Content:
    return styled((" │ ", MUTED)).join([content for _, content in parts if content.plain])


def _width(parts: list[tuple[int, Content]]) -> int:
    return _joined(parts).cell_length
