"""Ids repeat: two runs of one id are told apart wherever somebody looks at them to decide."""

from __future__ import annotations

from pathlib import Path, PurePath

import pytest
from corpus.parts import choice

from stopview_core.demo import RunBuilder
from stopview_tui.cli.root import run
from stopview_tui.words import run_words


def _twice(where: Path) -> tuple[Path, Path]:
    found = []
    for folder in ("first", "second"):
        sample = RunBuilder("same")
        choice(sample, "1/1")
        found.append(sample.write(where / folder))
    return found[0], found[1]


def test_list_names_their_paths(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = _twice(tmp_path)
    assert run(["list", str(tmp_path)]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if "CHOICE_REQUIRED" in line]
    assert sorted(
        path for row in rows for path in (first, second) if f"same in {path} " in row
    ) == [
        first,
        second,
    ]
    assert run(["list", str(first)]) == 0
    assert " in " not in capsys.readouterr().out.splitlines()[1]


def test_one_id_of_several_runs_is_asked_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = _twice(tmp_path)
    asked = ["decide", "same", "1/1", "--select", "table", "--path", str(tmp_path)]
    assert run(asked) == 2
    told = capsys.readouterr().err
    assert str(first) in told
    assert str(second) in told


@pytest.mark.parametrize(
    ("run_id", "folder", "words"),
    [("same", "same", "same"), ("same", "other", "same in other"), ("a", "\x1b[x", "a in \\x1b[x")],
)
def test_a_folder_of_another_name_is_named(run_id: str, folder: str, words: str) -> None:
    assert run_words(run_id, PurePath("/runs") / folder) == words


def test_an_endless_id_does_not_stretch_every_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, run_id in (("long", "x" * 100_000 + "-end"), ("short", "short")):
        sample = RunBuilder(name, state={"id": run_id})
        choice(sample, "1/1")
        sample.write(tmp_path)
    assert run(["list", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert len(out) < 5_000
    assert "-end " in out
