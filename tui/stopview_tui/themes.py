"""The themes that stopview adds to Textual's own."""

from __future__ import annotations

from textual.theme import Theme

HIGH_CONTRAST = Theme(
    name="high-contrast",
    primary="#66b2ff",
    secondary="#ffffff",
    accent="#ffff00",
    warning="#ffb000",
    error="#ff6060",
    success="#00ff66",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    dark=True,
    text_alpha=1.0,
    variables={
        "text-muted": "#d0d0d0",
        "text-disabled": "#b0b0b0",
        "foreground-muted": "#d0d0d0",
        "block-cursor-background": "#ffff00",
        "block-cursor-foreground": "#000000",
        "block-cursor-text-style": "bold",
        "border": "#ffffff",
    },
)
"""White, yellow and black; nothing is told by shades of grey."""

DARK = "textual-dark"
"""Textual's theme for terminals with more colours than sixteen."""
ANSI = "ansi-dark"
"""Textual's theme of the terminal's own sixteen colours."""
_OTHER_NAMES = {"ansi": ANSI}


def theme_name(name: str | None, colours: str | None) -> str:
    """The theme that a name in the settings stands for; `ansi` is short for `ansi-dark`.

    `colours` is rich's word for what the terminal has, None under NO_COLOR. Without colours it is
    always `ansi`. Without a name it is Textual's dark theme, but `ansi` where there are sixteen
    colours (`standard`): shades that were made for more cannot be read there.
    """
    if colours is None:
        return ANSI
    if name is None:
        return ANSI if colours == "standard" else DARK
    return _OTHER_NAMES.get(name, name)
