"""`list --json` is made without pydantic, and its document is still what the model says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from stopview_core.demo import SCENARIOS, write_many
from stopview_core.report.models import ListDocument
from stopview_tui.cli.root import run

HEAVY = {"pydantic", "textual", "rich", "watchfiles", "markdown_it", "yaml", "asyncio"}


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    for name in sorted(SCENARIOS):
        SCENARIOS[name].build().write(tmp_path)
    write_many(tmp_path / "bulk", 4, blocked_every=2)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/state.json").write_text("{")
    return tmp_path


@pytest.mark.parametrize("options", [[], ["--all"], ["--decidable"], ["--code", "CHOICE_REQUIRED"]])
def test_the_document_is_what_the_model_says(
    options: list[str], runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["list", str(runs), "--json", *options]) == 0
    written = capsys.readouterr().out
    document = ListDocument.model_validate_json(written)
    assert document.model_dump_json(by_alias=True, ensure_ascii=True) + "\n" == written
    assert document.counts.runs == len(SCENARIOS) + 5
    assert document.counts.branches == sum(
        len(json.loads(state.read_bytes())["steps"]) for state in runs.rglob("*/state.json")
        if state.parent.name != "broken"
    )  # fmt: skip


def test_nothing_heavy_is_loaded(runs: Path) -> None:
    code = (
        "import sys\n"
        "from stopview_tui.cli.root import run\n"
        f"run(['list', {str(runs / 'bulk')!r}, '--json'])\n"
        "print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert "stopview_core" in loaded
    assert loaded.isdisjoint(HEAVY)
