"""How much of the machine others used meanwhile: a busy machine makes every number worse."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

_STAT = Path("/proc/stat")


@dataclass(frozen=True)
class Moment:
    """Seconds of processor time up to now: of the whole machine, and of this program's own."""

    wall: float
    busy: float | None
    own: float


def now() -> Moment:
    """This moment; `busy` is None where the system does not tell."""
    used = os.times()
    own = used.user + used.system + used.children_user + used.children_system
    return Moment(time.monotonic(), _busy(), own)


def others_share(before: Moment, after: Moment) -> float | None:
    """The share of all processors that other programs used between two moments."""
    if before.busy is None or after.busy is None:
        return None
    available = (after.wall - before.wall) * (os.cpu_count() or 1)
    used = (after.busy - before.busy) - (after.own - before.own)
    return max(used, 0.0) / available if available > 0 else None


def _busy() -> float | None:
    try:
        user, nice, system, _, _, irq, softirq, *_ = map(int, _STAT.read_text().split()[1:9])
    except (OSError, ValueError):
        return None
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")
