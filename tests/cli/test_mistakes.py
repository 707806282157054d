"""Plausible mistakes and bad surroundings end in one plain line and the right exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from stopview_tui.cli.root import run

ROOT = Path(__file__).parents[2]
RUNS = str(ROOT / "examples" / "runs")


def started(arguments: list[str], **how: object) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    code = "import sys; from stopview_tui.cli.root import main; main(sys.argv[1:])"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        cwd=ROOT,
        **how,  # type: ignore[call-overload]
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["lst"], "did you mean list?"),
        (["bogus"], "stopview --help lists the commands"),
        (["nowhere-at-all"], "nowhere-at-all is not there"),
        (["list", "nowhere-at-all"], "nowhere-at-all is not there"),
        (["list", str(ROOT / "README.md")], "is not a folder"),
        (["list", RUNS, "--registry", RUNS], "holds no registry"),
        (["history", RUNS, "--since", "yesterday"], "is not a date or time like"),
        (["show", "no-such-run", "--path", RUNS], "neither a run's folder nor the id"),
        (["decide", "x", "2/1"], "name one: --select ID, or --none"),
        (["decide", "x", "2/1", "--select", "a", "--none"], "name one: --select ID, or --none"),
        ([RUNS], "the app needs a terminal"),
        ([f"{RUNS}/settings-navigation", "--branch", "2/1"], "the app needs a terminal"),
        ([RUNS, "--branch", "3/1"], f"stopview {RUNS}/delivery-slot-picker --branch 3/1"),
        ([RUNS, "--branch", "3/1"], f"{RUNS} is not a run; these runs have it:"),
        ([RUNS, "--branch", "2/1"], "more\n"),
        ([RUNS, "--branch", "9/9"], f"{RUNS} is not a run; no run below it has that branch"),
        (["--registry", RUNS, "list"], "options stand behind the command: stopview list"),
        (["list", RUNS, "--route", "them"], "'user', 'operator', 'resume', 'external', 'chain'"),
    ],
)
def test_a_mistake_is_usage_and_says_what_is_wrong(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert "not found:" not in captured.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["list", "nowhere-at-all"],
        ["list", RUNS, "--route", "them"],
        ["list", RUNS, "--no-such-option"],
        ["list", RUNS, "--registry", RUNS],
        ["show", "no-such-run", "--path", RUNS],
        ["show", f"{RUNS}/refund-window-wording", "9/9"],
        ["show", f"{RUNS}/refund-window-wording", "two"],
        ["decide", f"{RUNS}/refund-window-wording", "9/9", "--select", "a"],
        ["decide", f"{RUNS}/refund-window-wording", "2/1", "--none"],
        ["decide", f"{RUNS}/refund-window-wording", "2/1", "--select", "a", "--supersede", "x"],
        *(
            ["decide", "x", "2/1", "--select", "a", "--expect", text]
            for text in ("", "sha256:", "sha256:0", "0" * 64, f"sha256:{'A' * 64}")
        ),
        *(
            ["decide", "x", "2/1", "--select", "a", "--approver", name]
            for name in ("", " ", "\u200b", "\u202eeve", "a\nb")
        ),
        ["decide", f"{RUNS}/refund-window-wording", "2/1", "--none", "--reason", "\u200b"],
        ["resume", f"{RUNS}/refund-window-wording", "9/9"],
        ["history", RUNS, "--since", ""],
        ["history", RUNS, "--since", "yesterday"],
        ["check", "nowhere-at-all"],
        ["resolve", "architecture.decide", "CHOICE_REQUIRED", "-p", "selectionPolicy"],
        ["codes", "--registry", RUNS],
    ],
    ids=" ".join,
)
def test_a_mistake_of_usage_leaves_nothing_on_stdout_for_a_program(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*arguments, "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.strip()


@pytest.mark.parametrize("command", ["list", "history"])
def test_a_filter_by_a_name_nobody_registered_is_said_and_is_no_mistake(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    where = [command, RUNS, "--registry", str(ROOT), "--json"]
    assert run([*where, "--code", "CHOICE_REQUIRE", "--operator", "architecture.decides"]) == 0
    captured = capsys.readouterr()
    key = "branches" if command == "list" else "records"
    assert json.loads(captured.out)[key] == []
    assert "the registry has no code CHOICE_REQUIRE; did you mean CHOICE_REQUIRED?" in captured.err
    assert "no operator architecture.decides; did you mean architecture.decide?" in captured.err
    assert run([*where, "--code", "CHOICE_REQUIRED", "--operator", "architecture.decide"]) == 0
    assert "has no" not in capsys.readouterr().err


def test_a_code_of_a_violation_is_no_stranger(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["list", RUNS, "--code", "RESUME_WITHOUT_DELTA", "--json"]) == 0
    captured = capsys.readouterr()
    assert len(json.loads(captured.out)["branches"]) == 1
    assert "has no" not in captured.err


def test_how_long_ago_is_a_time_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["history", RUNS, "--since", "7d"]) == 0
    assert "record" in capsys.readouterr().out.splitlines()[-1]


def test_a_name_nobody_registered_is_resolved_and_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ["resolve", "architecture.decide", "CHOICE_REQUIRE", "--registry", str(ROOT)]
    assert run(asked) == 0
    captured = capsys.readouterr()
    assert "UNKNOWN_STOP" in captured.out
    assert "did you mean CHOICE_REQUIRED?" in captured.err


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    "arguments", [f"list {RUNS} --json", f"show {RUNS}/refund-window-wording", "codes", RUNS]
)
def test_a_closed_stream_is_said_and_never_a_crash(arguments: str, closed: str) -> None:
    command = (
        f"{sys.executable} -c 'from stopview_tui.cli import main; main()' {arguments} {closed}"
    )
    ended = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=False, timeout=120
    )
    assert "Traceback" not in ended.stderr
    if ">&-" in closed.replace("2>&-", ""):
        assert ended.returncode == 4
        assert ended.stdout == ""
    else:
        assert ended.returncode == (2 if arguments == RUNS else 0)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", [["list", RUNS, "--json"], ["list", RUNS], ["codes"]])
def test_a_full_disk_behind_the_output_is_said(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123
        ended = started(arguments, stdout=full)
    assert ended.returncode == 4
    assert ended.stderr.splitlines()[-1].startswith("stopview: the output could not be written")
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("arguments", [["list", RUNS, "--json"], ["codes", "--json"]])
def test_a_reader_that_went_away_is_no_trouble(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = started(arguments, stdout=writing)
    finally:
        os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_question_can_be_decided_from_what_show_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["show", f"{RUNS}/refund-window-wording", "2/1"]) == 0
    shown = capsys.readouterr().out
    assert "keep-30-days: Keep 30 days, change the terms" in shown
    assert "trade-off: " in shown


def test_one_of_a_thing_is_counted_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["list", f"{RUNS}/refund-window-wording"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 listed in 1 run"


def test_a_fault_without_a_path_has_no_empty_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that is no registry: its files are faults as a whole."""
    assert run(["check", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "operators/errors.json: FILE_UNREADABLE" in lines
    assert not any(": :" in line for line in lines)


@pytest.mark.parametrize(
    ("shown", "kind"), [("you", "user"), ("again", "resume"), ("outside", "external")]
)
def test_a_route_is_filtered_by_the_word_of_the_table_too(
    shown: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for word in (shown, kind):
        assert run(["list", RUNS, "--route", word, "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1]
    assert {branch["route"]["kind"] for branch in found[0]["branches"]} == {kind}
