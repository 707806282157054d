"""What a person has seen and chosen so far on one branch, and what a new look does to it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from stopview_core.compose import Pick
from stopview_core.decide import Outcome
from stopview_core.dossier import Dossier
from stopview_tui.changes import compare
from stopview_tui.render_decide import named, replacing
from stopview_tui.render_outcome import (
    changed_under_you,
    closed_meanwhile,
    decided_meanwhile,
    in_the_way,
    refused,
)
from stopview_tui.widgets.score_lines import Marks

_CHANGED = 202
_CONFLICT = 409


@dataclass(slots=True)
class Case:
    """The last look, the pick (without its reason), and the seq of the receipt being replaced.

    `notice` is what the last look or the last outcome has to say. `earlier` is the look that the
    person last acted on, where others differed from it since: files change one by one, and each
    look at them says all that is other than what the person saw.
    """

    dossier: Dossier | None = None
    earlier: Dossier | None = None
    picked: Pick | None = None
    superseding: str | None = None
    notice: Content | None = None

    def look(self, dossier: Dossier, outcome: Outcome | None) -> None:
        """Take a new look, after an outcome that wrote nothing where there was one.

        A pick that is no longer offered is let go, and so is a receipt that stands no more.
        """
        before, self.dossier = self.dossier, dossier
        if before is not None and (outcome is not None or _differ(before, dossier)):
            self.earlier = self.earlier or before
            is_news = before.evidence != dossier.evidence
            self.notice = self._noticed(self.earlier, dossier, outcome, is_news=is_news)
        if self.superseding != self.in_force:
            self.superseding = None

    def go_on(self) -> None:
        """The person takes what is there now for what they saw."""
        self.earlier = None

    def _noticed(
        self, before: Dossier, after: Dossier, outcome: Outcome | None, *, is_news: bool
    ) -> Content | None:
        """What differs, None where nothing does.

        `is_news` where the evidence changed just now: that it is back to what it was is said too.
        """
        parts = []
        if outcome is not None and outcome.status_code != _CHANGED:
            parts.append(self._refused(after, outcome))
        elif after.reading.decision.seq != before.reading.decision.seq:
            parts.append(decided_meanwhile(after.reading.decision))
        if before.decidability.is_decidable and not after.decidability.is_decidable:
            parts.append(closed_meanwhile(after.decidability.why))
        is_about_evidence = outcome is not None and outcome.status_code == _CHANGED
        if is_news or before.evidence != after.evidence or is_about_evidence:
            picked = named(self.picked.selected) if self.picked else None
            is_gone = self._let_go_what_is_gone(after)
            parts.append(changed_under_you(compare(before, after), picked, is_pick_gone=is_gone))
        return Content("\n").join(parts) if parts else None

    def _refused(self, after: Dossier, outcome: Outcome) -> Content:
        """Why nothing was written, with the key that goes on from there."""
        decision = after.reading.decision
        is_other = decision.status == "in_force" and self.superseding != decision.seq
        if outcome.status_code == _CONFLICT and is_other:
            return in_the_way(decision)
        return refused(outcome)

    def _let_go_what_is_gone(self, dossier: Dossier) -> bool:
        selected = self.picked.selected if self.picked else None
        if selected is None or selected in dossier.alternatives.offered:
            return False
        self.picked = None
        return True

    @property
    def in_force(self) -> str | None:
        """The seq of the decision in force."""
        standing = self.dossier.reading.decision if self.dossier else None
        return standing.seq if standing is not None and standing.status == "in_force" else None

    @property
    def can_change(self) -> bool:
        """Whether there is a decision in force that can be replaced."""
        is_decidable = self.dossier is not None and self.dossier.decidability.is_decidable
        return is_decidable and self.in_force is not None

    @property
    def can_pick(self) -> bool:
        """Whether a pick can lead anywhere now."""
        return self.dossier is not None and not self.why_no_pick

    @property
    def why_no_pick(self) -> str:
        """What stands in the way of a pick; empty where nothing does."""
        if self.dossier is not None and not self.dossier.decidability.is_decidable:
            return self.dossier.decidability.why
        if self.in_force is None or self.superseding is not None:
            return ""
        return "A decision is in force: press u to change it or take it back."

    @property
    def notices(self) -> list[Content]:
        """What has to be said above the evidence."""
        own = [replacing(self.superseding)] if self.superseding else []
        return [*own, *([self.notice] if self.notice else [])]

    @property
    def marks(self) -> Marks:
        """What stands over the columns."""
        standing = self.dossier.reading.decision if self.dossier and self.in_force else None
        return Marks(
            has_pick=self.picked is not None,
            picked=self.picked.selected if self.picked else None,
            seq=standing.seq if standing else None,
            standing=standing.selected if standing else None,
        )

    def toggle(self, selected: str | None) -> None:
        """Pick it, or let it go where it is picked already."""
        is_same = self.picked is not None and self.picked.selected == selected
        self.picked = None if is_same else Pick(selected, None)

    def toggle_change(self) -> None:
        """Start to replace the decision in force, or leave it as it is."""
        self.superseding = None if self.superseding else self.in_force
        if self.superseding is None:
            self.picked = None


def _differ(before: Dossier, after: Dossier) -> bool:
    """Whether two looks differ in what a person decides on."""
    was, now = before.reading, after.reading
    return (
        before.evidence != after.evidence
        or was.decision.seq != now.decision.seq
        or before.decidability.is_decidable != after.decidability.is_decidable
    )
