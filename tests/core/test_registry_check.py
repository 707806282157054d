"""Every rule of a sound registry: one break, that fault at that place, and only what follows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from breaks_of_entries import BREAKS_OF_ENTRIES
from breaks_of_operators import BREAKS_OF_OPERATORS
from breaks_of_routing import BREAKS_OF_ROUTING
from breaks_of_upstream import UPSTREAM_BREAKS
from registry_changes import Change, Place, add_row, both, codes, drop, drop_route, put
from small_registry import (
    MAKE,
    MAKE_CODES,
    MAKE_MD,
    ROUTING,
    SHARED,
    SHIP_MD,
    read,
    small_registry,
    write,
)
from sound_registries import FINE

from stopview_core.registry.check import RULES, CheckReport, check

UPSTREAM = Path(__file__).parents[2] / ".." / "shared" / "upstream"
needs_upstream = pytest.mark.skipif(not UPSTREAM.is_dir(), reason="../shared/upstream is absent")

# What follows what:
#   a code that is gone or renamed   -> its Stops row names an unknown code, its route may lead
#                                       nowhere, and under its new name it is unlisted
#   a domain that is gone or changed -> its old route is unreached
#   a domain that no map names       -> also has no route
#   a Stops row that is gone         -> its domain's route may be unreached
#   a route that is gone             -> the domain may be named nowhere any more
# A file that cannot be read is one fault: what it may hold is not blamed on the others.
BREAKS = [*BREAKS_OF_ENTRIES, *BREAKS_OF_OPERATORS, *BREAKS_OF_ROUTING]


def places(report: CheckReport) -> list[Place]:
    return sorted((fault.code, fault.file, fault.path) for fault in report.faults)


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    return write(tmp_path, small_registry())


def test_the_small_registry_is_sound_and_counted(sound: Path) -> None:
    report = check(sound)
    assert places(report) == []
    counts = report.counts
    assert (counts.operators, counts.routes, counts.codes) == (2, 7, 10)
    assert (counts.shared, counts.own, counts.stops) == (4, 6, 11)
    assert counts.kinds == {"chain": 1, "external": 1, "operator": 1, "resume": 2, "user": 2}


@pytest.mark.parametrize(
    ("change", "expected"), [row[1:] for row in BREAKS], ids=[row[0] for row in BREAKS]
)
def test_a_broken_rule_is_found_in_its_place_and_nothing_else(
    tmp_path: Path, change: Change, expected: list[Place]
) -> None:
    files = small_registry()
    change(files)
    report = check(write(tmp_path, files))
    assert places(report) == sorted(expected)
    for fault in report.faults:
        assert fault.expected
        assert fault.found


def test_every_rule_is_broken_by_a_row_and_every_fault_has_a_rule() -> None:
    broken = {expected[0][0] for _, _, expected in BREAKS}
    assert broken == set(RULES)
    assert len({row[0] for row in BREAKS}) == len(BREAKS) >= 35


@pytest.mark.parametrize("value", [None, " ", 7, ["plan.make"]])
def test_an_operator_without_an_id_is_found(tmp_path: Path, value: object) -> None:
    files = small_registry()
    files[f"{MAKE}/operator.json"]["id"] = value
    # The codes and tables of the nameless operator are not blamed on the others.
    assert places(check(write(tmp_path, files))) == [
        ("OPERATOR_ID_INVALID", f"{MAKE}/operator.json", "id")
    ]


def test_many_faults_are_listed_at_once(tmp_path: Path) -> None:
    files = small_registry()
    chosen = [
        drop(SHARED, "INVALID_INPUT", "meaning"),
        put(MAKE_CODES, "SHIP_NEEDED", "scope", ["plan.make"]),
        drop_route("plan.ship", "ship"),
        add_row(SHIP_MD, "NOT_THERE", "terminate"),
    ]
    both(*chosen)(files)
    assert [place[0] for place in places(check(write(tmp_path, files)))] == [
        "MEANING_MISSING",
        "ROUTE_MISSING",
        "SCOPE_UNWANTED",
        "STOPS_CODE_UNKNOWN",
    ]


# --- what must keep working ---------------------------------------------------------------------


@pytest.mark.parametrize("change", [row[1] for row in FINE], ids=[row[0] for row in FINE])
def test_what_is_no_fault(tmp_path: Path, change: Change) -> None:
    files = small_registry()
    change(files)
    assert places(check(write(tmp_path, files))) == []


def test_an_escaped_pipe_belongs_to_the_stops_code(tmp_path: Path) -> None:
    files = small_registry()
    add_row(MAKE_MD, "A\\|B", "terminate")(files)
    assert places(check(write(tmp_path, files))) == [("STOPS_CODE_UNKNOWN", MAKE_MD, "Stops.A|B")]


def test_what_was_found_is_safe_to_show(tmp_path: Path) -> None:
    files = small_registry()
    codes(files, MAKE_CODES)["SHIP_NEEDED"]["domain"] = "\x1b[31mred\u202e" + "x" * 500
    fault = check(write(tmp_path, files)).faults[0]
    assert fault.code == "DOMAIN_UNKNOWN"
    assert fault.found.startswith("\\x1b[31mred\\u202e")
    assert len(fault.found) <= 100


# --- files that are no files --------------------------------------------------------------------


def test_links_are_not_followed(tmp_path: Path) -> None:
    root = write(tmp_path / "registry", small_registry())
    (root / MAKE).rename(tmp_path / "elsewhere")
    (root / MAKE).symlink_to(tmp_path / "elsewhere")
    (root / SHIP_MD).rename(tmp_path / "operator.md")
    (root / SHIP_MD).symlink_to(tmp_path / "operator.md")
    found = check(root).faults
    assert {(fault.code, fault.file) for fault in found} >= {
        ("FILE_UNREADABLE", MAKE),
        ("FILE_UNREADABLE", SHIP_MD),
    }
    assert all("link" in fault.found for fault in found if fault.code == "FILE_UNREADABLE")


def test_a_folder_whose_name_looks_like_a_file_or_is_no_text(tmp_path: Path) -> None:
    root = write(tmp_path / "registry", small_registry())
    (root / "operators" / "x.json").symlink_to(root / MAKE)
    broken = os.fsencode(root / "operators") + b"/\xff\x1b"
    os.mkdir(broken)
    Path(os.fsdecode(broken + b"/errors.json")).write_text("{")
    found = {(fault.file, fault.found) for fault in check(root).faults}
    assert ("operators/x.json", "it is a link, and links are not followed") in found
    assert ("operators/\\udcff\\x1b/operator.json", "it is not there") in found


def test_a_place_for_operators_that_is_no_folder(tmp_path: Path) -> None:
    root = write(tmp_path, {ROUTING: {"routes": {}}, "operators": "not a folder"})
    assert places(check(root)) == [
        ("FILE_UNREADABLE", "operators", ""),
        ("FILE_UNREADABLE", SHARED, ""),
    ]


def test_a_pipe_and_a_large_file_are_unreadable(tmp_path: Path) -> None:
    root = write(tmp_path, small_registry())
    (root / SHARED).unlink()
    os.mkfifo(root / SHARED)
    (root / ROUTING).write_bytes(b" " * 2_000_000 + b"{}")
    assert [fault.file for fault in check(root).faults] == [SHARED, ROUTING]


@pytest.mark.parametrize("name", ["", "nothing-here", "routing.json"])
def test_a_root_that_is_no_registry(tmp_path: Path, name: str) -> None:
    (tmp_path / "routing.json").write_text("{}")
    report = check(tmp_path / name)
    assert ("FILE_UNREADABLE", SHARED, "") in places(report)
    assert report.counts.codes == 0


# --- a real registry ----------------------------------------------------------------------------


@needs_upstream
def test_a_real_registry_closes() -> None:
    report = check(UPSTREAM)
    assert places(report) == []
    counts = report.counts
    assert (counts.operators, counts.routes, counts.codes) == (16, 76, 103)
    assert (counts.shared, counts.own, counts.stops) == (15, 88, 161)
    assert counts.kinds == {"external": 7, "operator": 32, "resume": 13, "user": 24}


@needs_upstream
@pytest.mark.parametrize(
    ("change", "expected"),
    [row[1:] for row in UPSTREAM_BREAKS],
    ids=[row[0] for row in UPSTREAM_BREAKS],
)
def test_a_broken_rule_is_found_in_a_real_registry(
    tmp_path: Path, change: Change, expected: list[Place]
) -> None:
    files = read(UPSTREAM)
    change(files)
    assert places(check(write(tmp_path, files))) == sorted(expected)
