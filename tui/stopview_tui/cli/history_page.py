"""Prints what was decided, with a person and without, as a page that fits a terminal."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping

from stopview_core.alternatives import number
from stopview_core.history import History, HistoryRecord
from stopview_core.readings import Offer
from stopview_core.text import one_line
from stopview_tui.cli.common import say
from stopview_tui.moments import moment
from stopview_tui.words import count_of, standing_words

_INDENT = "  "
_HANGING = " " * 13


def print_history(history: History, unread: str = "") -> None:
    """Each record in a few lines, then how many there are of each code.

    `unread` says how much could not be read, as it stands in the last line.
    """
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for record in history.records:
        for line in record_lines(record):
            _say(line, width)
        say()
    for code, count in history.by_code.items():
        say(f"{count:>5}  {code}")
    hidden = f", {history.hidden} hidden by the filter" if history.hidden else ""
    say(f"{count_of(len(history.records), 'record')}{hidden}{unread}")


def record_lines(record: HistoryRecord) -> Iterator[str]:
    """Where and when, what was selected over what on which scores, what was done, what is wrong."""
    when = moment(record.at.at) if record.at else "at an unknown time"
    where = f"{record.run_id} {record.branch}  {record.operator or '?'}"
    yield f"{when}  {where}  {record.code}  by {_by_whom(record)}"
    taken = record.decision or record.fallback
    offers = {offer.id: offer for offer in taken.offers} if taken else {}
    leading = (taken.highest_total if taken else None) or ()
    selected = record.selected
    if selected is not None:
        yield _line("selected", _offer(selected, offers, leading))
    elif record.decision is not None:
        yield _line("selected", "none of these")
    is_known = selected is not None or record.decision is not None
    for identifier in offers:
        if identifier != selected:
            yield _line("over" if is_known else "offered", _offer(identifier, offers, leading))
    if record.fallback is not None:
        yield _line("action", record.fallback.action or "none was recorded")
    if record.decision is not None:
        if record.decision.reason:
            yield _line("reason", record.decision.reason)
        yield _line("standing", standing_words(record.decision))
    for violation in record.violations:
        yield _line("!", f"{violation.code}: {violation.text}")


def _by_whom(record: HistoryRecord) -> str:
    if record.decision is None:
        exchange = record.fallback.exchange if record.fallback else None
        return f"policy, in the exchange {exchange}" if exchange else "policy"
    return (
        f"{record.decision.by} ({record.decision.via})"
        if record.decision.via
        else record.decision.by
    )


def _offer(identifier: str, offers: Mapping[str, Offer], leading: tuple[str, ...]) -> str:
    offer = offers.get(identifier)
    if offer is None:
        return f"{identifier}, which is among no alternatives"
    if not offer.scores and offer.total is None:
        return identifier
    total = "not ranked" if offer.total is None else f"total {number(offer.total)}"
    mark = ", highest" if identifier in leading else ""
    tie = " (tie)" if mark and len(leading) > 1 else ""
    scores = ", ".join(
        f"{axis} {'missing' if score is None else number(score)}"
        for axis, score in offer.scores.items()
    )
    return f"{identifier}: {total}{mark}{tie} ({scores})" if scores else f"{identifier}: {total}"


def _line(label: str, text: str) -> str:
    return f"{_INDENT}{label:<10} {one_line(text)}"


def _say(line: str, width: int | None) -> None:
    """The line, wrapped under itself where a terminal is narrower."""
    if width is None or len(line) <= width:
        say(line)
        return
    for part in textwrap.wrap(
        line, max(width, 40), subsequent_indent=_HANGING, break_on_hyphens=False
    ):
        say(part)
