"""Receipts are found wherever they lie in a branch, with all that SACP says of them."""

from __future__ import annotations

from typing import Any

import pytest
from corpus.sacp import CODES, RECEIPTS, Found, build

from stopview_core.dossier import OpenedRun, open_run
from stopview_core.registry.load import RegistryChoice, load, shipped_root
from stopview_core.report.showing import run_document

_FOLDER = "step-1/parallel-1"


@pytest.fixture(scope="module")
def receipts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Every receipt that `show --json` lists, by its path from the run."""
    registry = load(shipped_root())
    opened = open_run(build(tmp_path_factory.mktemp("receipts")), registry)
    assert isinstance(opened, OpenedRun)
    assert opened.skipped == ()
    document = run_document(opened, registry, RegistryChoice(registry.root, "shipped"))
    listed = document.model_dump(by_alias=True)["branches"]
    return {receipt["path"]: receipt for branch in listed for receipt in branch["receipts"]}


def test_each_is_found_where_it_lies_and_nothing_else(receipts: dict[str, Any]) -> None:
    wanted = {f"{_FOLDER}/{found.where}" for found in RECEIPTS}
    assert receipts.keys() == wanted | {"step-2/parallel-1/decision/0001.yaml"}


@pytest.mark.parametrize("found", RECEIPTS, ids=lambda found: found.where)
def test_it_says_what_is_wrong_and_only_that(found: Found, receipts: dict[str, Any]) -> None:
    read = receipts[f"{_FOLDER}/{found.where}"]
    assert [fault.partition(":")[0] for fault in read["faults"]] == list(found.faults)


@pytest.mark.parametrize("number", CODES)
def test_it_says_what_the_code_means_and_what_to_do(number: int, receipts: dict[str, Any]) -> None:
    read, code = receipts[f"{_FOLDER}/receipts/{number}.yaml"], CODES[number]
    assert (read["status_code"], read["name"], read["retry"]) == (number, code.name, code.retry)
    assert read["family"].startswith(f"{code.family} ")
    assert code.fix in read["typical_fix"]
    assert code.guidance in read["guidance"]
    assert read["meaning"]


def test_a_code_that_nobody_knows_has_no_name(receipts: dict[str, Any]) -> None:
    read = receipts[f"{_FOLDER}/code.yaml"]
    assert read["status_code"] == 418
    assert all(read[key] is None for key in ("name", "family", "meaning", "typical_fix", "retry"))


def test_a_handoff_carries_no_code_and_no_fault(receipts: dict[str, Any]) -> None:
    read = receipts[f"{_FOLDER}/handoff.yaml"]
    assert (read["status_code"], read["name"], read["faults"]) == (None, None, [])


def test_a_decision_is_a_receipt_too(receipts: dict[str, Any]) -> None:
    read = receipts["step-2/parallel-1/decision/0001.yaml"]
    assert (read["status_code"], read["faults"]) == (301, [])
