"""The Codes mode: every stop code with what it means, when it flips, and where it leads."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from stopview_core.board import Filter
from stopview_core.registry.model import Registry
from stopview_tui.bindings import bind
from stopview_tui.render_codes import code_lines, fault_lines, filter_words
from stopview_tui.screens.asking import Facet, ask_filter
from stopview_tui.screens.choose import Choice
from stopview_tui.screens.codes.rows import (
    CodeRow,
    CodeRows,
    CodesFilter,
    CodesSource,
    code_rows,
    values_of,
)
from stopview_tui.screens.shell_screen import ShellScreen
from stopview_tui.widgets.bottom_bars import BottomBars
from stopview_tui.widgets.fault_banner import FaultBanner
from stopview_tui.widgets.filter_bar import FilterBar
from stopview_tui.widgets.page import Page
from stopview_tui.widgets.rows import Rows


class CodesScreen(ShellScreen[None]):
    """The registry in use, as it was loaded."""

    CSS_PATH = ["../panes.tcss", "codes.tcss"]  # noqa: RUF012
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("codes", "filter", "filter", tooltip="Search codes, meanings, routes and faults"),
        bind("codes", "filter-by", "filter_by", tooltip="Filter by domain, operator or route"),
        bind(
            "codes", "back", "clear", description="Clear the filter", tooltip="Show all codes again"
        ),
        bind("codes", "copy", "copy", description="Copy the code", tooltip="To the clipboard"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.wanted = CodesFilter()
        self._registry: Registry | None = None
        self._all = CodeRows((), ())

    def compose(self) -> ComposeResult:
        """The list, one code in full, and the bars."""
        yield FaultBanner()
        yield FilterBar()
        yield Static(id="codes-filter", markup=False)
        with Container(classes="panes"):
            yield Static("Reading the registry…", id="empty", markup=False)
            yield Rows(CodesSource(self.shell.settings.columns.get("codes", ())), id="rows")
            yield Page(id="detail", classes="full")
        yield BottomBars()

    def on_mount(self) -> None:
        """Show the registry as soon as it is loaded."""
        self.add_class("-empty")
        self.shell.facts_changed.subscribe(self, self._take_registry)
        self._take_registry(None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without a filter there is none to clear."""
        if action == "clear" and self.is_mounted:
            return self.query_one(FilterBar).can_clear(is_set=self.wanted != CodesFilter())
        return True

    @property
    def rows(self) -> Rows[CodeRow]:
        """The list."""
        return cast("Rows[CodeRow]", self.query_one("#rows", Rows))

    def _take_registry(self, _: object) -> None:
        registry = self.shell.registry
        if registry is None or registry is self._registry:
            return
        self._registry = registry
        self._all = code_rows(registry)
        source = cast("CodesSource", self.rows.source)
        source.groups, source.has_faults = self._all.groups, bool(registry.faults)
        self.show_filtered(self.wanted)

    def show_filtered(self, wanted: CodesFilter) -> None:
        """Show what this filter admits."""
        self.wanted = wanted
        shown = [row for row in self._all.rows if wanted.admits(row)]
        self.rows.show(shown)
        hidden = len(self._all.rows) - len(shown)
        self.query_one(FilterBar).say(Filter(wanted.text), len(shown), hidden, 0)
        told = filter_words(wanted.domain, wanted.operator, wanted.route, len(shown), hidden)
        said = self.query_one("#codes-filter", Static)
        said.update(told)
        said.display = bool(told)
        self.set_empty(not shown)
        if not shown:
            self.query_one("#empty", Static).update(
                "No code matches. Escape shows all of them again."
            )
        self.refresh_bindings()
        self._tell()

    @on(Rows.Highlighted, "#rows")
    def _highlighted(self, event: Rows.Highlighted) -> None:
        if not isinstance(event, Rows.Activated):
            self._tell()

    def _tell(self) -> None:
        row, registry = self.rows.cursor_row, self._registry
        page = self.query_one("#detail", Page)
        if row is None or registry is None:
            page.show(Content(""))
        elif row.fault is not None:
            fault = row.fault
            page.show(lambda width: fault_lines(fault, width))
        elif row.page is not None:
            entry = row.page
            page.show(lambda width: code_lines(entry, registry, width))

    # Actions

    @on(Rows.Activated, "#rows")
    def _open(self, event: Rows.Activated) -> None:
        """Read the entry: the keys scroll it now."""
        event.stop()
        if event.is_held:
            self.query_one("#detail", Page).focus()

    def action_copy(self) -> None:
        """Copy the code, or the fault's place."""
        row = self.rows.cursor_row
        if row is None:
            return
        if row.fault is not None:
            fault = row.fault
            told = f"{fault.file} {fault.path}".strip()
            choices = [Choice(told, "file and path", told, "p"), Choice(fault.code, "fault code")]
            self.shell.do(self.shell.opener.copy, choices)
        elif row.page is not None:
            self.app.copy_to_clipboard(row.page.entry.code)
            self.shell.say(f"Copied: {row.page.entry.code}")

    def action_filter(self) -> None:
        """Search as the person types."""
        self.query_one(FilterBar).edit()

    def action_filter_by(self) -> None:
        """Filter by domain, operator or route."""
        self.shell.do(self._filter_by)

    async def _filter_by(self) -> None:
        facets = (
            Facet("d", "domain", self.wanted.domain),
            Facet("o", "operator", self.wanted.operator),
            Facet("r", "route", self.wanted.route),
        )
        chosen = await ask_filter(self.app, facets, self._values)
        if chosen is not None:
            changed: dict[str, Any] = {chosen[0]: chosen[1]}
            self.show_filtered(replace(self.wanted, **changed))

    def _values(self, name: str) -> list[tuple[str, int]]:
        found = Counter(values_of(self._all.rows, name))
        return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))

    @on(FilterBar.Changed)
    def _text_changed(self, event: FilterBar.Changed) -> None:
        self.show_filtered(replace(self.wanted, text=event.text))

    @on(FilterBar.Left)
    def _text_left(self, event: FilterBar.Left) -> None:
        self.rows.focus()
        if event.step > 0:
            self.rows.action_down()
        elif event.step < 0:
            self.rows.action_up()

    def action_clear(self) -> None:
        """Show all codes again, and give the list the focus."""
        self.query_one(FilterBar).put("")
        self.rows.focus()
        self.show_filtered(CodesFilter())
