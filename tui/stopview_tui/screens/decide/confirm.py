"""Shows the record exactly as it will be written, and writes it on `y` or a click on Write."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Button, Static
from textual.worker import Worker, WorkerState

from stopview_core.compose import Pick
from stopview_core.decide import Outcome, Wish
from stopview_core.dossier import Dossier
from stopview_core.text import clean
from stopview_core.yamltext import write
from stopview_tui.bindings import bind
from stopview_tui.render_outcome import (
    broken,
    confirm_hint,
    confirm_place,
    confirm_question,
    failed,
    overtaken,
)
from stopview_tui.screens.decide.desk import Desk, trial, wish_for
from stopview_tui.screens.decide.following import follow
from stopview_tui.screens.decide.guarded import GuardedScreen
from stopview_tui.widgets.key_hints import KeyHints
from stopview_tui.widgets.marked_scroll import MarkedScroll

_WRITE_FAILED = 500
_WRITTEN = 301
_BACK, _BACK_TO = "Back, write nothing", "To the alternatives; the pick and the reason stay"


class ConfirmScreen(GuardedScreen[Outcome | None]):
    """The last look before a decision is written.

    Dismisses with the outcome, or None where the person went back. A failed write (500) stays
    here, to be tried again. Nothing on it takes the focus, so Enter does nothing; keys and clicks
    from before the record was drawn are dropped (`gate`). What changes the branch meanwhile is
    said, and nothing is written any more. Keys scroll the summary first, then the record.
    """

    CSS_PATH = "confirm.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar = [
        bind("confirm", "write", "write"),
        bind("confirm", "quit", "back", description=_BACK, tooltip=_BACK_TO),
        bind("confirm", "back", "back", description=_BACK, tooltip=_BACK_TO),
        bind("confirm", "copy", "copy", description="Copy the record", tooltip="To the clipboard"),
        bind("confirm", "up", "scroll_record(-1)", description="Scroll up", tooltip="One line up"),
        bind(
            "confirm",
            "down",
            "scroll_record(1)",
            description="Scroll down",
            tooltip="One line down",
        ),
        bind("confirm", "page-up", "page_record(-1)"),
        bind("confirm", "page-down", "page_record(1)"),
        bind("confirm", "first", "record_end(-1)", description="Start", tooltip="Where it begins"),
        bind(
            "confirm", "last", "record_end(1)", description="End", tooltip="The end of the record"
        ),
    ]

    @dataclass
    class Composed(Message):
        """The record was composed, or it turned out that it cannot be written."""

        outcome: Outcome

    @dataclass
    class Retried(Message):
        """The run changed: whether the record could be written still."""

        outcome: Outcome

    @dataclass
    class Decided(Message):
        """The write came to an end, one way or another."""

        outcome: Outcome

    def __init__(
        self, desk: Desk, dossier: Dossier, pick: Pick, *, supersede: str | None = None
    ) -> None:
        super().__init__()
        self.desk = desk
        self.dossier = dossier
        self.pick = pick
        self.supersede = supersede
        self.record: str | None = None
        self.is_writing = False
        self._at: datetime = desk.now()
        self._seq: str | None = None
        self._outcome: Outcome | None = None
        self._overtaken: Outcome | None = None

    def compose(self) -> ComposeResult:
        """What will be written above, the record, and what can be done below."""
        question = confirm_question(self.dossier, self.pick, self.desk.actor, self.supersede)
        yield Static(Content.styled("Write this decision?", "bold"), id="confirm-title")
        with MarkedScroll(id="confirm-question", can_focus=False):
            yield Static(question, id="confirm-what", markup=False)
            yield Static(Content("Composing the record…"), id="confirm-place", markup=False)
            yield Static(Content(""), id="confirm-failure", markup=False)
        with MarkedScroll(id="record", can_focus=False):
            yield Static(Content(""), id="record-text", markup=False)
        with Horizontal(id="confirm-bar"):
            button = Button(Content("Write (y)"), id="write", variant="success", compact=True)
            button.can_focus = False
            yield button
            yield Static(Content(""), id="confirm-hint", markup=False)
        yield KeyHints()

    def on_mount(self) -> None:
        """Compose the record as it would be written now; nothing said before may cover it."""
        self.app.clear_notifications()
        self.gate_moved()
        follow(self, self.desk.run_path, self._try_again)
        self._compose_record()

    def on_screen_resume(self) -> None:
        """Back in front: with what came meanwhile leave, else begin to listen anew."""
        if self._outcome is not None:
            self.dismiss(self._outcome)
        else:
            super().on_screen_resume()

    @property
    def is_ready_to_listen(self) -> bool:
        """Whether the record can be read and nothing is being written."""
        return self.record is not None and not self.is_writing

    def gate_moved(self) -> None:
        """Say what can be done now."""
        if not self.is_mounted:
            return
        if self._overtaken is not None:
            hint = confirm_hint(False, False, 0, "Not written: go back. ")
        else:
            hint = confirm_hint(self.gate.is_open, self.is_writing, self.gate.dropped)
        self.query_one("#confirm-hint", Static).update(hint)
        self.query_one("#write", Button).disabled = not self.gate.is_open

    # The record

    def _compose_record(self) -> None:
        wish, at = trial(self._wish()), self._at

        def composing() -> None:
            self.post_message(self.Composed(self.desk.decide(wish, at)))

        self.run_worker(
            composing, group="confirm-record", exclusive=True, thread=True, exit_on_error=False
        )

    def _try_again(self) -> None:
        """The run changed: see whether the record shown could be written still."""
        if self.record is None or self.is_writing:
            return
        wish, at = trial(self._wish()), self._at

        def trying() -> None:
            self.post_message(self.Retried(self.desk.decide(wish, at)))

        self.run_worker(
            trying, group="confirm-retry", exclusive=True, thread=True, exit_on_error=False
        )

    def on_confirm_screen_retried(self, message: Retried) -> None:
        """Say what stands in the way now; the record stays to be read, and is not written."""
        message.stop()
        if message.outcome.status_code == _WRITTEN or self.is_writing or self.record is None:
            return
        self._overtaken = message.outcome
        self.record = None
        self.shut_gate()
        self._show_failure(overtaken(message.outcome))

    def _wish(self) -> Wish:
        return wish_for(self.dossier, self.pick, self.supersede, self._seq)

    def on_confirm_screen_composed(self, message: Composed) -> None:
        """Show the record; go back with what stands in its way."""
        message.stop()
        outcome = message.outcome
        if outcome.status_code != _WRITTEN or outcome.receipt is None:
            self._leave(outcome)
            return
        self.record = write(outcome.receipt).decode()
        self._seq = (outcome.where or "").rpartition("/")[2].partition(".")[0]
        self.query_one("#record-text", Static).update(Content(clean(self.record)))
        self.query_one("#confirm-place", Static).update(confirm_place(self.dossier, outcome))
        self.add_class("-composed")
        self.call_after_refresh(self.drawn)

    def action_write(self) -> None:
        """Write, if it was `y` that asked for it, pressed after the record was drawn."""
        if self.takes_action("write"):
            self._write()
        elif self.gate.is_open:
            self.notify("Only y, or a click on Write, writes.", markup=False)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The Write button takes clicks only: it never has the focus."""
        event.stop()
        self._write()

    def _write(self) -> None:
        if self.is_writing or self.record is None or not self.gate.is_open:
            return
        self.is_writing = True
        self.shut_gate()
        wish, at = self._wish(), self._at

        def writing() -> None:
            self.post_message(self.Decided(self.desk.decide(wish, at)))

        self.run_worker(
            writing, group="confirm-write", exclusive=True, thread=True, exit_on_error=False
        )

    def on_confirm_screen_decided(self, message: Decided) -> None:
        """Go back with the outcome; a failed write can be tried again right here."""
        message.stop()
        self.is_writing = False
        if message.outcome.status_code != _WRITE_FAILED:
            self._leave(message.outcome)
            return
        self._show_failure(failed(message.outcome))
        self.gate_moved()
        self.call_after_refresh(self.drawn)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that broke says so; nothing is tried again behind a person's back."""
        event.stop()
        if event.state is WorkerState.ERROR and self.is_living:
            self.is_writing = False
            self.record = None
            self._show_failure(broken(str(event.worker.error)))
            self.gate_moved()

    def _show_failure(self, said: Content) -> None:
        self.query_one("#confirm-failure", Static).update(said)
        self.query_one("#confirm-question").scroll_end(animate=False)

    def _leave(self, outcome: Outcome) -> None:
        # Where another screen lies on top, such as the palette, this one leaves once it is back.
        if self.is_active:
            self.dismiss(outcome)
        else:
            self._outcome = outcome

    # What else can be done

    def action_back(self) -> None:
        """Leave without writing; not while it is being written."""
        if self.is_writing:
            self.notify("It is being written.", markup=False)
            return
        self.dismiss(self._overtaken)

    def dismiss(self, result: Outcome | None = None) -> AwaitComplete:
        """Leave, with all that was said in passing."""
        self.app.clear_notifications()
        return super().dismiss(result)

    def action_copy(self) -> None:
        """The record."""
        if self.record is not None:
            self.app.copy_to_clipboard(self.record)
            self.notify("Copied the record.", markup=False)

    def action_scroll_record(self, by: int) -> None:
        """By lines."""
        self._scrolled(by).scroll_relative(y=by, animate=False)

    def action_page_record(self, by: int) -> None:
        """By pages."""
        view = self._scrolled(by)
        view.scroll_relative(y=by * max(view.size.height - 1, 1), animate=False)

    def action_record_end(self, direction: int) -> None:
        """Everything to its top or its end."""
        for view in self.query(MarkedScroll):
            if direction < 0:
                view.scroll_home(animate=False)
            else:
                view.scroll_end(animate=False)

    def _scrolled(self, direction: int) -> MarkedScroll:
        """What a key scrolls: down the summary first, then the record, and up the other way."""
        summary = self.query_one("#confirm-question", MarkedScroll)
        record = self.query_one("#record", MarkedScroll)
        if direction > 0:
            return summary if summary.below else record
        return record if record.scroll_y > 0 else summary
