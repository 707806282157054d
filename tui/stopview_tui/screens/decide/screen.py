"""The Decide screen: the alternatives side by side, a pick, a reason, and on to confirm."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import ClassVar, Literal

from textual.await_complete import AwaitComplete

from stopview_core.actor import Actor
from stopview_core.decide import Outcome
from stopview_core.registry.model import Registry
from stopview_core.system_calls import SystemCalls
from stopview_core.text import clean
from stopview_tui.bindings import bind
from stopview_tui.screens.decide.alternative import AlternativeScreen
from stopview_tui.screens.decide.desk import Desk, utc_now
from stopview_tui.screens.decide.picking import Picks
from stopview_tui.widgets.reason_area import ReasonArea
from stopview_tui.widgets.score_grid import ScoreGrid
from stopview_tui.widgets.score_rows import NONE_MEANS, Column

_LEAVE = "To the alternatives, then out of here"


class DecideScreen(Picks):
    """One decidable branch. Dismisses with the outcome of a decision that stands, else None.

    `asked_for` says what the person wants next of who opened it: the next choice, or to change
    what was just written.
    It reads the branch itself, in a thread, and works pushed on any app. `is_change` opens it
    ready to replace the decision in force. `calls` and `now` are seams for tests. `look_again`
    reads the branch anew; in the app it does so whenever the run changed on disk.
    """

    CSS_PATH = "decide.tcss"
    AUTO_FOCUS = "ScoreGrid"
    BINDINGS: ClassVar = [
        bind("decide", "pick", "pick"),
        bind("decide", "confirm", "confirm"),
        bind(
            "decide",
            "change",
            "change",
            description="Change or take back",
            tooltip="Pick another one, or none, in place of what is in force",
        ),
        bind(
            "replacing",
            "change",
            "keep",
            description="Leave it as it is",
            tooltip="The decision in force stays",
        ),
        bind(
            "decide",
            "pane",
            "app.focus_next",
            description="Next part",
            tooltip="Between the alternatives, your reason and the texts above",
            is_hinted=False,
        ),
        bind("decide", "open", "open", description="In full", tooltip="Read it uncut"),
        bind("decide", "artifact", "artifact", tooltip="Open an artifact of this column"),
        bind("decide", "editor", "editor", tooltip="Read a document of the branch as a whole"),
        bind("decide", "copy", "copy", tooltip="Copy the id, or the receipt's path"),
        bind("decide", "next", "next", tooltip="Leave, and go to the next row to decide"),
        bind("decide", "quit", "back", description="Back", tooltip=_LEAVE),
        bind("decide", "back", "back", tooltip=_LEAVE),
    ]

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
        desk = Desk(run_path, key, registry, actor, calls or SystemCalls(), now)
        super().__init__(desk, is_change=is_change)
        self.asked_for: Literal["", "next", "change"] = ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What can be done now."""
        is_ready = self.is_ready and self.outcome is None
        if action == "pick":
            return is_ready and self.case.can_pick and self.focused is self.query_one(ScoreGrid)
        if action in ("open", "artifact"):
            return is_ready
        if action == "confirm":
            return is_ready and (self.case.can_pick or self.case.in_force is not None)
        if action == "change" and self.outcome is not None:
            return self._can_change_what_stands
        if action in ("change", "keep"):
            is_keeping = self.case.superseding is not None
            return is_ready and self.case.can_change and is_keeping == (action == "keep")
        if action == "editor":
            return self.case.dossier is not None and hasattr(self.app, "opener")
        if action == "next":
            return self.outcome is not None and self.outcome.is_written
        return True

    # Leaving

    def dismiss(self, result: Outcome | None = None) -> AwaitComplete:
        """Leave, with all that was said in passing."""
        self.app.clear_notifications()
        return super().dismiss(result)

    @property
    def _draft(self) -> str:
        """What is written nowhere yet: the pick, the reason, or both; empty where there is none."""
        if self.outcome is not None or not self.is_mounted:
            return ""
        is_reasoned = bool(self.query_one(ReasonArea).text.strip())
        parts = ("your pick", self.case.picked is not None), ("your reason", is_reasoned)
        return " and ".join(words for words, is_there in parts if is_there)

    def why_stay(self) -> str:
        """A mode's key must not lose the pick or the reason."""
        draft = self._draft
        verb = "are" if " and " in draft else "is"
        return f"Not left: {draft} {verb} not written yet. Escape leaves." if draft else ""

    def action_back(self) -> None:
        """Back to the evidence, then out; a pick or a reason that would be lost is asked for."""
        grid = self.query_one(ScoreGrid)
        if self.outcome is None and self.is_ready:
            if self.focused is not grid:
                grid.focus()
                return
            if self._draft and not self._is_leaving:
                self._is_leaving = True
                self._say(f"Press it again to leave: {self._draft} will be gone.")
                return
        self.dismiss(self.outcome)

    def action_next(self) -> None:
        """Leave, and on to the next choice."""
        self.asked_for = "next"
        self.dismiss(self.outcome)

    def action_change(self) -> None:
        """Replace the decision in force: the one found here, or the one that was just written."""
        if self.outcome is None:
            super().action_change()
            return
        self.asked_for = "change"
        self.dismiss(self.outcome)

    @property
    def _can_change_what_stands(self) -> bool:
        """Whether what was written, or stood already, is in force; none of these never is."""
        outcome, picked = self.outcome, self.case.picked
        is_in_force = outcome is not None and (outcome.is_written or outcome.is_settled)
        is_in_force = is_in_force and not (outcome is not None and outcome.is_stale)
        return is_in_force and picked is not None and picked.selected is not None

    # Looking closer

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
            self._say(f"None of these. {NONE_MEANS}")
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
