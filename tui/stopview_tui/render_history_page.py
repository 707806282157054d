"""Draws one record of the history in full: what was done, on which scores, and its receipt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from textual.content import Content

from stopview_core.history import HistoryRecord
from stopview_core.readings import Offer, RecordedDecision
from stopview_core.sacp import Receipt
from stopview_core.text import one_line
from stopview_tui.moments import moment
from stopview_tui.render import (
    BAD,
    GOOD,
    MUTED,
    STRONG,
    TITLE,
    WARNING,
    bullets,
    line,
    lines,
    long_text,
    styled,
)
from stopview_tui.render_history import NONE_OF_THESE, standing_mark
from stopview_tui.render_markdown_table import TableCells, table_lines
from stopview_tui.render_receipts import receipt_part
from stopview_tui.render_run_page import offer_words, over_words, section
from stopview_tui.render_scores import MISSING, Scale, bar, shown_number

_SCORE_BAR = 5


def record_page(record: HistoryRecord, receipt: Content | None) -> Content:
    """One record in full. `receipt` is the decision's own file as read now, None before that."""
    parts = [_title(record), *_violations(record)]
    if record.fallback is not None:
        parts += _fallback_parts(record)
    if record.decision is not None:
        parts += _decision_parts(record.decision)
        parts.append(receipt if receipt is not None else styled(("Reading the receipt…", MUTED)))
    return Content("\n\n").join(parts)


def record_lines(record: HistoryRecord, receipt: Content | None, width: int) -> list[Content]:
    """The same laid out for a width, with the table of scores."""
    drawn = record_page(record, receipt).wrap(width)
    taken = record.fallback or record.decision
    if taken is None or not taken.offers:
        return drawn
    said = (
        "The scores it was taken on" if record.fallback is not None else "The scores in the receipt"
    )
    table = score_lines(taken.offers, taken.selected, taken.highest_total, width)
    return [*drawn, Content(""), styled((said, TITLE)), *table]


def score_lines(
    offers: Sequence[Offer],
    selected: str | None,
    highest: Sequence[str] | None,
    width: int,
) -> list[Content]:
    """The alternatives side by side: a row an axis with bars, the total, and which it became."""
    axes = list(dict.fromkeys(axis for offer in offers for axis in offer.scores))
    header = [Content("")] + [line(offer.id) for offer in offers]
    rows = [header]
    for axis in axes:
        scale = _scale(offers, axis)
        scores = [_score_cell(offer.scores.get(axis), scale) for offer in offers]
        rows.append([line(axis), *scores])
    rows.append([styled(("Total", STRONG)), *map(_total_cell, offers)])
    rows.append([Content(""), *(_mark_cell(offer.id, selected, highest) for offer in offers)])
    aligns = ("left",) * len(header)
    return table_lines([TableCells(tuple(row), aligns, row is header, "") for row in rows], width)


def receipt_page(where: str, receipt: Receipt | None, text: str, why: str) -> Content:
    """A decision's receipt: what its code says, and the record as it stands in the file."""
    parts: list[Content] = []
    if receipt is not None:
        parts.append(section(f"Receipt {where}", receipt_part(receipt)))
    elif why:
        parts.append(section(f"Receipt {where}", styled((why, WARNING))))
    if text:
        parts.append(section("The record", long_text(text)))
    return Content("\n\n").join(parts)


def _title(record: HistoryRecord) -> Content:
    what = "Fallback taken" if record.fallback is not None else "Decision made"
    parts = [
        styled((f"{what}: ", TITLE), (one_line(record.code), STRONG)),
        styled(
            (one_line(record.run_id), STRONG),
            f"  {record.branch}  ",
            line(record.operator or "no operator is named"),
        ),
    ]
    if record.at is None:
        parts.append(styled(("No time could be read.", WARNING)))
        return lines(parts)
    source = {
        "transition": "by the transition in state.json",
        "mtime": "by the time of response.json: no transition says when",
        "receipt": "by the receipt",
    }[record.at.source]
    parts.append(styled((f"{moment(record.at.at)}, {source}", MUTED)))
    return lines(parts)


def _violations(record: HistoryRecord) -> Iterable[Content]:
    if record.violations:
        yield section(
            "Violations",
            bullets(
                styled(
                    (violation.code, BAD if violation.code == "APPROVAL_BYPASSED" else WARNING),
                    ": ",
                    long_text(violation.text),
                    (f" ({one_line(violation.where)})", MUTED),
                )
                for violation in record.violations
            ),
        )


def _fallback_parts(record: HistoryRecord) -> Iterable[Content]:
    taken = record.fallback
    assert taken is not None
    action = long_text(taken.action) if taken.action else styled(("none was recorded", WARNING))
    yield section("What was done, by policy", action)
    if taken.selected:
        over = over_words(taken)
        yield section(
            "Selected",
            styled((offer_words(taken, taken.selected), GOOD), f" over {over}" if over else ""),
        )
    places = [
        name
        for name, is_there in (
            ("response.json", taken.in_response),
            ("response.md", taken.in_document),
        )
        if is_there
    ]
    yield section("Recorded in", ", ".join(places))


def _decision_parts(made: RecordedDecision) -> Iterable[Content]:
    selected = (
        styled((NONE_OF_THESE, WARNING))
        if made.selected is None
        else styled((offer_words(made, made.selected), GOOD))
    )
    over = over_words(made)
    yield section(
        "Selected",
        styled(selected, f" over {over}" if over else ""),
        styled(
            (f"receipt {made.seq}, by {one_line(made.by)}", MUTED),
            (f", via {one_line(made.via)}" if made.via else "", MUTED),
            (", ", MUTED),
            standing_mark(made),
        ),
    )
    if made.reason:
        yield section("Reason", styled("“", long_text(made.reason), "”"))


def _scale(offers: Sequence[Offer], axis: str) -> Scale | None:
    values = [score for offer in offers if (score := offer.scores.get(axis)) is not None]
    if not values:
        return None
    low, high = min(Fraction(), *values), max(Fraction(), *values)
    return Scale(low, high) if low != high else None


def _mark_cell(identifier: str, selected: str | None, highest: Sequence[str] | None) -> Content:
    parts: list[Content] = []
    if identifier == selected:
        parts.append(styled(("● selected", GOOD)))
    if highest and identifier in highest:
        parts.append(styled(("▲ highest" if len(highest) == 1 else "▲ tie for highest", MUTED)))
    return Content(" ").join(parts)


def _score_cell(score: Fraction | None, scale: Scale | None) -> Content:
    if score is None:
        return styled((MISSING, BAD))
    number = shown_number(score)
    if scale is None:
        return Content(number)
    return styled(f"{number} ", bar(scale.share(score), _SCORE_BAR, is_best=False))


def _total_cell(offer: Offer) -> Content:
    if offer.total is None:
        return styled(("not ranked", WARNING))
    return styled((shown_number(offer.total), STRONG))
