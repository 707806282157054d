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
from stopview_core.decide import Outcome
from stopview_core.dossier import NotOpened, OpenedRun, open_run
from stopview_core.registry.model import Registry
from stopview_core.run_documents import RESPONSE_DOCUMENT, find_documents
from stopview_tui.bindings import bind
from stopview_tui.picture import PictureChange
from stopview_tui.render import WARNING, line, styled
from stopview_tui.render_run import run_head
from stopview_tui.render_run_page import row_page
from stopview_tui.screens.choose import Choice
from stopview_tui.screens.document.screen import DocumentScreen
from stopview_tui.screens.run.source import ChainSource, TextsSource
from stopview_tui.screens.shell_screen import ShellScreen
from stopview_tui.widgets.bottom_bars import BottomBars
from stopview_tui.widgets.fault_banner import FaultBanner
from stopview_tui.widgets.page import Page
from stopview_tui.widgets.rows import Rows

_NEEDS_BRANCH = frozenset({"artifact", "editor", "copy", "change"})


class RunScreen(ShellScreen[None]):
    """Opened over a mode, on a run and the branch to begin with; it follows what changes."""

    CSS_PATH = ["../panes.tcss", "run.tcss"]  # noqa: RUF012
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("run", "next", "next", tooltip="To the next branch that needs a choice"),
        bind("run", "change", "change"),
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
        super().__init__()
        self.run_path = run_path
        self.opened: OpenedRun | None = None
        self._first_key = key
        self._texts: dict[str, tuple[str, ...]] = {}
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
        self._texts.clear()
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
        self._show_texts(self._texts.get(row.branch_key, ()), row)
        if row.branch_key not in self._texts:
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
        self._texts[message.key] = message.paths
        row = self.row
        if row is not None and row.branch_key == message.key:
            self._show_texts(message.paths, row)
            self.refresh_bindings()

    def _show_texts(self, paths: tuple[str, ...], row: ChainRow) -> None:
        folder = self._folder(row)
        shown = self._of(row, paths)
        cast("TextsSource", self.texts.source).take(folder, shown)
        self.texts.show(shown)
        self.texts.display = bool(shown)
        self.texts.styles.height = min(len(shown), 5) + 1

    def _of(self, row: ChainRow, paths: tuple[str, ...]) -> tuple[str, ...]:
        """The texts of the row: for an exchange its own, for a branch all."""
        if row.exchange is None:
            return paths
        inside = f"{self._folder(row)}/{row.exchange.name}/"
        return tuple(path for path in paths if path.startswith(inside))

    def _folder(self, row: ChainRow) -> str:
        branch = self.opened.run.branches.get(row.branch_key) if self.opened else None
        return branch.folder if branch is not None else ""

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what cannot be done with the row under the cursor."""
        if action not in _NEEDS_BRANCH:
            return True
        branch = self.row.branch if self.row is not None else None
        if action == "change":
            return (
                branch is not None
                and branch.decision.status == "in_force"
                and branch.decidability.is_decidable
            )
        return branch is not None

    @on(Rows.Activated, "#rows")
    def _open(self, event: Rows.Activated) -> None:
        """Decide the branch where that can be done, else read its response."""
        event.stop()
        row = self.row
        if row is None or row.branch is None:
            return
        if row.exchange is None and row.branch.decidability.is_decidable:
            self.action_change()
            return
        texts = self._of(row, self._texts.get(row.branch_key, ()))
        first = f"{self._folder(row)}/{RESPONSE_DOCUMENT}"
        if row.exchange is None and not texts and row.branch_key not in self._texts:
            texts = (first,)
        if texts:
            self._read(texts, texts[0])
        else:
            self.query_one("#detail", Page).focus()

    @on(Rows.Activated, "#texts")
    def _open_text(self, event: Rows.Activated) -> None:
        event.stop()
        row = self.row
        if row is not None and isinstance(event.identity, str):
            texts = self._of(row, self._texts.get(row.branch_key, ()))
            self._read(texts or (event.identity,), event.identity)

    def _read(self, texts: tuple[str, ...], first: str) -> None:
        self.app.push_screen(DocumentScreen(self.run_path, texts, first))

    def action_change(self) -> None:
        """Decide the branch, or change its decision."""
        if (row := self.row) is not None:
            self.shell.open_decide(self.run_path, row.branch_key, self._decided)

    def _decided(self, outcome: Outcome | None) -> None:
        self.read()

    def action_next(self) -> None:
        """Go to the next branch that needs a choice."""
        if not self.rows.move_to_next(_needs_choice):
            self.shell.say("No other branch of this run needs a choice.")
        self.rows.focus()

    def action_artifact(self) -> None:
        """Open an artifact of the branch."""
        if (row := self.row) is not None and row.branch is not None:
            self.shell.do(self.shell.opener.artifact(row.branch.path))

    def action_editor(self) -> None:
        """Open a document of the branch."""
        if (row := self.row) is not None and row.branch is not None:
            self.shell.do(self.shell.opener.document(row.branch.path))

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
        self.shell.do(self.shell.opener.copy(choices))

    def action_leave(self) -> None:
        """Back to where it was opened from."""
        self.dismiss(None)


def _needs_choice(row: ChainRow) -> bool:
    branch = row.branch
    if branch is None or row.exchange is not None or not branch.decidability.is_decidable:
        return False
    return branch.decision.status not in ("in_force", "answered")
