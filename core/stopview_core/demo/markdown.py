"""Renders the Markdown that operators leave behind: sections and pipe tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

NOTHING = "—"
"""What a cell says where there is no value."""


@dataclass(frozen=True, slots=True)
class Section:
    """One `## heading` with its blocks: paragraphs or rendered tables, a blank line between."""

    heading: str
    blocks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Attack:
    """One line of a falsification table: what was tried on which alternative, and what came."""

    attack: str
    on: str
    verdict: str
    evidence: str


def document(title: str, sections: Sequence[Section]) -> str:
    """A whole file: the title, then the sections, one line feed at the end."""
    parts = [f"# {title}"]
    for section in sections:
        parts.append(f"## {section.heading}")
        parts.extend(section.blocks)
    return "\n\n".join(parts) + "\n"


def text_section(heading: str, *paragraphs: str) -> Section:
    """A section of paragraphs."""
    return Section(heading, paragraphs)


def table_section(
    heading: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *more: str
) -> Section:
    """A section of one table, and whatever blocks follow it."""
    return Section(heading, (table(columns, rows), *more))


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A pipe table; a pipe in a cell is escaped and a line feed becomes a space."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def fallbacks_section(fallbacks: Mapping[str, str]) -> Section:
    """`## Fallbacks taken`: code to the action taken; an empty table where none was."""
    rows = [(code(name), action) for name, action in fallbacks.items()]
    return table_section("Fallbacks taken", ("Code", "Action"), rows)


def code(text: str) -> str:
    """The text in backquotes."""
    return f"`{text}`"


def code_or_nothing(text: str | None) -> str:
    """The text in backquotes, or the dash that stands for no value."""
    return code(NOTHING if text is None else text)


def number(value: float) -> str:
    """A score as people write it: no decimals where there are none."""
    return str(int(value)) if value == int(value) else str(value)


def _cell(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ").replace("|", "\\|")
