"""Draws the cells of a score table: numbers, bars, what is missing, and texts that may be cut."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from textual.content import Content

from stopview_core.alternatives import Alternative, AlternativeTable, Score
from stopview_core.text import clean
from stopview_tui.render import BAD, GOOD, MUTED, STRONG, WARNING
from stopview_tui.words import count_of

Cell: TypeAlias = Callable[[int], tuple[Content, ...]]
"""A cell drawn for a width in columns of the terminal: its lines, none of them wider."""

BAR = "$text-primary"
BEST_BAR = "$text-success"
TRACK = "$foreground-muted"

NOT_SCORED = "not scored"
MISSING = "missing"

_EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
_SHORTEST_BAR = 4
_UNREMARKABLE = frozenset({"", "pass", "passed", "passes", "ok", "holds"})
_SHARED_SCALE = 10


@dataclass(frozen=True, slots=True)
class Scale:
    """What an empty and a full bar stand for."""

    low: Fraction
    high: Fraction

    def share(self, value: Fraction) -> Fraction:
        """How much of the bar the value fills, from 0 to 1."""
        span = self.high - self.low
        return min(max((value - self.low) / span, Fraction()), Fraction(1)) if span else Fraction()


def shown_number(value: Fraction) -> str:
    """The number with at most three decimals; `≈` and two where it has more."""
    thousandths = value * 1000
    if thousandths.denominator == 1:
        text = f"{float(value):.3f}" if value.denominator != 1 else str(value.numerator)
        return text.rstrip("0") if "." in text else text
    return f"≈{float(value):.2f}"


def scale_of(table: AlternativeTable, axes: Iterable[str]) -> Scale | None:
    """The scale of the bars on these axes: from zero, or the lowest score below it, to the highest.

    None where there is nothing to draw.
    """
    wanted = set(axes)
    values = [
        score.value
        for alternative in table.alternatives
        for axis, scores in alternative.scores.items()
        if axis in wanted
        for score in scores
    ]
    if not values:
        return None
    low, high = min(Fraction(), *values), max(Fraction(), *values)
    return Scale(low, high) if low != high else None


def scales_of(table: AlternativeTable) -> tuple[Scale | None, dict[str, Scale | None]]:
    """The scale all axes share, if they do, and the scale of each axis.

    Axes whose highest scores differ tenfold and more are drawn each on its own scale: on a shared
    one the small axis could not be read.
    """
    axes = (*table.axes, *table.other_axes)
    own = {axis: scale_of(table, [axis]) for axis in axes}
    shared = scale_of(table, axes)
    spans = [scale.high - scale.low for scale in own.values() if scale is not None]
    if shared is None or (shared.high - shared.low) >= _SHARED_SCALE * min(spans):
        return None, own
    return shared, dict.fromkeys(axes, shared)


def bar(share: Fraction, width: int, *, is_best: bool) -> Content:
    """A bar of the width: filled blocks, then dots, so that it reads without colour."""
    eighths = round(share * width * 8)
    full, part = divmod(eighths, 8)
    filled = "█" * full + _EIGHTHS[part]
    rest = width - len(filled)
    return Content.assemble((filled, BEST_BAR if is_best else BAR), ("·" * rest, TRACK))


def text_cell(content: Content, *, cap: int | None = None) -> Cell:
    """Text wrapped to the width; beyond `cap` lines the cut is marked with how much is left."""

    def draw(width: int) -> tuple[Content, ...]:
        if not content.plain:
            return ()
        # Far more than a capped cell can show is not worth wrapping.
        most = None if cap is None else (cap + 1) * width * 4
        text = content if most is None or len(content) <= most else content[:most]
        lines = text.expand_tabs(4).wrap(width)
        if cap is None or (len(lines) <= cap and text is content):
            return tuple(lines)
        kept = lines[: cap - 1]
        left = len(content) - sum(len(line) + 1 for line in kept)
        mark = f"… {max(left, 1)} more"
        return (*kept, Content.styled(shortened(mark, width), MUTED))

    return draw


def shortened(text: str, width: int) -> str:
    """The text in at most `width` columns of the terminal, the cut marked."""
    return Content(text).truncate(width, ellipsis=True).plain


@dataclass(frozen=True, slots=True)
class ScoreCells:
    """Draws the score cells of one table, aligned with each other.

    `before` is the table as it was last seen: what differs from it is marked.
    """

    table: AlternativeTable
    scales: Mapping[str, Scale | None]
    before: AlternativeTable | None
    best: Mapping[str, frozenset[str]]
    lead_width: int
    tail_width: int

    def cell(self, alternative: Alternative, axis: str) -> Cell:
        """The score of one alternative on one axis."""

        def draw(width: int) -> tuple[Content, ...]:
            first = self._first_line(alternative, axis, width)
            remarks = (*self._remarks(alternative, axis), *self._change(alternative, axis))
            under = [line for remark in remarks for line in remark.wrap(width)]
            return (*first, *under)

        return draw

    def _first_line(self, alternative: Alternative, axis: str, width: int) -> tuple[Content, ...]:
        scores = alternative.scores.get(axis, ())
        if not scores:
            is_missing = any(named == axis for named, _ in alternative.missing)
            text = Content.styled(MISSING, BAD) if is_missing else Content.styled(NOT_SCORED, MUTED)
            return tuple(text.wrap(width))
        lead = _lead(alternative, axis).rjust(self.lead_width)
        tail = _range(alternative, axis)
        length = width - len(lead) - 1 - (self.tail_width + 1 if self.tail_width else 0)
        scale, mean = self.scales.get(axis), alternative.mean(axis)
        parts: list[Content | tuple[str, str]] = [(lead, STRONG)]
        if scale is not None and mean is not None and length >= _SHORTEST_BAR:
            is_best = alternative.id in self.best[axis]
            parts += [Content(" "), bar(scale.share(mean), length, is_best=is_best)]
        if tail:
            parts.append((f" {tail}", MUTED))
        return tuple(Content.assemble(*parts).wrap(width))

    def _remarks(self, alternative: Alternative, axis: str) -> tuple[Content, ...]:
        scores = alternative.scores.get(axis, ())
        told = [
            Content.assemble(
                (f"{_place(score)}{shown_number(score.value)}: ", MUTED), (verdict, WARNING)
            )
            for score in scores
            if (verdict := score.verdict or "").lower() not in _UNREMARKABLE
        ]
        lost = [v for named, v in alternative.missing if named == axis and v is not None]
        if scores and lost:
            told.append(Content.styled(f"{MISSING}: {', '.join(lost)}", BAD))
        return tuple(told)

    def _change(self, alternative: Alternative, axis: str) -> tuple[Content, ...]:
        if self.before is None:
            return ()
        earlier = self.before.get(alternative.id)
        if earlier is None or same_scores(earlier, alternative, axis):
            return ()
        was = earlier.mean(axis)
        text = f"was {shown_number(was)}" if was is not None else f"was {MISSING}"
        return (Content.styled(text if was != alternative.mean(axis) else "changed", WARNING),)


def score_cells(
    table: AlternativeTable, scales: Mapping[str, Scale | None], before: AlternativeTable | None
) -> ScoreCells:
    """The cells of a table, ready to be drawn."""
    axes = (*table.axes, *table.other_axes)
    each = [(a, axis) for a in table.alternatives for axis in axes]
    return ScoreCells(
        table,
        scales,
        before,
        best={axis: _best_on(table, axis) for axis in axes},
        lead_width=max((len(_lead(a, axis)) for a, axis in each), default=0),
        tail_width=max((len(_range(a, axis)) for a, axis in each), default=0),
    )


def same_scores(one: Alternative, other: Alternative, axis: str) -> bool:
    """Whether both have the same scores, by viewport, on the axis."""
    return _by_viewport(one, axis) == _by_viewport(other, axis)


def total_cell(alternative: Alternative, table: AlternativeTable, before: str | None) -> Cell:
    """The total, why there is none, and whether it is the highest; `before` is what it was."""
    highest = table.highest_total or ()
    parts: list[Content] = []
    if alternative.total is not None:
        parts.append(Content.styled(shown_number(alternative.total), STRONG))
    else:
        parts.append(Content.styled(no_total(alternative, table), BAD))
    if alternative.id in highest:
        said = "▲ highest" if len(highest) == 1 else "▲ tie for highest"
        parts.append(Content.styled(said, GOOD))
    if before is not None:
        parts.append(Content.styled(f"was {before}", WARNING))
    return text_cell(Content(" ").join(parts))


def no_total(alternative: Alternative, table: AlternativeTable) -> str:
    """Why an alternative without a total has none."""
    count = sum(1 for axis, _ in alternative.missing if axis in table.axes)
    if not count:
        return "no scores"
    return f"not ranked: {count_of(count, 'score')} missing"


def said(text: str) -> str:
    """Text from disk as it may be drawn; cleaning it again changes nothing."""
    return clean(text)


def _lead(alternative: Alternative, axis: str) -> str:
    mean = alternative.mean(axis)
    if mean is None:
        return ""
    several = len(alternative.scores.get(axis, ())) > 1
    return f"mean {shown_number(mean)}" if several else shown_number(mean)


def _range(alternative: Alternative, axis: str) -> str:
    scores = alternative.scores.get(axis, ())
    if len(scores) < 2:
        return ""
    values = [score.value for score in scores]
    return f"{shown_number(min(values))}–{shown_number(max(values))}"


def _place(score: Score) -> str:
    return f"{score.viewport} " if score.viewport else ""


def _best_on(table: AlternativeTable, axis: str) -> frozenset[str]:
    means = {a.id: mean for a in table.alternatives if (mean := a.mean(axis)) is not None}
    best = max(means.values(), default=None)
    leading = frozenset(name for name, mean in means.items() if mean == best)
    # Where everyone leads, nobody does.
    return leading if len(leading) < len(means) else frozenset()


def _by_viewport(alternative: Alternative, axis: str) -> dict[str | None, Fraction]:
    return {score.viewport: score.value for score in alternative.scores.get(axis, ())}
