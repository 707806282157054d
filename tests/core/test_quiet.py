"""The fast reading of quiet runs: it is taken, and it never differs from the reading in full."""

from __future__ import annotations

import json
import marshal
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_scan import plain_scan

from stopview_core.demo import SCENARIOS, RunBuilder, write_many
from stopview_core.quiet import paths_of, read_quiet
from stopview_core.quiet_branches import QuietReadings
from stopview_core.readings import RunReading
from stopview_core.registry.load import load, shipped_root
from stopview_core.registry.model import Registry

UPSTREAM = Path(__file__).resolve().parents[3] / "shared" / "upstream"
REGISTRY = load(shipped_root())


def quiet_reading(run: Path, registry: Registry = REGISTRY) -> RunReading | None:
    quiet = read_quiet(str(run))
    return QuietReadings(registry).reading(str(run), quiet) if quiet is not None else None


def full_reading(run: Path, registry: Registry = REGISTRY) -> RunReading | None:
    return plain_scan(run, registry)[0].get(str(run))


def quiet_run() -> RunBuilder:
    run = RunBuilder("orders", mission={"goal": "Ship the orders."})
    run.branch("1/1", "workspace.bind")
    run.branch("2/1", "business.decide")
    run.branch("2/2", "architecture.decide", reason=None)
    return run


def test_runs_in_bulk_are_read_fast_and_the_same(tmp_path: Path) -> None:
    for place, run in enumerate(write_many(tmp_path, 12, blocked_every=4)):
        reading = quiet_reading(run)
        assert (reading is None) == (place % 4 == 3)
        assert reading is None or reading == full_reading(run)


def test_a_quiet_run_says_that_it_is_one_and_has_all_its_branches(tmp_path: Path) -> None:
    run = quiet_run().write(tmp_path)
    reading = quiet_reading(run)
    assert reading is not None
    assert reading.is_quiet
    assert list(reading.branches) == ["1/1", "2/1", "2/2"]
    assert reading.branches["2/2"].operator == "architecture.decide"
    assert reading.branches["2/2"].run_path == run
    assert "3/1" not in reading.branches
    assert reading.goal == "Ship the orders."
    assert reading == full_reading(run)


def test_a_run_of_nothing_but_its_state_is_left_to_the_full_reading(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text('{"id": "empty"}')
    assert read_quiet(str(tmp_path)) is None
    assert full_reading(tmp_path) is not None


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_stories_are_read_the_same(name: str, tmp_path: Path) -> None:
    run = SCENARIOS[name].build().write(tmp_path)
    reading = quiet_reading(run)
    assert reading is None or reading == full_reading(run)


def test_upstream_runs_are_read_the_same() -> None:
    if not UPSTREAM.is_dir():
        pytest.skip("the real runtime's runs are not beside the repository")
    registry = load(UPSTREAM)
    for run in sorted((UPSTREAM / "runs").iterdir()):
        reading = quiet_reading(run, registry)
        assert reading is None or reading == full_reading(run, registry)


def test_stamps_belong_to_the_paths_that_are_named(tmp_path: Path) -> None:
    run = quiet_run().write(tmp_path)
    quiet = read_quiet(str(run))
    assert quiet is not None
    names = paths_of(tuple(key for key, _ in quiet.branches))
    inodes = [os.lstat(run / name).st_ino for name in names]
    assert list(marshal.loads(quiet.stamps)[2::4]) == inodes


STRANGE: list[Any] = [
    None, "", " ", "done", "blocked", "running", "CHOICE_REQUIRED", 0, 1, 1.5, True, [], {}, [None],
    ["CHOICE_REQUIRED"], [["1/1"], 2], {"1/1": 3}, {"1/1": "business.decide"},
    {"9/9": "git.publish"},
    {"1/1": None}, {"1/1": {"resumes": "2/1"}}, "2026-11-02T08:00:00", "2026-11-02T08:00:00Z",
    "9999-12-31T23:59:59-14:00", "\x1b[2J", "orders\ufe0f", "business.decide", "none.such",
    [{"at": "2026-11-02T08:00:00+02:00", "branch": "1/1", "event": "done"}],
    [{"at": "never", "branch": "1/1", "event": "abandoned"}], [{"branch": 1}],
    {"goal": "x\u202ey"}, {"goal": 3}, {"exchange": "ask"}, {"exchange": 3},
    {"1/1\ufe0f": "git.publish"},
    [{"at": "9999-12-31T23:59:59-14:00", "branch": "1/1", "event": "x"}],
    [
        {"at": "2026-11-02T08:00:00Z", "branch": "1/1", "event": "done"},
        {"at": "2027-11-02T08:00:00", "branch": "1/1", "event": "done"},
    ],
    {"kind": "option", "decisionId": "d", "options": [{"id": "a"}]},
]  # fmt: skip
STATE_KEYS = [
    "id", "project", "startedAt", "status", "chain", "steps", "requestHashes", "resumes",
    "substitutions", "transitions", "choices", "mission", "leases", "unheard",
]  # fmt: skip
RESPONSE_KEYS = [
    "operatorId", "status", "stop", "awaiting", "fallbacks", "fields", "next", "reason",
    "interaction", "commits", "unheard",
]  # fmt: skip
RESPONSE = "step-2/parallel-1/response/response.json"


def document_in(file: Path) -> dict[str, Any] | None:
    try:
        document = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None
    return document if isinstance(document, dict) else None


def changed_document(path: str, keys: list[str]) -> st.SearchStrategy[Callable[[Path], None]]:
    def change(key: str, value: Any, drop: bool) -> Callable[[Path], None]:
        def apply(run: Path) -> None:
            file = run / path
            document = document_in(file)
            if document is None:
                return
            if drop:
                document.pop(key, None)
            else:
                document[key] = value
            file.write_text(json.dumps(document))

        return apply

    return st.builds(change, st.sampled_from(keys), st.sampled_from(STRANGE), st.booleans())


def written(path: str, data: bytes) -> Callable[[Path], None]:
    def apply(run: Path) -> None:
        target = run / path
        if target.is_dir() or target.parent.is_file() or target.parent.is_symlink():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)

    return apply


