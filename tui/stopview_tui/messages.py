"""What the app's workers tell it: facts, in the past tense."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from textual.message import Message

from stopview_core.readings import RunReading
from stopview_core.registry.model import Registry
from stopview_core.snapshot import Diff, Snapshot

WatchState: TypeAlias = Literal["reading", "live", "polling", "failed"]


@dataclass(frozen=True, slots=True)
class Health:
    """How the picture is kept: `reading` the first time, `live` by events, `polling`, `failed`.

    `why` says why it is not live, in a few words. `at` is when the picture was last found true.
    """

    state: WatchState
    why: str = ""
    at: datetime | None = None


class RegistryLoaded(Message):
    """The registry is in use now."""

    def __init__(self, registry: Registry) -> None:
        super().__init__()
        self.registry = registry


class RegistryNotLoaded(Message):
    """No registry can be used, so nothing can be shown."""

    def __init__(self, title: str, why: str) -> None:
        super().__init__()
        self.title = title
        self.why = why


class RunsRead(Message):
    """The first scan read some more runs."""

    def __init__(self, runs: tuple[RunReading, ...]) -> None:
        super().__init__()
        self.runs = runs


class SnapshotChanged(Message):
    """There is a new picture. `is_first` is the one of the first whole scan."""

    def __init__(self, snapshot: Snapshot, diff: Diff, *, is_first: bool = False) -> None:
        super().__init__()
        self.snapshot = snapshot
        self.diff = diff
        self.is_first = is_first


class WatchReported(Message):
    """How the picture is kept changed, or it was found true again."""

    def __init__(self, health: Health) -> None:
        super().__init__()
        self.health = health


class WatchFailed(Message):
    """Something went wrong that should not: what, for people, and the whole of it to copy."""

    def __init__(self, why: str, details: str) -> None:
        super().__init__()
        self.why = why
        self.details = details


class SeenChanged(Message):
    """Which violations are marked as seen; `told` is what to say about it, if anything."""

    def __init__(self, marks: frozenset[tuple[str, str, str]], told: str = "") -> None:
        super().__init__()
        self.marks = marks
        self.told = told
