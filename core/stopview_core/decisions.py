"""Reads the decisions of a branch back: validity, chain, and which one stands (contracts 1.7)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from stopview_core.alternatives import exact
from stopview_core.folder import Reader
from stopview_core.parse import parse_time
from stopview_core.readings import DecisionStatus, Offer, RecordedDecision
from stopview_core.records import Branch, JsonValue
from stopview_core.sacp import RECEIPT_CAP, Receipt, read_receipt
from stopview_core.text import clean

FOLDER = "decision"
SUPERSEDED_BY_HUMAN_DECISION = 301
NAME = re.compile(r"(\d{4,9})\.yaml")
EXTENSION = "vendor.stopview."


@dataclass(frozen=True, slots=True)
class DecisionFile:
    """One file of `decision/`, valid or not; an invalid one counts for its number only."""

    seq: str
    where: str
    sha256: str | None
    receipt: Receipt | None
    problems: tuple[str, ...]

    @property
    def number(self) -> int:
        """The sequence number."""
        return int(self.seq)

    @property
    def is_valid(self) -> bool:
        """Whether it passes the packet rules and agrees with its place."""
        return not self.problems

    def extension(self, name: str) -> JsonValue:
        """An extension of stopview's own, by its short name; None where it has none."""
        extensions = self.receipt.packet.get("extensions") if self.receipt else None
        return extensions.get(EXTENSION + name) if isinstance(extensions, dict) else None

    def text(self, name: str) -> str | None:
        """The extension's text, as written."""
        value = self.extension(name)
        return value if isinstance(value, str) else None

    @property
    def offered(self) -> list[str]:
        """The ids that were on offer, as the receipt lists them."""
        listed = self.extension("alternatives")
        if not isinstance(listed, list):
            return []
        named = (item.get("id") for item in listed if isinstance(item, dict))
        return [identifier for identifier in named if isinstance(identifier, str)]

    @property
    def selected(self) -> str | None:
        """The id picked; None for "none of these"."""
        return self.text("selected")

    @property
    def approver(self) -> str:
        """Who decided, without `human:`, cleaned."""
        agent = self.receipt.packet.get("agent_id") if self.receipt else None
        return clean(agent.removeprefix("human:")) if isinstance(agent, str) else ""

    @property
    def processed_at(self) -> datetime | None:
        """When it was decided."""
        return parse_time(self.receipt.packet.get("processed_at")) if self.receipt else None

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint of the evidence it was decided on."""
        value = self.receipt.packet.get("source_fingerprint") if self.receipt else None
        return value if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class Decisions:
    """All files of a branch's `decision/`, lowest number first, and what breaks their chain."""

    files: tuple[DecisionFile, ...] = ()
    chain_problems: tuple[tuple[str, str], ...] = ()

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


def sequence(number: int) -> str:
    """A sequence number as file names and JSON show it: at least four digits."""
    return f"{number:04d}"


def read_decisions(
    run_path: str, branch: Branch, operator: str | None, stop: str | None, reader: Reader
) -> Decisions:
    """The branch's decisions. Names that are no `<seq>.yaml` (a writer's temp) are not read."""
    if not branch.has_decisions:
        return NO_DECISIONS
    where = f"{branch.folder}/{FOLDER}"
    folder = reader.listing(f"{run_path}/{where}")
    if folder is None:
        return NO_DECISIONS
    names = (*folder.files, *folder.folders, *folder.links, *folder.others)
    numbered = {m.group(1): name for name in names if (m := NAME.fullmatch(name))}
    files = tuple(
        _read_file(run_path, f"{where}/{numbered[seq]}", seq, branch.key, operator, stop, reader)
        for seq in sorted(numbered, key=int)
    )
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


def recorded(file: DecisionFile, *, is_in_force: bool) -> RecordedDecision | None:
    """A valid receipt as history shows it."""
    at = file.processed_at
    if not file.is_valid or at is None:
        return None
    highest = file.extension("highest_total")
    reason = file.text("reason")
    via = file.text("via")
    selected = file.selected
    return RecordedDecision(
        seq=file.seq,
        selected=None if selected is None else clean(selected),
        by=file.approver,
        at=at,
        reason=None if reason is None else clean(reason),
        code=clean(file.text("stop") or ""),
        offers=tuple(_offers(file)),
        highest_total=_texts(highest) if isinstance(highest, list) else None,
        via=None if via is None else clean(via),
        is_in_force=is_in_force,
    )


