"""Every key of the app and its one meaning, so that a key means the same thing everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol, runtime_checkable

from textual.binding import ActiveBinding, Binding

Group = Binding.Group

GO = Group("Go to")
FIND = Group("Find")
LOOK = Group("Look at")
DECIDE = Group("Decide")
KEEP = Group("Keep")
MOVE = Group("Move")
APP = Group("App")

GROUPS = (GO, FIND, LOOK, DECIDE, KEEP, MOVE, APP)
"""The groups in the order in which help shows them."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a key does wherever it does anything: its keys, a verb for it, and a sentence."""

    keys: str
    description: str
    tooltip: str
    group: Group
    is_hinted: bool = False


MEANINGS: Mapping[str, Meaning] = MappingProxyType(
    {
        "mode-1": Meaning("1", "Inbox", "What waits, over all runs", GO),
        "mode-2": Meaning("2", "Runs", "All runs", GO),
        "mode-3": Meaning("3", "History", "Fallbacks taken and decisions made", GO),
        "mode-4": Meaning("4", "Codes", "The stop codes and their routes", GO),
        "open": Meaning(
            "enter", "Open", "Decide the row where it needs you, else look at it", LOOK, True
        ),
        "run": Meaning("r", "Open the run", "Show the whole run of this row", LOOK, True),
        "artifact": Meaning(
            "o", "Open an artifact", "Open a file of it in the browser", LOOK, True
        ),
        "editor": Meaning("e", "Open in an editor", "Open a file in $EDITOR or $PAGER", LOOK, True),
        "copy": Meaning("Y", "Copy", "Copy a path or an id to the clipboard", KEEP, True),
        "export": Meaning("x", "Export", "Write what is shown to a JSON file", KEEP),
        "next": Meaning("n", "Next choice", "To the next row that needs a choice", MOVE, True),
        "pick": Meaning("space", "Pick", "Pick this one, nothing is written yet", DECIDE, True),
        "confirm": Meaning("ctrl+s", "Go on to confirm", "See what would be written", DECIDE, True),
        "write": Meaning("y", "Write", "Write exactly what is shown", DECIDE, True),
        "change": Meaning("u", "Change the decision", "Change it or take it back", DECIDE, True),
        "seen": Meaning("m", "Mark seen", "Mark the violations of this row as seen", KEEP, True),
        "filter": Meaning("slash", "Filter", "Show only rows with what you type", FIND, True),
        "filter-by": Meaning("f", "Filter by", "Filter by code, operator or route", FIND, True),
        "dates": Meaning("d", "Dates", "Show only what is of some days", FIND, True),
        "violations": Meaning("v", "Only violations", "Show only what breaks a rule", FIND, True),
        "back": Meaning("escape", "Back", "Clear what is set, else leave this place", APP, True),
        "quit": Meaning("q", "Back or quit", "Leave this place, or the app", APP, True),
        "help": Meaning("question_mark", "Help", "The keys of this place", APP, True),
        "palette": Meaning("ctrl+p", "Palette", "Find any action by its name", APP),
        "up": Meaning("up,k", "Up", "One row up", MOVE),
        "down": Meaning("down,j", "Down", "One row down", MOVE),
        "page-up": Meaning("pageup,ctrl+b", "Page up", "One page up", MOVE),
        "page-down": Meaning("pagedown,ctrl+f", "Page down", "One page down", MOVE),
        "first": Meaning("home,g", "First", "The first row", MOVE),
        "last": Meaning("end,G", "Last", "The last row", MOVE),
        "pane": Meaning("tab", "Next pane", "Between the list and the text beside it", MOVE, True),
        "left": Meaning("left", "Left", "One column to the left", MOVE),
        "right": Meaning("right", "Right", "One column to the right", MOVE),
    }
)
"""By name; the name is the last part of a binding's id."""


def bind(
    area: str,
    meaning: str,
    action: str,
    *,
    description: str | None = None,
    tooltip: str | None = None,
    priority: bool = False,
    is_hinted: bool = True,
) -> Binding:
    """The binding `<area>.<meaning>` of a place: its key and group come from the meaning.

    `description` and `tooltip` say it in the words of the place; it is hinted where the place and
    the table want it. KeyError for a meaning that is not in the table: a new key gets a row there
    first.
    """
    found = MEANINGS[meaning]
    return Binding(
        found.keys,
        action,
        description or found.description,
        show=found.is_hinted and is_hinted,
        tooltip=tooltip or found.tooltip,
        id=f"{area}.{meaning}",
        group=found.group,
        priority=priority,
    )


@runtime_checkable
class SaysKeys(Protocol):
    """A place in which a key does this now and that later, and so is called by another name."""

    def key_words(self, binding_id: str) -> str | None:
        """What the key of that id does now; None where the table has the right word."""
        ...


def in_place(active: ActiveBinding) -> Binding:
    """The binding, described by what it does now in the place that it was found in."""
    node, binding = active.node, active.binding
    words = node.key_words(binding.id or "") if isinstance(node, SaysKeys) else None
    return replace(binding, description=words) if words else binding


def palette_name(binding: Binding) -> str:
    """The binding's entry in the palette, as `Area: Verb`."""
    area = (binding.id or "").partition(".")[0]
    return f"{area.replace('-', ' ').capitalize()}: {binding.description}"


def is_ours(binding: Binding) -> bool:
    """Whether the binding is one of this app, and not one that a widget of Textual brought."""
    return binding.id is not None and "." in binding.id and binding.group in GROUPS
