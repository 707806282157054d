"""Keeps the rows that runs give rise to, run by run, and which of them a filter shows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

from stopview_core.readings import RunReading


class KeyedRow(Protocol):
    """A row that a run gives rise to."""

    @property
    def identity(self) -> Hashable: ...

    @property
    def is_bypassed(self) -> bool: ...


R = TypeVar("R", bound=KeyedRow)


Built: TypeAlias = dict[str, tuple[RunReading, tuple[R, ...]]]
"""By path: the run, and the rows it gives rise to."""


@dataclass(frozen=True, slots=True)
class Delta(Generic[R]):
    """The shown rows that are new or changed, and the identities that are shown no more."""

    changed: tuple[R, ...] = ()
    gone: tuple[Hashable, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection(Generic[R]):
    """What a filter shows of the rows as they were at `version`."""

    shown: tuple[R, ...]
    hidden: int
    hidden_bypassed: int
    version: int


class RunKeyedRows(Generic[R]):
    """All rows by identity. `version` counts up with every change of them.

    Choosing what is shown may take long for very many rows: `select` touches nothing and may run
    in a thread on `every`, `apply` takes what it found.
    """

    def __init__(self, rows_of: Callable[[RunReading], Sequence[R]]) -> None:
        self._rows_of = rows_of
        self._admits: Callable[[R], bool] = _everything
        self._by_run: dict[str, tuple[R, ...]] = {}
        self._shown: dict[Hashable, R] = {}
        self.hidden = 0
        self.hidden_bypassed = 0
        self.version = 0

    @property
    def shown(self) -> Iterable[R]:
        """The rows shown, in no order."""
        return self._shown.values()

    @property
    def shown_count(self) -> int:
        """How many rows are shown."""
        return len(self._shown)

    def every(self) -> tuple[R, ...]:
        """All rows, hidden ones too."""
        return tuple(row for rows in self._by_run.values() for row in rows)

    def select(self, rows: Iterable[R], admits: Callable[[R], bool], version: int) -> Selection[R]:
        """What a filter shows of `rows`, which were all at `version`."""
        shown: list[R] = []
        hidden = bypassed = 0
        for row in rows:
            if admits(row):
                shown.append(row)
            else:
                hidden += 1
                bypassed += row.is_bypassed
        return Selection(tuple(shown), hidden, bypassed, version)

    def apply(self, found: Selection[R], admits: Callable[[R], bool]) -> bool:
        """Show what was found; False where the rows have changed since."""
        if found.version != self.version:
            return False
        self._admits = admits
        self._shown = {row.identity: row for row in found.shown}
        self.hidden, self.hidden_bypassed = found.hidden, found.hidden_bypassed
        return True

    def build(self, runs: Mapping[str, RunReading]) -> Built[R]:
        """The rows of very many runs; touches nothing and may run in a thread."""
        return {path: (run, tuple(self._rows_of(run))) for path, run in runs.items()}

    def adopt(self, built: Built[R], runs: Mapping[str, RunReading]) -> None:
        """Begin with rows that were built, but for runs that are others by now or gone."""
        self._by_run = {
            path: rows for path, (run, rows) in built.items() if rows and runs.get(path) is run
        }
        self._shown = {row.identity: row for rows in self._by_run.values() for row in rows}
        self._admits = _everything
        self.hidden = self.hidden_bypassed = 0
        self.version += 1

    def rows_of(self, runs: Iterable[RunReading]) -> list[R]:
        """The rows of a few runs; touches nothing."""
        return [row for run in runs for row in self._rows_of(run)]

    def take(self, runs: Mapping[str, RunReading], touched: Iterable[str]) -> Delta[R]:
        """Take the touched runs anew; what changes of the rows shown."""
        changed: list[R] = []
        gone: list[Hashable] = []
        for path in touched:
            run = runs.get(path)
            rows = tuple(self._rows_of(run)) if run is not None else ()
            self._take_run(path, rows, changed, gone)
        self.version += 1
        return Delta(tuple(changed), tuple(gone))

    def _take_run(
        self, path: str, rows: tuple[R, ...], changed: list[R], gone: list[Hashable]
    ) -> None:
        before = self._by_run.pop(path, ())
        if rows:
            self._by_run[path] = rows
        left = {}
        for row in before:
            if (shown := self._shown.pop(row.identity, None)) is not None:
                left[row.identity] = shown
            else:
                self.hidden -= 1
                self.hidden_bypassed -= row.is_bypassed
        for row in rows:
            if not self._admits(row):
                self.hidden += 1
                self.hidden_bypassed += row.is_bypassed
                continue
            self._shown[row.identity] = row
            if left.pop(row.identity, None) != row:
                changed.append(row)
        gone.extend(left)


def _everything(row: object) -> bool:
    return True
