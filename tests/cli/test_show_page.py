"""`stopview show` for people: receipts with what to do, alternatives with what leads and why."""

from __future__ import annotations

import json
import os
from base64 import b64decode
from pathlib import Path

import pytest
from corpus import sacp
from corpus.parts import choice

from stopview_core.demo import Alternative, Exchange, RunBuilder
from stopview_tui.cli.root import run

ROOT = Path(__file__).resolve().parents[2]


def shown(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert run(["show", *map(str, words)]) == 0
    return capsys.readouterr().out


def test_a_receipt_says_whether_to_try_again_and_what_mends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = shown(capsys, sacp.build(tmp_path), "1/1")
    lines = [line.strip() for line in out.splitlines()]
    at = lines.index("Receipt step-1/parallel-1/receipts/412.yaml: 412 missing_evidence")
    assert lines[at + 1].startswith("4xx ")
    assert lines[at + 2].startswith("try again: after fix; ")
    assert lines[at + 3].startswith("typical fix: ")
    at = lines.index("Receipt step-1/parallel-1/no-source.yaml: 200 completed")
    assert lines[at + 4].startswith("! claims[0].source_id: expected ")
    assert "Receipt step-1/parallel-1/handoff.yaml: no status code" in lines


def test_what_leads_stands_beside_what_the_fallback_would_do(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = shown(capsys, ROOT / "examples" / "runs" / "delivery-slot-picker", "3/1")
    assert "42.5           highest total" in out
    assert "the mean is shown and summed" in out
    assert "What the fallback would do: Of the candidates that tie" in out


def test_an_exchange_is_named_with_its_stop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = RunBuilder("with-exchange")
    stopped = Exchange(status="blocked", stop="CRITIQUE_UNRESOLVED")
    choice(made, "1/1", exchanges={"critique": stopped})
    out = shown(capsys, made.write(tmp_path))
    assert "Exchange 1/1/critique: architecture.decide  blocked  CRITIQUE_UNRESOLVED" in out


def test_names_that_are_no_text_are_printed_harmless(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Folders and files of any bytes; an id with an escape; none of it reaches the terminal."""
    made = RunBuilder("\x1b[2Jgone", folder="hostile", state=None)
    choice(made, "1/1")
    folder = made.write(tmp_path)
    data = os.fsencode(folder / "step-1" / "parallel-1" / "response" / "data")
    try:
        os.rename(data + b"/stack-model.json", data + b"/\xff\x1b]0;x\x07.json")
        os.rename(os.fsencode(folder), os.fsencode(tmp_path) + b"/\xffrun\x1b[31m")
    except OSError:
        pytest.skip("this file system takes no such names")
    (run_folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    for words in (["list", tmp_path], ["history", tmp_path], ["show", run_folder]):
        for more in ([], ["--json"]):
            assert run([*map(str, words), *more]) == 0
            out, err = capsys.readouterr()
            assert "\x1b" not in out + err
            if more:
                assert json.loads(out)
    assert _named_by_bytes(capsys, run_folder) == {os.fsencode(run_folder)}
    document = json.loads(_json(capsys, run_folder))
    (sources,) = {a["sources"]["status"] for a in document["branches"][0]["alternatives"]}
    assert sources.startswith("response/data/\\u")
    assert sources.isprintable()


def _named_by_bytes(capsys: pytest.CaptureFixture[str], run_folder: Path) -> set[bytes]:
    """The run's folder as each document names it, for who goes on from `path_bytes`."""
    found = set()
    for words in (["list", run_folder.parent], ["show", run_folder], ["show", run_folder, "1/1"]):
        assert run([*map(str, words), "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        branches = document.get("branches", [document])
        found |= {_of_branch(branch) for branch in branches}
        if "goal" in document:
            found.add(b64decode(document["path_bytes"]))
    return found


def _of_branch(branch: dict[str, str]) -> bytes:
    folder = b64decode(branch["path_bytes"], validate=True)
    assert b"\x1b" in folder
    assert "\x1b" not in branch["path"]
    return folder.removesuffix(b"/step-1/parallel-1")


def test_a_path_that_is_its_own_text_has_no_bytes_beside_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for command, listed in (("list", "branches"), ("history", "records")):
        assert run([command, str(ROOT / "examples" / "runs"), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)[listed]
        assert found
        assert {one["path_bytes"] for one in found} == {None}


def test_a_record_of_history_has_the_bytes_of_its_folder_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = RunBuilder("fell", folder="fell")
    choice(made, "1/1", policy="automatic", selected="table", taken={"CHOICE_REQUIRED": "the best"})
    folder = made.write(tmp_path)
    hostile = os.fsencode(tmp_path) + b"/fell\x1b[2J"
    os.rename(os.fsencode(folder), hostile)
    assert run(["history", str(tmp_path), "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)["records"]
    assert _of_branch(record) == hostile


def _json(capsys: pytest.CaptureFixture[str], folder: Path) -> str:
    assert run(["show", str(folder), "--json"]) == 0
    return capsys.readouterr().out


def test_two_runs_of_one_id_are_two_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("first", "second"):
        made = RunBuilder("same-id", folder=folder)
        choice(made, "1/1")
        made.write(tmp_path)
    assert run(["list", str(tmp_path), "--json"]) == 0
    branches = json.loads(capsys.readouterr().out)["branches"]
    assert [branch["run"] for branch in branches] == ["same-id", "same-id"]
    assert len({branch["path"] for branch in branches}) == 2
    assert run(["show", "same-id", "--path", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert all(str(tmp_path / folder) in told for folder in ("first", "second"))


@pytest.mark.parametrize(
    ("count", "axes", "is_table"), [(3, 3, True), (20, 3, True), (21, 3, False), (3, 20, False)]
)
def test_many_or_wide_alternatives_get_a_block_each(
    count: int, axes: int, is_table: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = [f"axis-number-{n}" for n in range(axes)]
    designs = [
        Alternative(f"design-{n}", dict.fromkeys(named, n % 4 + 1), f"What {n} means.")
        for n in range(count)
    ]
    made = RunBuilder("many")
    choice(made, "1/1", designs=designs, requirements={"tradeoffAxes": named})
    out = shown(capsys, made.write(tmp_path), "1/1")
    lines = out.splitlines()
    assert any(line.startswith("ALTERNATIVE") for line in lines) == is_table
    at = lines.index("  design-2")
    block = lines[at + 1 : next(n for n in range(at + 1, len(lines)) if lines[n][2] != " ")]
    assert "    assessment: What 2 means." in block
    assert ("    axis-number-2: 3" in block) == (not is_table)
    assert (f"    total: {3 * axes}" in block) == (not is_table)
    assert "highest total" in out or "tied for the highest total" in out
    assert out.count("What the fallback would do") == 1


@pytest.mark.parametrize("command", ["list", "history"])
def test_the_last_line_counts_what_could_not_be_read(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever keeps only stdout learns that there is more."""
    made = RunBuilder("sound")
    choice(made, "1/1")
    made.write(tmp_path)
    assert run([command, str(tmp_path)]) == 0
    assert "not read" not in capsys.readouterr().out
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "state.json").write_text("{")
    assert run([command, str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[-1].endswith(", 1 not read (named on stderr)")
    assert f"not read: {broken}/state.json" in err
