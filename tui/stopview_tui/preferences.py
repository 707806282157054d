"""The app's part that a person can set: theme, keys, bell, title, layout, and keeping them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode

from stopview_core.actor import Actor
from stopview_core.errors import UsageError
from stopview_core.text import clean
from stopview_tui.approver import checked_name
from stopview_tui.palette import Command
from stopview_tui.screens.leaving import HoldsWork
from stopview_tui.settings import LAYOUTS, Layout, Settings, save_setting
from stopview_tui.terminal_title import TerminalTitle
from stopview_tui.themes import HIGH_CONTRAST, theme_name

_APPROVER = "The approver"


def _complaint(name: str) -> str:
    try:
        checked_name(name, _APPROVER)
    except UsageError as error:
        return f"{error}."
    return ""


class HasPreferences(App[None]):
    """Takes the settings, and writes the one that a person changes in the app."""

    settings: Settings
    settings_file: Path
    window_title: TerminalTitle
    actor: Actor

    def keep_preferences(self, settings: Settings, path: Path) -> None:
        """Get ready; nothing is set before `apply_preferences`."""
        self.settings = settings
        self.settings_file = path
        self.window_title = TerminalTitle(self._write_to_terminal)
        self._is_kept = False
        self._said_clash = False
        self._unkept: dict[str, str | bool] = {}
        self._keeping = Lock()
        self.register_theme(HIGH_CONTRAST)

    def apply_preferences(self) -> None:
        """Set what the settings say, and say what of them was not understood."""
        problems = list(self.settings.problems)
        colours = None if self.no_color else self.console.color_system or "standard"
        wanted = theme_name(self.settings.theme, colours)
        if wanted in self.available_themes:
            self.theme = wanted
        else:
            problems.append(f"theme: there is none of the name {wanted!r}")
        if self.settings.keys:
            self.set_keymap(dict(self.settings.keys))
        if problems:
            self._trouble("\n".join(f"Settings: {problem}" for problem in problems))
        self._is_kept = True

    def watch_theme(self, theme: str) -> None:
        """Keep a theme that was chosen in the app."""
        if getattr(self, "_is_kept", False):
            self.keep("theme", theme)

    def handle_bindings_clash(self, clashed_bindings: set[Binding], node: DOMNode) -> None:
        """Say once that keys in the settings collide."""
        if not self._said_clash:
            self._said_clash = True
            names = ", ".join(sorted(binding.id or binding.key for binding in clashed_bindings))
            self._trouble(f"Settings: keys for {names} are taken by others.")

    def keep(self, name: str, value: str | bool) -> None:
        """Write one setting to the file, in a thread, after those that are being written."""
        self._unkept[name] = value

        def keeping() -> None:
            try:
                with self._keeping:
                    while self._unkept:
                        save_setting(self.settings_file, *self._unkept.popitem())
            except OSError as error:
                self._trouble(f"The setting could not be kept: {error}")

        self.run_worker(keeping, group="settings", thread=True, exit_on_error=False)

    def ring(self) -> None:
        """Call the person: something new needs a choice."""
        if self.settings.bell:
            self.bell()

    def tell_window(self, choices: int) -> None:
        """Say in the window's title how many choices wait."""
        if self.settings.title:
            self.window_title.set(choices)

    def preference_commands(self) -> Iterable[Command]:
        """What the palette offers to set."""
        yield Command("Settings: Change the theme", "All themes", self.action_change_theme)
        for name, what in (("bell", "bell"), ("title", "count in the window's title")):
            is_on = getattr(self.settings, name)
            verb = "off" if is_on else "on"
            yield Command(
                f"Settings: Turn the {what} {verb}",
                "When something new needs a choice",
                partial(self.set_preference, name, not is_on),
            )
        for layout in LAYOUTS:
            yield Command(
                f"Settings: Detail {layout}",
                "Where the detail stands",
                partial(self.set_layout, layout),
            )

        if not self._is_deciding:
            yield Command(
                "Settings: Approver",
                f"Who decides here, now {self.actor.approver}",
                self.ask_approver,
            )

    @property
    def _is_deciding(self) -> bool:
        """Whether a screen is open on which someone began to decide under the name of now."""
        stacks = self._screen_stacks.values()
        return any(isinstance(screen, HoldsWork) for stack in stacks for screen in stack)

    def ask_approver(self) -> None:
        """Ask who decides from now on, until the app is left."""
        from stopview_tui.screens.ask_text import AskTextScreen

        note = "Until stopview is left. A name, not a proof of who it is."
        held = self.actor.approver
        self.push_screen(AskTextScreen("Who decides?", held, _complaint, note=note), self._named)

    def _named(self, name: str | None) -> None:
        if name is not None:
            self.actor = replace(self.actor, approver=checked_name(name, _APPROVER))
            self.publish_facts()
            self.notify(f"Decisions are made by {self.actor.approver} now.", markup=False)

    def publish_facts(self) -> None:
        """Tell the bars what they say, where it changed."""
        raise NotImplementedError

    def set_preference(self, name: str, value: Any) -> None:
        """Set it now and keep it."""
        self.settings = replace(self.settings, **{name: value})
        self.keep(name, value)
        if name == "title" and not value:
            self.window_title.restore()

    def set_layout(self, layout: Layout) -> None:
        """Put the detail beside or below the list, on every mode that is open."""
        for stack in self._screen_stacks.values():
            for screen in stack:
                screen.remove_class(*(f"-{other}" for other in LAYOUTS))
                screen.add_class(f"-{layout}")
        self.set_preference("layout", layout)

    def _trouble(self, text: str) -> None:
        self.notify(clean(text), severity="warning", markup=False)

    def _write_to_terminal(self, text: str) -> None:
        if self._driver is not None:
            self._driver.write(text)
            self._driver.flush()
