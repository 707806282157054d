"""The Runs mode: the list of all runs, and the one under the cursor in short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widgets import Static

from stopview_core.board import Filter
from stopview_core.readings import RunReading
from stopview_core.run_board import RunRow, admits_run, codes_of, run_row
from stopview_tui.bindings import bind
from stopview_tui.inbox_model import Counts
from stopview_tui.render_empty import empty_words
from stopview_tui.render_runs import run_page
from stopview_tui.run_keyed import RunKeyedRows
from stopview_tui.screens.asking import Facet, ask_filter
from stopview_tui.screens.choose import Choice
from stopview_tui.screens.keyed_list import KeyedListScreen
from stopview_tui.screens.run.screen import RunScreen
from stopview_tui.screens.runs.source import RunsSource
from stopview_tui.widgets.bottom_bars import BottomBars
from stopview_tui.widgets.fault_banner import FaultBanner
from stopview_tui.widgets.filter_bar import FilterBar
from stopview_tui.widgets.page import Page
from stopview_tui.widgets.rows import Rows

_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)
_NEEDS_ROW = frozenset({"run", "copy"})


class RunsScreen(KeyedListScreen[RunRow]):
    """All runs; a filter shows those with a branch that it fits."""

    CSS_PATH = ["../panes.tcss", "runs.tcss"]  # noqa: RUF012
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("runs", "run", "run"),
        bind("runs", "next", "next", tooltip="To the next run that needs a choice"),
        bind("runs", "filter", "filter"),
        bind("runs", "filter-by", "filter_by"),
        bind(
            "runs", "back", "clear", description="Clear the filter", tooltip="Show all runs again"
        ),
        bind("runs", "copy", "copy"),
    ]

    def __init__(self) -> None:
        super().__init__(RunKeyedRows(lambda run: [run_row(run)]))
        self.wanted = Filter()

    def compose(self) -> ComposeResult:
        """The list, one run in short, and the bars."""
        wanted = self.shell.settings.columns.get("runs", ())
        yield FaultBanner()
        yield FilterBar()
        with Container(id="runs", classes="panes"):
            yield Static(id="empty", markup=False)
            yield Rows(RunsSource(wanted, self.shell.now), id="rows")
            yield Page(id="detail", classes="full")
        yield BottomBars()

    # The list

    def admits(self) -> Callable[[RunRow], bool]:
        """By the filter as it is now."""
        wanted = self.wanted
        return lambda row: admits_run(wanted, row)

    def newest(self, run: RunReading) -> datetime:
        """When the run last changed."""
        return run.changed_at.at if run.changed_at is not None else _BEFORE_ALL

    def show_filtered(self, wanted: Filter) -> None:
        """Show what this filter admits."""
        self.wanted = wanted
        self.select()
        self.refresh_bindings()

    def rows_changed(self) -> None:
        """Say how many runs are shown and hidden."""
        model = self.model
        self.query_one(FilterBar).say(
            self.wanted, model.shown_count, model.hidden, model.hidden_bypassed
        )
        is_empty = model.shown_count == 0 and self.rows.cursor is None
        self.set_empty(is_empty)
        if is_empty:
            counts = Counts(hidden=model.hidden, hidden_bypassed=model.hidden_bypassed)
            picture = self.shell.picture
            words = empty_words(
                counts,
                runs=len(picture.runs),
                roots=self.shell.roots,
                since=picture.since,
                is_whole=picture.is_whole,
            )
            self.query_one("#empty", Static).update(words)

    def row_changed(self, *, is_other: bool) -> None:
        """Say the run under the cursor in short."""
        row = self.rows.cursor_row
        page = self.query_one("#detail", Page)
        if row is not None:
            page.show(run_page(row.run, self.shell.now()), keep_place=not is_other)

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what cannot be done with the row under the cursor."""
        if action == "clear" and self.is_mounted:
            return self.query_one(FilterBar).can_clear(is_set=self.wanted != Filter())
        return self.row is not None if action in _NEEDS_ROW else True

    @on(Rows.Activated, "#rows")
    def _open(self, event: Rows.Activated) -> None:
        event.stop()
        if not event.is_held:
            self.shell.say("This run is not listed any more.")
        else:
            self.action_run()

    def action_run(self) -> None:
        """Open the run."""
        if (row := self.row) is not None:
            self.app.push_screen(RunScreen(row.path, None))

    def action_next(self) -> None:
        """Go to the next run with a branch that needs a choice."""
        if not self.rows.move_to_next(lambda row: row.choices > 0):
            self.shell.say("No run shown needs a choice.")
        self.rows.focus()

    def action_copy(self) -> None:
        """Copy the run's path or id."""
        if (row := self.row) is not None:
            path = str(row.path)
            choices = [
                Choice(path, "path", path, "p"),
                Choice(row.run.id, "run id", row.run.id, "r"),
            ]
            self.shell.do(self.shell.opener.copy, choices)

    def action_filter_by(self) -> None:
        """Filter by code, operator or route."""
        self.shell.do(self._filter_by)

    async def _filter_by(self) -> None:
        facets = (
            Facet("c", "code", self.wanted.code),
            Facet("o", "operator", self.wanted.operator),
            Facet("r", "route", self.wanted.route),
        )
        chosen = await ask_filter(self.app, facets, self._values)
        if chosen is not None:
            changed: dict[str, Any] = {chosen[0]: chosen[1]}
            self.show_filtered(replace(self.wanted, **changed))

    def _values(self, name: str) -> list[tuple[str, int]]:
        """What the runs can be filtered by, the most frequent first."""
        found: Counter[str] = Counter()
        for row in self.model.every():
            found.update(_values_of(row, name))
        return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))

    @on(FilterBar.Changed)
    def _text_changed(self, event: FilterBar.Changed) -> None:
        self.show_filtered(replace(self.wanted, text=event.text))

    def action_clear(self) -> None:
        """Show all runs again, and give the list the focus."""
        self.query_one(FilterBar).put("")
        self.rows.focus()
        self.show_filtered(Filter())


def _values_of(row: RunRow, name: str) -> set[str]:
    """What a run is found by under the name, each once."""
    branches = row.run.branches.values()
    if name == "code":
        return {code for branch in branches for code in codes_of(branch)}
    if name == "operator":
        return {branch.operator for branch in branches if branch.operator}
    return {branch.resolution.route.kind for branch in branches if branch.resolution}
