"""Gets ready what the first opening of the Decide screen would have to do by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

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
SHEETS = ("decide.tcss", "confirm.tcss", "alternative.tcss")
"""Those of the screens: each that a screen loads by itself is a parse of everything."""


def read_sheets() -> dict[str, str]:
    """The screens' style sheets by path."""
    paths = [Path(__file__).with_name(name) for name in SHEETS]
    return {str(path): path.read_text(encoding="utf-8") for path in paths}


def take_styles(stylesheet: Stylesheet, sheets: Mapping[str, str]) -> None:
    """Parse the screens' styles, and their widgets' own as the first mounting would, now.

    Some 15 ms of work.
    """
    for path, css in sheets.items():
        if not stylesheet.has_source(path):
            stylesheet.add_source(css, read_from=(path, ""))
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
