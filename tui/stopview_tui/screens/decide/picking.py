"""Picking an alternative, and going on to confirm what would be written."""

from __future__ import annotations

from textual.widgets import Button, TextArea

from stopview_core.compose import Pick
from stopview_core.decide import Outcome
from stopview_core.yamltext import write
from stopview_tui.render_outcome import settled_already, written
from stopview_tui.screens.decide.confirm import ConfirmScreen
from stopview_tui.screens.decide.looking import LooksAgain
from stopview_tui.widgets.reason_area import ReasonArea
from stopview_tui.widgets.score_grid import ScoreGrid
from stopview_tui.widgets.score_rows import Column


class Picks(LooksAgain):
    """From a pick to what came of it."""

    def action_pick(self) -> None:
        """Pick the column under the cursor, or let it go."""
        self._toggle(self.query_one(ScoreGrid).column)

    def on_score_grid_pick_toggled(self, message: ScoreGrid.PickToggled) -> None:
        """The same by mouse."""
        message.stop()
        if self.case.can_pick:
            self._toggle(message.column)
        else:
            self._say(self.case.why_no_pick)

    def on_score_grid_cursor_moved(self, message: ScoreGrid.CursorMoved) -> None:
        """Another column would be picked."""
        message.stop()
        self._show_pick()

    def _toggle(self, column: Column) -> None:
        if not column.is_offered:
            self._say(f"{column.title} is not among the options of the question.")
            return
        self._unsay()
        self.case.toggle(column.id)
        self._show_state()

    def action_change(self) -> None:
        """Start to replace the decision in force."""
        self._unsay()
        self.case.toggle_change()
        self._show_state()

    def action_keep(self) -> None:
        """Leave the decision in force as it is."""
        self.action_change()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Typing means staying."""
        event.stop()
        if self._is_leaving:
            self._unsay()
        self._is_leaving = False
        self._show_reason()

    # Going on

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The same as ctrl+s, by mouse."""
        event.stop()
        self.action_confirm()

    def action_confirm(self) -> None:
        """Show what would be written, once something is picked."""
        reason = self.query_one(ReasonArea)
        if self.case.dossier is None or not self.case.can_pick:
            self._say(self.case.why_no_pick)
            return
        if self.case.picked is None:
            self._say("Nothing is picked yet: space picks the column under the cursor.")
            self.query_one(ScoreGrid).focus()
            return
        pick = Pick.of(self.case.picked.selected, reason.text)
        if pick.selected is None and pick.reason is None:
            self._is_reason_missed = True
            reason.focus()
            self._show_reason()
            return
        self.case.go_on()
        screen = ConfirmScreen(self.desk, self.case.dossier, pick, supersede=self.case.superseding)
        self.app.push_screen(screen, self._confirmed)

    def _confirmed(self, outcome: Outcome | None) -> None:
        """Back from the confirm screen, with what came of it."""
        if outcome is None:
            return
        standing = self.case.dossier.reading.decision if self.case.dossier else None
        has_reason = bool(self.query_one(ReasonArea).text.strip())
        if outcome.is_settled and standing is not None and has_reason:
            self.case.notice = settled_already(standing)
            self._show_state()
            return
        if outcome.is_written or outcome.is_settled:
            self._show_written(outcome)
            return
        self._pending = outcome
        self.look_again()

    def _show_written(self, outcome: Outcome) -> None:
        self.outcome = outcome
        pick = self.case.picked or Pick(None, None)
        record = write(outcome.receipt).decode() if outcome.receipt else ""
        is_taking_back = self.case.superseding is not None
        self._show_problem(written(outcome, pick, record, is_taking_back=is_taking_back))
        self.add_class("-written")
