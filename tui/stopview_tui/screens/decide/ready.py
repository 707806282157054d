"""Gets ready what the first opening of the Decide screen would have to do by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.containers import Horizontal
from textual.css.stylesheet import Stylesheet
from textual.widget import Widget
from textual.widgets import Button, Static

from stopview_tui.widgets.key_hints import KeyHints
from stopview_tui.widgets.keyed_scroll import KeyedScroll
from stopview_tui.widgets.reason_area import ReasonArea
from stopview_tui.widgets.score_grid import ScoreGrid

KINDS: Sequence[Callable[[], Widget]] = (
    Static,
    KeyedScroll,
    ScoreGrid,
    Horizontal,
    Button,
    ReasonArea,
    KeyHints,
)


def take_styles(stylesheet: Stylesheet) -> None:
    """Parse the widgets' own styles now, as their first mounting would: some 10 ms of work."""
    for kind in KINDS:
        for read_from, css, tie_breaker, scope in kind()._get_default_css():
            stylesheet.add_source(
                css,
                read_from=read_from,
                is_default_css=True,
                tie_breaker=tie_breaker,
                scope=scope,
            )
    _ = stylesheet.rules
