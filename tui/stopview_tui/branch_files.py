"""Finds the files of a branch that a person may open, and makes sure that they are what they seem.

Blocking: call it in a thread.
"""

from __future__ import annotations

import os
import shlex
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path

from stopview_core.files import Unreadable, open_folder, open_inside
from stopview_core.folder import Reader

DOCUMENTS = (
    "response/response.md",
    "request/request.json",
    "response/response.json",
)
_PAGERS = ("less", "more")
_MOST = 200
_DEPTH = 6


def documents(branch: Path) -> list[str]:
    """The texts of the branch that can be opened, by path from it: its own documents first.

    Then every other Markdown file, those of its exchanges among them, the records of its
    exchanges, and its JSON data. At most 200; links are not followed.
    """
    own = [path for path in DOCUMENTS if not isinstance(checked(branch, path), Unreadable)]
    reader = Reader()
    found: list[str] = []
    pending = [("", 0)]
    while pending and len(found) < _MOST:
        at, depth = pending.pop()
        folder = reader.listing(os.fspath(branch / at))
        if folder is None:
            continue
        found += [at + name for name in folder.files if name.endswith((".md", ".json"))]
        if depth < _DEPTH:
            pending += [(f"{at}{name}/", depth + 1) for name in reversed(folder.folders)]
    return [*own, *(path for path in found if path not in DOCUMENTS)][:_MOST]


def artifacts(branch: Path) -> list[str]:
    """The files under response/artifacts, by path from the branch; links are not followed."""
    reader = Reader()
    found: list[str] = []
    pending = ["response/artifacts"]
    while pending and len(found) < _MOST:
        at = pending.pop()
        folder = reader.listing(os.fspath(branch / at))
        if folder is not None:
            found += [f"{at}/{name}" for name in folder.files]
            pending += [f"{at}/{name}" for name in reversed(folder.folders)]
    return found[:_MOST]


def checked(branch: Path, path: str) -> Path | Unreadable:
    """The whole path of a regular file inside the branch that no link leads to, or why not."""
    folder = open_folder(branch)
    if isinstance(folder, Unreadable):
        return folder
    try:
        opened = open_inside(folder, path)
    finally:
        os.close(folder)
    if isinstance(opened, Unreadable):
        return opened
    try:
        is_regular = stat.S_ISREG(os.fstat(opened).st_mode)
    finally:
        os.close(opened)
    return (branch / path).absolute() if is_regular else Unreadable("it is no file", "not_regular")


def viewer(env: Mapping[str, str]) -> list[str] | None:
    """The command of $VISUAL, $EDITOR or $PAGER, else a pager that is there."""
    for name in ("VISUAL", "EDITOR", "PAGER"):
        try:
            words = shlex.split(env.get(name, ""))
        except ValueError:
            continue
        if words and shutil.which(words[0]):
            return words
    return next(([found] for name in _PAGERS if (found := shutil.which(name))), None)


def console_browser() -> bool | None:
    """Whether the browser draws in this terminal; None where there is no browser."""
    import webbrowser

    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return None
    is_generic = isinstance(browser, webbrowser.GenericBrowser)
    return is_generic and not isinstance(browser, webbrowser.BackgroundBrowser)
