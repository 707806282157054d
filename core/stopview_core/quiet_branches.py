"""The branches of a quiet run, kept as (key, operator) pairs and judged when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from stopview_core.parse import parse_time
from stopview_core.quiet import QuietRun
from stopview_core.readings import (
    NO_DECISION,
    BranchReading,
    Decidability,
    RunReading,
    Stamp,
)
from stopview_core.registry.model import Registry
from stopview_core.run_times import file_stamp
from stopview_core.text import clean

Pairs = tuple[tuple[str, str], ...]


class QuietBranches(Mapping[str, BranchReading]):
    """Branches that are done and tell nothing else: a reading is made each time it is asked for."""

    __slots__ = ("_pairs", "_run_id", "_run_path")

    def __init__(self, run_id: str, run_path: Path, pairs: Pairs) -> None:
        self._run_id = run_id
        self._run_path = run_path
        self._pairs = pairs

    def __getitem__(self, key: str) -> BranchReading:
        for own, operator in self._pairs:
            if own == key:
                return done_reading(self._run_id, self._run_path, own, operator)
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return (key for key, _ in self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, QuietBranches):
            return (self._run_id, self._run_path, self._pairs) == (
                other._run_id,
                other._run_path,
                other._pairs,
            )
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]


def done_reading(run_id: str, run_path: Path, key: str, operator: str | None) -> BranchReading:
    """The reading of a branch that is done and tells nothing else."""
    return BranchReading(
        run_id=run_id,
        run_path=run_path,
        key=key,
        operator=operator,
        status="done",
        written_code=None,
        resolution=None,
        reason=None,
        blocked_at=None,
        is_open=False,
        is_import=False,
        decidability=_not_blocked(key),
        offered=(),
        highest_total=None,
        decision=NO_DECISION,
        decisions=(),
        fallbacks=(),
        violations=(),
        exchanges=(),
        resumes=None,
        resumed_by=(),
        unreadable=(),
    )


@lru_cache(maxsize=1024)
def _not_blocked(key: str) -> Decidability:
    return Decidability(False, f"{key} is not blocked.", 204)


class QuietReadings:
    """Turns what quiet runs say into their readings under one registry; equal parts are shared."""

    def __init__(self, registry: Registry) -> None:
        self._operators = registry.operators
        self._shared: dict[Pairs, Pairs | None] = {}
        self._chains: dict[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]] = {}
        self._texts: dict[str, str] = {}

    def reading(self, path: str, quiet: QuietRun) -> RunReading | None:
        """The run's reading, None where the registry does not know an operator of it."""
        pairs = self._known(quiet.branches)
        changed_at = _changed_at(quiet.changed_at)
        if pairs is None or changed_at is None:
            return None
        where = Path(path)
        identity = clean(quiet.id)
        return RunReading(
            id=identity,
            path=where,
            project=self._text(quiet.project),
            goal=clean(quiet.goal) if quiet.goal is not None else None,
            status=self._text(quiet.status),
            started_at=parse_time(quiet.started_at),
            branches=QuietBranches(identity, where, pairs),
            chain=self._chain(quiet.chain),
            skipped=(),
            notice=None,
            changed_at=changed_at,
            is_quiet=True,
        )

    def _known(self, pairs: Pairs) -> Pairs | None:
        try:
            return self._shared[pairs]
        except KeyError:
            known = all(operator in self._operators for _, operator in pairs)
            return self._shared.setdefault(pairs, pairs if known else None)

    def _text(self, text: str | None) -> str | None:
        if text is None:
            return None
        return self._texts.get(text) or self._texts.setdefault(text, clean(text))

    def _chain(self, chain: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
        try:
            return self._chains[chain]
        except KeyError:
            cleaned = tuple(tuple(clean(key) for key in step) for step in chain)
            return self._chains.setdefault(chain, cleaned)


def _changed_at(written: str | int) -> Stamp | None:
    if isinstance(written, int):
        return file_stamp(written)
    at = parse_time(written)
    return Stamp(at, "transition") if at is not None else None
