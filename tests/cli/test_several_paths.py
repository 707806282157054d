"""A folder that is given under several names holds each of its runs once."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from stopview_core.errors import UsageError
from stopview_tui.cli.common import find_run, roots_of
from stopview_tui.cli.root import run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "runs"
RUNS = ("orders-out-of-the-shop", "api-rate-limits")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`a` holds both runs, one of them deeper; `link` leads to `a/deep`, `b` holds nothing."""
    shutil.copytree(EXAMPLES / RUNS[0], tmp_path / "a" / RUNS[0])
    shutil.copytree(EXAMPLES / RUNS[1], tmp_path / "a" / "deep" / RUNS[1])
    (tmp_path / "b").mkdir()
    (tmp_path / "link").symlink_to("a/deep")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "paths",
    [
        ["a", "a/"],
        ["a", "./b/../a"],
        ["a", "a/deep"],
        ["a/deep", "{here}/a"],
        ["link", "a"],
        ["link/.."],
        ["a", "b", "{here}/a/deep", "link"],
    ],
    ids=" ".join,
)
def test_each_run_is_listed_once(
    paths: list[str], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["list", *(path.format(here=here) for path in paths), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["counts"]["runs"] == 2
    assert sorted(branch["run"] for branch in told["branches"]) == sorted(RUNS)


def test_what_lies_apart_is_called_as_it_was_given(here: Path) -> None:
    given = [Path("a/deep"), Path("b")]
    assert roots_of(given) == given
    assert roots_of([Path("link")]) == [Path("link")]


def test_a_run_below_two_names_is_one_run(here: Path) -> None:
    assert find_run(RUNS[1], [Path("a"), Path("link")]) == here / "a" / "deep" / RUNS[1]


def test_what_is_no_folder_is_refused(here: Path) -> None:
    with pytest.raises(UsageError, match="gone is not there"):
        roots_of([Path("a"), Path("gone")])
