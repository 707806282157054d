"""Decides what the Inbox and `list` show, in which order and group, and what filters hide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from pathlib import Path

from stopview_core.lineage import sort_key
from stopview_core.readings import BranchReading, RunReading
from stopview_core.records import Skipped
from stopview_core.text import clean

ROUTE_WORDS = {"user": "-> you", "resume": "again", "external": "outside"}
"""Who a kind of route goes to, as lists say it; an operator's and a chain's name their target."""


class Group(Enum):
    """The Inbox's groups in their order; the value is the heading."""

    BYPASSED = "Approval bypassed"
    CHOICE = "Needs your choice"
    DECIDED = "Decided, waiting to resume"
    PERSON = "Needs a person"
    OPERATOR = "Waits for an operator"
    OUTSIDE = "Outside"
    VIOLATION = "Other violations"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the Inbox: a branch, or a run or response that cannot be read.

    `identity` names it over rescans; `branch` is None where a path could not be read, then
    `skipped` says what and why. `waits_since` is None where nobody waits.
    """

    identity: tuple[str, str]
    group: Group
    run_id: str
    run_path: Path
    branch: BranchReading | None
    skipped: Skipped | None
    waits_since: datetime | None
    _search_text: str | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def code(self) -> str | None:
        """The stop code as resolved, else the first violation's code."""
        if self.branch is None:
            return None
        if self.branch.resolution is not None:
            return self.branch.resolution.code
        return self.branch.violations[0].code if self.branch.violations else None

    @property
    def route(self) -> str | None:
        """The kind of the route."""
        resolution = self.branch.resolution if self.branch else None
        return resolution.route.kind if resolution else None

    @property
    def search_text(self) -> str:
        """What `/` looks in, in lower case. Put together once: a filter asks at every key."""
        if self._search_text is None:
            object.__setattr__(self, "_search_text", _search_text(self))
        return self._search_text or ""


