"""One file of `decision/`: what it says, and whether it counts as a decision (contracts 1.7)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from stopview_core.parse import parse_time
from stopview_core.records import JsonValue
from stopview_core.text import clean, shorten

if TYPE_CHECKING:
    from stopview_core.sacp import Receipt

FOLDER = "decision"
SUPERSEDED_BY_HUMAN_DECISION = 301
EXTENSION = "vendor.stopview."
NAME = re.compile(r"([0-9]{4,9})\.yaml")
LAST_NUMBER = 999_999_999
"""The highest that a name tells: what has more digits is no receipt's name."""

_ABSENT = object()
_QUOTED_WIDTH = 80


@dataclass(frozen=True, slots=True)
class Place:
    """Where a decision lies, and what a valid one has to agree with.

    `where` is its path from the run root, `key` the branch; `operator` and `stop` are the branch's.
    """

    where: str
    seq: str
    key: str
    operator: str | None
    stop: str | None


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

    @property
    def packet(self) -> Mapping[str, JsonValue]:
        """The packet as written; empty where the file holds none."""
        return self.receipt.packet if self.receipt else {}

    @property
    def extensions(self) -> Mapping[str, JsonValue]:
        """The packet's extensions; empty where it has none."""
        found = self.packet.get("extensions")
        return found if isinstance(found, dict) else {}

    def extension(self, name: str) -> JsonValue:
        """An extension of stopview's own, by its short name; None where it has none."""
        return self.extensions.get(EXTENSION + name)

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
        agent = self.packet.get("agent_id")
        return clean(agent.removeprefix("human:")) if isinstance(agent, str) else ""

    @property
    def processed_at(self) -> datetime | None:
        """When it was decided."""
        return parse_time(self.packet.get("processed_at"))

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint of the evidence it was decided on."""
        value = self.packet.get("source_fingerprint")
        return value if isinstance(value, str) else None


def sequence(number: int) -> str:
    """A sequence number as file names and JSON show it: at least four digits."""
    return f"{number:04d}"


def unreadable_file(place: Place, why: str) -> DecisionFile:
    """A file that could not be read: it still takes its number."""
    return DecisionFile(place.seq, place.where, None, None, (f"cannot be read: {why}",))


def read_file(place: Place, data: bytes) -> DecisionFile:
    """The file with all its problems: the packet's faults, else where it disagrees with its place.

    A packet that breaks the rules of SACP is not compared any further.
    """
    digest = hashlib.sha256(data).hexdigest()
    # Most runs hold no decision: what reads one is loaded with the first.
    from stopview_core.sacp import Receipt, read_receipt

    receipt = read_receipt(data)
    if not isinstance(receipt, Receipt):
        problem = f"is no receipt: {receipt.why}"
        return DecisionFile(place.seq, place.where, digest, None, (problem,))
    file = DecisionFile(place.seq, place.where, digest, receipt, ())
    problems = [
        f"{fault.path}: expected {fault.expected}, found {fault.found}" for fault in receipt.faults
    ]
    return replace(file, problems=tuple(problems or _disagreements(file, place)))


def _disagreements(file: DecisionFile, place: Place) -> list[str]:
    """Where a well-formed receipt does not fit the place it lies in (contracts 1.7, Valid)."""
    attempt = file.packet.get("attempt_id")
    last = attempt.rpartition("/")[2] if isinstance(attempt, str) else _ABSENT
    own = {
        "branch": place.key,
        "operator": place.operator,
        "stop": place.stop,
        "sequence": file.number,
    }
    compared: list[tuple[str, JsonValue, object]] = [
        ("status_code", SUPERSEDED_BY_HUMAN_DECISION, file.packet.get("status_code")),
        *((EXTENSION + n, wanted, _extension(file, n)) for n, wanted in own.items()),
        ("the last part of attempt_id", place.seq, last),
    ]
    problems = [
        f"{name}: expected {_quoted(wanted)}, found {_quoted(found)}"
        for name, wanted, found in compared
        # True is 1 and 1.0 is 1 in Python; in a receipt they are not.
        if type(wanted) is not type(found) or wanted != found
    ]
    if file.number < 1 or sequence(file.number) != place.seq:
        problems.append("its name is not one that a decision is given")
    selected = _extension(file, "selected")
    if selected is not None and selected not in file.offered:
        found = "nothing" if selected is _ABSENT else _quoted(selected)
        wanted = "null or an id among the receipt's alternatives"
        problems.append(f"{EXTENSION}selected: expected {wanted}, found {found}")
    return problems


def _extension(file: DecisionFile, name: str) -> object:
    """As `DecisionFile.extension`, with null and nothing told apart."""
    return file.extensions.get(EXTENSION + name, _ABSENT)


def _quoted(value: object) -> str:
    return "nothing" if value is _ABSENT else shorten(clean(repr(value)), _QUOTED_WIDTH)
