"""The app's part that keeps the picture: takes what the watcher tells, and tells the modes."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual.app import App
from textual.worker import Worker

from stopview_core.errors import EXIT_USAGE
from stopview_core.lineage import sort_key
from stopview_core.registry.model import Registry
from stopview_tui import modes
from stopview_tui.app_signal import AppSignal
from stopview_tui.drawn_lines import forget_lines_of_the_gone
from stopview_tui.inbox_model import Delta, InboxModel
from stopview_tui.messages import (
    Health,
    RegistryLoaded,
    RegistryNotLoaded,
    RunsRead,
    SeenChanged,
    SnapshotChanged,
    WatchFailed,
    WatchReported,
)
from stopview_tui.picture import Picture, PictureChange
from stopview_tui.render_status import Facts
from stopview_tui.scanning import GivenRegistry, Scanning
from stopview_tui.seen import SeenFile, SeenMark

if TYPE_CHECKING:
    from stopview_tui.app import StopviewApp

MINUTE_S = 60
GET_READY_AFTER_S = 0.5


def _load_decide() -> Mapping[str, str]:
    from stopview_tui.screens.decide.ready import read_sheets

    return read_sheets()


class KeepsPicture(App[None]):
    """The one owner of the picture in the app. Modes read it and follow `picture_changed`."""

    picture: Picture
    inbox: InboxModel
    registry: Registry | None = None

    def keep_picture(
        self,
        roots: Sequence[Path],
        registry: GivenRegistry,
        registry_how: str,
        seen_file: SeenFile,
        open_at: tuple[Path, str] | None,
    ) -> None:
        """Get ready; nothing is read before `begin`."""
        self.roots = tuple(os.path.abspath(root) for root in roots)
        self.registry_how = registry_how
        self.health = Health("reading")
        self.picture = Picture(since=self._shell.now())
        self.inbox = InboxModel()
        self.picture_changed: AppSignal[PictureChange] = AppSignal(self, "picture-changed")
        self.facts_changed: AppSignal[Facts] = AppSignal(self, "facts-changed")
        self.minute_passed: AppSignal[None] = AppSignal(self, "minute-passed")
        self.scanning = Scanning([Path(root) for root in self.roots], registry, self.post_message)
        self._seen_file = seen_file
        self.open_at = open_at
        self._facts: Facts | None = None
        self._facts_at = self._shell.now()
        self._has_failed = False
        self._has_own_process = False

    @property
    def _shell(self) -> StopviewApp:
        return cast("StopviewApp", self)

    def begin(self) -> None:
        """Start the worker, once there is a frame to fill."""
        self._has_own_process = not gc.isenabled()
        if self._has_own_process:
            # The command starts without it; what was made up to now stays as long as the app.
            gc.freeze()
            gc.enable()
        self.set_interval(MINUTE_S, self._pass_minute)
        self.run_worker(self._read, group="watch", exclusive=True, thread=True, exit_on_error=False)

    def end(self) -> None:
        """Let the worker end."""
        self.scanning.stop()

    def refresh_picture(self) -> None:
        """Look at everything now."""
        self.scanning.look()

    def look_at(self, paths: Sequence[str]) -> None:
        """Look at these paths now."""
        self.scanning.look(paths)

    # What the worker tells

    def on_registry_loaded(self, message: RegistryLoaded) -> None:
        """The registry is in use."""
        self.registry = message.registry
        self.publish_facts()

    def on_registry_not_loaded(self, message: RegistryNotLoaded) -> None:
        """Without a registry nothing can be said: say why, and end as a refused command does."""
        self._return_code = EXIT_USAGE
        self.health = Health("failed", "no registry")
        self.publish_facts()
        self._shell.show_problem(message.title, message.why)

    def on_runs_read(self, message: RunsRead) -> None:
        """Show the runs that the first scan read so far."""
        touched = self.picture.add(message.runs)
        self._tell(touched, self.inbox.take(self.picture.runs, touched))

    def on_snapshot_changed(self, message: SnapshotChanged) -> None:
        """Take the new picture."""
        self.scanning.outbox.take(message)
        touched = self.picture.take(message.snapshot, message.diff)
        delta = self.inbox.take(self.picture.runs, touched, self.picture.skipped)
        self._tell(touched, delta, is_first=message.is_first)
        if message.is_first:
            self.set_timer(GET_READY_AFTER_S, self._get_ready)
        if delta.new_choices and not message.is_first:
            self._shell.ring()

    def _get_ready(self) -> None:
        """Load the screen that is opened first from the list, so that its key need not wait."""
        _: Worker[None] = self.run_worker(self._make_ready, group="ready", exit_on_error=False)

    async def _make_ready(self) -> None:
        sheets = await asyncio.to_thread(_load_decide)
        from stopview_tui.screens.decide.ready import take_styles

        take_styles(self.stylesheet, sheets)
        if self._has_own_process:
            # What was read up to now stays: the collector need not go through all of it again.
            gc.freeze()

    def on_watch_reported(self, message: WatchReported) -> None:
        """Say how the picture is kept."""
        self.health = message.health
        self._facts_at = self._shell.now()
        self.publish_facts()

    def on_watch_failed(self, message: WatchFailed) -> None:
        """Show the first failure in full; the status bar goes on saying that it lasts."""
        if not self._has_failed:
            self._has_failed = True
            self._shell.show_problem(f"Reading failed: {message.why}", message.details)

    def on_seen_changed(self, message: SeenChanged) -> None:
        """Take the marks that are kept now."""
        delta = self.inbox.set_seen(
            self.picture.runs, message.marks, shows_seen=self.inbox.shows_seen
        )
        self._tell(frozenset(), delta)
        if message.told:
            self._shell.say(message.told)

    # What was seen

    def mark_seen(self, add: Iterable[SeenMark], remove: Iterable[SeenMark]) -> None:
        """Keep these marks, and drop those."""
        added, removed = tuple(add), tuple(remove)

        def marking() -> None:
            try:
                marks = self._seen_file.change(added, removed)
            except OSError as error:
                told = f"The mark could not be kept: {error.strerror or error}."
                self.post_message(SeenChanged(self.inbox.seen, told))
            else:
                told = "Marked as seen." if added else "Not marked as seen any more."
                self.post_message(SeenChanged(marks, told))

        self.run_worker(marking, group="seen", thread=True, exit_on_error=False)

    def show_seen(self, shows_seen: bool) -> None:
        """Show what was seen among the others, or hide it."""
        delta = self.inbox.set_seen(self.picture.runs, self.inbox.seen, shows_seen=shows_seen)
        self._tell(frozenset(), delta)

    def _read(self) -> None:
        # What was seen before comes first: otherwise its row is shown, and kept under the cursor.
        self.post_message(SeenChanged(self._seen_file.load()))
        self.scanning.run()

    # What it tells

    def facts(self) -> Facts:
        """What the status bar says."""
        registry = self.registry
        return Facts(
            modes=tuple((mode.digit, mode.id, mode.title) for mode in modes.MODES),
            mode=self.current_mode,
            health=self.health,
            counts=self.inbox.counts,
            choices=self.inbox.all_choices,
            runs=len(self.picture.runs),
            registry=f"{self.registry_how} {registry.sha256[:8]}" if registry else "",
            faults=len(registry.faults) if registry else 0,
            approver=self._shell.actor.approver,
            now=self._facts_at,
        )

    def publish_facts(self) -> None:
        """Tell the bars, where there is something new to tell."""
        facts = self.facts()
        if facts != self._facts:
            self._facts = facts
            self.facts_changed.publish(facts)

    def _tell(self, touched: frozenset[str], delta: Delta, *, is_first: bool = False) -> None:
        self.picture_changed.publish(PictureChange(touched, delta, is_first=is_first))
        self.publish_facts()
        self._shell.tell_window(self.inbox.all_choices)

    def _pass_minute(self) -> None:
        self._facts_at = self._shell.now()
        forget_lines_of_the_gone()
        self.minute_passed.publish(None)
        self.publish_facts()

    def go_to_start(self, go_to: Callable[[tuple[str, str]], bool]) -> None:
        """Go to the branch that the app was started at; the Inbox calls it with its first rows."""
        if self.open_at is None:
            return
        run, key = os.path.abspath(self.open_at[0]), self.open_at[1]
        self.open_at = None
        reading = self.picture.runs.get(run)
        branch = reading.branches.get(key) if reading else None
        if reading is None:
            self._shell.show_problem("There is no run to begin at", f"{run} is not a run here.")
        elif branch is None:
            there = ", ".join(sorted(reading.branches, key=sort_key)) or "none at all"
            told = f"There is no branch {key} in {run}.\n\nIts branches: {there}."
            self._shell.show_problem("There is no branch to begin at", told)
        elif not go_to((run, key)):
            self._shell.say(
                f"{key} of {branch.run_id} is {branch.status}, so it is not listed here."
            )
            if modes.RUN_SCREEN is not None:
                self.push_screen(modes.RUN_SCREEN(Path(run), key))
