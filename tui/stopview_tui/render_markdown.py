"""Draws Markdown from disk as lines of styled text: nothing hidden, nothing opened, nothing lost.

Links stand as text with their target, HTML and comments as they are written. Entities are cleaned
after they were decoded, so that none of them becomes a control or hidden character (hazards 4.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from textual.content import Content

from stopview_core.text import clean
from stopview_tui.render import MUTED, STRONG, TITLE, WARNING, styled
from stopview_tui.render_markdown_table import TableCells, table_lines
from stopview_tui.render_markdown_text import CODE, inline, wrapped

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LEAST_WIDTH = 12
"""Narrower than this nothing is drawn: the lines are then wider than asked for."""

_DEEPEST = 20
_LONGEST_INLINE = 8_000
_TAB = 4

Lines: TypeAlias = list[Content]


def render_markdown(text: str, width: int) -> Lines:
    """The text as lines of at most `width` cells (at least `LEAST_WIDTH`).

    What nests deeper, or runs on longer, than anyone writes by hand is shown as it is written. For
    a text of any length, draw its `parts` (markdown_parts.py): the time this takes grows with it.
    """
    tokens = _parser().parse(clean(text))
    drawn = _Blocks(clean(text).split("\n")).draw(tokens, max(width, LEAST_WIDTH))
    return drawn[1:] if drawn and not drawn[0] else drawn


class _Blocks:
    """Draws the blocks of one text; `source` are its lines, for what is shown as written."""

    def __init__(self, source: Sequence[str]) -> None:
        self.source = source

    def draw(self, tokens: Sequence[Token], width: int) -> Lines:
        """The blocks below each other, an empty line before each that is not in a tight list."""
        drawn: Lines = []
        was_tight = False
        for block in _blocks(tokens):
            lines = self._block(block, width)
            if lines and not (was_tight or block[0].hidden):
                drawn.append(Content(""))
            drawn += lines
            was_tight = block[0].hidden
        return drawn

    def _block(self, block: Sequence[Token], width: int) -> Lines:
        first = block[0]
        if first.level == 0 and any(token.level >= _DEEPEST - 1 for token in block):
            return _as_written(self._source_of(first), width)
        draw = self._DRAW.get(first.type)
        if draw is not None:
            return draw(self, block, width)
        if len(block) > 1:
            return self.draw(block[1:-1], width)
        return _as_written(first.content, width) if first.content else []

    def _paragraph(self, block: Sequence[Token], width: int) -> Lines:
        return wrapped(inline(block[1]), width)

    def _heading(self, block: Sequence[Token], width: int) -> Lines:
        level = int(block[0].tag[1:])
        text = inline(block[1])
        if level > 2:
            return wrapped(styled(("#" * level + " ", MUTED), text.stylize(STRONG)), width)
        lines = wrapped(text.stylize(TITLE), width)
        rule = ("━" if level == 1 else "─") * max((line.cell_length for line in lines), default=0)
        return [*lines, styled((rule, MUTED))]

    def _code(self, block: Sequence[Token], width: int) -> Lines:
        token = block[0]
        info = clean(token.info.strip())
        lines = wrapped(styled((info, MUTED)), width) if info else []
        return [*lines, *_code_lines(clean(token.content), width)]

    def _html(self, block: Sequence[Token], width: int) -> Lines:
        return wrapped(styled((clean(block[0].content.rstrip("\n")), MUTED)), width)

    def _rule(self, block: Sequence[Token], width: int) -> Lines:
        return [styled(("─" * width, MUTED))]

    def _quote(self, block: Sequence[Token], width: int) -> Lines:
        return self._hung(block[1:-1], width, styled(("│ ", MUTED)), styled(("│ ", MUTED)))

    def _list(self, block: Sequence[Token], width: int) -> Lines:
        items = [item for item in _blocks(block[1:-1]) if item[0].type == "list_item_open"]
        is_ordered = block[0].type == "ordered_list_open"
        numbers = [f"{item[0].info}{item[0].markup}" for item in items] if is_ordered else []
        widest = max(map(len, numbers), default=1)
        drawn: Lines = []
        is_loose = any(t.type == "paragraph_open" and not t.hidden for item in items for t in item)
        for place, item in enumerate(items):
            marker = numbers[place].rjust(widest) if is_ordered else "•"
            if place and is_loose:
                drawn.append(Content(""))
            head = styled((f"{marker} ", STRONG))
            drawn += self._hung(item[1:-1], width, head, Content(" " * (widest + 1)))
        return drawn

    def _hung(self, tokens: Sequence[Token], width: int, head: Content, rest: Content) -> Lines:
        """The blocks behind a mark, as long as there is room for one."""
        room = width - head.cell_length
        if room < LEAST_WIDTH:
            return [head, *_without_first_gap(self.draw(tokens, width))]
        lines = _without_first_gap(self.draw(tokens, room)) or [Content("")]
        return [head + lines[0], *(rest + line for line in lines[1:])]

    def _table(self, block: Sequence[Token], width: int) -> Lines:
        rows = [row for row in _rows(block, self.source) if row.cells]
        return table_lines(rows, width) if rows else []

    def _source_of(self, token: Token) -> str:
        start, end = token.map or (0, 0)
        return "\n".join(self.source[start:end])

    _DRAW: dict[str, Callable[[_Blocks, Sequence[Token], int], Lines]] = {  # noqa: RUF012
        "paragraph_open": _paragraph,
        "heading_open": _heading,
        "fence": _code,
        "code_block": _code,
        "html_block": _html,
        "hr": _rule,
        "blockquote_open": _quote,
        "bullet_list_open": _list,
        "ordered_list_open": _list,
        "table_open": _table,
    }


def _blocks(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """The blocks of one level, each with all that is in it."""
    start, depth = 0, 0
    for place, token in enumerate(tokens):
        depth += token.nesting
        if depth == 0:
            yield tokens[start : place + 1]
            start = place + 1


def _rows(block: Sequence[Token], source: Sequence[str]) -> Iterator[TableCells]:
    for place, token in enumerate(block):
        if token.type != "tr_open":
            continue
        end = next(at for at in range(place, len(block)) if block[at].type == "tr_close")
        row = block[place:end]
        cells = tuple(inline(one) for one in row if one.type == "inline")
        aligns = tuple(_align(one) for one in row if one.type in ("th_open", "td_open"))
        written = source[token.map[0]] if token.map else ""
        is_header = any(one.type == "th_open" for one in row)
        yield TableCells(cells, aligns, is_header, "" if is_header else written)


def _align(token: Token) -> str:
    return str(token.attrGet("style") or "").removeprefix("text-align:") or "left"


def _code_lines(text: str, width: int) -> Lines:
    """Code in its own lines, one that is too long going on behind a mark."""
    room = width - 2
    drawn: Lines = []
    for line in text.removesuffix("\n").split("\n"):
        pieces = styled((line.expandtabs(_TAB), CODE)).fold(room - 2) or [Content("")]
        drawn.append(styled(("▏ ", MUTED), pieces[0]))
        drawn += [styled(("▏ ↪ ", MUTED), piece) for piece in pieces[1:]]
    return drawn


def _as_written(text: str, width: int) -> Lines:
    said = styled(("Shown as it is written: too large or too deep to lay out.", WARNING))
    return [*wrapped(said, width), *_code_lines(clean(text), width)]


def _without_first_gap(lines: Lines) -> Lines:
    return lines[1:] if lines and not lines[0] else lines


@cache
def _parser() -> MarkdownIt:
    """GitHub's Markdown without its references: a definition that defines nothing would vanish."""
    from stopview_tui.markdown_parser import make_parser

    return make_parser(deepest=_DEEPEST, longest_inline=_LONGEST_INLINE)
