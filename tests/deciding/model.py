"""A plain model of contracts 1.7: what a branch is in for, and what each decision must come to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from hypothesis import strategies as st

from deciding.runs import APPROVAL, BOTH, OPTIONS, QUESTION, VERSIONS

CLOSING = ("resolved", "abandoned", "replanned")


class Ask(NamedTuple):
    """How somebody decides, before it is known on what."""

    by: str
    selected: str | None
    expectation: str | None
    supersede: str | None
    is_dry_run: bool


asks = st.builds(
    Ask,
    st.sampled_from(["ada", "grace", "barbara"]),
    st.sampled_from(["first", "second", "first", "second", None, "no-such-id"]),
    st.sampled_from([None, "now", None, "before", "nonsense"]),
    st.sampled_from([None, "newest", "0001", "newest", "0002"]),
    st.sampled_from([False, False, False, True]),
)

likely_asks = st.builds(
    Ask,
    st.sampled_from(["ada", "grace", "barbara"]),
    st.sampled_from(["first", "second", "first", "second", None]),
    st.sampled_from([None, "now", None]),
    st.just("newest"),
    st.just(False),
)
"""Those that are written, unless something stands against it."""


@dataclass
class ModelFile:
    """One file of `decision/`; an invalid one has a number and nothing else."""

    number: int
    data: bytes
    is_valid: bool = False
    selected: str | None = None
    by: str = ""
    fingerprint: str = ""


@dataclass
class Expected:
    """What a decision must come to; `is_settled` where the code alone does not give the exit."""

    code: int
    is_settled: bool = False

    @property
    def exit_code(self) -> int:
        if self.code == 301 or self.is_settled:
            return 0
        return 4 if self.code == 500 else 3


@dataclass
class Wanted:
    """A decision as it is asked for."""

    selected: str | None
    by: str = "ada"
    expect: str | None = None
    supersede: str | None = None
    is_dry_run: bool = False


@dataclass
class ModelBranch:
    """What the runtime did to a branch, and what was decided on it."""

    key: str
    version: int = 0
    fingerprint: str = ""
    is_evidence_broken: bool = False
    is_response_broken: bool = False
    last_event: str = "blocked"
    resumed_by: list[str] = field(default_factory=list)
    is_resumer_done: bool = False
    answer: str | None = None
    files: list[ModelFile] = field(default_factory=list)

    @property
    def next_number(self) -> int:
        return max((file.number for file in self.files), default=0) + 1

    @property
    def newest_valid(self) -> ModelFile | None:
        return next((file for file in reversed(self.files) if file.is_valid), None)

    @property
    def ways(self) -> tuple[bool, bool]:
        """Whether a pick goes as an approval, and whether it answers the interaction."""
        if self.key == APPROVAL:
            return bool(VERSIONS[self.version]), False
        return (self.key == BOTH and bool(VERSIONS[self.version])), True

    @property
    def offered(self) -> tuple[str, ...]:
        """What can be picked; nothing where the ids of the options are not the alternatives'."""
        alternatives = tuple(VERSIONS[self.version])
        if self.key == APPROVAL:
            return alternatives
        if self.key == QUESTION:
            return OPTIONS
        options = ("one-table", "outbox")
        return options if not alternatives or set(options) <= set(alternatives) else ()

    def status(self, *, is_state_readable: bool) -> str:
        newest = self.newest_valid
        if newest is None:
            return "answered" if self.answer is not None and is_state_readable else "none"
        if self.resumed_by:
            return "resumed"
        if self.is_evidence_broken or newest.fingerprint != self.fingerprint:
            return "stale"
        return "withdrawn" if newest.selected is None else "in_force"

    def outcome(self, wanted: Wanted, *, is_state_readable: bool) -> Expected:
        """The first that fits, in the order of the table."""
        if self.is_response_broken or not is_state_readable:
            return Expected(400)
        if self.resumed_by:
            return Expected(200 if self.is_resumer_done else 204)
        if self.last_event in CLOSING or self.answer is not None:
            return Expected(204)
        if self.is_evidence_broken:
            return Expected(400)
        if not self.offered or (
            wanted.selected is not None and wanted.selected not in self.offered
        ):
            return Expected(412)
        if wanted.expect not in (None, self.fingerprint):
            return Expected(202)
        newest = self.newest_valid
        if newest is not None and self.status(is_state_readable=True) == "in_force":
            if newest.selected == wanted.selected:
                return Expected(409, is_settled=True)
            if wanted.supersede != f"{newest.number:04d}":
                return Expected(409)
        if wanted.supersede not in (None, f"{newest.number:04d}" if newest else None):
            return Expected(409)
        return Expected(301)

    def packet_code(self, *, is_state_readable: bool) -> int:
        """What is said to whoever asks for a packet where nothing was ever decided."""
        code = self.outcome(Wanted(None), is_state_readable=is_state_readable).code
        return 412 if code == 301 else code

    def outcome_after(
        self, wanted: Wanted, *, seen: str, number: int, is_state_readable: bool
    ) -> Expected:
        """What comes of a decision that was to be written as `number` on the evidence `seen`."""
        is_open = (
            self.outcome(Wanted("no-such-id"), is_state_readable=is_state_readable).code == 412
        )
        if is_open and self.offered and self.fingerprint != seen:
            return Expected(202)
        again = self.outcome(wanted, is_state_readable=is_state_readable)
        return self.lost(wanted) if again.code == 301 and number != self.next_number else again

    def lost(self, wanted: Wanted) -> Expected:
        """Someone else's file has the number: the same selection in force is what was wanted."""
        newest = self.newest_valid
        is_in_force = newest is not None and self.status(is_state_readable=True) == "in_force"
        is_same = newest is not None and newest.selected == wanted.selected
        return Expected(409, is_settled=is_in_force and is_same)
