"""One run: the chain of its branches, and what is known of the one under the cursor."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static

from stopview_core.chain import ChainRow, chain_rows
from stopview_core.dossier import NotOpened, OpenedRun, open_run
from stopview_core.registry.model import Registry
from stopview_core.run_documents import find_documents
from stopview_tui.bindings import bind
from stopview_tui.picture import PictureChange
from stopview_tui.render import WARNING, line, styled
from stopview_tui.render_run import run_head
from stopview_tui.render_run_page import row_page
from stopview_tui.screens.run.actions import RunActions
from stopview_tui.screens.run.source import ChainSource, TextsSource
from stopview_tui.widgets.bottom_bars import BottomBars
from stopview_tui.widgets.fault_banner import FaultBanner
from stopview_tui.widgets.page import Page
from stopview_tui.widgets.rows import Rows


class RunScreen(RunActions):
    """Opened over a mode, on a run and the branch to begin with; it follows what changes."""

    CSS_PATH = ["../panes.tcss", "run.tcss"]  # noqa: RUF012
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("run", "next", "next", tooltip="To the next branch that needs a choice"),
        bind("run", "change", "change"),
        bind("run", "seen", "seen"),
        bind("run", "artifact", "artifact"),
        bind("run", "editor", "editor"),
        bind("run", "copy", "copy"),
        bind("run", "back", "leave", tooltip="Leave the run"),
    ]

    class RunOpened(Message):
        """The run's files were read."""

        def __init__(self, opened: OpenedRun | NotOpened, rows: tuple[ChainRow, ...]) -> None:
            super().__init__()
            self.opened = opened
            self.rows = rows

    class TextsFound(Message):
        """The texts of a branch were found."""

        def __init__(self, key: str, paths: tuple[str, ...]) -> None:
            super().__init__()
            self.key = key
            self.paths = paths

    def __init__(self, run_path: Path, key: str | None) -> None:
        super().__init__(run_path)
        self._first_key = key
        self._linger: Timer | None = None

    def compose(self) -> ComposeResult:
        """The mission, the chain, one branch with its texts, and the bars."""
        yield FaultBanner()
        yield Static(id="run-title", markup=False)
        yield Page(id="run-head")
        with Container(classes="panes"):
            yield Static("Reading the run…", id="empty", markup=False)
            yield Rows(ChainSource(), id="rows")
            with Vertical(classes="full"):
                yield Page(id="detail")
                yield Rows(TextsSource(), id="texts")
        yield BottomBars()

    def on_mount(self) -> None:
        """Read the run, and again when it changes."""
        self.add_class("-empty")
        self.shell.picture_changed.subscribe(self, self._picture_changed)
        self.shell.minute_passed.subscribe(self, self._minute_passed)
        self.query_one("#run-title", Static).update(line(self.run_path.name, "bold"))
        self.read()

    # Reading

    def read(self) -> None:
        """Read the run in a thread."""
        registry = self.shell.registry
        if registry is None:
            return

        def reading(path: Path, registry: Registry) -> None:
            opened = open_run(path, registry)
            rows = () if isinstance(opened, NotOpened) else chain_rows(opened)
            self.post_message(self.RunOpened(opened, rows))

        self.run_worker(
            lambda: reading(self.run_path, registry),
            group="run",
            exclusive=True,
            thread=True,
            exit_on_error=False,
        )

    @on(RunOpened)
    def _run_opened(self, message: RunOpened) -> None:
        if isinstance(message.opened, NotOpened):
            self._say_not_opened(message.opened)
            return
        is_first = self.opened is None
        self.opened = message.opened
        self.found_texts.clear()
        found = message.rows
        cast("ChainSource", self.rows.source).take(found)
        self.rows.show(found)
        self.set_class(not found, "-empty")
        if not found:
            self.query_one("#empty", Static).update("This run has no branches yet.")
        self._say_head()
        if is_first:
            self._go_to_first(found)
        self._tell(is_other=is_first)
        self.refresh_bindings()

    def _say_not_opened(self, why: NotOpened) -> None:
        text = styled((f"The run cannot be read: {line(why.why).plain}.", WARNING))
        if self.opened is None:
            self.query_one("#empty", Static).update(text)
        else:
            self._show_head(text)

    def _go_to_first(self, rows: tuple[ChainRow, ...]) -> None:
        """Begin on the branch asked for, else on the first that waits."""
        waiting = (row.key for row in rows if row.branch is not None and row.branch.is_open)
        key = self._first_key or next(waiting, None)
        if key is not None:
            self.rows.move_to(key)

    def _picture_changed(self, change: PictureChange) -> None:
        if str(self.run_path) in change.touched:
            self.read()

    def _minute_passed(self, _: object) -> None:
        """Look at the whole run: a picture does not tell of every file in it."""
        self.read()

    def _say_head(self) -> None:
        assert self.opened is not None
        run, now = self.opened.reading, self.shell.now()
        title = styled((line(run.id).plain, "bold"), ("  ", ""), line(str(run.path), "$text-muted"))
        self.query_one("#run-title", Static).update(title)
        self._show_head(run_head(run, now))

    def _show_head(self, text: Content) -> None:
        head = self.query_one("#run-head", Page)
        head.show(text, keep_place=True)
        head.styles.height = max(head.line_count, 1)

    @on(Page.WidthChanged, "#run-head")
    def _head_width_changed(self, message: Page.WidthChanged) -> None:
        message.page.styles.height = max(message.page.line_count, 1)

    # The branch under the cursor

    @on(Rows.Highlighted, "#rows")
    def _highlighted(self, event: Rows.Highlighted) -> None:
        if not isinstance(event, Rows.Activated):
            self._tell(is_other=True)
            self.refresh_bindings()

    def _tell(self, *, is_other: bool) -> None:
        row = self.rows.cursor_row
        if row is None or self.opened is None:
            return
        page = row_page(row, self.opened, self.shell.now())
        self.query_one("#detail", Page).show(page, keep_place=not is_other)
        self._show_texts(self.found_texts.get(row.branch_key, ()), row)
        if row.branch_key not in self.found_texts:
            if self._linger is not None:
                self._linger.stop()
            self._linger = self.set_timer(0.1, self._find_texts)

    def _find_texts(self) -> None:
        row, opened = self.row, self.opened
        branch = opened.run.branches.get(row.branch_key) if row is not None and opened else None
        if branch is None:
            return

        def finding() -> None:
            paths = find_documents(self.run_path, branch)
            self.post_message(self.TextsFound(branch.key, paths))

        self.run_worker(finding, group="texts", exclusive=True, thread=True, exit_on_error=False)

    @on(TextsFound)
    def _texts_found(self, message: TextsFound) -> None:
        self.found_texts[message.key] = message.paths
        row = self.row
        if row is not None and row.branch_key == message.key:
            self._show_texts(message.paths, row)
            self.refresh_bindings()

    def _show_texts(self, paths: tuple[str, ...], row: ChainRow) -> None:
        folder = self.folder_of(row)
        shown = self.texts_of(row, paths)
        cast("TextsSource", self.texts.source).take(folder, shown)
        self.texts.show(shown)
        self.texts.display = bool(shown)
        self.texts.styles.height = min(len(shown), 5) + 1
