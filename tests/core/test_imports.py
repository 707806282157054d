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
    """The modules that are loaded once a fresh interpreter has run the code, packages too."""
    script = f"{code}\nimport sys\nprint('\\n'.join(sorted(sys.modules)))"
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


def test_the_first_frame_loads_nothing_that_only_deciding_needs() -> None:
    loaded = loaded_after("import stopview_tui.launch, stopview_tui.screens.inbox.screen")
    assert {"stopview_tui.screens.inbox.screen", "stopview_core.judge"} <= loaded
    deciding = ("decide", "commit", "compose", "dossier", "sacp", "yamltext", "packet")
    assert loaded.isdisjoint(f"stopview_core.{name}" for name in deciding)


def test_importing_core_does_no_work() -> None:
    loaded = loaded_after("import stopview_core")
    assert loaded.isdisjoint({"pydantic", "yaml", "json", "asyncio"})


READS_JSON = "import stopview_core.jsontext as j\n{}assert j.parse_json(b'[1]') == [1]"


def test_reading_json_loads_the_decoder_alone() -> None:
    loaded = loaded_after(READS_JSON.format(""))
    assert "stopview_core" in loaded
    assert loaded.isdisjoint({"pydantic_core", "pydantic", "typing_extensions"})


def test_where_the_decoder_is_not_found_alone_the_whole_package_is_loaded() -> None:
    loaded = loaded_after(READS_JSON.format("j._bare_decoder = lambda: None\n"))
    assert "pydantic_core" in loaded


def test_models_work_once_json_was_read() -> None:
    loaded = loaded_after(
        f"{READS_JSON.format('')}\n"
        "import pydantic\n"
        "class Model(pydantic.BaseModel):\n"
        "    value: int\n"
        "assert Model.model_validate_json('{\"value\": 1}').value == 1\n"
        "try:\n"
        "    Model(value='no number')\n"
        "except pydantic.ValidationError as error:\n"
        "    assert error.error_count() == 1\n"
        "else:\n"
        "    raise AssertionError"
    )
    assert "pydantic" in loaded
