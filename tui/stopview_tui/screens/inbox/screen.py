"""The Inbox: the list of what waits, and the row under the cursor in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static

from stopview_core.board import Filter, Row
from stopview_tui.bindings import bind
from stopview_tui.picture import PictureChange
from stopview_tui.render_detail import detail_of
from stopview_tui.render_empty import empty_words
from stopview_tui.screens.inbox.actions import InboxActions
from stopview_tui.screens.inbox.source import InboxSource
from stopview_tui.seen import SeenMark
from stopview_tui.widgets.bottom_bars import BottomBars
from stopview_tui.widgets.detail import DetailPane
from stopview_tui.widgets.fault_banner import FaultBanner
from stopview_tui.widgets.filter_bar import FilterBar
from stopview_tui.widgets.rows import Rows

if TYPE_CHECKING:
    from stopview_core.dossier import Dossier, NotOpened

LINGER_S = 0.12
"""How long the cursor rests on a row before its files are opened."""


class InboxScreen(InboxActions):
    """The first mode. Its rows come from the app's model; it changes only those that changed."""

    CSS_PATH = "inbox.tcss"
    AUTO_FOCUS = "Rows"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-narrow"),
        (60, "-usual"),
        (170, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("inbox", "change", "change"),
        bind("inbox", "seen", "seen"),
        bind("inbox", "run", "run"),
        bind("inbox", "next", "next"),
        bind("inbox", "filter", "filter"),
        bind("inbox", "filter-by", "filter_by"),
        bind(
            "inbox", "back", "clear", description="Clear the filter", tooltip="Show all rows again"
        ),
        bind("inbox", "artifact", "artifact"),
        bind("inbox", "editor", "editor"),
        bind("inbox", "copy", "copy"),
    ]

    class BranchOpened(Message):
        """The files of the row under the cursor were read."""

        def __init__(self, identity: tuple[str, str], opened: Dossier | NotOpened) -> None:
            super().__init__()
            self.identity = identity
            self.opened = opened

    def __init__(self) -> None:
        super().__init__()
        self._opened: tuple[tuple[str, str], Dossier | NotOpened] | None = None
        self._told: tuple[str, str] | None = None
        self._linger: Timer | None = None
        self._seen: frozenset[SeenMark] = frozenset()
        self._had_choices = False

    def compose(self) -> ComposeResult:
        """The list, the detail, and the bars."""
        wanted = self.shell.settings.columns.get("inbox", ())
        yield FaultBanner()
        yield FilterBar()
        with Container(id="inbox"):
            yield Static(id="inbox-empty", markup=False)
            source = InboxSource(wanted, self.shell.now, self.shell.inbox.is_seen)
            yield Rows(source, id="inbox-rows")
            yield DetailPane(id="inbox-detail")
        yield BottomBars()

    def on_mount(self) -> None:
        """Show what there is, and follow what changes."""
        self.show_filtered(self.shell.inbox.filter)
        self.shell.picture_changed.subscribe(self, self._picture_changed)
        self.shell.minute_passed.subscribe(self, self._minute_passed)

    # The list

    def show_filtered(self, wanted: Filter) -> None:
        """Show what this filter admits."""
        board = self.shell.inbox.set_filter(wanted)
        self.rows.show(board.rows)
        self._say_counts()
        self.refresh_bindings()

    def _picture_changed(self, change: PictureChange) -> None:
        delta = change.delta
        self.rows.update(delta.changed, delta.gone, marks=self.shell.picture.is_whole)
        if change.is_first:
            self.rows.clear_marks()
            self.rows.move_home()
        self._say_counts()
        is_marked = self._seen != self.shell.inbox.seen
        if is_marked:
            self._seen = self.shell.inbox.seen
            self.rows.renew()
        if change.is_first:
            self.shell.go_to_start(self.go_to)
        is_touched = self._told is not None and self._told[0] in change.touched
        is_touched = is_touched or self.rows.cursor_is_gone
        has_choices = self.shell.inbox.counts.choices > 0
        if is_touched or is_marked or change.is_first or has_choices != self._had_choices:
            self._had_choices = has_choices
            self.refresh_bindings()
        if is_touched:
            self._tell(is_other=False)
            self._open_soon()
        elif is_marked:
            self._tell(is_other=False)

    def _minute_passed(self, _: object) -> None:
        self.rows.renew()
        self._tell(is_other=False)

    def _say_counts(self) -> None:
        counts = self.shell.inbox.counts
        self.query_one(FilterBar).say(
            self.shell.inbox.filter, counts.shown, counts.hidden, counts.hidden_bypassed
        )
        self.shell.publish_facts()
        is_empty = counts.shown == 0 and self.rows.cursor is None
        self.set_empty(is_empty)
        if is_empty:
            picture = self.shell.picture
            words = empty_words(
                counts,
                runs=len(picture.runs),
                roots=self.shell.roots,
                since=picture.since,
                is_whole=picture.is_whole,
            )
            self.query_one("#inbox-empty", Static).update(words)

    # The detail

    @on(Rows.Highlighted)
    def _highlighted(self, event: Rows.Highlighted) -> None:
        if not isinstance(event, Rows.Activated):
            self._tell(is_other=True)
            self._open_soon()
            self.refresh_bindings()
            if event.identity is None:
                self._say_counts()

    def _tell(self, *, is_other: bool) -> None:
        row: Row | None = self.rows.cursor_row
        self._told = row.identity if row is not None else None
        if row is None:
            self.query_one(DetailPane).say(None, is_other=is_other)
            return
        opened = self._opened[1] if self._opened and self._opened[0] == row.identity else None
        run = self.shell.picture.runs.get(str(row.run_path))
        is_gone = self.rows.cursor_is_gone
        is_seen = row.branch is not None and self.shell.inbox.is_seen(row.branch)
        now = self.shell.now()
        detail = detail_of(row, run, opened, now, is_gone=is_gone, is_seen=is_seen)
        self.query_one(DetailPane).say(detail, is_other=is_other)

    def _open_soon(self) -> None:
        if self._linger is not None:
            self._linger.stop()
        self._linger = self.set_timer(LINGER_S, self._open)

    def _open(self) -> None:
        row, registry = self.row, self.shell.registry
        if row is None or row.branch is None or registry is None:
            return
        path, key, identity = row.run_path, row.branch.key, row.identity

        def opening() -> None:
            # The first frame needs none of what opens a branch.
            from stopview_core.dossier import open_branch

            self.post_message(self.BranchOpened(identity, open_branch(path, key, registry)))

        self.shell.run_worker(
            opening, group="detail", exclusive=True, thread=True, exit_on_error=False
        )

    @on(BranchOpened)
    def _branch_opened(self, message: BranchOpened) -> None:
        self._opened = (message.identity, message.opened)
        if message.identity == self._told:
            self._tell(is_other=False)
