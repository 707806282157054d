"""The palette: every action that can be taken now, as `Area: Verb`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, runtime_checkable

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.screen import Screen

from stopview_tui.bindings import in_place, is_ours, palette_name


@dataclass(frozen=True, slots=True)
class Command:
    """An action without a key of its own: its name as `Area: Verb`, a sentence, what it does."""

    name: str
    help: str
    run: Callable[[], Any]


@runtime_checkable
class HasCommands(Protocol):
    """A screen or app with actions of its own in the palette."""

    def palette_commands(self) -> Iterable[Command]: ...


def commands_of(screen: Screen[Any]) -> list[Command]:
    """All commands there are on a screen now, by name: those with keys, then the others."""
    found: dict[str, Command] = {}
    for active in screen.active_bindings.values():
        binding = in_place(active)
        if is_ours(binding) and active.enabled:
            run = partial(screen.app.run_action, binding.action, active.node)
            key = screen.app.get_key_display(binding)
            help = f"{binding.tooltip}  ({key})"
            found.setdefault(palette_name(binding), Command(palette_name(binding), help, run))
    for place in (screen, screen.app):
        if isinstance(place, HasCommands):
            for command in place.palette_commands():
                found.setdefault(command.name, command)
    return sorted(found.values(), key=lambda command: command.name)


class Actions(Provider):
    """Brings the commands of the screen below the palette."""

    async def discover(self) -> Hits:
        """All of them."""
        for command in self._commands():
            yield DiscoveryHit(
                Content(command.name), command.run, text=command.name, help=command.help
            )

    async def search(self, query: str) -> Hits:
        """Those that match."""
        matcher = self.matcher(query)
        for command in self._commands():
            score = matcher.match(command.name)
            if score > 0:
                yield Hit(
                    score,
                    matcher.highlight(command.name),
                    command.run,
                    text=command.name,
                    help=command.help,
                )

    def _commands(self) -> Iterator[Command]:
        return iter(commands_of(self.screen))
