"""`stopview decide` as a program asks it, run in the process of the test."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from deciding.runs import Site
from stopview_tui.cli.root import run as stopview


class Ran(NamedTuple):
    """What one command gave: its exit code, the document on stdout, what it said on stderr."""

    exit_code: int
    document: dict[str, Any]
    said: str


def asker(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs `stopview decide RUN KEY OPTIONS... --json` in this process."""

    def ask(site: Site, key: str, *options: str) -> Ran:
        exit_code = stopview(["decide", str(site.run), key, *options, "--json"])
        said = capsys.readouterr()
        return Ran(exit_code, json.loads(said.out) if said.out else {}, said.err)

    return ask
