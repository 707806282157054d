"""`check`, `resolve` and `codes` as a user calls them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from stopview_tui.cli.root import run

ROOT = Path(__file__).parents[2]
UPSTREAM = ROOT.parent / "shared" / "upstream"


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    """A copy of the registry that ships, to break."""
    shutil.copytree(ROOT / "operators", tmp_path / "operators")
    shutil.copy(ROOT / "routing.json", tmp_path / "routing.json")
    return tmp_path


def edit_routes(registry: Path, operator: str, domain: str) -> None:
    """Take one route out of the map."""
    path = registry / "routing.json"
    routing = json.loads(path.read_text())
    del routing["routes"][operator][domain]
    path.write_text(json.dumps(routing))


def test_check_closes_on_the_registry_that_ships(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(ROOT)]) == 0
    assert capsys.readouterr().out == "closed: 16 operators, 76 routes, 103 codes\n"


@pytest.mark.skipif(not UPSTREAM.is_dir(), reason="the real registry is not beside the project")
def test_check_closes_on_the_real_registry(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(UPSTREAM)]) == 0
    assert capsys.readouterr().out == "closed: 16 operators, 76 routes, 103 codes\n"


def test_check_fails_on_a_missing_route_and_says_which(
    registry: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit_routes(registry, "architecture.decide", "caller")
    assert run(["check", str(registry), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "stopview.check/1"
    assert document["closed"] is False
    assert [fault["file"] for fault in document["faults"]] == ["routing.json"]
    assert "architecture.decide" in document["faults"][0]["path"]


def test_a_missing_route_makes_the_stop_unrouted_and_for_a_person(
    registry: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit_routes(registry, "architecture.decide", "workspace")
    asked = ["resolve", "architecture.decide", "SOURCE_DRIFT", "--registry", str(registry)]
    assert run([*asked, "--json"]) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert document["route"] == {"kind": "user", "target": None, "unrouted": True}
    assert document["faulty"] is True
    assert "1 fault" in captured.err


def test_check_never_ends_in_a_traceback(
    registry: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (registry / "routing.json").write_bytes(b"\xff\xfe{[")
    (registry / "operators" / "errors.json").write_text("[]")
    assert run(["check", str(registry)]) == 1
    captured = capsys.readouterr()
    assert "Traceback" not in captured.out + captured.err
    assert "routing.json" in captured.out


def test_a_registry_that_cannot_be_read_is_refused(
    registry: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (registry / "routing.json").write_text("{")
    assert run(["codes", "--registry", str(registry)]) == 2
    assert "routing.json" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("value", "disposition", "kind"),
    [("approval-required", "terminate", "user"), ("automatic", "fallback", "user")],
)
def test_resolve_flips_by_the_requirement(
    value: str, disposition: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["resolve", "architecture.decide", "CHOICE_REQUIRED", "-p", f"selectionPolicy={value}"]
    assert run([*asked, "--registry", str(ROOT), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["disposition"], document["route"]["kind"]) == (disposition, kind)


def test_resolve_refuses_a_parameter_without_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["resolve", "architecture.decide", "CHOICE_REQUIRED", "-p", "novalue"]) == 2
    assert "KEY=VALUE" in capsys.readouterr().err


def test_the_documented_stop_codes_are_those_of_the_registry(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["codes", "--registry", str(ROOT), "--markdown"]) == 0
    assert capsys.readouterr().out == (ROOT / "docs" / "stop-codes.md").read_text()


def test_codes_lists_every_code_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["codes", "--registry", str(ROOT), "--json"]) == 0
    codes = [entry["code"] for entry in json.loads(capsys.readouterr().out)["codes"]]
    assert len(codes) == len(set(codes)) == 103
