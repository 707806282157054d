"""The banner that says that the registry in use is faulty."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.widgets import Static

from stopview_tui.words import count_of

if TYPE_CHECKING:
    from stopview_tui.app import StopviewApp
    from stopview_tui.render_status import Facts


class FaultBanner(Static):
    """Shown only while there are faults: what they touch goes to a person (contracts 1.2)."""

    DEFAULT_CSS = """
    FaultBanner {
        display: none;
        height: auto;
        padding: 0 1;
        background: $warning-muted;
        color: $text-warning;
        text-style: bold;
        &.-shown { display: block; }
    }
    """

    def __init__(self) -> None:
        super().__init__(markup=False)

    def on_mount(self) -> None:
        """Follow the registry."""
        app = cast("StopviewApp", self.app)
        self._tell(app.facts())
        app.facts_changed.subscribe(self, self._tell)

    def _tell(self, facts: Facts) -> None:
        is_faulty = facts.faults > 0
        if is_faulty == self.has_class("-shown"):
            return
        self.set_class(is_faulty, "-shown")
        told = count_of(facts.faults, "fault")
        self.update(
            f"! The registry in use has {told}. What they touch goes to a person and is not "
            "decided here. `stopview check` lists them."
        )
