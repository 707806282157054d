"""A choice that was promised to a person and made without them is not to be overlooked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpus.all import RECIPES

from stopview_tui.cli.root import run

NAMES = ("bypassed", "promised-before", "fell-back", "merged", "in-force", "every-route")
BYPASSED = "APPROVAL_BYPASSED"
PROMISED = "A person had been promised this choice"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two bypasses among sound runs that have waited longer."""
    root = tmp_path_factory.mktemp("runs")
    for recipe in RECIPES:
        if recipe.name in NAMES:
            folder = recipe.build().write(root)
            if recipe.finish is not None:
                recipe.finish(folder)
    return root


def called(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    assert run(words) == 0
    out, err = capsys.readouterr()
    return out, err


def test_list_has_it_first_and_says_it(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = called(["list", str(runs), "--json"], capsys)
    document = json.loads(out)
    first = [(*(v["code"] for v in branch["violations"]), "")[0] for branch in document["branches"]]
    assert first[:2] == [BYPASSED, BYPASSED]
    assert BYPASSED not in first[2:]
    assert document["branches"][0]["violations"][0]["text"].startswith(PROMISED)
    assert document["counts"]["bypassed"] == 2
    assert document["counts"]["hidden_bypassed"] == 0
    assert err == ""

    out, _ = called(["list", str(runs)], capsys)
    assert out.count(PROMISED) == 2
    assert BYPASSED in out.splitlines()[1]


@pytest.mark.parametrize(
    "asked",
    [
        ["--code", "SOURCE_DRIFT"],
        ["--operator", "workspace.bind"],
        ["--route", "external"],
        ["--decidable"],
        ["--decidable", "--all"],
    ],
    ids=" ".join,
)
def test_list_cannot_filter_it_away_unnoticed(
    asked: list[str], runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = called(["list", str(runs), *asked, "--json"], capsys)
    document = json.loads(out)
    assert not any(v["code"] == BYPASSED for b in document["branches"] for v in b["violations"])
    assert document["counts"]["hidden_bypassed"] == 2
    assert document["counts"]["hidden"] >= 2
    assert f"2 branch(es) with {BYPASSED} are hidden" in err

    out, err = called(["list", str(runs), *asked], capsys)
    assert "hidden by the filter" in out
    assert f"2 branch(es) with {BYPASSED} are hidden" in err


def test_history_of_violations_has_it_first(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = called(["history", str(runs), "--violations", "--json"], capsys)
    codes = [[v["code"] for v in record["violations"]] for record in json.loads(out)["records"]]
    assert codes == [[BYPASSED], [BYPASSED]]
    out, _ = called(["history", str(runs)], capsys)
    assert out.count(PROMISED) == 2


@pytest.mark.parametrize(
    "asked",
    [
        ["--code", "ROLLOUT_FAILED"],
        ["--operator", "release.deploy"],
        ["--since", "2030-01-01"],
        ["--until", "2020-01-01"],
    ],
    ids=" ".join,
)
def test_history_cannot_filter_it_away_unnoticed(
    asked: list[str], runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = called(["history", str(runs), *asked, "--json"], capsys)
    document = json.loads(out)
    assert document["records"] == []
    assert document["counts"]["hidden_bypassed"] == 2
    assert f"2 record(s) with {BYPASSED} are hidden" in err
