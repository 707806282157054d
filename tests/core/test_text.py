"""Untrusted text is made safe to show, and nothing of it is lost."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stopview_core.text import (
    clean,
    has_controls,
    is_clean,
    one_line,
    shorten,
    without_controls,
)

ANY_TEXT = st.text(st.characters())
INVISIBLE = ["\u3164", "\ufe01", "\U000e0101", "\u200b", "\u202e", "\u2066", "\u00ad", "\ufeff"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("plain", "plain"),
        ("tab\tand\nlines", "tab\tand\nlines"),
        ("win\r\ndows", "win\ndows"),
        ("a\x1b[31mred", "a\\x1b[31mred"),
        ("bell\x07", "bell\\x07"),
        ("c1\x9b2J", "c1\\x9b2J"),
        ("lone\rreturn", "lone\\x0dreturn"),
        ("\u202eevil", "\\u202eevil"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("half\ud800", "half\\ud800"),
        ("sign \u26a0\ufe0f", "sign \u26a0"),
        ("[/x] [@click=x]", "[/x] [@click=x]"),
    ],
)
def test_what_cannot_be_shown_becomes_its_visible_escape(written: str, shown: str) -> None:
    assert clean(written) == shown


@given(ANY_TEXT)
def test_cleaned_text_holds_no_control_and_no_format_character(text: str) -> None:
    cleaned = clean(text)
    assert is_clean(cleaned)
    assert not any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t" for c in cleaned)
    assert clean(cleaned) == cleaned


@pytest.mark.parametrize("character", INVISIBLE)
def test_invisible_characters_are_not_clean(character: str) -> None:
    assert not is_clean(f"a{character}b")
    assert character not in clean(f"a{character}b")


@given(ANY_TEXT)
def test_what_a_person_typed_keeps_all_but_controls(text: str) -> None:
    kept = without_controls(text)
    assert not has_controls(kept.replace("\n", ""))
    gone = {c for c in text if c not in kept} - {"\t", "\r"}
    assert all(unicodedata.category(c) in ("Cc", "Cs") or ord(c) in (0xFFFE, 0xFFFF) for c in gone)


@given(ANY_TEXT)
def test_one_line_is_one_line(text: str) -> None:
    assert "\n" not in one_line(text)
    assert "\t" not in one_line(text)


@given(ANY_TEXT, st.integers(1, 20))
def test_a_cut_is_marked(text: str, width: int) -> None:
    short = shorten(text, width)
    assert len(short) <= width
    assert short == text or short.endswith("…")
