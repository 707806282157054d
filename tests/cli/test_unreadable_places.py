"""What is there and cannot be read is never said to be absent (contracts 1.7, 400; 2.3)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from corpus.parts import choice

from stopview_core.demo import RunBuilder
from stopview_tui.cli.root import run

_Break = Callable[[Path, pytest.MonkeyPatch], None]


def _as_link(name: str) -> _Break:
    def become(folder: Path, _: pytest.MonkeyPatch) -> None:
        moved = folder.parent / "moved"
        os.rename(folder / name, moved)
        os.symlink(moved, folder / name)

    return become


def _as_file(folder: Path, _: pytest.MonkeyPatch) -> None:
    os.rename(folder / "step-1/parallel-1", folder.parent / "moved")
    (folder / "step-1/parallel-1").touch()


def _forbidden(name: str) -> _Break:
    """Nobody may list the folder; injected, since the superuser may list all."""

    def become(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        real, closed = os.scandir, folder / name

        def scandir(path: str | int) -> object:
            if isinstance(path, str) and Path(path) == closed:
                raise PermissionError(13, "Permission denied", path)
            return real(path)

        monkeypatch.setattr(os, "scandir", scandir)

    return become


_BREAKS: dict[str, _Break] = {
    "step is a link": _as_link("step-1"),
    "branch is a link": _as_link("step-1/parallel-1"),
    "branch is a file": _as_file,
    "step is forbidden": _forbidden("step-1"),
    "branch is forbidden": _forbidden("step-1/parallel-1"),
    "run is forbidden": _forbidden(""),
}


@pytest.mark.parametrize("what", _BREAKS)
@pytest.mark.parametrize("command", [["decide", "--select", "table"], ["resume"]])
def test_it_is_a_refusal_that_says_why(
    command: list[str],
    what: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sample = RunBuilder("closed")
    choice(sample, "1/1")
    folder = sample.write(tmp_path)
    _BREAKS[what](folder, monkeypatch)
    name, *options = command
    assert run([name, str(folder), "1/1", *options, "--json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert told["status_code"] == 400
    assert any(why in told["message"] for why in ("a link", "not a folder", "ermission denied"))


def test_a_branch_that_is_not_there_is_a_usage_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = RunBuilder("open")
    choice(sample, "1/1")
    folder = sample.write(tmp_path)
    assert run(["decide", str(folder), "1/2", "--select", "table"]) == 2
    assert "has no branch 1/2" in capsys.readouterr().err
