"""`examples/watch_decisions.py` and docs/protocol.md, end to end on real runs."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest
from deciding.runs import APPROVAL, BOTH, BOTH_ID, QUESTION, ROOT, Site, decidable_run

from stopview_core.readings import DecisionState
from stopview_tui.cli.root import run as run_command

SCRIPT = ROOT / "examples" / "watch_decisions.py"
PAGE = ROOT / "docs" / "protocol.md"
COMMAND = Path(sys.executable).with_name("stopview")


@pytest.fixture(autouse=True)
def _command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STOPVIEW", str(COMMAND))
    monkeypatch.setenv("STOPVIEW_REGISTRY", str(ROOT))
    monkeypatch.setenv("STOPVIEW_APPROVER", "ada@example.org")


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(decidable_run().write(tmp_path / "runs"))


@pytest.fixture
def script() -> ModuleType:
    """The script as a module, to stop it at the worst moment; its commands run in this process."""
    spec = importlib.util.spec_from_file_location("watch_decisions", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.stopview = in_process
    return module


def in_process(*arguments: str) -> tuple[int, dict[str, Any]]:
    """What the script's own `stopview` gives, without a process: exit code and document."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exit_code = run_command([*arguments, "--json"])
    return exit_code, json.loads(out.getvalue() or "{}")


def stopview(*arguments: str) -> dict[str, Any]:
    return in_process(*arguments)[1]


def decide(site: Site, key: str, selected: str, *more: str) -> None:
    document = stopview("decide", str(site.run), key, "--select", selected, *more)
    assert document["written"], document["message"]


