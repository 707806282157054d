"""Reads the decisions of a branch back: their chain, and which one stands (contracts 1.7)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from stopview_core.alternatives import exact
from stopview_core.decision_file import (
    EXTENSION,
    FOLDER,
    NAME,
    SUPERSEDED_BY_HUMAN_DECISION,
    DecisionFile,
    Place,
    read_file,
    sequence,
    unreadable_file,
)
from stopview_core.files import Unreadable, open_folder, read_bytes
from stopview_core.folder import Reader
from stopview_core.readings import (
    DecisionState,
    DecisionStatus,
    Offer,
    RecordedDecision,
    Standing,
)
from stopview_core.records import Branch, JsonValue
from stopview_core.text import clean

__all__ = [
    "EXTENSION",
    "FOLDER",
    "NO_DECISIONS",
    "SUPERSEDED_BY_HUMAN_DECISION",
    "DecisionFile",
    "Decisions",
    "decision_status",
    "read_decisions",
    "recorded",
    "sequence",
]


@dataclass(frozen=True, slots=True)
class Decisions:
    """All files of a branch's `decision/`, lowest number first, and what breaks their chain.

    `chain_problems` are pairs of a path from the run root and a sentence. `unreadable` says why
    the folder could not be looked into: then nobody knows what was decided.
    """

    files: tuple[DecisionFile, ...] = ()
    chain_problems: tuple[tuple[str, str], ...] = ()
    unreadable: str | None = None

    @property
    def newest_valid(self) -> DecisionFile | None:
        """The highest-numbered valid receipt: the only one that can stand."""
        return next((file for file in reversed(self.files) if file.is_valid), None)

    @property
    def next_number(self) -> int:
        """The highest number there plus one, valid or not."""
        return self.files[-1].number + 1 if self.files else 1

    @property
    def highest(self) -> DecisionFile | None:
        """The file with the highest number, valid or not."""
        return self.files[-1] if self.files else None

    def numbered(self, number: int) -> DecisionFile | None:
        """The file with that number."""
        return next((file for file in self.files if file.number == number), None)

    def valid_before(self, at: datetime) -> DecisionFile | None:
        """The newest valid receipt that was decided before a time."""
        return next(
            (
                file
                for file in reversed(self.files)
                if file.is_valid and (when := file.processed_at) is not None and when < at
            ),
            None,
        )


NO_DECISIONS = Decisions()


def read_decisions(
    run_path: str, branch: Branch, operator: str | None, stop: str | None, reader: Reader
) -> Decisions:
    """The branch's decisions. Names that are no `<seq>.yaml` (a writer's temp) are not read.

    `operator` and `stop` are what the branch says now: a valid receipt names the same.
    """
    if not branch.has_decisions:
        return NO_DECISIONS
    where = f"{branch.folder}/{FOLDER}"
    reader.touch(f"{run_path}/{where}")
    opened = open_folder(f"{run_path}/{where}")
    if isinstance(opened, Unreadable):
        if opened.kind == "missing":
            return NO_DECISIONS
        return _closed(run_path, where, opened.why, reader)
    try:
        numbered = sorted(
            (int(found.group(1)), name)
            for name in os.listdir(opened)
            if (found := NAME.fullmatch(name)) is not None
        )
        places = [
            (name, Place(f"{where}/{name}", name.removesuffix(".yaml"), branch.key, operator, stop))
            for _, name in numbered
        ]
        files = tuple(
            file
            for name, place in places
            if (file := _read_file(opened, name, place, run_path, reader)) is not None
        )
    except OSError as error:
        return _closed(run_path, where, error.strerror or "it cannot be listed", reader)
    finally:
        os.close(opened)
    return Decisions(files, tuple(_chain_problems(files)))


def decision_status(
    decisions: Decisions,
    *,
    answered: DecisionStatus | None,
    is_resumed: bool,
    fingerprint: Callable[[], str | None],
) -> DecisionStatus:
    """The first status that fits, from the newest valid receipt (contracts 1.7, Status).

    `fingerprint` gives the evidence's fingerprint now, None where it cannot be read; it is asked
    only where it matters.
    """
    newest = decisions.newest_valid
    if newest is None:
        return answered or DecisionStatus("none")
    if is_resumed:
        return _standing("resumed", newest)
    if fingerprint() != newest.fingerprint:
        return _standing("stale", newest)
    return _standing("withdrawn" if newest.selected is None else "in_force", newest)


def recorded(file: DecisionFile, standing: Standing) -> RecordedDecision | None:
    """A valid receipt as history shows it."""
    at = file.processed_at
    if not file.is_valid or at is None:
        return None
    highest = file.extension("highest_total")
    return RecordedDecision(
        seq=file.seq,
        selected=_cleaned(file.selected),
        by=file.approver,
        at=at,
        reason=_cleaned(file.text("reason")),
        code=clean(file.text("stop") or ""),
        offers=tuple(_offers(file)),
        highest_total=_texts(highest) if isinstance(highest, list) else None,
        via=_cleaned(file.text("via")),
        standing=standing,
    )


def _offers(file: DecisionFile) -> Iterator[Offer]:
    """The alternatives as the receipt lists them, with the scores they had when it was written."""
    listed = file.extension("alternatives")
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, dict) and isinstance(identifier := item.get("id"), str):
            scores = item.get("scores")
            axes = scores.items() if isinstance(scores, dict) else ()
            yield Offer(
                clean(identifier),
                {clean(axis): exact(score) for axis, score in axes},
                exact(item.get("total")),
            )


def _standing(status: DecisionState, file: DecisionFile) -> DecisionStatus:
    return DecisionStatus(
        status=status,
        selected=_cleaned(file.selected),
        seq=file.seq,
        by=file.approver,
        at=file.processed_at,
        reason=_cleaned(file.text("reason")),
    )


def _cleaned(text: str | None) -> str | None:
    return None if text is None else clean(text)


def _texts(values: list[JsonValue]) -> tuple[str, ...]:
    return tuple(clean(value) for value in values if isinstance(value, str))


def _closed(run_path: str, where: str, why: str, reader: Reader) -> Decisions:
    reader.skip(f"{run_path}/{where}", why)
    told = f"the folder of decisions cannot be read: {clean(why)}"
    return Decisions((), ((where, told),), told)


def _read_file(
    folder_fd: int, name: str, place: Place, run_path: str, reader: Reader
) -> DecisionFile | None:
    """The file, or None for one that is gone since the folder was listed: a writer took it back."""
    reader.touch(f"{run_path}/{place.where}")
    from stopview_core.sacp import RECEIPT_CAP

    data = read_bytes(name, dir_fd=folder_fd, cap=RECEIPT_CAP)
    if isinstance(data, bytes):
        return read_file(place, data)
    if data.kind == "missing":
        return None
    reader.skip(f"{run_path}/{place.where}", data.why)
    return unreadable_file(place, data.why)


def _chain_problems(files: tuple[DecisionFile, ...]) -> Iterator[tuple[str, str]]:
    before: DecisionFile | None = None
    expected = 1
    for file in files:
        if before is not None and file.number == before.number:
            yield file.where, f"number {sequence(file.number)} is there twice"
        elif file.number > expected:
            yield file.where, _gap(expected, file.number - 1)
        problem = _previous_problem(file, before)
        if problem is not None:
            yield file.where, problem
        before, expected = file, max(file.number + 1, expected)


def _gap(first: int, last: int) -> str:
    if first == last:
        return f"number {sequence(first)} is not there"
    return f"the numbers {sequence(first)} to {sequence(last)} are not there"


def _previous_problem(file: DecisionFile, before: DecisionFile | None) -> str | None:
    if file.receipt is None:
        return None
    previous = file.extension("previous")
    if previous == (before.sha256 if before else None):
        return None
    if before is None:
        return "`previous` names a file, and none stands before it"
    if before.sha256 is None:
        return "`previous` cannot be compared, since the file before it cannot be read"
    return "`previous` is not the sha256 of the file before it"
