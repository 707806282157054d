"""What a person wants decided, and what came of it: the values of the table in contracts 1.7."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stopview_core.compose import Pick
from stopview_core.errors import EXIT_DONE, EXIT_REFUSED, EXIT_WRITE_FAILED
from stopview_core.records import JsonValue
from stopview_core.sacp import STATUS_CODES


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person wants written, and on which conditions.

    `expect` is the fingerprint of the evidence they saw (None: whatever is there now);
    `supersede` the seq they mean to replace, four digits; `seq` the number of the record they
    confirmed (None: whatever comes next).
    """

    pick: Pick
    expect: str | None = None
    supersede: str | None = None
    is_dry_run: bool = False
    seq: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: a SACP code, whether a file was written, and what to do next.

    `where` is the receipt's path, new or already in force; `changed` names the evidence files that
    are not what they were, by path from the branch. `alternatives` lists what can be picked where
    the id was none of them. `is_stale`: the receipt is there, and does not stand for the evidence
    that is there now. `fingerprint` is that of the evidence last read.
    """

    status_code: int
    is_written: bool
    message: str
    where: str | None = None
    receipt: Mapping[str, JsonValue] | None = None
    is_settled: bool = False
    is_stale: bool = False
    changed: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    fingerprint: str | None = None

    @property
    def name(self) -> str:
        """The code's name."""
        return STATUS_CODES[self.status_code].name

    @property
    def exit_code(self) -> int:
        """The exit code of the command (contracts 1.7)."""
        if self.status_code == 301 or self.is_settled:
            return EXIT_DONE
        return EXIT_WRITE_FAILED if self.status_code == 500 else EXIT_REFUSED