def linked(path: str) -> Callable[[Path], None]:
    """The path moved away, and a link to it in its place."""

    def apply(run: Path) -> None:
        target = run / path
        if target.exists() and not target.is_symlink():
            aside = run.parent / "aside" / path.replace("/", "-")
            aside.parent.mkdir(exist_ok=True)
            target.rename(aside)
            target.symlink_to(aside)

    return apply


FILES = [
    "state.json", RESPONSE, "step-2/parallel-1/import.json", "step-2/parallel-1/notes.txt",
    "step-2/parallel-1/ask/request/request.json", "step-2/parallel-1/decision/0001.yaml",
    "step-02/parallel-1/response/response.json", "step-x/y", "step-4", "step-2/parallel-3",
    "step-2/parallel-4/request/request.json", "step-12345/parallel-1/response/response.json",
    "notes.md", "step-3/readme.md",
]  # fmt: skip
CONTENTS = [
    b"",
    b"{",
    b"{}",
    b"[]",
    b"\xff",
    b'{"id": 1e999}',
    b'{"status": "done"}',
    b"\xef\xbb\xbf{}",
]
CHANGES = st.one_of(
    changed_document("state.json", STATE_KEYS),
    changed_document(RESPONSE, RESPONSE_KEYS),
    st.builds(written, st.sampled_from(FILES), st.sampled_from(CONTENTS)),
    st.builds(
        linked,
        st.sampled_from(
            [
                "state.json",
                "step-2",
                "step-2/parallel-1",
                "step-2/parallel-1/response",
                "step-2/parallel-1/request",
                RESPONSE,
            ]
        ),
    ),
)


@pytest.mark.parametrize(("path", "keys"), [("state.json", STATE_KEYS), (RESPONSE, RESPONSE_KEYS)])
def test_no_strange_value_makes_the_fast_reading_differ(
    path: str, keys: list[str], tmp_path: Path
) -> None:
    run = quiet_run().write(tmp_path)
    plain = json.loads((run / path).read_bytes())
    for key in keys:
        for value in STRANGE:
            (run / path).write_text(json.dumps(plain | {key: value}))
            reading = quiet_reading(run)
            assert reading is None or reading == full_reading(run), (key, value)


@given(st.lists(CHANGES, min_size=1, max_size=3))
def test_whatever_a_run_holds_the_fast_reading_never_differs(
    changes: list[Callable[[Path], None]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run = quiet_run().write(Path(folder) / "runs")
        for change in changes:
            change(run)
        reading = quiet_reading(run)
        assert reading is None or reading == full_reading(run)
