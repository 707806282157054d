"""What the Inbox shows of the picture: its rows, what the filter hides, and the counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from stopview_core.board import (
    Board,
    Filter,
    Group,
    Row,
    build_board,
    codes_of,
    run_rows,
    skipped_rows,
)
from stopview_core.readings import BranchReading, RunReading
from stopview_core.records import Skipped
from stopview_tui.seen import SeenMark

Identity = tuple[str, str]
_SKIPPED = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """How much is shown and hidden. `seen` are branches that are out of the way as seen."""

    shown: int = 0
    hidden: int = 0
    hidden_bypassed: int = 0
    seen: int = 0
    by_group: Mapping[Group, int] = field(default_factory=dict)

    @property
    def choices(self) -> int:
        """Shown rows that need a choice."""
        return self.by_group.get(Group.CHOICE, 0)


@dataclass(frozen=True, slots=True)
class Delta:
    """The shown rows that are new or changed, and those that are shown no more."""

    changed: tuple[Row, ...] = ()
    gone: tuple[Identity, ...] = ()
    new_choices: tuple[Row, ...] = ()


class InboxModel:
    """All rows by identity, kept up run by run; a change costs what changed."""

    def __init__(self, seen: frozenset[SeenMark] = frozenset()) -> None:
        self.filter = Filter()
        self.seen = seen
        self.shows_seen = False
        self._rows: dict[Identity, Row] = {}
        self._by_run: dict[str, tuple[Identity, ...]] = {}
        self._shown: set[Identity] = set()
        self._groups: Counter[Group] = Counter()
        self._all_choices = 0
        self._hidden_bypassed = 0
        self._seen_by_run: dict[str, int] = {}

    @property
    def counts(self) -> Counts:
        """What is shown and hidden now."""
        return Counts(
            shown=len(self._shown),
            hidden=len(self._rows) - len(self._shown),
            hidden_bypassed=self._hidden_bypassed,
            seen=sum(self._seen_by_run.values()),
            by_group=dict(self._groups),
        )

    @property
    def all_choices(self) -> int:
        """Rows that need a choice, hidden ones too."""
        return self._all_choices

    def is_seen(self, branch: BranchReading) -> bool:
        """Whether the branch has violations and all of them are marked as seen."""
        marks = marks_of(branch)
        return bool(marks) and all(mark in self.seen for mark in marks)

    def rows(self) -> Iterable[Row]:
        """All rows, hidden ones too."""
        return self._rows.values()

    def take(
        self,
        runs: Mapping[str, RunReading],
        touched: Iterable[str],
        skipped: Iterable[Skipped] | None = None,
    ) -> Delta:
        """Take the touched runs anew; the delta of what is shown."""
        found: list[tuple[str, list[Row]]] = []
        for path in touched:
            run = runs.get(path)
            if run is None:
                self._seen_by_run.pop(path, None)
            found.append((path, [] if run is None else self._rows_of(path, run)))
        if skipped is not None:
            found.append((_SKIPPED, skipped_rows(skipped)))
        changed: list[Row] = []
        gone: list[Identity] = []
        choices: list[Row] = []
        for path, rows in found:
            self._take_run(path, rows, changed, gone, choices)
        return Delta(tuple(changed), tuple(gone), tuple(choices))

    def set_filter(self, wanted: Filter) -> Board:
        """Filter by this from now on; the board it gives."""
        self.filter = wanted
        board = build_board(self._rows.values(), wanted)
        self._shown = {row.identity for row in board.rows}
        self._groups = Counter(row.group for row in board.rows)
        self._hidden_bypassed = board.hidden_bypassed
        return board

    def set_seen(
        self, runs: Mapping[str, RunReading], seen: frozenset[SeenMark], *, shows_seen: bool
    ) -> Delta:
        """Take other marks, or show and hide what is seen; the delta."""
        marked = {path for path, _, _ in seen ^ self.seen}
        touched = marked if shows_seen == self.shows_seen else runs.keys()
        self.seen, self.shows_seen = seen, shows_seen
        return self.take(runs, touched)

    def values(self, name: str) -> list[tuple[str, int]]:
        """What to filter by in `code`, `operator` or `route`, and how many rows; the most first."""
        found = Counter(value for row in self._rows.values() for value in _values(row, name))
        return sorted(found.items(), key=lambda item: (-item[1], item[0]))

    def _rows_of(self, path: str, run: RunReading) -> list[Row]:
        every = run_rows(run)
        unseen = run_rows(run, self.seen) if self.seen else every
        if len(every) == len(unseen):
            self._seen_by_run.pop(path, None)
        else:
            self._seen_by_run[path] = len(every) - len(unseen)
        return every if self.shows_seen else unseen

    def _take_run(
        self,
        path: str,
        rows: list[Row],
        changed: list[Row],
        gone: list[Identity],
        choices: list[Row],
    ) -> None:
        before = self._by_run.get(path, ())
        now = {row.identity: row for row in rows}
        if not now:
            self._by_run.pop(path, None)
        else:
            self._by_run[path] = tuple(now)
        for identity in before:
            if identity not in now:
                if self._forget(identity):
                    gone.append(identity)
                self._all_choices -= self._rows.pop(identity).group is Group.CHOICE
        for identity, row in now.items():
            held = self._rows.get(identity)
            if held == row:
                continue
            if row.group is Group.CHOICE and (held is None or held.group is not Group.CHOICE):
                choices.append(row)
            was_shown = self._forget(identity)
            was_choice = held is not None and held.group is Group.CHOICE
            self._all_choices += (row.group is Group.CHOICE) - was_choice
            self._rows[identity] = row
            if self._remember(identity, row):
                changed.append(row)
            elif was_shown:
                gone.append(identity)

    def _remember(self, identity: Identity, row: Row) -> bool:
        """Count a row; whether it is shown."""
        if self.filter.is_empty or self.filter.admits(row):
            self._shown.add(identity)
            self._groups[row.group] += 1
            return True
        self._hidden_bypassed += row.group is Group.BYPASSED
        return False

    def _forget(self, identity: Identity) -> bool:
        """Uncount a row; whether it was shown."""
        row = self._rows.get(identity)
        if row is None:
            return False
        if identity in self._shown:
            self._shown.discard(identity)
            self._groups[row.group] -= 1
            return True
        self._hidden_bypassed -= row.group is Group.BYPASSED
        return False


def marks_of(branch: BranchReading) -> list[SeenMark]:
    """What marks the branch's violations as seen."""
    return [(str(branch.run_path), branch.key, found.code) for found in branch.violations]


def _values(row: Row, name: str) -> Iterable[str]:
    if name == "code":
        return codes_of(row)
    value = row.route
    if name == "operator":
        value = row.branch.operator if row.branch else None
    return (value,) if value else ()
