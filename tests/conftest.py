"""What every test shares: the two profiles, `fast` (the default) and `long`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from deciding.checks import faults_of_written
from hypothesis import settings

from stopview_core import decide
from stopview_core.commit import Created

PROFILE = os.environ.get("STOPVIEW_PROFILE", "fast")

# Whoever runs the tests may wish for no colour; the tests say themselves when they do.
os.environ.pop("NO_COLOR", None)

# No deadline: how long an example takes says something about the machine, not about the code.
settings.register_profile("fast", max_examples=60, deadline=None, derandomize=True)
settings.register_profile("long", max_examples=2_000, deadline=None)


@pytest.fixture(autouse=True)
def every_receipt_is_sound(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Check each receipt that a test has the program write, by rules that are not the program's."""
    create_once, faults = decide.create_once, list[str]()

    def checked(branch_fd: int, *, name: str, data: bytes, folder: str, **more: Any) -> object:
        made = create_once(branch_fd, name=name, data=data, folder=folder, **more)
        if isinstance(made, Created):
            faults.extend(faults_of_written(branch_fd, f"{folder}/{name}", data))
        return made

    monkeypatch.setattr(decide, "create_once", checked)
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
