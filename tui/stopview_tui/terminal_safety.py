"""The last stop before the terminal: no control or hidden character passes, whoever let it in.

What is read from disk was cleaned in core already; this is the backstop (hazards 4.1).
"""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.content import Content
from textual.filter import LineFilter
from textual.strip import Strip

from stopview_core.text import clean, is_clean, one_line


def is_safe_line(text: str) -> bool:
    """Whether the text is one line and holds nothing but what can be seen."""
    return "\n" not in text and "\t" not in text and is_clean(text)


def safe_cell(content: Content) -> Content:
    """The content as one safe line; what was not safe loses its styles with it."""
    return content if is_safe_line(content.plain) else Content(one_line(content.plain))


def safe_strip(strip: Strip) -> Strip:
    """The strip, with what a terminal would obey made visible. Its width is kept."""
    if is_safe_line(strip.text):
        return strip
    width = strip.cell_length
    return Strip(_safe(list(strip))).adjust_cell_length(width)


class SafeLines(LineFilter):
    """Makes every line of every widget safe, right before it is written."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments as they are, or with visible escapes in the same width."""
        if all(segment.control or is_safe_line(segment.text) for segment in segments):
            return segments
        width = sum(segment.cell_length for segment in segments)
        return list(Strip(_safe(segments)).adjust_cell_length(width))


def _safe(segments: list[Segment]) -> list[Segment]:
    return [
        Segment(clean(segment.text).replace("\n", " ").replace("\t", " "), segment.style)
        for segment in segments
    ]
