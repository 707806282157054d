"""Asks from when to when records are to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from stopview_tui.bindings import bind
from stopview_tui.moments import FORMS, moment, parse_moment
from stopview_tui.render import MUTED, WARNING, key_hint, styled

_LONGEST = 40


@dataclass(frozen=True, slots=True)
class DateRange:
    """From when on, and before when; None where there is no bound."""

    since: datetime | None
    until: datetime | None


class DatesScreen(ModalScreen[DateRange | None]):
    """Two fields; Enter takes them, an empty one is no bound. None where the person leaves."""

    CSS_PATH = "dates.tcss"
    AUTO_FOCUS = "#since"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("dates", "back", "leave", tooltip="Leave the dates as they were"),
    ]

    def __init__(self, held: DateRange, now: datetime) -> None:
        super().__init__()
        self._held = held
        self._now = now

    def compose(self) -> ComposeResult:
        """The two fields, and what they are understood as."""
        with Vertical(id="dates"):
            yield Static("Show records of", id="dates-title", markup=False)
            for name, label, held in (
                ("since", "since", self._held.since),
                ("until", "before", self._held.until),
            ):
                with Horizontal(classes="dates--field"):
                    yield Static(label, classes="dates--label", markup=False)
                    field = Input(
                        f"{held:%Y-%m-%d %H:%M}" if held else "",
                        placeholder="any time",
                        max_length=_LONGEST,
                        compact=True,
                        id=name,
                    )
                    field.cursor_blink = False
                    yield field
            yield Static(id="dates-told", markup=False)
            hints = [key_hint("enter", "take them"), key_hint("escape", "leave")]
            yield Static(Content("   ").join(hints), markup=False)

    def on_mount(self) -> None:
        """Say what is understood."""
        self._tell()

    @on(Input.Changed)
    def _tell(self) -> None:
        """Say what the fields are understood as."""
        wrong = [name for name in ("since", "until") if self._is_wrong(name)]
        told = self.query_one("#dates-told", Static)
        if wrong:
            told.update(styled((f"A time is {FORMS}.", WARNING)))
            return
        asked = self._asked()
        if asked.since and asked.until and asked.since >= asked.until:
            told.update(styled(("Nothing lies between these.", WARNING)))
            return
        said = [
            f"{label} {moment(at)}"
            for label, at in (("since", asked.since), ("before", asked.until))
            if at is not None
        ]
        told.update(styled((", ".join(said) or f"any time; or {FORMS}", MUTED)))

    @on(Input.Submitted)
    def _take(self, event: Input.Submitted) -> None:
        event.stop()
        wrong = next((name for name in ("since", "until") if self._is_wrong(name)), None)
        if wrong is not None:
            self.query_one(f"#{wrong}", Input).focus()
        else:
            self.dismiss(self._asked())

    def _text(self, name: str) -> str:
        return self.query_one(f"#{name}", Input).value.strip()

    def _is_wrong(self, name: str) -> bool:
        text = self._text(name)
        return bool(text) and parse_moment(text, self._now) is None

    def _asked(self) -> DateRange:
        return DateRange(
            parse_moment(self._text("since"), self._now),
            parse_moment(self._text("until"), self._now),
        )

    def action_leave(self) -> None:
        """Leave them as they were."""
        self.dismiss(None)
