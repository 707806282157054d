"""Decisions made in one call, and their receipts once they are found to be sound."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import yaml

from deciding.checks import V, receipt_faults
from deciding.runs import (
    APPROVAL,
    BOTH,
    CHOICE,
    CONTRADICTION,
    OPERATOR,
    QUESTION,
    Site,
    actor,
    registry,
)
from stopview_core.actor import Actor
from stopview_core.decide import Outcome, Pick, Wish, decide
from stopview_core.system_calls import SystemCalls

AT = datetime(2026, 11, 3, 9, 30, 1, 250_900, tzinfo=UTC)
STOPS = {APPROVAL: CHOICE, QUESTION: CONTRADICTION, BOTH: CHOICE}


def made(
    site: Site,
    key: str = APPROVAL,
    selected: str | None = "outbox",
    reason: str | None = None,
    *,
    who: Actor | None = None,
    **wish: Any,
) -> Outcome:
    """One decision at AT."""
    asked = Wish(Pick.of(selected, reason), **wish)
    return decide(site.run, key, asked, registry(), who or actor(), now=lambda: AT)


def packet_of(site: Site, key: str, name: str = "0001.yaml") -> dict[str, Any]:
    """What an ordinary YAML reader reads, once the receipt is found to be sound."""
    receipts = site.receipts(key)
    names = sorted(name for name in receipts if name[0] != ".")
    place = names.index(name)
    step, _, parallel = key.partition("/")
    faults = receipt_faults(
        receipts[name],
        where=f"step-{step}/parallel-{parallel}/decision/{name}",
        run_id="audit-trail",
        branch=key,
        operator=OPERATOR,
        stop=STOPS[key],
        before=receipts[names[place - 1]] if place else None,
    )
    assert faults == []
    packet: dict[str, Any] = yaml.safe_load(receipts[name])
    return packet


def own(packet: dict[str, Any], name: str) -> Any:
    return packet["extensions"][V + name]


class BeforeTheName(SystemCalls):
    """Lets something happen once, just before the receipt gets its name."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.act = act

    def link_open(self, fd: int, name: str, *, dir_fd: int) -> None:
        act, self.act = self.act, lambda: None
        act()
        super().link_open(fd, name, dir_fd=dir_fd)


class AfterTheName(SystemCalls):
    """Lets something happen as soon as the receipt has its name."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.act = act

    def link_open(self, fd: int, name: str, *, dir_fd: int) -> None:
        super().link_open(fd, name, dir_fd=dir_fd)
        self.act()
