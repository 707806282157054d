"""Lays the alternatives of a branch out as columns and rows, before anything is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from textual.content import Content

from stopview_core.alternatives import Alternative, AlternativeTable, Note
from stopview_tui.render import BAD, GOOD, MUTED, STRONG, WARNING
from stopview_tui.render_scores import (
    Cell,
    ScoreCells,
    said,
    scales_of,
    score_cells,
    shown_number,
    text_cell,
)
from stopview_tui.words import count_of

RowKind = Literal["cells", "topic", "heading", "note", "artifacts"]
"""A `topic` has a label that may be long; `heading` and `note` go across all columns."""

TEXT_CAP = 12
"""How many lines of one text a cell shows before it is cut, with a mark; opening shows all."""

NONE_TITLE = "none of these"
NONE_MEANS = "No alternative will do; the branch goes on waiting. Requires your reason."
_HOLDS = frozenset({"holds", "pass", "passes", "passed", "ok", "survives"})
_FAILS = frozenset({"fails", "fail", "failed", "broken"})


@dataclass(frozen=True, slots=True)
class Column:
    """One column: an alternative, or None for "none of these". `is_new` since the last look."""

    alternative: Alternative | None
    is_offered: bool
    is_new: bool = False

    @property
    def id(self) -> str | None:
        """The alternative's id; None for "none of these"."""
        return self.alternative.id if self.alternative else None

    @property
    def title(self) -> str:
        """What stands over the column."""
        return NONE_TITLE if self.alternative is None else said(self.alternative.id)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its label and a cell a column, None where a column has nothing to say."""

    label: Content
    cells: tuple[Cell | None, ...] = ()
    kind: RowKind = "cells"


@dataclass(frozen=True, slots=True)
class Grid:
    """All columns and rows, and what the bars stand for."""

    table: AlternativeTable
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    legend: str


def build_grid(
    table: AlternativeTable,
    before: AlternativeTable | None = None,
    note: Content | None = None,
) -> Grid:
    """The alternatives side by side, then "none of these"; rows in the order of page 3.2.

    `before` is the table of the last look: what differs from it is marked. `note` stands below
    the scores, across all columns.
    """
    columns = (
        *(
            Column(a, a.id in table.offered, before is not None and before.get(a.id) is None)
            for a in table.alternatives
        ),
        Column(None, True),
    )
    shared, scales = scales_of(table)
    scores = score_cells(table, scales, before)
    alternatives = table.alternatives
    rows = [
        *([Row(_how_summed(table), kind="note")] if table.axes else []),
        *_text_rows(alternatives, [("label", "label")]),
        *_score_rows(table, scores),
        *([Row(note, kind="note")] if note else []),
        *_told_rows(alternatives),
    ]
    if shared is not None:
        legend = f"bars {shown_number(shared.low)} to {shown_number(shared.high)}"
    else:
        legend = "bars: a scale an axis" if any(scales.values()) else ""
    return Grid(table, columns, tuple(rows), legend)


def _told_rows(alternatives: Sequence[Alternative]) -> list[Row]:
    """What is said of each, below the scores; one row says what "none of these" means.

    It is the first of those that tend to be tall, so that it takes no lines of its own.
    """
    statuses = [*_text_rows(alternatives, _TEXTS[:1])]
    rows = [
        *_text_rows(alternatives, _TEXTS[1:]),
        *_note_rows(alternatives),
        *_artifact_rows(alternatives),
        *_source_rows(alternatives),
    ]
    meant = text_cell(Content.styled(NONE_MEANS, MUTED))
    for place, row in enumerate(rows):
        if row.cells:
            rows[place] = replace(row, cells=(*row.cells[:-1], meant))
            return [*statuses, *rows]
    return [*statuses, Row(Content(""), (*(None for _ in alternatives), meant))]


def _how_summed(table: AlternativeTable) -> Content:
    """How to read a score. The data name no maximum, so none is claimed."""
    axes = count_of(len(table.axes), "axis", "axes")
    return Content.styled(
        f"Higher counts more in the total of {axes}. A full bar is the highest here.",
        MUTED,
    )


_TEXTS = [
    ("status", "status"),
    ("assessment", "assessment"),
    ("rejected because", "rejected_because"),
    ("tradeoff", "tradeoff"),
]


def _cells(
    drawn: Mapping[str, Cell], alternatives: Sequence[Alternative]
) -> tuple[Cell | None, ...]:
    """The cells by column, with an empty one under "none of these"."""
    return (*(drawn.get(a.id) for a in alternatives), None)


def _score_rows(table: AlternativeTable, scores: ScoreCells) -> Iterable[Row]:
    for axis in table.axes:
        yield _score_row(table, scores, axis)
    if table.other_axes:
        yield Row(Content("Other scores, not summed"), kind="heading")
        for axis in table.other_axes:
            yield _score_row(table, scores, axis)


def _score_row(table: AlternativeTable, scores: ScoreCells, axis: str) -> Row:
    drawn = {a.id: scores.cell(a, axis) for a in table.alternatives}
    return Row(Content(said(axis)), _cells(drawn, table.alternatives))


def _text_rows(
    alternatives: Sequence[Alternative], names: Sequence[tuple[str, str]]
) -> Iterable[Row]:
    for label, name in names:
        texts = {a.id: text for a in alternatives if (text := getattr(a, name))}
        if texts:
            drawn = {
                key: text_cell(Content(said(text)), cap=TEXT_CAP) for key, text in texts.items()
            }
            yield Row(Content.styled(label, MUTED), _cells(drawn, alternatives))


def _note_rows(alternatives: Sequence[Alternative]) -> Iterable[Row]:
    """The rows of the other tables: a heading each, what was weighed beside, verdicts in cells."""
    headings = dict.fromkeys(note.heading for a in alternatives for note in a.notes)
    for heading in headings:
        yield Row(Content(said(heading)), kind="heading")
        by_topic: dict[str, dict[str, list[Content]]] = {}
        for alternative in alternatives:
            for note in alternative.notes:
                if note.heading == heading:
                    topic, text = note_parts(note)
                    by_topic.setdefault(topic, {}).setdefault(alternative.id, []).append(text)
        for topic, texts in by_topic.items():
            drawn = {
                key: text_cell(Content("\n").join(found), cap=TEXT_CAP)
                for key, found in texts.items()
            }
            yield Row(Content.styled(said(topic), MUTED), _cells(drawn, alternatives), "topic")


def note_parts(note: Note) -> tuple[str, Content]:
    """What a note is about (its first cell, or the column's name), and what it says of it."""
    if not note.cells:
        return "", Content("")
    if len(note.cells) == 1:
        column, text = note.cells[0]
        return column, Content(said(text))
    (_, topic), *rest = note.cells
    return topic, Content(" ").join(_note_cell(column, text) for column, text in rest if text)


def _note_cell(column: str, text: str) -> Content:
    if column.lower() != "verdict":
        return Content(said(text))
    word = text.lower()
    style = GOOD if word in _HOLDS else BAD if word in _FAILS else WARNING
    return Content.assemble((f"{said(text)}:", style))


def _artifact_rows(alternatives: Sequence[Alternative]) -> Iterable[Row]:
    drawn = {
        a.id: text_cell(
            Content.assemble(
                (said("\n".join(path.rpartition("/")[2] for path in a.artifacts)), "underline"),
            ),
            cap=TEXT_CAP,
        )
        for a in alternatives
        if a.artifacts
    }
    if drawn:
        label = Content.assemble(("artifacts", MUTED), (" (o)", MUTED))
        yield Row(label, _cells(drawn, alternatives), "artifacts")


def _source_rows(alternatives: Sequence[Alternative]) -> Iterable[Row]:
    drawn = {a.id: text_cell(_sources(a), cap=TEXT_CAP) for a in alternatives}
    if drawn:
        yield Row(Content.styled("read from", MUTED), _cells(drawn, alternatives))


def sources_of(alternative: Alternative) -> dict[str, list[str]]:
    """By file (from the branch): which parts of the alternative were read from it."""
    parts: dict[str, list[str]] = {}
    for name, source in alternative.sources.items():
        parts.setdefault(source, []).append(name.replace("_", " "))
    for scores in alternative.scores.values():
        for score in scores:
            parts.setdefault(score.source, []).append("scores")
    for note in alternative.notes:
        parts.setdefault(note.source, []).append(note.heading)
    return {source: list(dict.fromkeys(names)) for source, names in parts.items()}


def _sources(alternative: Alternative) -> Content:
    return Content("\n").join(
        Content.assemble(
            (said(source.removeprefix("response/")), STRONG),
            (f": {said(', '.join(names))}", MUTED),
        )
        for source, names in sources_of(alternative).items()
    )