def as_a_process(site: Site) -> str:
    """Run the script as a user does."""
    command = [sys.executable, str(SCRIPT), str(site.run.parent), "--once"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    return ran.stdout


@pytest.fixture
def watch_once(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> Callable[[Site], str]:
    def watch(site: Site) -> str:
        capsys.readouterr()
        script.look([str(site.run.parent)])
        return capsys.readouterr().out

    return watch


def hash_of(path: Path) -> str:
    return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def assert_resumed(site: Site, key: str, into: str) -> dict[str, Any]:
    """The run shows the branch as resumed, and nothing about it breaks a rule."""
    shown = stopview("show", str(site.run), key)
    assert shown["decision"]["status"] == "resumed"
    assert shown["resumed_by"] == [into]
    attempt = stopview("show", str(site.run), into)
    assert attempt["resumes"] == key
    assert attempt["violations"] == shown["violations"] == []
    request = site.branch(into) / "request/request.json"
    assert site.state()["requestHashes"][into] == hash_of(request)
    document: dict[str, Any] = json.loads(request.read_bytes())
    return document


def test_a_decision_is_carried_out_by_processes(site: Site) -> None:
    before = site.state()
    decide(site, APPROVAL, "outbox", "--reason", "We know it.")
    receipts = site.receipts(APPROVAL)
    assert "resumed as 2/1 with step-1/parallel-1/decision/0001.yaml" in as_a_process(site)
    request = assert_resumed(site, APPROVAL, "2/1")
    assert request["requirements"]["approval"] == "outbox"
    after = site.state()
    for name, value in before.items():
        if name not in ("chain", "steps", "resumes", "requestHashes", "transitions"):
            assert after[name] == value, name
    assert after["chain"] == [*before["chain"], ["2/1"]]
    assert before["steps"].items() <= after["steps"].items()
    assert before["requestHashes"].items() <= after["requestHashes"].items()
    assert after["transitions"][:-1] == before["transitions"]
    assert after["transitions"][-1]["event"] == "dispatched"
    assert site.receipts(APPROVAL) == receipts
    assert as_a_process(site) == "", "nothing is left to do"


def test_several_decisions_of_every_kind_are_carried_out_in_one_pass(
    site: Site, watch_once: Callable[[Site], str]
) -> None:
    decide(site, APPROVAL, "outbox")
    decide(site, QUESTION, "keep-a-year")
    decide(site, BOTH, "one-table")
    assert watch_once(site).count("resumed as") == 3
    assert_resumed(site, APPROVAL, "2/1")
    assert assert_resumed(site, QUESTION, "3/1")["selectedOption"] == "keep-a-year"
    request = assert_resumed(site, BOTH, "4/1")
    assert request["requirements"]["approval"] == request["selectedOption"] == "one-table"
    choice = site.state()["choices"][BOTH_ID]
    where = "step-1/parallel-3/decision/0001.yaml"
    assert choice == {"selected": "one-table", "selectedBy": "user", "sourceRef": where}
    assert (site.run / where).is_file()


def test_a_stale_decision_is_left_alone(site: Site, watch_once: Callable[[Site], str]) -> None:
    decide(site, APPROVAL, "outbox")
    site.rewrite(APPROVAL, 1)
    assert watch_once(site) == ""
    site.check()
    decide(site, APPROVAL, "one-table")
    assert "decision/0002.yaml" in watch_once(site)
    assert assert_resumed(site, APPROVAL, "2/1")["requirements"]["approval"] == "one-table"


def test_a_decision_that_was_taken_back_is_left_alone(
    site: Site, watch_once: Callable[[Site], str]
) -> None:
    decide(site, APPROVAL, "outbox")
    command = ["decide", str(site.run), APPROVAL, "--none", "--reason", "x", "--supersede", "1"]
    assert stopview(*command)["written"]
    assert watch_once(site) == ""
    site.check()


def test_evidence_that_goes_stale_on_the_way_is_refused(
    site: Site, script: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    decide(site, APPROVAL, "outbox")
    ask = script.stopview

    def change_before_the_packet(*arguments: str) -> Any:
        if arguments[0] == "resume":
            site.rewrite(APPROVAL, 1)
        return ask(*arguments)

    script.stopview = change_before_the_packet
    script.look([str(site.run)])
    assert "changed after the decision" in capsys.readouterr().out
    site.check()


def test_a_decision_on_top_at_the_last_moment_is_seen(
    site: Site, script: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    decide(site, APPROVAL, "outbox")
    before, write = site.state(), script.write_state

    def decide_before_the_merge(*arguments: Any) -> None:
        script.write_state = write
        decide(site, APPROVAL, "event-log", "--supersede", "0001")
        write(*arguments)

    script.write_state = decide_before_the_merge
    script.look([str(site.run)])
    assert "decided anew" in capsys.readouterr().out
    assert site.state() == before
    assert not site.branch("2/1").exists()
    script.look([str(site.run)])
    assert assert_resumed(site, APPROVAL, "2/1")["requirements"]["approval"] == "event-log"


class Stopped(Exception):
    """The power went."""


@pytest.mark.parametrize("at", ["merged", "write_state", "standing"])
def test_an_interrupted_pass_is_put_right_by_the_next(
    site: Site, script: ModuleType, at: str
) -> None:
    decide(site, APPROVAL, "outbox")

    def stop(*_: Any) -> Any:
        raise Stopped

    whole = getattr(script, at)
    setattr(script, at, stop)
    with pytest.raises(Stopped):
        script.look([str(site.run)])
    assert list(site.branch("2/1").glob("request/.request.json.new"))
    setattr(script, at, whole)
    script.look([str(site.run)])
    assert_resumed(site, APPROVAL, "2/1")
    left = [path for path in site.run.rglob(".*") if path.is_file()]
    assert left == []


def test_a_damaged_packet_is_refused(
    site: Site, script: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    decide(site, APPROVAL, "outbox")
    ask = script.stopview

    def damage(*arguments: str) -> Any:
        exit_code, document = ask(*arguments)
        if arguments[0] == "resume":
            document["requestText"] += "\n"
        return exit_code, document

    script.stopview = damage
    script.look([str(site.run)])
    assert "damaged" in capsys.readouterr().out
    site.check()


def _lines_of_the_page(kind: str) -> list[str]:
    """The shell lines of the page that are said to be right, or wrong."""
    block = PAGE.read_text().split("```sh\n")[1].split("```")[0]
    lines = [line for line in block.splitlines() if "request.json" in line]
    return [line for line in lines if ("# wrong" in line) is (kind == "wrong")]


@pytest.mark.parametrize("kind", ["right", "wrong"])
def test_the_page_is_right_about_shells(site: Site, kind: str, tmp_path: Path) -> None:
    decide(site, APPROVAL, "outbox")
    packet = stopview("resume", str(site.run), APPROVAL)
    (tmp_path / "packet.json").write_text(json.dumps(packet))
    lines = _lines_of_the_page(kind)
    assert len(lines) == 2
    tried = [line for line in lines if "jq" not in line or shutil.which("jq")]
    for line in tried:
        subprocess.run(["sh", "-c", line], cwd=tmp_path, check=True, env=dict(os.environ))
        is_right = packet["state"]["requestHashes"]["2/1"] == hash_of(tmp_path / "request.json")
        assert is_right is (kind == "right"), line


def test_the_page_names_every_status() -> None:
    page = PAGE.read_text()
    for status in get_args(DecisionState):
        assert f"| `{status}` |" in page
