"""What every test shares: the two profiles, `fast` (the default) and `long`."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from deciding.watching import watched
from hypothesis import settings

from stopview_core import decide

PROFILE = os.environ.get("STOPVIEW_PROFILE", "fast")

# Whoever runs the tests may wish for no colour; the tests say themselves when they do.
os.environ.pop("NO_COLOR", None)

# No deadline: how long an example takes says something about the machine, not about the code.
settings.register_profile("fast", max_examples=60, deadline=None, derandomize=True)
settings.register_profile("long", max_examples=2_000, deadline=None)


@pytest.fixture(autouse=True)
def every_commit_is_sound(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Check each receipt that a test has the program write, and that nothing else was written."""
    faults: list[str] = []
    monkeypatch.setattr(decide, "create_once", watched(decide.create_once, faults))
    yield
    assert faults == []


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a profile that does not exist rather than run the wrong one."""
    if PROFILE not in ("fast", "long"):
        raise pytest.UsageError(f"STOPVIEW_PROFILE is fast or long, not {PROFILE!r}")
    settings.load_profile(PROFILE)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests marked `long` to the long profile."""
    if PROFILE == "long":
        return
    long_ones = [item for item in items if item.get_closest_marker("long")]
    if long_ones:
        config.hook.pytest_deselected(items=long_ones)
        items[:] = [item for item in items if not item.get_closest_marker("long")]
