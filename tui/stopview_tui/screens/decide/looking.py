"""Reads the branch that is being decided, and again whenever it changes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from textual import on
from textual.content import Content
from textual.events import ScreenResume
from textual.message import Message
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from stopview_core.decide import Outcome
from stopview_core.dossier import Dossier, NotOpened
from stopview_core.text import clean
from stopview_tui.render import WARNING
from stopview_tui.render_decide import leader, title
from stopview_tui.render_outcome import broken
from stopview_tui.screens.decide.desk import Desk
from stopview_tui.screens.decide.following import follow
from stopview_tui.screens.decide.view import CaseView
from stopview_tui.screens.problem import show_failure
from stopview_tui.widgets.score_grid import ScoreGrid

_READING = "decide-read"
AT_ONCE_S = 0.03
"""How long nothing is shown while the branch is read: what comes by then is drawn at once, once."""


class LooksAgain(CaseView):
    """Looks in a thread; the pick and the reason stay, and what changed is said."""

    @dataclass
    class EvidenceRead(Message):
        """The branch was read, or could not be; `number` counts the looks."""

        found: Dossier | NotOpened
        number: int

    def __init__(self, desk: Desk, *, is_change: bool) -> None:
        super().__init__(desk)
        self._starts_changing = is_change
        self._pending: Outcome | None = None
        self._has_to_look = False
        self._was_in_front = False
        self._looks = 0
        self._waiting: asyncio.Future[Dossier | NotOpened] | None = None

    async def on_compose(self) -> None:
        """Read the branch, and wait a moment for it: what was read by then needs one drawing."""
        early = self._waiting = asyncio.get_running_loop().create_future()
        self.look_again()
        await asyncio.wait({early}, timeout=AT_ONCE_S)
        self._waiting = None
        self.early = early.result() if early.done() else None

    def on_mount(self) -> None:
        """Show what was read already, and follow the branch."""
        follow(self, self.desk.run_path, self._run_changed)
        found, self.early = self.early, None
        if found is not None and self.is_whole:
            self._show_found(found)

    def _run_changed(self) -> None:
        """Look when it is in front: what lies on it stands for the last look."""
        if self.is_current:
            self.look_again()
        else:
            self._has_to_look = True

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Back in front: look, where something changed meanwhile.

        The first time all was given its styles just now, so that is not done once more.
        """
        event.refresh_styles = event.refresh_styles and self._was_in_front
        self._was_in_front = True
        if self._has_to_look:
            self.look_again()

    def look_again(self) -> None:
        """Read the branch anew; the pick and the reason stay, what changed is said."""
        self._has_to_look = False
        if self.outcome is not None:
            return
        self._looks += 1
        number = self._looks

        async def reading() -> None:
            found = await asyncio.to_thread(self.desk.read)
            if self._waiting is not None and not self._waiting.done():
                self._waiting.set_result(found)
            else:
                self.post_message(self.EvidenceRead(found, number))

        _: Worker[None] = self.run_worker(
            reading, group=_READING, exclusive=True, exit_on_error=False
        )

    @on(EvidenceRead)
    def _evidence_read(self, message: EvidenceRead) -> None:
        """Show it, where it is the last look."""
        message.stop()
        if message.number == self._looks and self.outcome is None:
            self._show_found(message.found)

    def _show_found(self, found: Dossier | NotOpened) -> None:
        """Show it; where it differs from what was shown before, say how."""
        if isinstance(found, NotOpened):
            self._show_problem(Content.styled(clean(found.why), WARNING))
            return
        before, outcome, self._pending = self.case.dossier, self._pending, None
        self.case.look(found, outcome)
        if before is None and self._starts_changing and self.case.can_change:
            self.case.toggle_change()
        self.become_ready()
        self.query_one("#decide-title", Static).update(title(found))
        grid = self.query_one(ScoreGrid)
        earlier = self.case.earlier
        grid.show(
            found.alternatives,
            before=earlier.alternatives if earlier else None,
            note=leader(found),
        )
        # What was read is what has to be looked at; who is typing is not torn away from it.
        if outcome is not None or before is None:
            grid.focus()
        self._show_state()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Something broke that nobody expected: without a reading nothing can be decided."""
        event.stop()
        error = event.worker.error
        if event.state is not WorkerState.ERROR or error is None:
            return
        if event.worker.group == _READING and self.is_living:
            self._show_problem(broken(str(error)))
        else:
            show_failure(self.app, error)
