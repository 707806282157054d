"""What a recipe is: a run in the making, and the reading that it has to get."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from stopview_core.board import Group
from stopview_core.demo import RunBuilder

RegistryName = Literal["shipped", "patched", "faulty"]
Finish = Callable[[Path], None]
"""What is done to the run's folder once the builder has written it."""


@dataclass(frozen=True)
class Expect:
    """The reading of one branch. Violations are all there are; what is None is not compared.

    `route` is the kind, with the target behind it, `unrouted` for a stop that no map answers.
    `needs_more` are violations that `list` cannot see, since it does not read that far.
    `fallbacks` maps each fallback taken to what was selected.
    """

    status: str
    code: str | None = None
    route: str | None = None
    group: Group | None = None
    decidable: bool = False
    violations: tuple[str, ...] = ()
    needs_more: tuple[str, ...] = ()
    fallbacks: Mapping[str, str | None] = field(default_factory=dict)
    unlisted_fallbacks: Mapping[str, str | None] = field(default_factory=dict)
    offered: tuple[str, ...] = ()
    highest: tuple[str, ...] | None = None
    decision: str = "none"
    selected: str | None = None
    refusal: int | None = None
    because: str | None = None
    operator: str | None = None
    written: str | None = None
    flipped_by: str | None = None
    totals: Mapping[str, float | None] | None = None
    missing: Mapping[str, tuple[tuple[str, str | None], ...]] | None = None
    problems: tuple[str, ...] = ()
    blocked_at: str | None = None
    attempts: tuple[str, ...] | None = None
    resumed_by: tuple[str, ...] | None = None
    exchanges: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Skip:
    """A path that has to be under `skipped`: how it ends, and a part of the reason.

    `needs_more`: only where the run is read in full.
    """

    path: str
    why: str
    needs_more: bool = False


@dataclass(frozen=True)
class Recipe:
    """One run, and what has to be read from it: every branch, and everything that is skipped.

    `about` says in a sentence what it is here for. Where `build` is a function it gives the run's
    builder; `finish` is then run on the folder. `row_groups` are the groups of rows that stand for
    no branch.
    """

    name: str
    about: str
    build: Callable[[], RunBuilder]
    branches: Mapping[str, Expect]
    skipped: tuple[Skip, ...] = ()
    finish: Finish | None = None
    registry: RegistryName = "shipped"
    notice: str | None = None
    run_id: str | None = None
    row_groups: tuple[Group, ...] = ()


def done(**more: object) -> Expect:
    """A branch that is done and has nothing else to tell."""
    return Expect("done", **more)  # type: ignore[arg-type]


def imported(status: str = "done", **more: object) -> Expect:
    """Another run's evidence: in no group, whatever it holds."""
    return Expect(status, **more)  # type: ignore[arg-type]


def for_an_operator(code: str, target: str, **more: object) -> Expect:
    """Blocked, and another operator runs next."""
    return _blocked(code, f"operator {target}", Group.OPERATOR, **more)


def again(code: str, **more: object) -> Expect:
    """Blocked, and the same operator runs again with something new."""
    return _blocked(code, "resume", Group.OPERATOR, **more)


def for_a_person(code: str, **more: object) -> Expect:
    """Blocked, and a person has to look; nothing is decided here."""
    return _blocked(code, "user", Group.PERSON, **{"refusal": 412, **more})


def a_choice(code: str, **more: object) -> Expect:
    """Blocked, and a person can decide it here."""
    return _blocked(code, "user", Group.CHOICE, **{"decidable": True, **more})


def resumed(code: str, route: str = "user", **more: object) -> Expect:
    """Blocked once, and a later branch went on."""
    return Expect("blocked", code=code, route=route, **more)  # type: ignore[arg-type]


def _blocked(code: str, route: str, usual: Group, /, **more: object) -> Expect:
    settled: dict[str, object] = {"code": code, "route": route, "group": usual, **more}
    return Expect("blocked", **settled)  # type: ignore[arg-type]
