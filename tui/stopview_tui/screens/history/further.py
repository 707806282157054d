"""Reads the runs of the History mode as far as `stopview history` does, once it is opened."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import replace

from textual import work

from stopview_core.history_readings import HistoryReadings
from stopview_core.readings import RunReading
from stopview_tui.history_rows import HistoryRow, history_rows
from stopview_tui.picture import PictureChange
from stopview_tui.run_keyed import RunKeyedRows
from stopview_tui.screens.history.further_runs import FurtherRuns
from stopview_tui.screens.keyed_list import KeyedListScreen

REWRITTEN_AFTER_S = 1.0
"""How soon a run that was met half written is looked at again: no event may tell of its end."""


class ReadsFurther(KeyedListScreen[HistoryRow]):
    """A list of records. `was_read` once every run was read in full for the first time.

    What changes in the picture is read again at once. What the picture does not read, such as the
    response.md of a branch that is done, is looked at each minute while the list is in view.
    """

    def __init__(self) -> None:
        super().__init__(RunKeyedRows(history_rows))
        self.was_read = False
        self._further = FurtherRuns()
        self._readings: HistoryReadings | None = None
        self._is_reading = False
        self._is_due = False

    @property
    def runs(self) -> Mapping[str, RunReading]:
        """The runs as far as they have been read."""
        return self._further.runs

    @property
    def is_settled(self) -> bool:
        """Whether every run has been read as it is now."""
        return self.was_read and not self._is_reading

    def on_mount(self) -> None:
        """Show what the picture has, and read on."""
        runs = self.shell.picture.runs
        self._further.follow(runs, runs)
        if self.shell.picture.is_whole:
            self._look_at(runs)

    def on_screen_resume(self) -> None:
        """Look for what a list does not see, if a minute has passed."""
        if self._is_due:
            self._look_at(self.runs)

    def _picture_changed(self, change: PictureChange) -> None:
        picture = self.shell.picture
        changed = self._further.follow(picture.runs, change.touched)
        super()._picture_changed(replace(change, touched=changed))
        if change.is_first:
            self._look_at(picture.runs)
        elif picture.is_whole:
            self._look_at(change.touched)

    def _minute_passed(self, _: object) -> None:
        super()._minute_passed(_)
        if self.is_current and self.was_read:
            self._look_at(self.runs)
        else:
            self._is_due = True

    def _look_at(self, paths: Iterable[str]) -> None:
        """Read these runs where they have changed, in a thread."""
        self._is_due = False
        self._further.want(paths)
        if not self._is_reading:
            self._is_reading = True
            self._read()

    @work(group="further", exit_on_error=False)
    async def _read(self) -> None:
        try:
            while paths := self._further.next():
                readings = self._opened()
                found = await asyncio.to_thread(readings.look, paths)
                self._show_read(self._further.take(found, self.shell.picture.runs))
        finally:
            self._is_reading = False
        if not self.was_read:
            self.was_read = True
            self.rows.move_home()
            self.rows_changed()
        if self._readings is not None and (rewritten := self._readings.rewritten):
            self.set_timer(REWRITTEN_AFTER_S, lambda: self._look_at(rewritten))

    def _opened(self) -> HistoryReadings:
        if self._readings is None:
            assert self.shell.registry is not None, "runs are read with a registry"
            self._readings = HistoryReadings(self.shell.registry)
        return self._readings

    def _show_read(self, changed: frozenset[str]) -> None:
        # Until the list is filled, it takes what has been read by then.
        if changed and self.is_filled:
            self.take_touched(changed, marks=self.was_read)
