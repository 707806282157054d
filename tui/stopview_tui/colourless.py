"""Draws without any colour, for NO_COLOR: what a background told is told by swapped lights."""

from __future__ import annotations

from functools import lru_cache

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

_NO_COLOURS = Style.from_color(RichColor.parse("default"), RichColor.parse("default"))
_REVERSED = _NO_COLOURS + Style(reverse=True)
_BLACK, _BRIGHT_BLACK = 0, 8
_QUIET = (None, _BLACK, _BRIGHT_BLACK)
"""Backgrounds that mark nothing: the terminal's own, and those of the tracks of scroll bars."""


class WithoutColour(LineFilter):
    """Takes every colour out; where a background marks something, the text is reversed."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments, told apart by weight, slant, lines and reversal alone."""
        return [
            Segment(text, colourless(style) if style else style, control)
            for text, style, control in segments
        ]


@lru_cache(1024)
def colourless(style: Style) -> Style:
    """The style without its colours."""
    behind = style.bgcolor
    marks = behind is not None and (behind.triplet is not None or behind.number not in _QUIET)
    return style + (_REVERSED if marks else _NO_COLOURS)