@dataclass(frozen=True, slots=True)
class Filter:
    """What to show: text anywhere in the row, and exact code, operator and route kind."""

    text: str = ""
    code: str | None = None
    operator: str | None = None
    route: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it hides nothing."""
        return self == Filter()

    def admits(self, row: Row) -> bool:
        """Whether the row is shown."""
        if self.code is not None and self.code not in codes_of(row):
            return False
        operator = row.branch.operator if row.branch else None
        if self.operator is not None and operator != self.operator:
            return False
        if self.route is not None and row.route != self.route:
            return False
        text = self.text.strip().lower()
        return not text or all(word in row.search_text for word in text.split())


@dataclass(frozen=True, slots=True)
class Board:
    """The rows shown, how many a filter hides, and how many hidden ones bypassed an approval."""

    rows: tuple[Row, ...]
    hidden: int
    hidden_bypassed: int

    def count(self, group: Group) -> int:
        """How many rows of a group are shown."""
        return sum(row.group is group for row in self.rows)


def run_rows(run: RunReading, seen: frozenset[tuple[str, str, str]] = frozenset()) -> list[Row]:
    """The rows of one run. `seen` holds (run path, branch, violation code) marked as seen."""
    if run.is_quiet:
        return []
    rows = [
        row
        for branch in run.branches.values()
        if (row := _branch_row(run, branch, seen)) is not None
    ]
    rows += [_skipped_row(run, item) for item in _own_skipped(run)]
    return rows


def build_board(rows: Iterable[Row], filter: Filter = Filter()) -> Board:
    """The rows in order: by group, oldest wait first, then by place; those filtered out counted."""
    admitted, hidden, bypassed = [], 0, 0
    for row in rows:
        if filter.is_empty or filter.admits(row):
            admitted.append(row)
        else:
            hidden += 1
            bypassed += row.group is Group.BYPASSED
    admitted.sort(key=row_order)
    return Board(tuple(admitted), hidden, bypassed)


def row_order(row: Row) -> tuple[int, float, str, tuple[int, int]]:
    """The sort key of rows, total over all of them."""
    since = row.waits_since.timestamp() if row.waits_since else float("inf")
    key = row.branch.key if row.branch else "0/0"
    return (_GROUP_ORDER[row.group], since, row.identity[0], sort_key(key))


_GROUP_ORDER = {group: place for place, group in enumerate(Group)}


def group_of(branch: BranchReading, *, is_bypass_seen: bool = False) -> Group | None:
    """The first group that fits a branch; None where it has no place in the Inbox (screens, 1).

    With `is_bypass_seen` a bypassed approval counts no longer, and the next group that fits does.
    """
    if branch.is_import:
        return None
    if branch.is_bypassed and not is_bypass_seen:
        return Group.BYPASSED
    if branch.status == "unreadable":
        return Group.PERSON
    if not branch.is_open:
        return Group.VIOLATION if branch.violations else None
    if branch.decision.status in ("in_force", "answered"):
        return Group.DECIDED
    if branch.decidability.is_decidable:
        return Group.CHOICE
    resolution = branch.resolution
    if resolution is None or resolution.route.kind == "user" or resolution.route.unrouted:
        return Group.PERSON
    if resolution.route.kind == "external":
        return Group.OUTSIDE
    if resolution.route.kind in ("operator", "chain", "resume"):
        return Group.OPERATOR
    return Group.PERSON


def _branch_row(
    run: RunReading, branch: BranchReading, seen: frozenset[tuple[str, str, str]]
) -> Row | None:
    is_bypass_seen = (str(run.path), branch.key, "APPROVAL_BYPASSED") in seen
    group = group_of(branch, is_bypass_seen=is_bypass_seen)
    if group is None:
        return None
    is_unreadable = branch.status == "unreadable"
    if not branch.is_open and not is_unreadable and _is_seen(run, branch, seen):
        return None
    since = branch.blocked_at.at if branch.is_open and branch.blocked_at else None
    identity = (str(run.path), branch.key)
    skipped = next(
        (item for item in branch.unreadable if is_unreadable and not item.is_partial), None
    )
    return Row(identity, group, run.id, run.path, branch, skipped, since)


def _is_seen(run: RunReading, branch: BranchReading, seen: frozenset[tuple[str, str, str]]) -> bool:
    return all((str(run.path), branch.key, v.code) in seen for v in branch.violations)


def _own_skipped(run: RunReading) -> Sequence[Skipped]:
    """What of the run could not be read and stands in no branch's row: its state, a step, a link.

    Branches have rows of their own, and a value that did not fit hides nothing.
    """
    top = clean(f"{run.path}/")
    own = {f"step-{key.replace('/', '/parallel-')}" for key in run.branches}
    found: dict[str, Skipped] = {}
    for item in run.skipped:
        inside = item.path.removeprefix(top)
        is_step = inside.startswith("step-") and inside.count("/") < 2 and inside not in own
        if not item.is_partial and (inside == "state.json" or is_step):
            found.setdefault(item.path, item)
    return list(found.values())


def _skipped_row(run: RunReading, item: Skipped) -> Row:
    return Row((str(run.path), item.path), Group.PERSON, run.id, run.path, None, item, None)


def skipped_rows(skipped: Iterable[Skipped]) -> list[Row]:
    """The rows of what could not be read outside of any run, such as a folder not to be listed."""
    return [
        Row((item.path, ""), Group.PERSON, Path(item.path).name, Path(item.path), None, item, None)
        for item in skipped
    ]


def _search_text(row: Row) -> str:
    parts = [row.run_id, str(row.run_path), row.group.value, row.identity[1]]
    if row.branch is not None:
        branch = row.branch
        parts += [branch.key, branch.operator or "", branch.reason or "", *branch.offered]
        parts += [violation.code for violation in branch.violations]
        if branch.resolution is not None:
            parts += [branch.resolution.code, branch.resolution.written_code]
            route = branch.resolution.route
            parts += [route.kind, route.target or "", ROUTE_WORDS.get(route.kind, "")]
    if row.skipped is not None:
        parts += [row.skipped.path, row.skipped.why]
    return "\n".join(parts).lower()


def codes_of(row: Row) -> set[str]:
    """The codes by which a filter finds the row: of its stop, as written too, and of its violations
    with the fallbacks that those are about."""
    if row.branch is None:
        return set()
    codes: set[str] = {violation.code for violation in row.branch.violations}
    codes |= {violation.about for violation in row.branch.violations if violation.about}
    if row.branch.resolution is not None:
        codes |= {row.branch.resolution.code, row.branch.resolution.written_code}
    return codes
