"""The Decide screen: the alternatives side by side, a pick, a reason, and on to confirm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Button, Static, TextArea
from textual.worker import Worker, WorkerState

from stopview_core.compose import Actor, Pick
from stopview_core.decide import Outcome
from stopview_core.dossier import Dossier, NotOpened
from stopview_core.registry.model import Registry
from stopview_core.system_calls import SystemCalls
from stopview_core.text import clean
from stopview_core.yamltext import write
from stopview_tui.bindings import bind
from stopview_tui.render import WARNING
from stopview_tui.render_decide import brief, leader, title
from stopview_tui.render_outcome import (
    broken,
    pick_line,
    reason_label,
    settled_already,
    written,
)
from stopview_tui.screens.decide.alternative import AlternativeScreen
from stopview_tui.screens.decide.case import Case
from stopview_tui.screens.decide.confirm import ConfirmScreen
from stopview_tui.screens.decide.desk import Desk, utc_now
from stopview_tui.screens.decide.following import follow
from stopview_tui.screens.decide.opening import ArtifactOpener
from stopview_tui.widgets.key_hints import KeyHints
from stopview_tui.widgets.reason_area import ReasonArea
from stopview_tui.widgets.score_grid import ScoreGrid
from stopview_tui.widgets.score_rows import Column


class DecideScreen(ArtifactOpener, Screen[Outcome | None]):
    """One decidable branch. Dismisses with the outcome of a decision that stands, else None.

    It reads the branch itself, in a thread, and works pushed on any app. `is_change` opens it
    ready to replace the decision in force. `calls` and `now` are seams for tests. `look_again`
    reads the branch anew; in the app it does so whenever the run changed on disk.
    """

    CSS_PATH = "decide.tcss"
    AUTO_FOCUS = "ScoreGrid"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (32, "-tall")]  # noqa: RUF012 (typed by Screen)
    BINDINGS: ClassVar = [
        bind("decide", "pick", "pick"),
        bind("decide", "confirm", "confirm"),
        bind("decide", "change", "change", description="Change or take back"),
        bind(
            "replacing",
            "change",
            "keep",
            description="Leave it as it is",
            tooltip="The decision in force stays",
        ),
        bind("decide", "open", "open", description="In full", tooltip="Read it uncut"),
        bind("decide", "artifact", "artifact", tooltip="Open an artifact of this column"),
        bind("decide", "editor", "editor", tooltip="Read a document of the branch as a whole"),
        bind("decide", "copy", "copy", tooltip="Copy the id, or the receipt's path"),
        bind("decide", "next", "next", tooltip="Leave, and go to the next row to decide"),
        bind("decide", "quit", "back", description="Back"),
        bind("decide", "back", "back"),
    ]

    @dataclass
    class EvidenceRead(Message):
        """The branch was read, or could not be; `number` counts the looks."""

        found: Dossier | NotOpened
        number: int

    def __init__(
        self,
        run_path: Path,
        key: str,
        *,
        registry: Registry,
        actor: Actor,
        is_change: bool = False,
        calls: SystemCalls | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        super().__init__(classes="-loading")
        self.desk = Desk(run_path, key, registry, actor, calls or SystemCalls(), now)
        self.case = Case()
        self.outcome: Outcome | None = None
        self._pending: Outcome | None = None
        self._is_leaving = False
        self._starts_changing = is_change
        self._is_reason_missed = False
        self._has_to_look = False
        self._looks = 0

    def compose(self) -> ComposeResult:
        """Everything there can be to see; classes of the screen say which of it is."""
        yield Static(Content(""), id="decide-title", markup=False)
        yield Static(Content(f"Reading the evidence of {self.desk.key}…"), id="loading")
        with VerticalScroll(id="problem"):
            yield Static(Content(""), id="problem-text", markup=False)
        with VerticalScroll(id="notice"):
            yield Static(Content(""), id="notice-text", markup=False)
        with VerticalScroll(id="brief"):
            yield Static(Content(""), id="brief-text", markup=False)
        yield ScoreGrid(id="grid")
        with Horizontal(id="pick-bar"):
            yield Static(Content(""), id="picked", markup=False)
            button = Button(Content("Go on (ctrl+s)"), id="go-on", compact=True)
            button.can_focus = False
            yield button
        yield Static(Content(""), id="reason-label", markup=False)
        yield ReasonArea(id="reason")
        yield KeyHints()

    def on_mount(self) -> None:
        """Read the branch, and follow it."""
        follow(self, self.desk.run_path, self._run_changed)
        self.look_again()

    def _run_changed(self) -> None:
        """Look when it is in front: what lies on it stands for the last look."""
        if self.is_current:
            self.look_again()
        else:
            self._has_to_look = True

    def on_screen_resume(self) -> None:
        """Back in front: look, where something changed meanwhile."""
        if self._has_to_look:
            self.look_again()

    def look_again(self) -> None:
        """Read the branch anew; the pick and the reason stay, what changed is said."""
        self._has_to_look = False
        if self.outcome is not None:
            return
        self._looks += 1
        number = self._looks

        def reading() -> None:
            self.post_message(self.EvidenceRead(self.desk.read(), number))

        self.run_worker(
            reading, group="decide-read", exclusive=True, thread=True, exit_on_error=False
        )

    # What was read

    def on_decide_screen_evidence_read(self, message: EvidenceRead) -> None:
        """Show it; where it differs from what was shown before, say how."""
        message.stop()
        if message.number != self._looks or self.outcome is not None:
            return
        if isinstance(message.found, NotOpened):
            self._show_problem(Content.styled(clean(message.found.why), WARNING))
            return
        before, outcome, self._pending = self.case.dossier, self._pending, None
        self.case.look(message.found, outcome)
        if before is None and self._starts_changing and self.case.can_change:
            self.case.toggle_change()
        self.remove_class("-loading", "-problem")
        self.add_class("-ready")
        self.query_one("#decide-title", Static).update(title(message.found))
        grid = self.query_one(ScoreGrid)
        earlier = before.alternatives if before else None
        grid.show(message.found.alternatives, before=earlier, note=leader(message.found))
        # What was read is what has to be looked at; who is typing is not torn away from it.
        if outcome is not None or before is None:
            grid.focus()
        self._show_state()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Reading broke in a way nobody expected: say so, there is nothing to decide on."""
        event.stop()
        if event.state is WorkerState.ERROR:
            self._show_problem(broken(str(event.worker.error)))

    def _show_problem(self, said: Content) -> None:
        self.remove_class("-loading", "-ready")
        self.add_class("-problem")
        self.query_one("#problem-text", Static).update(said)
        self.query_one("#problem").focus()
        self.refresh_bindings()

    # What is shown of the state

    def _show_state(self) -> None:
        self.query_one(ScoreGrid).mark(self.case.marks)
        if self.case.dossier is not None:
            told = brief(self.case.dossier, is_changing=self.case.superseding is not None)
            self.query_one("#brief-text", Static).update(told)
        notices = self.case.notices
        self.set_class(bool(notices), "-noticed")
        self.query_one("#notice-text", Static).update(Content("\n").join(notices))
        self._show_pick()
        self._is_leaving = False
        self.refresh_bindings()

    def _show_pick(self) -> None:
        grid, marks, can_pick = self.query_one(ScoreGrid), self.case.marks, self.case.can_pick
        if not grid.grid.columns:
            return
        line = pick_line(marks.has_pick, marks.picked, grid.column.id, self.case.why_no_pick)
        self.query_one("#picked", Static).update(line)
        self.query_one("#go-on", Button).disabled = not (can_pick and marks.has_pick)
        self._show_reason()

    def _show_reason(self) -> None:
        """What the reason is for; its field stays open under the hands of who is typing."""
        reason, picked = self.query_one(ReasonArea), self.case.picked
        reason.disabled = not self.case.can_pick and not reason.has_focus
        is_required = picked is not None and picked.selected is None
        is_empty = not reason.text.strip()
        self._is_reason_missed = self._is_reason_missed and is_required and is_empty
        label = reason_label(
            is_required=is_required, is_typing=reason.has_focus, is_missed=self._is_reason_missed
        )
        self.query_one("#reason-label", Static).update(label)

    def on_descendant_focus(self) -> None:
        """Typing begins, or ends."""
        self._show_reason()

    def on_descendant_blur(self) -> None:
        """Typing ends."""
        self._show_reason()

    # Picking

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What can be done now."""
        is_ready = self.has_class("-ready") and self.outcome is None
        if action == "pick":
            return is_ready and self.case.can_pick and self.focused is self.query_one(ScoreGrid)
        if action in ("open", "artifact"):
            return is_ready
        if action == "confirm":
            return is_ready and (self.case.can_pick or self.case.in_force is not None)
        if action in ("change", "keep"):
            is_keeping = self.case.superseding is not None
            return is_ready and self.case.can_change and is_keeping == (action == "keep")
        if action == "editor":
            return self.case.dossier is not None and hasattr(self.app, "opener")
        if action == "next":
            return self.outcome is not None and self.outcome.is_written
        return True

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
        self.case.toggle(column.id)
        self._show_state()

    def action_change(self) -> None:
        """Start to replace the decision in force."""
        self.case.toggle_change()
        self._show_state()

    def action_keep(self) -> None:
        """Leave the decision in force as it is."""
        self.action_change()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Typing means staying."""
        event.stop()
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

    # Leaving, and looking closer

    def dismiss(self, result: Outcome | None = None) -> AwaitComplete:
        """Leave, with all that was said in passing."""
        self.app.clear_notifications()
        return super().dismiss(result)

    @property
    def _has_draft(self) -> bool:
        """Whether there is a pick or a reason that is written nowhere."""
        if self.outcome is not None or not self.is_mounted:
            return False
        return self.case.picked is not None or bool(self.query_one(ReasonArea).text.strip())

    def why_stay(self) -> str:
        """A mode's key must not lose the pick or the reason."""
        if not self._has_draft:
            return ""
        return "Not left: your pick or your reason is not written yet. Escape leaves it."

    def action_back(self) -> None:
        """Back to the evidence, then out; a pick or a reason that would be lost is asked for."""
        grid = self.query_one(ScoreGrid)
        if self.outcome is None and self.has_class("-ready"):
            if self.focused is not grid:
                grid.focus()
                return
            if self._has_draft and not self._is_leaving:
                self._is_leaving = True
                self._say("Press it again to leave: your pick and your reason will be gone.")
                return
        self.dismiss(self.outcome)

    def action_next(self) -> None:
        """Leave; who opened this screen goes on to the next choice once something is written."""
        self.dismiss(self.outcome)

    def action_open(self) -> None:
        """The alternative under the cursor, uncut."""
        self._open_column(self.query_one(ScoreGrid).column)

    def on_score_grid_column_opened(self, message: ScoreGrid.ColumnOpened) -> None:
        """The same by mouse."""
        message.stop()
        if message.wants_artifacts:
            self.action_artifact()
        else:
            self._open_column(message.column)

    def _open_column(self, column: Column) -> None:
        if column.alternative is None or self.case.dossier is None:
            self._say("None of these: no alternative will do. Picking it requires a reason.")
            return
        table = self.case.dossier.alternatives
        axes = (*table.axes, *table.other_axes)
        self.app.push_screen(AlternativeScreen(column.alternative, axes))

    def action_artifact(self) -> None:
        """An artifact of the column under the cursor, else any of the branch."""
        if self.case.dossier is not None:
            column = self.query_one(ScoreGrid).column
            own = column.alternative.artifacts if column.alternative else ()
            branch = self.case.dossier.branch
            self.open_artifact(self.case.dossier.run.path / branch.folder, own or branch.artifacts)

    def action_editor(self) -> None:
        """A document of the branch, by the app's opener: its response, exchanges and data."""
        opener, dossier = getattr(self.app, "opener", None), self.case.dossier
        if opener is not None and dossier is not None:
            folder = dossier.run.path / dossier.branch.folder
            self.run_worker(
                partial(opener.document, folder),
                group="decide-document",
                exclusive=True,
                exit_on_error=False,
            )

    def action_copy(self) -> None:
        """The id under the cursor; once it is written, where."""
        grid = self.query_one(ScoreGrid)
        text = self.outcome.where if self.outcome else None
        if text is None and self.outcome is None and grid.grid.columns:
            text = grid.column.id
        text = text or f"{self.desk.run_path} {self.desk.key}"
        self.app.copy_to_clipboard(text)
        self._say(f"Copied {clean(text)}")

    def _say(self, text: str) -> None:
        self.notify(text, markup=False)
