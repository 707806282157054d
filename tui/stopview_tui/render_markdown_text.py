"""Draws the running text of Markdown: emphasis, code, links with their targets, HTML as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from stopview_core.text import clean
from stopview_tui.render import MUTED, styled

if TYPE_CHECKING:
    from markdown_it.token import Token

CODE = "$text-accent"
_LINK = "underline"
_STYLES = {"strong": "bold", "em": "italic", "s": "strike", "link": _LINK}


def wrapped(content: Content, width: int) -> list[Content]:
    """The content in lines of at most `width` cells, its own line breaks kept."""
    return content.wrap(width)


def inline(token: Token) -> Content:
    """The text of an inline token, without a line feed but where the text breaks the line."""
    parts: list[tuple[str, str]] = []
    _add(token.children or [], parts, [])
    return styled(*((clean(text).expandtabs(4), style) for text, style in parts if text))


def _add(tokens: list[Token], parts: list[tuple[str, str]], styles: list[str]) -> None:
    links: list[tuple[Token, int]] = []
    for token in tokens:
        name, _, end = token.type.rpartition("_")
        if token.type == "softbreak":
            parts.append((" ", ""))
        elif token.type == "hardbreak":
            parts.append(("\n", ""))
        elif token.type == "code_inline":
            parts.append((token.content, _joined([*styles, CODE])))
        elif token.type == "html_inline":
            parts.append((token.content, MUTED))
        elif token.type == "image":
            parts.append(("[image] ", MUTED))
            _add(token.children or [], parts, [*styles, "italic"])
            parts.append((_target(token, "src", ""), MUTED))
        elif end == "open" and name in _STYLES:
            styles.append(_STYLES[name])
            if name == "link":
                links.append((token, len(parts)))
        elif end == "close" and name in _STYLES:
            styles.remove(_STYLES[name])
            if name == "link" and links:
                link, start = links.pop()
                text = "".join(part for part, _ in parts[start:])
                parts.append((_target(link, "href", text), MUTED))
        else:
            parts.append((token.content, _joined(styles)))


def _joined(styles: list[str]) -> str:
    return " ".join(dict.fromkeys(styles))


def _target(token: Token, name: str, text: str) -> str:
    """Where a link leads and its title, unless the text says just that."""
    target, title = str(token.attrGet(name) or ""), str(token.attrGet("title") or "")
    said = "" if target in (text, f"mailto:{text}") else target
    if title:
        said = f'{said} "{title}"'.strip()
    if not said:
        return ""
    return f" ({said})" if text or name == "src" else f"({said})"
