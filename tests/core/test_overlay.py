"""An overlay is held beside the dict that it stands for, through any changes."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stopview_core.overlay import Overlay

KEYS = [f"run-{number}" for number in range(90)]
CHANGES = st.lists(st.dictionaries(st.sampled_from(KEYS), st.integers(), max_size=70), max_size=5)


@given(CHANGES)
def test_an_overlay_is_as_a_dict_that_was_updated(changes: list[dict[str, int]]) -> None:
    same = dict.fromkeys(KEYS, -1)
    overlay = Overlay(dict(same))
    for values in changes:
        before, was = overlay, dict(same)
        overlay = overlay.with_values(values)
        same.update(values)
        assert list(before.items()) == list(was.items())
    assert list(overlay.items()) == list(same.items())
    assert [overlay[key] for key in overlay] == list(overlay.values()) == list(same.values())
    assert list(overlay.keys()) == list(overlay.copied()) == KEYS
    assert len(overlay) == len(KEYS)
    assert overlay == same


def test_no_value_is_lost_when_every_one_was_replaced() -> None:
    overlay = Overlay(dict.fromkeys(KEYS, -1))
    for place, key in enumerate(KEYS):
        overlay = overlay.with_values({key: place})
        assert overlay[key] == place
    assert list(overlay.values()) == list(range(len(KEYS)))


def test_a_key_that_is_not_there_is_not_put_in() -> None:
    overlay = Overlay({"a": 1})
    assert "b" not in overlay
    assert overlay.get("b") is None
    with pytest.raises(KeyError):
        overlay.with_values({"b": 2})


def test_a_copy_is_its_own() -> None:
    overlay = Overlay({"a": 1}).with_values({"a": 2})
    overlay.copied()["b"] = 3
    assert dict(overlay) == {"a": 2}


class Untold(dict[str, int]):
    """A dict that lets nobody go through it."""

    def refuse(self, *_: Any) -> NoReturn:
        raise AssertionError("all of it was gone through")

    __iter__ = keys = values = items = copy = __or__ = __len__ = refuse  # type: ignore[assignment]


def test_a_few_values_are_put_in_without_going_through_the_others() -> None:
    overlay = Overlay(Untold(dict.fromkeys(KEYS, -1)))
    for key in KEYS[:60]:
        overlay = overlay.with_values({key: 7})
    assert [overlay[key] for key in (*KEYS[58:62], KEYS[89])] == [7, 7, -1, -1, -1]
