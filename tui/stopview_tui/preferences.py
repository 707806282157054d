"""The app's part that a person can set: theme, keys, bell, title, layout, and keeping them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode

from stopview_core.text import clean
from stopview_tui.palette import Command
from stopview_tui.settings import LAYOUTS, Layout, Settings, save_setting
from stopview_tui.terminal_title import TerminalTitle
from stopview_tui.themes import HIGH_CONTRAST, theme_name


class HasPreferences(App[None]):
    """Takes the settings, and writes the one that a person changes in the app."""

    settings: Settings
    settings_file: Path
    window_title: TerminalTitle

    def keep_preferences(self, settings: Settings, path: Path) -> None:
        """Get ready; nothing is set before `apply_preferences`."""
        self.settings = settings
        self.settings_file = path
        self.window_title = TerminalTitle(self._write_to_terminal)
        self._is_kept = False
        self._said_clash = False
        self.register_theme(HIGH_CONTRAST)

    def apply_preferences(self) -> None:
        """Set what the settings say, and say what of them was not understood."""
        problems = list(self.settings.problems)
        wanted = theme_name(self.settings.theme)
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
        """Write one setting to the file, in a thread."""

        def keeping() -> None:
            try:
                save_setting(self.settings_file, name, value)
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

    def set_preference(self, name: str, value: Any) -> None:
        """Set it now and keep it."""
        from dataclasses import replace

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
