"""`stopview history` answers on one screen: which, where, what over what, on which scores."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from corpus.all import RECIPES
from corpus.compare import Corpus

from stopview_core.history import build_history, run_records
from stopview_tui.cli.history_page import print_history, record_lines
from stopview_tui.cli.root import run
from stopview_tui.render_history import flags_cell
from stopview_tui.render_history_page import record_page

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "runs"


def test_it_says_what_was_selected_over_what_on_which_scores(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["history", str(EXAMPLES), "--code", "CHOICE_REQUIRED"]) == 0
    lines = capsys.readouterr().out.splitlines()
    head = "2026-11-03 07:19 UTC  invoice-pdf-at-month-end 2/1  architecture.decide"
    assert lines[0] == f"{head}  CHOICE_REQUIRED  by policy"
    selected = "typesetting-library: total 12, highest (cost 4, complexity 3.5, reversibility 4.5)"
    others = (
        "headless-browser-pool: total 9.5 (cost 3, complexity 2.5, reversibility 4)",
        "hosted-pdf-api: total 9.5 (cost 2.5, complexity 5, reversibility 2)",
    )
    over = [f"  over       {other}" for other in others]
    assert lines[1:4] == [f"  selected   {selected}", *over]
    assert lines[4].startswith("  action     selected `typesetting-library`, the highest total")
    assert lines[-2:] == ["    1  CHOICE_REQUIRED", "1 record, 2 hidden by the filter"]


def test_a_time_with_another_offset_is_told_as_utc(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_id = "invoice-pdf-at-month-end"
    copy = Path(shutil.copytree(EXAMPLES / run_id, tmp_path / run_id))
    state = copy / "state.json"
    written = state.read_text().replace('"2026-11-03T07:19:00Z"', '"2026-11-03T01:19:00-06:00"')
    assert "-06:00" in written
    state.write_text(written)
    assert run(["history", str(copy)]) == 0
    assert capsys.readouterr().out.startswith(f"2026-11-03 07:19 UTC  {run_id} 2/1")


def test_a_tie_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["history", str(EXAMPLES), "--code", "DIRECTION_CHOICE_REQUIRED"]) == 0
    out = capsys.readouterr().out
    assert "one-page-sections: total 25, highest (tie)" in out
    assert "side-menu-pages: total 25, highest (tie)" in out
    assert "search-first: total 21.5 (first-action 3," in out


def test_the_document_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["history", str(EXAMPLES), "--code", "CHOICE_REQUIRED", "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)["records"]
    assert (record["run"], record["branch"]) == ("invoice-pdf-at-month-end", "2/1")
    assert record["selected"] == "typesetting-library"
    assert record["highest_total"] == ["typesetting-library"]
    assert {offer["id"]: offer["total"] for offer in record["alternatives"]} == {
        "typesetting-library": 12,
        "headless-browser-pool": 9.5,
        "hosted-pdf-api": 9.5,
    }
    scores = {"cost": 4, "complexity": 3.5, "reversibility": 4.5}
    offered = {offer["id"]: offer["scores"] for offer in record["alternatives"]}
    assert offered["typesetting-library"] == scores
    assert record["action"].startswith("selected `typesetting-library`")
    assert (record["at"], record["at_source"]) == ("2026-11-03T07:19:00.000Z", "transition")


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_terminal_gets_lines_of_its_width_with_nothing_left_out(
    width: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    corpus = Corpus(tmp_path)
    wanted = ("bypassed", "in-force", "superseded", "withdrawn", "faulty-exchanges")
    records = [
        record
        for recipe in RECIPES
        if recipe.name in wanted
        for record in run_records(corpus.read(recipe).historic)
    ]
    print_history(build_history(records))
    whole = capsys.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", str(width))
    print_history(build_history(records))
    wrapped = capsys.readouterr().out
    assert wrapped.split() == whole.split()
    assert max(map(len, wrapped.splitlines())) <= width
    for told in ("none of these", "by ada@example.org (command, no terminal)", "in the exchange"):
        assert " ".join(told.split()) in " ".join(wrapped.split())


@pytest.mark.parametrize(
    ("name", "standings"),
    [
        ("in-force", ["in force"]),
        ("superseded", ["superseded", "in force"]),
        ("withdrawn", ["superseded", "taken back"]),
        ("stale", ["stale"]),
        ("carried-out", ["carried on"]),
        ("not-heeded", ["ignored"]),
    ],
)
def test_every_place_says_what_became_of_a_decision(
    name: str, standings: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Oldest first: the record's lines and row, its detail, and `show`."""
    (recipe,) = (recipe for recipe in RECIPES if recipe.name == name)
    read = Corpus(tmp_path).read(recipe)
    records = sorted(run_records(read.historic), key=lambda record: record.last_name)
    assert run(["show", str(read.folder)]) == 0
    shown = [line.strip() for line in capsys.readouterr().out.splitlines()]
    for record, standing in zip(records, standings, strict=True):
        assert f"  standing   {standing}" in list(record_lines(record))
        assert standing in flags_cell(record).plain
        assert f", {'✓ ' * (standing == 'in force')}{standing}" in record_page(record, None).plain
        at = next(n for n, line in enumerate(shown) if f"Decision {record.last_name}:" in line)
        assert shown[at + 1].startswith(standing)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("not-heeded", None),
        ("next-is-another-kind", "1 more violation is about no fallback and no decision: "),
        ("altered", "2 more violations are about no fallback and no decision: "),
    ],
)
def test_violations_of_no_record_are_counted_and_said_to_stand_in_list(
    name: str, said: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever asks History for violations learns of those that only `list` can name."""
    (recipe,) = (recipe for recipe in RECIPES if recipe.name == name)
    folder = str(Corpus(tmp_path).read(recipe).folder)
    wanted = f"{said}see `stopview list`" if said else None
    assert run(["history", folder, "--violations"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == (wanted or "1 record")
    assert run(["history", folder, "--violations", "--json"]) == 0
    assert capsys.readouterr().err == (f"stopview: {wanted}\n" if wanted else "")
    assert run(["history", folder]) == 0
    assert "more violation" not in "".join(capsys.readouterr())
