"""Says when a run last changed, and when each of its branches began and ended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from stopview_core.lineage import latest, time_of_file
from stopview_core.readings import Stamp
from stopview_core.records import Branch, Run

_BEGINS = ("dispatched", "resumed")
_ENDS = ("done", "blocked", "invalid", "resolved", "abandoned", "replanned")


@dataclass(frozen=True, slots=True)
class BranchTimes:
    """When a branch was first dispatched and when it last ended; None where nothing says so."""

    began: datetime | None
    ended: Stamp | None


def last_change(run: Run, decided: Iterable[datetime]) -> Stamp | None:
    """The latest transition, or decision after it; without either the newest file's time.

    As for a stop (contracts 1.5), a transition goes before the time of a file, which copying
    changes. `decided` are the times of the run's decisions.
    """
    transitions = run.state.transitions if run.state else ()
    moved = max((one.at for one in transitions if one.at is not None), default=None)
    made = max(decided, default=None)
    if made is not None and (moved is None or made > moved):
        return Stamp(made, "receipt")
    if moved is not None:
        return Stamp(moved, "transition")
    written = max(_mtimes(run), default=None)
    return file_stamp(written) if written is not None else None


def file_stamp(mtime_ns: int) -> Stamp | None:
    """A file's modification time; None for one beyond the years that dates have."""
    at = time_of_file(mtime_ns)
    return Stamp(at, "mtime") if at is not None else None


def branch_times(run: Run, branch: Branch) -> BranchTimes:
    """When the branch began and ended, by its transitions, else by its response's own time."""
    transitions = run.state.transitions if run.state else ()
    starts = [
        one.at
        for one in transitions
        if one.branch == branch.key and one.event in _BEGINS and one.at is not None
    ]
    began = min(starts, default=None)
    ended = latest(run.state, branch.key, *_ENDS)
    if ended is not None:
        return BranchTimes(began, Stamp(ended, "transition"))
    response = branch.response
    if response is None or response.status not in ("done", "blocked"):
        return BranchTimes(began, None)
    return BranchTimes(began, file_stamp(response.mtime_ns))


def _mtimes(run: Run) -> Iterable[int]:
    for branch in run.branches.values():
        for record in (branch.request, branch.response):
            if record is not None:
                yield record.mtime_ns
