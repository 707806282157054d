"""What a person can do in the Inbox, by key, click or palette."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast

from textual import on

from stopview_core.board import Filter, Group, Row
from stopview_tui import modes
from stopview_tui.bindings import bind
from stopview_tui.inbox_model import marks_of
from stopview_tui.palette import Command
from stopview_tui.screens.asking import now_words, value_words
from stopview_tui.screens.choose import Choice, ChooseScreen
from stopview_tui.screens.shell_screen import ShellScreen
from stopview_tui.widgets.detail import DetailPane
from stopview_tui.widgets.filter_bar import FilterBar
from stopview_tui.widgets.rows import Rows

if TYPE_CHECKING:
    from stopview_core.decide import Outcome

FilterName = Literal["code", "operator", "route"]
_FILTER_KEYS: tuple[tuple[str, FilterName], ...] = (
    ("c", "code"),
    ("o", "operator"),
    ("r", "route"),
)
_NEEDS_ROW = frozenset({"run", "artifact", "editor", "copy", "seen", "change"})


class InboxActions(ShellScreen[None]):
    """The actions; the screen itself is built on it."""

    @property
    def rows(self) -> Rows[Row]:
        """The list."""
        return cast("Rows[Row]", self.query_one(Rows))

    @property
    def row(self) -> Row | None:
        """The row under the cursor, unless it is only shown because the cursor is on it."""
        if not self.is_mounted or self.rows.cursor_is_gone:
            return None
        return self.rows.cursor_row

    @property
    def _is_typing(self) -> bool:
        return self.is_mounted and self.query_one(FilterBar).text.has_focus

    def show_filtered(self, wanted: Filter) -> None:
        """Show what this filter admits."""
        raise NotImplementedError

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what cannot be done with the row under the cursor."""
        if action == "clear" and self.is_mounted:
            return self.query_one(FilterBar).can_clear(is_set=not self.shell.inbox.filter.is_empty)
        if action == "filter":
            return not self._is_typing
        if action == "next":
            return self.shell.inbox.counts.choices > 0
        if action not in _NEEDS_ROW:
            return True
        # A row that went because it was marked can be unmarked as long as the cursor is on it.
        row = self.rows.cursor_row if action == "seen" and self.is_mounted else self.row
        branch = row.branch if row is not None else None
        if action == "run":
            return row is not None and modes.RUN_SCREEN is not None
        if action == "copy":
            return row is not None
        if branch is None:
            return False
        if action == "seen":
            return bool(branch.violations)
        if action == "change":
            return branch.decision.status == "in_force" and branch.decidability.is_decidable
        return True

    def key_words(self, binding_id: str) -> str | None:
        """Unmark where everything is marked; open is to decide where that can be done."""
        row = self.rows.cursor_row if self.is_mounted else None
        branch = row.branch if row is not None else None
        if binding_id == "list.open" and branch is not None and branch.decidability.is_decidable:
            return "Decide"
        if binding_id == "inbox.seen" and branch is not None and self.shell.inbox.is_seen(branch):
            return "Unmark"
        return super().key_words(binding_id)

    # Opening

    @on(Rows.Activated)
    def open_row(self, event: Rows.Activated) -> None:
        """Decide the row where that can be done, else open its run, else read it."""
        row = self.row
        if row is None or not event.is_held:
            self.shell.say("This row does not wait any more.")
        elif row.branch is not None and row.branch.decidability.is_decidable:
            self.decide(row)
        elif modes.RUN_SCREEN is not None and row.branch is not None:
            self.action_run()
        else:
            self.query_one(DetailPane).focus()

    def go_to(self, identity: tuple[str, str]) -> bool:
        """Go to a row, and decide it where that can be done; False where it is not shown."""
        if not self.rows.move_to(identity):
            return False
        self.rows.focus()
        row = self.row
        if row is not None and row.branch is not None and row.branch.decidability.is_decidable:
            self.decide(row)
        return True

    def decide(self, row: Row, *, is_change: bool = False) -> None:
        """Open the Decide screen on a decidable row, or ready to change its decision."""
        assert row.branch is not None
        path, key = row.run_path, row.branch.key
        self.shell.open_decide(path, key, self._decided, self.action_next, is_change=is_change)

    def _decided(self, outcome: Outcome | None) -> None:
        """The cursor goes along with what was decided: it may be changed right away."""
        if outcome is not None and outcome.is_written:
            self.rows.let_go()

    def action_change(self) -> None:
        """Change the decision of the row, or take it back."""
        if (row := self.row) is not None:
            self.decide(row, is_change=True)

    def action_run(self) -> None:
        """Open the run of the row."""
        row = self.row
        if row is not None and modes.RUN_SCREEN is not None:
            key = row.branch.key if row.branch is not None else None
            self.app.push_screen(modes.RUN_SCREEN(row.run_path, key))

    def action_artifact(self) -> None:
        """Open an artifact of the row."""
        if (row := self.row) is not None and row.branch is not None:
            self.shell.do(self.shell.opener.artifact, row.branch.path)

    def action_editor(self) -> None:
        """Open a document of the row."""
        if (row := self.row) is not None and row.branch is not None:
            self.shell.do(self.shell.opener.document, row.branch.path)

    def action_copy(self) -> None:
        """Copy something that names the row."""
        if (row := self.row) is not None:
            self.shell.do(self.shell.opener.copy, _texts_of(row))

    def action_next(self) -> None:
        """Go to the next row that needs a choice."""
        if not self.rows.move_to_next(lambda row: row.group is Group.CHOICE):
            self.shell.say("Nothing shown needs a choice.")
        self.rows.focus()

    # Filtering

    def action_filter(self) -> None:
        """Filter as the person types."""
        self.query_one(FilterBar).edit()

    def action_filter_by(self) -> None:
        """Filter by code, operator or route."""
        self.shell.do(self._filter_by)

    async def _filter_by(self) -> None:
        wanted = self.shell.inbox.filter
        choices: list[Choice[FilterName]] = [
            Choice(name, name, now_words(name, getattr(wanted, name)), key)
            for key, name in _FILTER_KEYS
        ]
        name = await self.app.push_screen_wait(ChooseScreen("Filter by", choices))
        if name is None:
            return
        values = self.shell.inbox.values(name)
        every: list[Choice[str]] = [Choice("", f"any {name}", key="0")]
        every += [Choice(value, value_words(name, value), str(count)) for value, count in values]
        value = await self.app.push_screen_wait(ChooseScreen(f"Filter by {name}", every))
        if value is not None:
            changed: dict[str, Any] = {
                "text": wanted.text,
                "code": wanted.code,
                "operator": wanted.operator,
                "route": wanted.route,
                name: value or None,
            }
            self.show_filtered(Filter(**changed))

    @on(FilterBar.Changed)
    def _text_changed(self, event: FilterBar.Changed) -> None:
        held = self.shell.inbox.filter
        self.show_filtered(Filter(event.text, held.code, held.operator, held.route))

    @on(FilterBar.Left)
    def _text_left(self, event: FilterBar.Left) -> None:
        self.rows.focus()
        if event.step > 0:
            self.rows.action_down()
        elif event.step < 0:
            self.rows.action_up()

    def action_clear(self) -> None:
        """Show all rows again, and give the list the focus."""
        self.query_one(FilterBar).put("")
        self.rows.focus()
        if not self.shell.inbox.filter.is_empty:
            self.show_filtered(Filter())
        else:
            self.query_one(FilterBar).remove_class("-shown")

    # Keeping

    def action_seen(self) -> None:
        """Mark the violations of the row as seen, or not seen where all of them are."""
        row = self.rows.cursor_row
        if row is None or row.branch is None:
            return
        marks = marks_of(row.branch)
        is_seen = self.shell.inbox.is_seen(row.branch)
        self.shell.mark_seen(() if is_seen else marks, marks if is_seen else ())

    def action_toggle_seen(self) -> None:
        """Show what was marked as seen among the others, or hide it."""
        self.shell.show_seen(not self.shell.inbox.shows_seen)

    def palette_commands(self) -> Iterable[Command]:
        """What the palette offers besides the keys."""
        row = self.row
        if row is not None and row.branch is not None and row.branch.decidability.is_decidable:
            key = self.app.get_key_display(bind("inbox", "open", "decide"))
            told = f"Look at the alternatives of the row side by side  ({key})"
            yield Command("Inbox: Decide", told, partial(self.decide, row))
        verb = "Hide" if self.shell.inbox.shows_seen else "Show"
        yield Command(
            f"Inbox: {verb} seen violations",
            "Branches that were marked as seen",
            self.action_toggle_seen,
        )
        yield Command(
            "List: Clear the marks",
            "Take the signs off the new and changed rows",
            self.rows.clear_marks,
        )


def _texts_of(row: Row) -> list[Choice[str]]:
    where = str(row.branch.path if row.branch else row.run_path)
    found = [Choice(where, "path", where, "p"), Choice(row.run_id, "run id", row.run_id, "r")]
    if row.branch is not None:
        key = row.branch.key
        found.append(Choice(f"{row.run_id} {key}", "run and branch", f"{row.run_id} {key}", "b"))
    if row.code is not None:
        found.append(Choice(row.code, "stop code", row.code, "c"))
    return found
