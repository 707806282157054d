"""What a person has seen and chosen so far on one branch, and what a new look does to it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from stopview_core.compose import Pick
from stopview_core.decide import Outcome
from stopview_core.dossier import Dossier
from stopview_tui.changes import compare
from stopview_tui.render_decide import named, replacing
from stopview_tui.render_outcome import changed_under_you, refused
from stopview_tui.widgets.score_lines import Marks

_CHANGED = 202


@dataclass(slots=True)
class Case:
    """The last look, the pick (without its reason), and the seq of the receipt being replaced.

    `notice` is what the last look or the last outcome has to say.
    """

    dossier: Dossier | None = None
    picked: Pick | None = None
    superseding: str | None = None
    notice: Content | None = None

    def look(self, dossier: Dossier, outcome: Outcome | None) -> None:
        """Take a new look, after an outcome that wrote nothing where there was one.

        A pick that is no longer offered is let go, and so is a receipt that stands no more.
        """
        before, self.dossier = self.dossier, dossier
        if before is not None:
            self.notice = self._noticed(before, dossier, outcome)
        if self.superseding != self.in_force:
            self.superseding = None

    def _noticed(self, before: Dossier, after: Dossier, outcome: Outcome | None) -> Content | None:
        told = outcome if outcome is not None and outcome.status_code != _CHANGED else None
        has_changed = before.evidence != after.evidence
        if not has_changed and outcome is None:
            return self.notice
        if not has_changed and told is not None:
            return refused(told)
        picked = named(self.picked.selected) if self.picked else None
        is_gone = self._let_go_what_is_gone(after)
        said = changed_under_you(compare(before, after), picked, is_pick_gone=is_gone)
        return Content("\n").join([refused(told), said]) if told is not None else said

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
    def can_pick(self) -> bool:
        """Whether a pick can lead anywhere now."""
        if self.dossier is None or not self.dossier.decidability.is_decidable:
            return False
        return self.in_force is None or self.superseding is not None

    @property
    def why_no_pick(self) -> str:
        """What stands in the way of a pick."""
        if self.dossier is not None and not self.dossier.decidability.is_decidable:
            return self.dossier.decidability.why
        return "A selection is in force: press u to change it or take it back."

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
