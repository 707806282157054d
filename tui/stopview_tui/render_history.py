"""Draws the history: what was done without a person and by one, on which scores, and how often."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from textual.content import Content

from stopview_core.history import HistoryFilter, HistoryRecord
from stopview_core.readings import Offer, RecordedDecision
from stopview_core.sacp import Receipt
from stopview_core.text import one_line, shorten
from stopview_tui.render import (
    BAD,
    GOOD,
    MUTED,
    STRONG,
    TITLE,
    WARNING,
    bullets,
    count_of,
    line,
    lines,
    long_text,
    moment,
    styled,
)
from stopview_tui.render_markdown_table import TableCells, table_lines
from stopview_tui.render_receipts import receipt_part
from stopview_tui.render_run import short_line
from stopview_tui.render_run_page import offer_words, over_words, section
from stopview_tui.render_scores import MISSING, Scale, bar, shown_number

BY_POLICY = "policy"
NONE_OF_THESE = "none of these"
_SHORTEST, _LONGEST = 6, 16
_SCORE_BAR = 5


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
    """What is wrong with it, and whether a decision is in force."""
    parts: list[Content] = []
    if record.is_bypassed:
        parts.append(styled(("approval bypassed", BAD)))
    others = {v.code for v in record.violations} - {"APPROVAL_BYPASSED"}
    parts += [styled((code, WARNING)) for code in sorted(others)]
    if record.decision is not None and record.decision.is_in_force:
        parts.append(styled(("✓ in force", GOOD)))
    return Content(", ").join(parts)


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
        parts.append(styled(("only violations", WARNING)))
    if wanted.text.strip():
        parts.append(styled(("text ", MUTED), line(wanted.text)))
    return Content("  ").join(parts)


def count_lines(title: str, counts: Mapping[str, int], width: int, most: int) -> list[Content]:
    """How often each name occurs, with a bar that reads without colour; at most `most` lines.

    The rest is said in the last line, with how much it is.
    """
    head = styled((title, TITLE), (f"  {count_of(len(counts), 'name')}", MUTED))
    named = list(counts.items())
    room = max(most - 1, 0)
    shown = named if len(named) <= room else named[: max(room - 1, 0)]
    rest = named[len(shown) :]
    drawn = [head.truncate(width, ellipsis=True), *_count_lines(shown, width)]
    if rest and room:
        said = f"… {len(rest)} more, {sum(count for _, count in rest)} in all"
        drawn.append(styled((shorten(said, width), MUTED)))
    return drawn[:most]


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
            (
                ", in force" if made.is_in_force else ", not in force",
                GOOD if made.is_in_force else MUTED,
            ),
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
