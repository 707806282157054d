"""A style sheet holds for the whole app once it is loaded, so it must name whom it is for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import stopview_tui

ROOT = Path(stopview_tui.__path__[0])
SHEETS = sorted(ROOT.rglob("*.tcss"))
_RULE = re.compile(r"^([^\s/}][^{}]*)\{", re.MULTILINE)


def selectors(sheet: Path) -> list[str]:
    """All selectors of the sheet's rules."""
    found = _RULE.findall(re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL))
    return [selector.strip() for rule in found for selector in rule.split(",")]


def test_there_are_sheets() -> None:
    assert len(SHEETS) > 10


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_no_rule_is_for_an_id_of_just_any_screen(sheet: Path) -> None:
    found = selectors(sheet)
    assert found
    assert [selector for selector in found if selector.startswith("#")] == []


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_colours_come_from_the_theme(sheet: Path) -> None:
    named = re.findall(r"(?:color|background|border[\w-]*)\s*:\s*([^;]*);", sheet.read_text())
    assert [value for value in named if re.search(r"#[0-9a-fA-F]{3}|rgb|hsl", value)] == []
