"""A page for each stop code: its routes from every operator in scope, and its faults."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_registry import MAKE_CODES, ROUTING, SHARED, small_registry, write

from stopview_core.registry.load import load, shipped_root
from stopview_core.registry.model import EVERY, Registry
from stopview_core.registry.pages import code_pages, unplaced_faults


@pytest.fixture(scope="module")
def shipped() -> Registry:
    return load(shipped_root())


def test_every_code_has_one_page_with_a_route_for_each_operator_that_lists_it(
    shipped: Registry,
) -> None:
    pages = code_pages(shipped)

    assert {page.entry.code for page in pages} == set(shipped.entries)
    assert len(pages) == len(shipped.entries)
    for page in pages:
        listing = {name for name, one in shipped.operators.items() if page.entry.code in one.stops}
        assert {line.operator for line in page.routes if line.is_listed} == listing
        assert all(line.route is not None for line in page.routes if line.is_listed)
        assert page.unrouted == 0
        assert page.faults == ()


def test_a_code_of_every_operator_lists_them_all(shipped: Registry) -> None:
    page = next(page for page in code_pages(shipped) if EVERY in page.entry.scope)

    assert {line.operator for line in page.routes} == set(shipped.operators)


def test_a_missing_route_is_shown_as_unrouted_on_the_codes_that_need_it(tmp_path: Path) -> None:
    files = small_registry()
    del files[ROUTING]["routes"]["plan.make"]["ship"]

    registry = load(write(tmp_path, files))
    pages = {page.entry.code: page for page in code_pages(registry)}

    page = pages["SHIP_NEEDED"]
    (line,) = page.routes
    assert (line.operator, line.domain, line.route) == ("plan.make", "ship", None)
    assert page.unrouted == 1
    assert page.kinds == ("unrouted",)
    assert [fault.code for fault in page.faults] == ["ROUTE_MISSING"]
    assert pages["CHOICE_REQUIRED"].faults == ()


def test_a_fault_stands_on_the_code_it_touches_and_others_are_unplaced(tmp_path: Path) -> None:
    files = small_registry()
    files[MAKE_CODES]["codes"]["CHOICE_REQUIRED"]["disposition"] = "perhaps"
    files[SHARED]["codes"]["OWNER_CONFLICT"]["meaning"] = ""
    files[ROUTING]["routes"]["plan.ghost"] = {}

    registry = load(write(tmp_path, files))
    pages = {page.entry.code: page for page in code_pages(registry)}

    assert "DISPOSITION_INVALID" in {fault.code for fault in pages["CHOICE_REQUIRED"].faults}
    assert [fault.code for fault in pages["OWNER_CONFLICT"].faults] == ["MEANING_MISSING"]
    assert [fault.code for fault in unplaced_faults(registry)] == ["ROUTE_TABLE_UNKNOWN"]
    placed = {fault for page in pages.values() for fault in page.faults}
    assert placed | set(unplaced_faults(registry)) == set(registry.faults)
