"""The Textual app: its modes, its keys, and what every place may ask of it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App
from textual.binding import BindingType
from textual.filter import LineFilter, Monochrome
from textual.worker import Worker, WorkerState

from stopview_core.actor import Actor
from stopview_core.text import clean
from stopview_tui import modes
from stopview_tui.bindings import bind
from stopview_tui.colourless import WithoutColour
from stopview_tui.opening import Opener
from stopview_tui.palette import Actions, Command
from stopview_tui.picture_keeping import KeepsPicture
from stopview_tui.preferences import HasPreferences
from stopview_tui.scanning import GivenRegistry
from stopview_tui.screens.leaving import HoldsWork
from stopview_tui.seen import SeenFile, seen_path
from stopview_tui.settings import Settings, settings_path
from stopview_tui.terminal_safety import SafeLines

if TYPE_CHECKING:
    from stopview_core.decide import Outcome


class StopviewApp(KeepsPicture, HasPreferences, App[None]):
    """The app over some roots. It writes nothing but decisions, its settings and what was seen.

    `registry` is one, or a function that loads it (RegistryRefused is shown); `registry_how` says
    how it was chosen. `open_at` is the run and branch to start at. The rest is for tests.
    """

    TITLE = "stopview"
    # With that of the screen that is opened first: one loaded by itself is a parse of everything.
    CSS_PATH = [  # noqa: RUF012
        Path(__file__).with_name("app.tcss"),
        Path(__file__).with_name("screens") / "inbox/inbox.tcss",
    ]
    MODES = {mode.id: mode.screen for mode in modes.MODES}  # noqa: RUF012
    DEFAULT_MODE = modes.MODES[0].id
    COMMANDS = {Actions}  # noqa: RUF012
    NOTIFICATION_TIMEOUT = 6
    BINDINGS: ClassVar[list[BindingType]] = [
        *modes.mode_bindings(),
        bind("app", "help", "help"),
        bind("app", "palette", "command_palette", priority=True),
        bind("app", "quit", "leave"),
        bind("app", "next", "next_choice", tooltip="To the next choice in the Inbox"),
    ]

    def __init__(
        self,
        roots: Sequence[Path],
        registry: GivenRegistry,
        *,
        registry_how: str,
        actor: Actor,
        settings: Settings,
        open_at: tuple[Path, str] | None = None,
        settings_file: Path | None = None,
        seen_file: Path | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        super().__init__()
        self.now = now
        self.actor = actor
        self.opener = Opener(self)
        self._safe_lines: list[LineFilter] = [SafeLines()]
        self._colourless: list[LineFilter] = [WithoutColour()]
        self.keep_preferences(settings, settings_file or settings_path())
        self.keep_picture(
            roots, registry, registry_how, SeenFile(seen_file or seen_path()), open_at
        )

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What every line of every widget passes before it is written."""
        filters = super().get_line_filters()
        if self.no_color and self.native_ansi_color:
            # Textual's own makes greys of the terminal's colours, and those cannot be read.
            filters = [f for f in filters if not isinstance(f, Monochrome)]
            return [*filters, *self._colourless, *self._safe_lines]
        return [*filters, *self._safe_lines]

    def on_mount(self) -> None:
        """Take the settings, show the first frame, then begin to read."""
        self.apply_preferences()
        if self.settings.start_mode in self.MODES and self.open_at is None:
            self.switch_mode(self.settings.start_mode)
        self.call_after_refresh(self.begin)

    def on_unmount(self) -> None:
        """Let the worker end, and leave the terminal as it was."""
        self.end()
        self.window_title.restore()

    # What places ask of it

    def say(self, text: str, *, is_trouble: bool = False) -> None:
        """Say something that passes."""
        self.notify(clean(text), severity="warning" if is_trouble else "information", markup=False)

    def show_problem(self, title: str, text: str) -> None:
        """Say something that does not pass, to read and copy."""
        from stopview_tui.screens.problem import show_problem

        show_problem(self, title, text)

    def do(self, work: Callable[..., Coroutine[Any, Any, None]], *args: Any, **more: Any) -> None:
        """Do something that waits for the disk or for the person, one such thing at a time.

        It takes a function, not a coroutine: what is superseded before it began never exists.
        """
        begin: Callable[[], Coroutine[None, None, None]] = partial(work, *args, **more)
        _: Worker[None] = self.run_worker(begin, group="do", exclusive=True, exit_on_error=False)

    def open_decide(
        self,
        run_path: Path,
        key: str,
        then: Callable[[Outcome | None], None],
        go_on: Callable[[], None] | None = None,
        *,
        is_change: bool = False,
    ) -> None:
        """Open the Decide screen on a branch; `then` gets its outcome, None where there is none.

        `go_on` is called after that where the person asked for the next choice. `is_change` opens
        it ready to replace the decision in force, where there is one.
        """
        from stopview_tui.screens.decide import DecideScreen

        if self.registry is None:
            return

        screen = DecideScreen(
            run_path,
            key,
            registry=self.registry,
            actor=self.actor,
            is_change=is_change,
            now=self.now,
        )

        def decided(outcome: Outcome | None) -> None:
            self.look_at([str(run_path)])
            then(outcome)
            if screen.asked_for == "change":
                self.open_decide(run_path, key, then, go_on, is_change=True)
            elif screen.asked_for == "next" and go_on is not None:
                go_on()

        self.push_screen(screen, decided)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that failed says so, with all there is to say."""
        error = event.worker.error
        if event.state == WorkerState.ERROR and error is not None:
            from stopview_tui.screens.problem import show_failure

            show_failure(self, error)

    # Actions

    def action_mode(self, mode: str) -> None:
        """Go to the list of a mode; the mode's own key leaves what lies on its list."""
        if mode not in self.MODES:
            return
        if mode != self.current_mode:
            self.switch_mode(mode)
            self.publish_facts()
        self._return_to_list()

    def _return_to_list(self) -> None:
        """Leave the screens above the list, unless one of them has something to lose."""
        above = self.screen_stack[1:]
        for screen in reversed(above):
            why = screen.why_stay() if isinstance(screen, HoldsWork) else ""
            if why:
                self.say(why, is_trouble=True)
                return
        for screen in reversed(above):
            # Dismissed and not popped: who opened it learns what came of it.
            screen.dismiss(screen.outcome if isinstance(screen, HoldsWork) else None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what leads nowhere now."""
        return action != "next_choice" or self.inbox.all_choices > 0

    def action_next_choice(self) -> None:
        """From anywhere to the next row of the Inbox that needs a choice."""
        from stopview_tui.screens.inbox.screen import InboxScreen

        def go_on() -> None:
            if isinstance(self.screen, InboxScreen) and self.screen.is_mounted:
                self.screen.action_next()

        self.action_mode("inbox")
        self.call_later(go_on)

    def action_leave(self) -> None:
        """Leave the screen that lies on the mode, or the app."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
        else:
            self.exit(return_code=self.return_code or 0)

    def action_help(self) -> None:
        """Show the keys of this place."""
        from stopview_tui.screens.help import HelpScreen

        self.push_screen(HelpScreen(self.screen.active_bindings, self.about()))

    def about(self) -> list[tuple[str, str]]:
        """What the app looks at and who decides, by name."""
        told = [("watched", str(root)) for root in self.roots]
        if self.registry is not None:
            told.append(("registry", f"{self.registry.root} ({self.registry_how})"))
            told.append(("its sha256", self.registry.sha256))
        told.append(("approver", f"{self.actor.approver} (named, not proved)"))
        told.append(("settings", str(self.settings_file)))
        told.append(("version", self.actor.version))
        return told

    def palette_commands(self) -> Iterable[Command]:
        """What the palette offers everywhere, besides the keys."""
        yield Command("Watch: Look again now", "Read everything that changed", self.refresh_picture)
        yield from self.preference_commands()
