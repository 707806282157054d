"""Core stays pure, and the commands that programs call start without the app."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import stopview_core

ROOT = Path(__file__).parents[2]
DRAWS_OR_WATCHES = ("textual", "rich", "watchfiles", "click")


def loaded_after(code: str) -> set[str]:
    """The top-level modules that are loaded once a fresh interpreter has run the code."""
    script = (
        f"{code}\nimport sys\nprint('\\n'.join(sorted({{m.split('.')[0] for m in sys.modules}})))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(ran.stdout.splitlines())


def test_no_core_module_loads_anything_that_draws_or_watches() -> None:
    names = [m.name for m in pkgutil.walk_packages(stopview_core.__path__, "stopview_core.")]
    assert len(names) > 30
    loaded = loaded_after("\n".join(f"import {name}" for name in names))
    assert "stopview_core" in loaded
    assert loaded.isdisjoint(DRAWS_OR_WATCHES)


@pytest.mark.parametrize(
    "arguments", [["list", "examples/runs", "--json"], ["--version"]], ids=["list", "version"]
)
def test_commands_for_programs_load_neither_textual_nor_watchfiles(arguments: list[str]) -> None:
    code = (
        "import contextlib, io\n"
        "from stopview_tui.cli.root import run\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n"
        f"    assert run({arguments!r}) == 0"
    )
    loaded = loaded_after(code)
    assert "stopview_tui" in loaded
    assert loaded.isdisjoint({"textual", "watchfiles", "rich"})


def test_importing_core_does_no_work() -> None:
    loaded = loaded_after("import stopview_core")
    assert loaded.isdisjoint({"pydantic", "yaml", "json", "asyncio"})
