"""The files of the user's own: settings, and what was seen; and a branch's files to open."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from shell_setup import choice_run

from stopview_core.files import Unreadable
from stopview_tui.branch_files import artifacts, checked, documents, viewer
from stopview_tui.seen import SeenFile
from stopview_tui.settings import Settings, load_settings, save_setting


def test_settings_are_read_and_what_is_wrong_is_said(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    assert load_settings(path) == Settings()
    path.write_text(
        'theme = "nord"\nbell = "loud"\nlayout = "sideways"\nnonsense = 1\n'
        '[columns]\ninbox = ["run", "code"]\n[keys]\n"inbox.filter" = "ctrl+f"\n'
    )
    found = load_settings(path)
    assert found.theme == "nord"
    assert found.bell is True
    assert found.layout == "auto"
    assert found.columns == {"inbox": ("run", "code")}
    assert found.keys == {"inbox.filter": "ctrl+f"}
    assert sorted(problem.partition(":")[0] for problem in found.problems) == [
        "bell",
        "layout",
        "nonsense",
    ]


@pytest.mark.parametrize("data", [b"theme = ", b"\xff\xfe", b"x" * 300_000])
def test_a_file_that_is_no_settings_gives_the_defaults_and_says_why(
    tmp_path: Path, data: bytes
) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(data)
    found = load_settings(path)
    assert found.theme == Settings().theme
    assert str(path) in found.problems[0]


def test_one_setting_is_written_and_the_rest_of_the_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "settings.toml"
    save_setting(path, "theme", "nord")
    path.write_text('# mine\ntheme = "nord" # nice\nbell = false\n[keys]\n"inbox.seen" = "s"\n')
    save_setting(path, "theme", "dracula")
    save_setting(path, "layout", "below")
    text = path.read_text()
    assert "# mine" in text
    found = load_settings(path)
    assert (found.theme, found.bell, found.layout) == ("dracula", False, "below")
    assert found.keys == {"inbox.seen": "s"}
    assert found.problems == ()
    assert [entry.name for entry in path.parent.iterdir()] == ["settings.toml"]
    path.write_text("theme = ")
    with pytest.raises(OSError, match="left alone"):
        save_setting(path, "theme", "nord")
    assert path.read_text() == "theme = "


def test_marks_are_kept_over_sessions_and_between_two_apps(tmp_path: Path) -> None:
    path = tmp_path / "state" / "seen.json"
    one, other = SeenFile(path), SeenFile(path)
    first, second = ("/runs/a", "1/1", "STOP_MISSING"), ("/runs/\udcff", "2/1", "NEXT_DISAGREES")
    assert one.load() == frozenset()
    one.change([first], [])
    assert other.change([second], []) == {first, second}
    assert one.load() == {first, second}
    assert one.change([], [first]) == {second}
    assert other.load() == {second}


def test_only_regular_files_inside_the_branch_are_opened(tmp_path: Path) -> None:
    branch = choice_run("lanes").write(tmp_path) / "step-1/parallel-1"
    (branch / "response/response.md").write_text("# What was found")
    assert documents(branch) == [
        "response/response.md",
        "request/request.json",
        "response/response.json",
        "response/data/stack-model.json",
    ]
    assert artifacts(branch) == ["response/artifacts/left.html", "response/artifacts/right.html"]
    outside = tmp_path / "outside.html"
    outside.write_text("x")
    (branch / "response/artifacts/link.html").symlink_to(outside)
    os.mkfifo(branch / "response/artifacts/pipe")
    (branch / "response/artifacts/more").mkdir()
    (branch / "response/artifacts/more/deep.html").write_text("x")
    (branch / "response/artifacts/all").symlink_to(tmp_path)
    assert artifacts(branch)[-1] == "response/artifacts/more/deep.html"
    assert not any("link" in path or "all/" in path or "pipe" in path for path in artifacts(branch))
    for path in (
        "response/artifacts/link.html",
        "response/artifacts/pipe",
        "response/artifacts",
        "response/artifacts/all/outside.html",
        "../../outside.html",
        str(outside),
        "response/artifacts/none.html",
        "",
    ):
        assert isinstance(checked(branch, path), Unreadable), path
    found = checked(branch, "response/artifacts/left.html")
    assert isinstance(found, Path)
    assert found.as_uri().startswith("file:///")
    (branch / "response/response.md").unlink()
    assert "response/response.md" not in documents(branch)


def test_the_viewer_is_the_first_that_can_be_run() -> None:
    assert viewer({"VISUAL": "no-such-thing -x", "EDITOR": "sh -c 'x y'", "PAGER": "cat"}) == [
        "sh",
        "-c",
        "x y",
    ]
    assert viewer({"EDITOR": "'unclosed", "PAGER": "cat"}) == ["cat"]


@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "own"
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    assert "not a regular file" in load_settings(path).problems[0]
    assert SeenFile(path).load() == frozenset()
    for change in (
        lambda: save_setting(path, "theme", "nord"),
        lambda: SeenFile(path).change([("run", "1/1", "CODE")], []),
    ):
        with pytest.raises(OSError, match="not a regular file"):
            change()


@pytest.mark.parametrize("data", [b"", b"{", b"{}", b'[["run", "1/1"]]', b"\xff", b"[" * 100_000])
def test_marks_that_cannot_be_read_are_not_overwritten(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "seen.json"
    path.write_bytes(data)
    assert SeenFile(path).load() == frozenset()
    with pytest.raises(OSError, match="left alone"):
        SeenFile(path).change([("run", "1/1", "CODE")], [])
    assert path.read_bytes() == data


def test_a_link_to_a_file_of_ones_own_stays_a_link(tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles" / "settings.toml"
    kept.parent.mkdir()
    kept.write_text("bell = false\n")
    link = tmp_path / "settings.toml"
    link.symlink_to(kept)
    save_setting(link, "theme", "nord")
    assert link.is_symlink()
    assert (load_settings(kept).bell, load_settings(kept).theme) == (False, "nord")
