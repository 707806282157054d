"""What the decide screens ask of core, each call to be made in a thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from stopview_core.actor import Actor
from stopview_core.compose import Pick
from stopview_core.decide import Outcome, Wish, decide
from stopview_core.dossier import Dossier, NotOpened, open_branch
from stopview_core.errors import UsageError
from stopview_core.evidence import Evidence
from stopview_core.registry.model import Registry
from stopview_core.system_calls import SystemCalls


def utc_now() -> datetime:
    """The time now."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Desk:
    """One branch to decide, with everything core needs for it. Raises nothing that is expected."""

    run_path: Path
    key: str
    registry: Registry
    actor: Actor
    calls: SystemCalls
    now: Callable[[], datetime] = utc_now

    def read(self) -> Dossier | NotOpened:
        """The branch as it is now."""
        return open_branch(self.run_path, self.key, self.registry)

    def decide(self, wish: Wish, at: datetime) -> Outcome:
        """Write the wish, or try it where it is a dry run, as decided at a time."""
        try:
            return decide(
                self.run_path,
                self.key,
                wish,
                self.registry,
                self.actor,
                now=lambda: at,
                calls=self.calls,
            )
        except UsageError as error:
            return Outcome(400, False, f"{error}. Nothing was written.")


def wish_for(dossier: Dossier, pick: Pick, supersede: str | None, seq: str | None) -> Wish:
    """The wish to write this pick on what the dossier shows; `seq` is the number that was shown."""
    evidence = dossier.evidence
    expect = evidence.fingerprint if isinstance(evidence, Evidence) else None
    return Wish(pick, expect=expect, supersede=supersede, seq=seq)


def trial(wish: Wish) -> Wish:
    """The same wish, only to see what would be written."""
    return replace(wish, is_dry_run=True)
