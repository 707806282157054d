"""More alternatives or axes than can be compared are said, and not decided on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from corpus.parts import SCORES, data, report, scored, stopped_choice, table

from stopview_core.alternatives import MOST_ALTERNATIVES, MOST_AXES
from stopview_core.dossier import Dossier, open_branch
from stopview_core.registry.load import load, shipped_root
from stopview_core.registry.model import Registry
from stopview_core.snapshot import scan_once


def _viewports(count: int) -> dict[str, Any]:
    """One score for each of so many viewports."""
    rows = [f"a0 | view-{place} | cost | 1 | fine" for place in range(count)]
    return {"response.md": report(table("Scores", SCORES, *rows))}


_TOO_MANY = {
    "alternatives": data(*[scored(f"a{n}", cost=1) for n in range(MOST_ALTERNATIVES + 1)]),
    "axes": data(scored("a", **{f"axis-{n}": 1 for n in range(MOST_AXES + 1)})),
    "axes without a score": data(scored("a", **{f"axis-{n}": "x" for n in range(MOST_AXES + 1)})),
    "viewports": {
        **data(scored("a0", cost=1)),
        **_viewports(MOST_AXES + 1),
    },
}


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load(shipped_root())


def _opened(where: Path, files: dict[str, Any], registry: Registry) -> Dossier:
    stopped_choice("many", files=files).write(where)
    opened = open_branch(where / "many", "1/1", registry)
    assert isinstance(opened, Dossier)
    return opened


@pytest.mark.parametrize("what", _TOO_MANY)
def test_more_than_can_be_compared_is_said_and_not_decided(
    what: str, tmp_path: Path, registry: Registry
) -> None:
    opened = _opened(tmp_path, _TOO_MANY[what], registry)
    able = opened.decidability
    assert (able.is_decidable, able.status_code) == (False, 400)
    assert "more than 500" in able.why
    assert any("more than 500" in item.why for item in opened.alternatives.problems)
    assert len(opened.alternatives.alternatives) <= MOST_ALTERNATIVES
    (run,) = scan_once([tmp_path], registry).runs.values()
    (listed,) = run.branches.values()
    assert not listed.decidability.is_decidable
    assert listed.decidability.why == able.why


def test_as_many_as_can_be_compared_are_decided(tmp_path: Path, registry: Registry) -> None:
    alternatives = [scored(f"a{n}", cost=n) for n in range(MOST_ALTERNATIVES)]
    opened = _opened(tmp_path, data(*alternatives), registry)
    assert opened.decidability.is_decidable
    assert opened.alternatives.highest_total == (f"a{MOST_ALTERNATIVES - 1}",)
