"""What is on the Decide screen: the case as it stands, the pick, and the reason."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Button, Static

from stopview_core.decide import Outcome
from stopview_core.dossier import Dossier, NotOpened
from stopview_tui.render_decide import brief
from stopview_tui.render_outcome import pick_line, reason_label
from stopview_tui.screens.decide.case import Case
from stopview_tui.screens.decide.desk import Desk
from stopview_tui.screens.decide.early_input import IgnoresEarlyInput
from stopview_tui.screens.decide.opening import ArtifactOpener
from stopview_tui.widgets.key_hints import KeyHints
from stopview_tui.widgets.keyed_scroll import KeyedScroll
from stopview_tui.widgets.reason_area import ReasonArea
from stopview_tui.widgets.score_grid import ScoreGrid

TALL_LINES = 32


class CaseView(IgnoresEarlyInput, ArtifactOpener):
    """Draws the case. `outcome` is what came of the decision, None as long as nothing did."""

    VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL_LINES, "-tall")]  # noqa: RUF012 (typed by Screen)

    def __init__(self, desk: Desk) -> None:
        super().__init__(classes="-loading")
        self.desk = desk
        self.case = Case()
        self.outcome: Outcome | None = None
        self.early: Dossier | NotOpened | None = None
        self._is_leaving = False
        self._is_reason_missed = False

    def compose(self) -> ComposeResult:
        """Everything there can be to see; classes of the screen say which of it is."""
        yield Static(Content(""), id="decide-title", markup=False)
        yield Static(Content(f"Reading the evidence of {self.desk.key}…"), id="loading")
        with KeyedScroll(id="problem"):
            yield Static(Content(""), id="problem-text", markup=False)
        with KeyedScroll(id="notice"):
            yield Static(Content(""), id="notice-text", markup=False)
        with KeyedScroll(id="brief"):
            yield Static(Content(""), id="brief-text", markup=False)
        yield ScoreGrid(id="grid", admits=self.admits)
        with Horizontal(id="pick-bar"):
            yield Static(Content(""), id="picked", markup=False)
            button = Button(Content("Go on (ctrl+s)"), id="go-on", compact=True, disabled=True)
            button.can_focus = False
            yield button
        yield Static(Content(""), id="reason-label", markup=False)
        yield ReasonArea(id="reason")
        yield KeyHints()
        # Last, in one go with the mounting: who sees the class finds the widgets. They get their
        # styles when they are mounted, and none of the screen's own hangs on its classes.
        is_ready = isinstance(self.early, Dossier)
        classes = {"-short": not self.is_tall, "-tall": self.is_tall}
        self.update_classes({**classes, "-loading": not is_ready, "-ready": is_ready}, update=False)

    @property
    def is_tall(self) -> bool:
        """Whether there are lines enough for all parts in full."""
        return self.app.size.height >= TALL_LINES

    @property
    def is_whole(self) -> bool:
        """Whether all widgets came; they do not where it is taken down while it is put together."""
        boxes = self.query("KeyedScroll, Horizontal")
        return len(boxes) > 0 and all(box.children for box in boxes)

    def become_ready(self) -> None:
        """Show the parts that hold the evidence; one pass over the styles, none where they are."""
        self.update_classes({"-loading": False, "-problem": False, "-ready": True})

    def _show_state(self) -> None:
        self.query_one(ScoreGrid).mark(self.case.marks)
        if self.case.dossier is not None:
            told = brief(self.case.dossier, is_changing=self.case.superseding is not None)
            self.query_one("#brief-text", Static).update(told)
        notices = self.case.notices
        self.set_class(bool(notices), "-noticed")
        self.query_one("#notice-text", Static).update(Content("\n").join(notices))
        self._show_pick()
        self._is_leaving = False
        self.refresh_bindings()

    def _show_pick(self) -> None:
        grid, marks, can_pick = self.query_one(ScoreGrid), self.case.marks, self.case.can_pick
        if not grid.grid.columns:
            return
        line = pick_line(marks.has_pick, marks.picked, grid.column.id, self.case.why_no_pick)
        self.query_one("#picked", Static).update(line)
        self.query_one("#go-on", Button).disabled = not (can_pick and marks.has_pick)
        self._show_reason()

    def _show_reason(self) -> None:
        """What the reason is for; its field stays open under the hands of who is typing."""
        reason, picked = self.query_one(ReasonArea), self.case.picked
        reason.disabled = not self.case.can_pick and not reason.has_focus
        is_required = picked is not None and picked.selected is None
        is_empty = not reason.text.strip()
        self._is_reason_missed = self._is_reason_missed and is_required and is_empty
        label = reason_label(
            is_required=is_required, is_typing=reason.has_focus, is_missed=self._is_reason_missed
        )
        self.query_one("#reason-label", Static).update(label)

    def on_descendant_focus(self) -> None:
        """Typing begins, or ends."""
        self._show_reason()

    def on_descendant_blur(self) -> None:
        """Typing ends."""
        self._show_reason()

    def _show_problem(self, said: Content) -> None:
        self.update_classes({"-loading": False, "-ready": False, "-problem": True})
        self.query_one("#problem-text", Static).update(said)
        self.query_one("#problem").focus()
        self.refresh_bindings()

    def _say(self, text: str) -> None:
        self.notify(text, markup=False)

    def _unsay(self) -> None:
        """What was said in passing is not so any more: something was picked, changed or typed."""
        self.app.clear_notifications()
