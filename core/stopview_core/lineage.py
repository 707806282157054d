"""Which branch continues which: resumes, attempts, and what is still open (contracts 1.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from stopview_core.records import Branch, Run, State, branch_key

CLOSING_EVENTS = frozenset({"resolved", "abandoned", "replanned"})


@dataclass(frozen=True, slots=True)
class Lineage:
    """The resumes of one run.

    `resumes` maps a branch to the key it says it resumes, as written ("" where it names none);
    `resumed_by` maps a branch to the branches of higher steps that resume it, in order.
    """

    resumes: Mapping[str, str]
    resumed_by: Mapping[str, tuple[str, ...]]

    def attempts(self, key: str) -> tuple[str, ...]:
        """All attempts of the branch's lineage, first to last, the branch itself among them."""
        first = self.first(key)
        found = [first]
        for attempt in found:
            found.extend(k for k in self.resumed_by.get(attempt, ()) if k not in found)
        return tuple(sorted(found, key=sort_key))

    def earlier(self, key: str) -> tuple[str, ...]:
        """The attempts that this branch continues, the nearest first."""
        found: list[str] = []
        at = key
        while True:
            before = self.resumes.get(at, "")
            if at not in self.resumed_by.get(before, ()):
                return tuple(found)
            found.append(before)
            at = before

    def first(self, key: str) -> str:
        """The first attempt of the branch's lineage."""
        earlier = self.earlier(key)
        return earlier[-1] if earlier else key


def read_lineage(run: Run) -> Lineage:
    """The run's resumes: what a request names goes before what state.json names (1.6)."""
    resumes = {}
    for key, branch in run.branches.items():
        named = _named_resume(branch, run.state)
        if named is not None and not branch.is_import:
            resumes[key] = named
    resumed_by: dict[str, list[str]] = {}
    for key in sorted(resumes, key=sort_key):
        target = resumes[key]
        held = run.branches.get(target)
        if held is not None and run.branches[key].step > held.step:
            resumed_by.setdefault(target, []).append(key)
    return Lineage(resumes, {key: tuple(found) for key, found in resumed_by.items()})


def is_open(run: Run, lineage: Lineage, branch: Branch) -> bool:
    """Whether the branch waits: blocked, not resumed later, not closed by its last transition."""
    if branch.is_import or branch.response is None or branch.response.status != "blocked":
        return False
    if branch.key in lineage.resumed_by:
        return False
    return last_event(run.state, branch.key) not in CLOSING_EVENTS


def last_event(state: State | None, key: str) -> str | None:
    """The event of the branch's last transition."""
    if state is None:
        return None
    return next((t.event for t in reversed(state.transitions) if t.branch == key), None)


def latest(state: State | None, key: str, *events: str) -> datetime | None:
    """The time of the branch's latest transition of those events that has a readable time."""
    return max(_times(state, key, events), default=None)


def earliest(state: State | None, key: str, *events: str) -> datetime | None:
    """The time of the branch's first transition of those events that has a readable time."""
    return min(_times(state, key, events), default=None)


def time_of_file(mtime_ns: int) -> datetime | None:
    """A modification time as a point in time; None for one beyond the years that dates have."""
    try:
        return datetime.fromtimestamp(mtime_ns / 1e9, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def sort_key(key: str) -> tuple[int, int]:
    """Branches in order: by step, then by parallel."""
    return branch_key(key) or (0, 0)


def _times(state: State | None, key: str, events: tuple[str, ...]) -> list[datetime]:
    transitions = state.transitions if state is not None else ()
    return [t.at for t in transitions if t.branch == key and t.event in events and t.at is not None]


def _named_resume(branch: Branch, state: State | None) -> str | None:
    if branch.request is not None and branch.request.resume is not None:
        return branch.request.resume
    return state.resumes.get(branch.key) if state is not None else None
