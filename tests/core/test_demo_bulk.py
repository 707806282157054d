"""Runs written in bulk: the layout that the benchmarks rely on, decided by the seed alone."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from stopview_core.demo import write_many


def read(path: Path) -> dict:
    return json.loads(path.read_bytes())


def sha256(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def folders_of(run: Path) -> list[Path]:
    return [run, *(path for path in run.rglob("*") if path.is_dir())]


def contents(root: Path) -> dict[str, tuple[bytes, int]]:
    return {
        path.relative_to(root).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in root.rglob("*")
        if path.is_file()
    }


def test_bulk_runs_are_in_the_real_layout(tmp_path: Path) -> None:
    runs = write_many(tmp_path, 40)
    assert len({run.name for run in runs}) == 40
    operators, reports = set(), []
    for place, run in enumerate(runs):
        state = read(run / "state.json")
        operators |= set(state["steps"].values())
        is_blocked = place % 10 == 9
        assert state["status"] == ("blocked" if is_blocked else "done")
        assert len(folders_of(run)) == (14 if is_blocked else 13)
        for step in (1, 2, 3):
            branch = run / f"step-{step}/parallel-1"
            request = (branch / "request/request.json").read_bytes()
            assert state["requestHashes"][f"{step}/1"] == sha256(request)
            reports.append((branch / "response/response.md").stat().st_size)
        assert run.name == state["id"]
    assert min(reports) >= 1000
    assert max(reports) <= 4096
    assert max(reports) > 2 * min(reports)
    assert len(operators) >= 10


def test_bulk_blocked_runs_offer_three_alternatives(tmp_path: Path) -> None:
    run = write_many(tmp_path, 4, blocked_every=4)[3]
    branch = run / "step-3/parallel-1"
    response = read(branch / "response/response.json")
    model = read(branch / "response/data/stack-model.json")
    requirements = read(branch / "request/request.json")["requirements"]
    ids = [alternative["alternativeId"] for alternative in model["alternatives"]]
    assert (response["status"], response["stop"]) == ("blocked", "CHOICE_REQUIRED")
    assert (response["next"], response["fallbacks"]) == ([], [])
    assert requirements["selectionPolicy"] == "approval-required"
    assert len(set(ids)) == 3
    assert all(set(a["scores"]) == set(requirements["tradeoffAxes"]) for a in model["alternatives"])
    text = (branch / "response/response.md").read_text()
    assert all(f"| `{identifier}` | viable |" in text for identifier in ids)


def test_bulk_is_decided_by_its_seed(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        write_many(tmp_path / name, 12, seed=seed)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert contents(tmp_path / "a") != contents(tmp_path / "c")


def test_bulk_takes_other_sizes_and_folders(tmp_path: Path) -> None:
    runs = write_many(tmp_path, 3, branches=2, blocked_every=0, evidence_folders=True)
    assert all(len(folders_of(run)) == 13 for run in runs)
    assert all(read(run / "state.json")["status"] == "done" for run in runs)
    with pytest.raises(FileExistsError):
        write_many(tmp_path, 3)
