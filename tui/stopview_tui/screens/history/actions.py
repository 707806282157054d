"""What a person can do in the History mode, by key, click or palette."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from textual import on

from stopview_core.history import HistoryFilter, HistoryRecord
from stopview_core.snapshot import Snapshot
from stopview_tui.history_rows import HistoryRow, counts_of
from stopview_tui.screens.asking import Facet, ask_filter
from stopview_tui.screens.choose import Choice
from stopview_tui.screens.history.dates import DateRange, DatesScreen
from stopview_tui.screens.history.files import export_history
from stopview_tui.screens.history.further import ReadsFurther
from stopview_tui.screens.run.screen import RunScreen
from stopview_tui.widgets.filter_bar import FilterBar
from stopview_tui.widgets.rows import Rows

_NEEDS_ROW = frozenset({"run", "copy"})


class HistoryActions(ReadsFurther):
    """The actions; the screen itself is built on it. `wanted` is the filter as it is now."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted = HistoryFilter()

    def first_key(self, row: HistoryRow) -> Any:
        """Bypassed approvals first where only violations are shown, then the newest."""
        return (self.wanted.only_violations and not row.is_bypassed, row.newest_first)

    def show_filtered(self, wanted: HistoryFilter) -> None:
        """Show what this filter admits."""
        self.wanted = wanted
        self.select()
        self.refresh_bindings()

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what cannot be done with the row under the cursor."""
        if action == "clear" and self.is_mounted:
            return self.query_one(FilterBar).can_clear(is_set=self.wanted != HistoryFilter())
        return self.row is not None if action in _NEEDS_ROW else True

    def key_words(self, binding_id: str) -> str | None:
        """All records again, where only violations are shown."""
        if binding_id == "history.violations" and self.wanted.only_violations:
            return "All records"
        return super().key_words(binding_id)

    @on(Rows.Activated, "#rows")
    def _open(self, event: Rows.Activated) -> None:
        event.stop()
        if event.is_held:
            self.action_run()
        else:
            self.shell.say("This record is not listed any more.")

    def action_run(self) -> None:
        """Open the run at the branch of the record."""
        if (row := self.row) is not None:
            self.app.push_screen(RunScreen(row.record.run_path, row.record.branch))

    def action_copy(self) -> None:
        """Copy something that names the record."""
        if (row := self.row) is not None:
            self.shell.do(self.shell.opener.copy, _texts_of(row.record))

    def action_export(self) -> None:
        """Write what is shown to a new file."""
        self.shell.do(self._export)

    async def _export(self) -> None:
        shell = self.shell
        if shell.registry is None:
            return
        rows = sorted(self.model.shown, key=self.first_key)
        try:
            path = await asyncio.to_thread(
                export_history,
                [row.record for row in rows],
                self.model.hidden,
                self.model.hidden_bypassed,
                Snapshot(dict(self.runs), shell.picture.skipped, shell.now()),
                shell.registry,
                shell.registry_how,
            )
        except OSError as error:
            shell.say(f"Nothing was exported: {error.strerror or error}", is_trouble=True)
        else:
            shell.say(f"Exported {len(rows)} records to {path}")

    def action_dates(self) -> None:
        """Show only the records of some days."""
        self.shell.do(self._ask_dates)

    async def _ask_dates(self) -> None:
        held = DateRange(self.wanted.since, self.wanted.until)
        asked = await self.app.push_screen_wait(DatesScreen(held, self.shell.now()))
        if asked is not None:
            self.show_filtered(replace(self.wanted, since=asked.since, until=asked.until))

    def action_violations(self) -> None:
        """Show only what breaks a rule, or everything again."""
        self.show_filtered(replace(self.wanted, only_violations=not self.wanted.only_violations))

    def action_filter_by(self) -> None:
        """Filter by code or operator."""
        self.shell.do(self._filter_by)

    async def _filter_by(self) -> None:
        facets = (
            Facet("c", "code", self.wanted.code),
            Facet("o", "operator", self.wanted.operator),
        )
        chosen = await ask_filter(self.app, facets, self._values)
        if chosen is not None:
            changed: dict[str, Any] = {chosen[0]: chosen[1]}
            self.show_filtered(replace(self.wanted, **changed))

    def _values(self, name: str) -> list[tuple[str, int]]:
        rows = self.model.every()
        if name == "code":
            return list(counts_of(row.record.code for row in rows).items())
        named = (row.record.operator for row in rows if row.record.operator)
        return list(counts_of(named).items())

    @on(FilterBar.Changed)
    def _text_changed(self, event: FilterBar.Changed) -> None:
        self.show_filtered(replace(self.wanted, text=event.text))

    def action_clear(self) -> None:
        """Show all records again, and give the list the focus."""
        self.query_one(FilterBar).put("")
        self.rows.focus()
        self.show_filtered(HistoryFilter())


def _texts_of(record: HistoryRecord) -> list[Choice[str]]:
    step, _, parallel = record.branch.partition("/")
    path = str(record.run_path / f"step-{step}" / f"parallel-{parallel}")
    named = f"{record.run_id} {record.branch}"
    found = [
        Choice(path, "path", path, "p"),
        Choice(record.run_id, "run id", record.run_id, "r"),
        Choice(named, "run and branch", named, "b"),
        Choice(record.code, "stop code", record.code, "c"),
    ]
    if record.selected is not None:
        found.append(Choice(record.selected, "selected", record.selected, "s"))
    return found
