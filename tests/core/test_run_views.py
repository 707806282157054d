"""A run's chain with its attempts joined, the list of runs, and the texts of a branch."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from stopview_core.board import Filter
from stopview_core.chain import ChainRow, chain_rows
from stopview_core.demo import SCENARIOS, RunBuilder
from stopview_core.dossier import OpenedRun, open_run
from stopview_core.readings import RunReading, Stamp
from stopview_core.registry.load import load, shipped_root
from stopview_core.registry.model import Registry
from stopview_core.run_board import RunRow, build_run_board, run_row
from stopview_core.run_documents import Document, find_documents, read_document
from stopview_core.snapshot import scan_once
from stopview_core.unreadable import Unreadable


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load(shipped_root())


def opened(run: RunBuilder, root: Path, registry: Registry) -> OpenedRun:
    found = open_run(run.write(root), registry)
    assert isinstance(found, OpenedRun)
    return found


def readings(root: Path, registry: Registry) -> list[RunReading]:
    return list(scan_once([root], registry).runs.values())


def by_key(rows: tuple[ChainRow, ...]) -> dict[str, ChainRow]:
    return {row.key: row for row in rows}


def stopped_thrice(run_id: str = "stopped-thrice") -> RunBuilder:
    """One lineage of three attempts, with other work between them."""
    run = RunBuilder(run_id)
    for step in (1, 3, 5):
        run.branch(
            f"{step}/1",
            "workspace.bind",
            status="blocked",
            stop="PERMISSION_REQUIRED",
            resumes=f"{step - 2}/1" if step > 1 else None,
        )
    run.branch("1/2", "business.decide")
    run.branch("2/1", "business.decide")
    return run


def test_attempts_of_one_lineage_are_joined_over_the_rows_between(
    tmp_path: Path, registry: Registry
) -> None:
    rows = chain_rows(opened(stopped_thrice(), tmp_path, registry))

    assert [row.key for row in rows] == ["1/1", "1/2", "2/1", "3/1", "5/1"]
    assert [row.lanes for row in rows] == [
        ("attempt",),
        ("through",),
        ("through",),
        ("attempt",),
        ("attempt",),
    ]
    assert [row.lanes_above for row in rows] == [("none",), *[("through",)] * 4]
    third = rows[-1].attempt
    assert third is not None
    assert (third.number, third.count) == (3, 3)
    assert third.lineage == ("1/1", "3/1", "5/1")


def test_lineages_that_overlap_have_lanes_of_their_own(tmp_path: Path, registry: Registry) -> None:
    run = RunBuilder("two-lineages")
    for step, parallel in ((1, 1), (1, 2), (2, 1), (2, 2)):
        run.branch(
            f"{step}/{parallel}",
            "workspace.bind",
            status="blocked",
            stop="PERMISSION_REQUIRED",
            resumes=f"1/{parallel}" if step > 1 else None,
        )

    rows = by_key(chain_rows(opened(run, tmp_path, registry)))

    assert rows["1/1"].lanes == ("attempt", "none")
    assert rows["1/2"].lanes == ("through", "attempt")
    assert rows["2/1"].lanes == ("attempt", "through")
    assert rows["2/2"].lanes == ("none", "attempt")


def test_exchanges_stand_below_their_branch_and_planned_places_are_said(
    tmp_path: Path, registry: Registry
) -> None:
    folder = SCENARIOS["api-rate-limits"].build().write(tmp_path)
    found = open_run(folder, registry)
    assert isinstance(found, OpenedRun)

    keys = [row.key for row in chain_rows(found)]

    assert keys.index("2/1/critique") == keys.index("2/1") + 1


def test_a_place_of_the_chain_without_a_folder_is_a_planned_row(
    tmp_path: Path, registry: Registry
) -> None:
    run = RunBuilder(
        "planned", state={"chain": [["1/1"], ["2/1"]], "steps": {"2/1": "git.publish"}}
    )
    run.branch("1/1", "business.decide")
    run.branch("1/2", "business.decide")

    rows = by_key(chain_rows(opened(run, tmp_path, registry)))

    assert rows["2/1"].is_planned
    assert rows["2/1"].planned_operator == "git.publish"
    assert rows["1/1"].is_in_chain
    assert not rows["1/2"].is_in_chain


def test_times_come_from_the_transitions(tmp_path: Path, registry: Registry) -> None:
    run = RunBuilder("timed")
    run.branch("1/1", "business.decide", began="2026-11-02T08:00:00Z", at="2026-11-02T09:30:00Z")

    (row,) = chain_rows(opened(run, tmp_path, registry))

    assert row.times.began == datetime(2026, 11, 2, 8, tzinfo=UTC)
    assert row.times.ended == Stamp(datetime(2026, 11, 2, 9, 30, tzinfo=UTC), "transition")


def test_without_transitions_the_file_says_when_and_that_is_said(
    tmp_path: Path, registry: Registry
) -> None:
    run = RunBuilder("untimed")
    run.branch("1/1", "business.decide", at="2026-11-02T09:30:00Z", transitions=[])

    found = opened(run, tmp_path, registry)
    (row,) = chain_rows(found)

    assert row.times.began is None
    assert row.times.ended == Stamp(datetime(2026, 11, 2, 9, 30, tzinfo=UTC), "mtime")
    assert found.reading.changed_at is not None
    assert found.reading.changed_at.source == "mtime"


def test_runs_are_listed_with_what_changed_last_first(tmp_path: Path, registry: Registry) -> None:
    for name, day in (("old", 2), ("new", 9), ("middle", 5)):
        run = RunBuilder(name, started=f"2026-11-0{day}T08:00:00Z")
        run.branch("1/1", "business.decide")
        run.write(tmp_path)

    board = build_run_board(run_row(run) for run in readings(tmp_path, registry))

    assert [row.run.id for row in board.rows] == ["new", "middle", "old"]
    assert (board.hidden, board.hidden_bypassed) == (0, 0)


def test_a_run_in_short_counts_what_waits_and_what_is_wrong(
    tmp_path: Path, registry: Registry
) -> None:
    stopped_thrice().write(tmp_path)

    (row,) = [run_row(run) for run in readings(tmp_path, registry)]

    assert row.steps == 4
    assert row.open_branches == 1
    assert row.choices == 0
    assert row.blocked_since is not None
    assert row.violations == len(
        [v for branch in row.run.branches.values() for v in branch.violations]
    )


def demo_rows(root: Path, registry: Registry) -> list[RunRow]:
    for scenario in SCENARIOS.values():
        scenario.build().write(root)
    return [run_row(run) for run in readings(root, registry)]


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        (Filter(text="checkout team"), {"orders-out-of-the-shop"}),
        (Filter(code="CHOICE_REQUIRED", route="user"), {"orders-out-of-the-shop"}),
        (Filter(operator="release.deploy"), {"catalogue-release"}),
        (Filter(operator="release.deploy", route="user"), set()),
        (Filter(text="HARBOR-shop"), {"orders-out-of-the-shop"}),
    ],
)
def test_a_filter_shows_runs_with_one_branch_that_has_it_all(
    wanted: Filter, ids: set[str], tmp_path: Path, registry: Registry
) -> None:
    rows = demo_rows(tmp_path, registry)
    if wanted.code:
        rows = [row for row in rows if row.open_branches]

    board = build_run_board(rows, wanted)

    assert {row.run.id for row in board.rows} == ids
    assert board.hidden == len(rows) - len(ids)


def test_a_run_whose_state_cannot_be_read_says_why(tmp_path: Path, registry: Registry) -> None:
    folder = stopped_thrice().write(tmp_path)
    (folder / "state.json").write_text("{half", encoding="utf-8")

    (row,) = [run_row(run) for run in readings(tmp_path, registry)]

    assert row.unreadable is not None
    assert row.unreadable.path.endswith("state.json")


def test_the_texts_of_a_branch_are_found_response_first(tmp_path: Path, registry: Registry) -> None:
    folder = SCENARIOS["api-rate-limits"].build().write(tmp_path)
    run = open_run(folder, registry)
    assert isinstance(run, OpenedRun)
    branch = run.run.branches["2/1"]
    home = folder / branch.folder
    (home / "response" / "notes.md").write_text("more", encoding="utf-8")
    (home / "response" / "linked.md").symlink_to(folder / "state.json")

    found = find_documents(folder, branch)

    assert found[0] == "step-2/parallel-1/response/response.md"
    assert "step-2/parallel-1/response/notes.md" in found
    assert "step-2/parallel-1/critique/response/critique.md" in found
    assert not any("linked" in where for where in found)


def test_a_text_is_read_inside_the_run_only(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "a.md").write_bytes(b"\xef\xbb\xbf# hi")
    (run / "bad.md").write_bytes(b"\xff")
    (run / "link.md").symlink_to(tmp_path / "secret.md")
    os.mkfifo(run / "pipe.md")
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")

    assert read_document(run, "a.md") == Document("a.md", "# hi")
    for where in ("bad.md", "link.md", "pipe.md", "../secret.md", "/etc/hostname", "none.md"):
        assert isinstance(read_document(run, where), Unreadable)
    assert isinstance(read_document(run, "a.md", cap=2), Unreadable)
    assert isinstance(read_document(tmp_path / "none", "a.md"), Unreadable)
