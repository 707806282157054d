"""The Markdown parser as this app needs it: links as they are written, and bounded work."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token


class _AsWritten(MarkdownIt):
    """Takes every link, and none of it is changed: nothing here is ever opened."""

    def validateLink(self, url: str) -> bool:
        """Whether it is a link: always, so that its target is shown."""
        return True

    def normalizeLink(self, url: str) -> str:
        """The target as it is written."""
        return url

    def normalizeLinkText(self, link: str) -> str:
        """The text of an autolink as it is written."""
        return link


def make_parser(*, deepest: int, longest_inline: int) -> MarkdownIt:
    """A parser of CommonMark with tables and strikethrough, without link references.

    Blocks nest at most `deepest` levels; a paragraph of more than `longest_inline` characters
    stays plain text, since some of them would take time that grows with the square of that.
    """

    def inlines(state: StateCore) -> None:
        for token in state.tokens:
            if token.type != "inline":
                continue
            if len(token.content) > longest_inline:
                token.children = [Token("text", "", 0, content=token.content)]
            else:
                token.children = []
                state.md.inline.parse(token.content, state.md, state.env, token.children)

    parser = _AsWritten("commonmark", {"maxNesting": deepest})
    parser.enable(["table", "strikethrough"]).disable("reference")
    parser.core.ruler.at("inline", inlines)
    return parser
