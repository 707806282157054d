"""The History mode: fallbacks taken and decisions made, newest first, with their scores."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import ClassVar, cast

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static

from stopview_core.board import Filter
from stopview_core.history import HistoryFilter
from stopview_core.readings import RunReading
from stopview_tui.bindings import bind
from stopview_tui.history_rows import HistoryRow, counts_of, newest_record
from stopview_tui.render import MUTED, styled
from stopview_tui.render_history import filter_words, summary
from stopview_tui.render_history_page import record_lines
from stopview_tui.screens.history.actions import HistoryActions
from stopview_tui.screens.history.files import read_decision
from stopview_tui.screens.history.source import HistorySource
from stopview_tui.widgets.bottom_bars import BottomBars
from stopview_tui.widgets.count_bars import CountBars
from stopview_tui.widgets.fault_banner import FaultBanner
from stopview_tui.widgets.filter_bar import FilterBar
from stopview_tui.widgets.page import Page
from stopview_tui.widgets.rows import Rows

_EVERYTHING = HistoryFilter()
LINGER_S = 0.1
"""How long the cursor rests on a decision before its receipt is read."""


class HistoryScreen(HistoryActions):
    """All records; a bypassed approval that a filter hides is said."""

    CSS_PATH = ["../panes.tcss", "history.tcss"]  # noqa: RUF012
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("history", "run", "run"),
        bind("history", "filter", "filter"),
        bind("history", "filter-by", "filter_by", tooltip="Filter by code or operator"),
        bind("history", "dates", "dates"),
        bind("history", "violations", "violations"),
        bind("history", "export", "export"),
        bind(
            "history",
            "back",
            "clear",
            description="Clear the filter",
            tooltip="Show all records again",
        ),
        bind("history", "copy", "copy"),
    ]

    class ReceiptRead(Message):
        """The receipt of a decision was read."""

        def __init__(self, identity: str, receipt: Content) -> None:
            super().__init__()
            self.identity = identity
            self.receipt = receipt

    def __init__(self) -> None:
        super().__init__()
        self._receipt: tuple[str, Content] | None = None
        self._linger: Timer | None = None

    def compose(self) -> ComposeResult:
        """What is shown, how often what was, the records, one of them in full, and the bars."""
        wanted = self.shell.settings.columns.get("history", ())
        yield FaultBanner()
        yield FilterBar()
        yield Static(id="history-summary", markup=False)
        with Horizontal(id="counts"):
            yield CountBars("By code", id="by-code")
            yield CountBars("By operator", id="by-operator")
        with Container(classes="panes"):
            yield Static(id="empty", markup=False)
            yield Rows(HistorySource(wanted), id="rows")
            yield Page(id="detail", classes="full")
        yield BottomBars()

    # The list

    def admits(self) -> Callable[[HistoryRow], bool]:
        """By the filter as it is now."""
        wanted = self.wanted
        if wanted == _EVERYTHING:
            return lambda row: True
        return lambda row: wanted.admits(row.record)

    def newest(self, run: RunReading) -> datetime:
        """When the run's newest record was."""
        return newest_record(run)

    def before_show(self) -> None:
        """Group the rows as they are filtered."""
        cast("HistorySource", self.rows.source).only_violations = self.wanted.only_violations

    def rows_changed(self) -> None:
        """Say how much is shown and hidden, and how often what occurs."""
        model, wanted = self.model, self.wanted
        self.query_one(FilterBar).say(
            Filter(wanted.text, wanted.code, wanted.operator),
            model.shown_count,
            model.hidden,
            model.hidden_bypassed,
        )
        is_empty = model.shown_count == 0 and self.rows.cursor is None
        self.set_empty(is_empty)
        if is_empty:
            self.query_one("#empty", Static).update(self._empty_words())
        self._say_summary(0)
        self._count()

    def _empty_words(self) -> str:
        if self.model.hidden:
            return "No record matches. Escape shows all of them again."
        if not self.was_read:
            return "Reading …"
        return "Nothing yet: no fallback was taken and no decision was made."

    @work(group="count", exclusive=True, exit_on_error=False)
    async def _count(self) -> None:
        """Count in a thread: there may be very many records."""
        shown = tuple(self.model.shown)
        by_code, by_operator, decisions = await asyncio.to_thread(_counted, shown)
        self.query_one("#by-code", CountBars).show(by_code)
        self.query_one("#by-operator", CountBars).show(by_operator)
        # The names and a heading; the stylesheet says how many lines there may be at most.
        self.query_one("#counts").styles.height = max(len(by_code), len(by_operator)) + 1
        self._say_summary(decisions)

    def _say_summary(self, decisions: int) -> None:
        model = self.model
        told = [summary(model.shown_count, decisions, model.hidden, model.hidden_bypassed)]
        told.append(filter_words(self.wanted))
        if not self.was_read:
            told.append(styled(("still reading …", MUTED)))
        self.query_one("#history-summary", Static).update(
            Content("   ").join(part for part in told if part)
        )

    # The record under the cursor

    def row_changed(self, *, is_other: bool) -> None:
        """Say the record under the cursor in full."""
        row = self.rows.cursor_row
        page = self.query_one("#detail", Page)
        if row is None:
            page.show(Content(""))
            return
        held = self._receipt
        receipt = held[1] if held is not None and held[0] == row.identity else None
        record = row.record
        page.show(lambda width: record_lines(record, receipt, width), keep_place=not is_other)
        if record.decision is not None and (receipt is None or not is_other):
            if self._linger is not None:
                self._linger.stop()
            self._linger = self.set_timer(LINGER_S, self._read_receipt)

    def _read_receipt(self) -> None:
        row = self.row
        if row is None or row.record.decision is None:
            return
        identity, record = row.identity, row.record

        def reading() -> None:
            self.post_message(self.ReceiptRead(identity, read_decision(record)))

        self.run_worker(reading, group="receipt", exclusive=True, thread=True, exit_on_error=False)

    @on(ReceiptRead)
    def _receipt_read(self, message: ReceiptRead) -> None:
        before = self._receipt
        self._receipt = (message.identity, message.receipt)
        row = self.row
        is_new = before is None or before[0] != message.identity
        is_new = is_new or not before[1].is_same(message.receipt)  # type: ignore[index]
        if row is not None and row.identity == message.identity and is_new:
            record, receipt = row.record, message.receipt
            self.query_one("#detail", Page).show(
                lambda width: record_lines(record, receipt, width), keep_place=True
            )


def _counted(rows: Iterable[HistoryRow]) -> tuple[Mapping[str, int], Mapping[str, int], int]:
    """How often each code and operator occurs, and how many records are decisions."""
    records = [row.record for row in rows]
    return (
        counts_of(record.code for record in records),
        counts_of(record.operator for record in records),
        sum(record.decision is not None for record in records),
    )
