"""What a person can do on the Run screen, by key, click or palette."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from textual import on

from stopview_core.chain import ChainRow
from stopview_core.decide import Outcome
from stopview_core.dossier import OpenedRun
from stopview_core.run_documents import RESPONSE_DOCUMENT
from stopview_tui.inbox_model import marks_of
from stopview_tui.screens.choose import Choice
from stopview_tui.screens.document.screen import DocumentScreen
from stopview_tui.screens.shell_screen import ShellScreen
from stopview_tui.widgets.page import Page
from stopview_tui.widgets.rows import Rows

_NEEDS_BRANCH = frozenset({"artifact", "editor", "copy", "change", "seen"})


class RunActions(ShellScreen[None]):
    """The actions; the screen itself is built on it. `found_texts` are the texts by branch."""

    def __init__(self, run_path: Path) -> None:
        super().__init__()
        self.run_path = run_path
        self.opened: OpenedRun | None = None
        self.found_texts: dict[str, tuple[str, ...]] = {}

    def read(self) -> None:
        """Read the run again."""
        raise NotImplementedError

    @property
    def rows(self) -> Rows[ChainRow]:
        """The chain."""
        return cast("Rows[ChainRow]", self.query_one("#rows", Rows))

    @property
    def texts(self) -> Rows[str]:
        """The texts of the branch."""
        return cast("Rows[str]", self.query_one("#texts", Rows))

    @property
    def row(self) -> ChainRow | None:
        """The row under the cursor, unless it is only shown because the cursor is on it."""
        if not self.is_mounted or self.rows.cursor_is_gone:
            return None
        return self.rows.cursor_row

    def texts_of(self, row: ChainRow, paths: tuple[str, ...]) -> tuple[str, ...]:
        """The texts of the row: for an exchange its own, for a branch all."""
        if row.exchange is None:
            return paths
        inside = f"{self.folder_of(row)}/{row.exchange.name}/"
        return tuple(path for path in paths if path.startswith(inside))

    def folder_of(self, row: ChainRow) -> str:
        """The folder of the row's branch, from the run root."""
        branch = self.opened.run.branches.get(row.branch_key) if self.opened else None
        return branch.folder if branch is not None else ""

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what cannot be done with the row under the cursor."""
        if action not in _NEEDS_BRANCH:
            return True
        branch = self.row.branch if self.row is not None else None
        if action == "seen":
            return branch is not None and bool(branch.violations)
        if action == "change":
            return (
                branch is not None
                and branch.decision.status == "in_force"
                and branch.decidability.is_decidable
            )
        return branch is not None

    def key_words(self, binding_id: str) -> str | None:
        """Unmark where everything is marked."""
        branch = self.row.branch if self.row is not None else None
        if binding_id == "run.seen" and branch is not None and self.shell.inbox.is_seen(branch):
            return "Unmark"
        return super().key_words(binding_id)

    @on(Rows.Activated, "#rows")
    def _open(self, event: Rows.Activated) -> None:
        """Decide the branch where that can be done, else read its response."""
        event.stop()
        row = self.row
        if row is None or row.branch is None or not event.is_held:
            return
        if row.exchange is None and row.branch.decidability.is_decidable:
            self._decide(row, is_change=False)
            return
        texts = self.texts_of(row, self.found_texts.get(row.branch_key, ()))
        first = f"{self.folder_of(row)}/{RESPONSE_DOCUMENT}"
        if row.exchange is None and not texts and row.branch_key not in self.found_texts:
            texts = (first,)
        if texts:
            self._read(texts, texts[0])
        else:
            self.query_one("#detail", Page).focus()

    @on(Rows.Activated, "#texts")
    def _open_text(self, event: Rows.Activated) -> None:
        event.stop()
        row = self.row
        if row is not None and isinstance(event.identity, str) and event.is_held:
            texts = self.texts_of(row, self.found_texts.get(row.branch_key, ()))
            self._read(texts or (event.identity,), event.identity)

    def _read(self, texts: tuple[str, ...], first: str) -> None:
        self.app.push_screen(DocumentScreen(self.run_path, texts, first))

    def action_change(self) -> None:
        """Change the decision of the branch, or take it back."""
        if (row := self.row) is not None:
            self._decide(row, is_change=True)

    def _decide(self, row: ChainRow, *, is_change: bool) -> None:
        path, key = self.run_path, row.branch_key
        self.shell.open_decide(path, key, self._decided, self.action_next, is_change=is_change)

    def _decided(self, outcome: Outcome | None) -> None:
        self.read()

    def action_seen(self) -> None:
        """Mark the violations of the branch as seen, or not seen where all of them are."""
        branch = self.row.branch if self.row is not None else None
        if branch is None:
            return
        marks = marks_of(branch)
        is_seen = self.shell.inbox.is_seen(branch)
        self.shell.mark_seen(() if is_seen else marks, marks if is_seen else ())

    def action_next(self) -> None:
        """Go to the next branch that needs a choice."""
        if not self.rows.move_to_next(_needs_choice):
            self.shell.say("No other branch of this run needs a choice.")
        self.rows.focus()

    def action_artifact(self) -> None:
        """Open an artifact of the branch."""
        if (row := self.row) is not None and row.branch is not None:
            self.shell.do(self.shell.opener.artifact, row.branch.path)

    def action_editor(self) -> None:
        """Open a document of the branch."""
        if (row := self.row) is not None and row.branch is not None:
            self.shell.do(self.shell.opener.document, row.branch.path)

    def action_copy(self) -> None:
        """Copy something that names the branch."""
        row = self.row
        if row is None or row.branch is None:
            return
        path, run_id = str(row.branch.path), row.branch.run_id
        named = f"{run_id} {row.key}"
        choices = [
            Choice(path, "path", path, "p"),
            Choice(run_id, "run id", run_id, "r"),
            Choice(named, "run and branch", named, "b"),
        ]
        if row.branch.resolution is not None:
            code = row.branch.resolution.code
            choices.append(Choice(code, "stop code", code, "c"))
        self.shell.do(self.shell.opener.copy, choices)

    def action_leave(self) -> None:
        """Back to where it was opened from."""
        self.dismiss(None)


def _needs_choice(row: ChainRow) -> bool:
    branch = row.branch
    if branch is None or row.exchange is not None or not branch.decidability.is_decidable:
        return False
    return branch.decision.status not in ("in_force", "answered")