def _offers(file: DecisionFile) -> list[Offer]:
    """The alternatives as the receipt lists them, with the scores they had when it was written."""
    listed = file.extension("alternatives")
    found = []
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, dict) and isinstance(identifier := item.get("id"), str):
            scores = item.get("scores")
            axes = scores.items() if isinstance(scores, dict) else ()
            found.append(
                Offer(
                    clean(identifier),
                    {clean(axis): exact(score) for axis, score in axes},
                    exact(item.get("total")),
                )
            )
    return found


def _standing(status: str, file: DecisionFile) -> DecisionStatus:
    reason = file.text("reason")
    selected = file.selected
    return DecisionStatus(
        status=status,  # type: ignore[arg-type]
        selected=None if selected is None else clean(selected),
        seq=file.seq,
        by=file.approver,
        at=file.processed_at,
        reason=None if reason is None else clean(reason),
    )


def _texts(values: list[JsonValue]) -> tuple[str, ...]:
    return tuple(clean(value) for value in values if isinstance(value, str))


def _read_file(
    run_path: str,
    where: str,
    seq: str,
    key: str,
    operator: str | None,
    stop: str | None,
    reader: Reader,
) -> DecisionFile:
    data = reader.bytes(f"{run_path}/{where}", RECEIPT_CAP)
    if data is None:
        return DecisionFile(seq, where, None, None, (f"cannot be read: {reader.last_why}",))
    digest = hashlib.sha256(data).hexdigest()
    receipt = read_receipt(data)
    if not isinstance(receipt, Receipt):
        return DecisionFile(seq, where, digest, None, (f"is no receipt: {receipt.why}",))
    problems = [str(fault) for fault in receipt.faults]
    file = DecisionFile(seq, where, digest, receipt, ())
    if not problems:
        problems = _disagreements(file, key, operator, stop)
    return DecisionFile(seq, where, digest, receipt, tuple(problems))


def _disagreements(
    file: DecisionFile, key: str, operator: str | None, stop: str | None
) -> list[str]:
    """Where a well-formed receipt does not fit the place it lies in (contracts 1.7, Valid)."""
    packet: Mapping[str, JsonValue] = file.receipt.packet if file.receipt else {}
    attempt = packet.get("attempt_id")
    last = attempt.rpartition("/")[2] if isinstance(attempt, str) else None
    expected: list[tuple[str, JsonValue, JsonValue]] = [
        ("status_code", SUPERSEDED_BY_HUMAN_DECISION, packet.get("status_code")),
        (f"{EXTENSION}branch", key, file.extension("branch")),
        (f"{EXTENSION}operator", operator, file.extension("operator")),
        (f"{EXTENSION}stop", stop, file.extension("stop")),
        (f"{EXTENSION}sequence", file.number, file.extension("sequence")),
        ("the last part of attempt_id", file.seq, last),
    ]
    problems = [
        f"{name}: expected {clean(repr(wanted))}, found {clean(repr(found))}"
        for name, wanted, found in expected
        if wanted != found or isinstance(found, bool)
    ]
    selected = file.extension("selected")
    if selected is not None and selected not in file.offered:
        problems.append(f"{EXTENSION}selected: not among the alternatives of the receipt")
    return problems


def _chain_problems(files: tuple[DecisionFile, ...]) -> list[tuple[str, str]]:
    problems: list[tuple[str, str]] = []
    before: DecisionFile | None = None
    for file in files:
        expected = before.number + 1 if before else 1
        if file.number != expected:
            problems.append((file.where, f"number {sequence(expected)} is not there"))
        if file.receipt is not None:
            previous = before.sha256 if before else None
            if file.extension("previous") != previous:
                problems.append((file.where, "`previous` is not the sha256 of the file before it"))
        before = file
    return problems
