"""`stopview decide` as a command: how runs are named, usage, and what others read of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from deciding.asking import Ran, asker
from deciding.runs import (
    APPROVAL,
    BOTH,
    QUESTION,
    ROOT,
    Site,
    choice_branch,
    decidable_run,
)

from stopview_core.demo import RunBuilder
from stopview_tui.cli.root import run as stopview


@pytest.fixture(autouse=True)
def _somebody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of whoever runs the tests decides who the approver is or which registry is used."""
    monkeypatch.setenv("STOPVIEW_APPROVER", "ada@example.org")
    monkeypatch.setenv("STOPVIEW_REGISTRY", str(ROOT))
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A run with something to decide; nothing but `decision/` may change in it."""
    made = Site(decidable_run().write(tmp_path / "runs"))
    yield made
    made.check()


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    return asker(capsys)


@pytest.mark.parametrize(
    "arguments",
    [
        ["9/9", "--select", "outbox"],
        ["1/1/no-such-exchange", "--select", "outbox"],
        ["one", "--select", "outbox"],
        ["1", "--select", "outbox"],
        [APPROVAL],
        [APPROVAL, "--select", "outbox", "--none"],
        [APPROVAL, "--none"],
        [APPROVAL, "--none", "--reason", " \t\n "],
        [APPROVAL, "--select", "outbox", "--supersede", "one"],
        [APPROVAL, "--select", "outbox", "--approver", ""],
        [APPROVAL, "--select", "outbox", "--approver", "ada\x1b[31m"],
        [APPROVAL, "--select", "outbox", "--registry", "no-such-folder"],
        [APPROVAL, "--select", "outbox", "--no-such-option"],
    ],
)
def test_usage_is_exit_2(site: Site, ask: Any, arguments: list[str]) -> None:
    ran = ask(site, *arguments)
    assert ran.exit_code == 2
    assert ran.document == {}
    assert ran.said.strip()
    assert site.receipts(APPROVAL) == {}


def test_a_run_is_found_by_its_id(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["decide", "audit-trail", APPROVAL, "--select", "outbox", "--path", str(tmp_path)]
    assert stopview(command) == 0
    assert list(site.receipts(APPROVAL)) == ["0001.yaml"]
    assert stopview(["decide", "no-such-run", *command[2:]]) == 2
    assert "no-such-run" in capsys.readouterr().err


def test_an_id_that_several_runs_have_is_exit_2_with_the_candidates(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    twin = decidable_run(folder="twin").write(tmp_path / "runs")
    command = ["decide", "audit-trail", APPROVAL, "--select", "outbox", "--path", str(tmp_path)]
    assert stopview(command) == 2
    said = capsys.readouterr().err
    assert str(site.run) in said
    assert str(twin) in said
    assert site.receipts(APPROVAL) == {}


def test_a_run_named_through_a_link_is_decided(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "latest").symlink_to(site.run)
    assert stopview(["decide", str(tmp_path / "latest"), APPROVAL, "--select", "outbox"]) == 0
    assert list(site.receipts(APPROVAL)) == ["0001.yaml"]
    assert "Written" in capsys.readouterr().out


@pytest.mark.parametrize(
    "run_id", ["a\x1b[31mb", "../../etc", "with: colon\nand line", "‮evil", "x/y"]
)
def test_hostile_run_ids_are_recorded_and_shown_without_harm(
    run_id: str, tmp_path: Path, ask: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    run = RunBuilder(run_id, folder="run", started="2026-11-02T08:00:00Z")
    choice_branch(run, "1/1")
    site = Site(run.write(tmp_path))
    ran = ask(site, "1/1", "--select", "outbox")
    assert (ran.exit_code, ran.document["status_code"]) == (0, 301)
    again = stopview(["decide", str(site.run), "1/1", "--select", "outbox"])
    assert again == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "‮" not in shown
    assert list(site.receipts("1/1")) == ["0001.yaml"]
    site.check()


@pytest.mark.parametrize("key", [APPROVAL, QUESTION, BOTH])
def test_show_and_history_name_who_when_what_and_how(
    site: Site, ask: Any, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    selected = {APPROVAL: "outbox", QUESTION: "keep-a-year", BOTH: "one-table"}[key]
    ask(site, key, "--select", selected, "--reason", "We know it.", "--approver", "Grace H.")
    assert stopview(["show", str(site.run), key, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)["decisions"]
    assert stopview(["history", str(site.run), "--json"]) == 0
    records = json.loads(capsys.readouterr().out)["records"]
    assert len(shown) == len(records) == 1
    for told in (shown[0], records[0]):
        assert (told["by"], told["reason"]) == ("Grace H.", "We know it.")
        assert told["via"] == "command, no terminal"
        assert told["selected"] == selected
        assert told["at"].startswith("2")
        assert selected in json.dumps(told["alternatives"])
        assert "highest_total" in told


@pytest.mark.parametrize("command", ["show", "history"])
def test_people_read_the_same(
    site: Site, ask: Any, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(
        site, APPROVAL, "--select", "event-log", "--reason", "We know it.", "--approver", "Grace H."
    )
    arguments = [str(site.run), APPROVAL] if command == "show" else [str(site.run)]
    assert stopview([command, *arguments]) == 0
    shown = capsys.readouterr().out
    for told in ("Grace H.", "event-log", "We know it.", "command, no terminal"):
        assert told in shown
    assert "one-table" in shown, "what was offered, and the highest total"
