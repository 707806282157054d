"""A person must choose how shoppers pick a delivery slot: three sketches scored on two screens."""

from __future__ import annotations

from stopview_core.demo.branch import Handoff
from stopview_core.demo.builder import RunBuilder
from stopview_core.demo.frontend import Candidate, Limit, frontend_markdown, scores
from stopview_core.demo.markdown import Attack, Section, code, table_section
from stopview_core.demo.stories.common import (
    FRONTEND,
    GRAMMAR,
    bound_route,
    published_promise,
)
from stopview_core.demo.stories.decisions import direction_decision, direction_requirements
from stopview_core.demo.stories.delivery_slot_sketches import sketches
from stopview_core.demo.values import JsonValue, context, head

_DIRECTION = "delivery-slot"
_WEB = head("greenbasket/web/2026-11-12")
_API = head("greenbasket/api/2026-11-12")
_CRITERIA = (
    "first-action",
    "scan-order",
    "density",
    "price-visible",
    "full-slot",
    "slot-gone",
    "keyboard",
    "touch-target",
    "contrast",
    "long-words",
)
_CANDIDATES = (
    Candidate(
        "slot-grid",
        scores(
            _CRITERIA,
            wide=(4, 5, 5, 5, 4, 3, 4, 4, 4, 4),
            narrow=(3, 2, 2, 4, 3, 3, 4, 2, 4, 3),
        ),
    ),
    Candidate(
        "day-then-time",
        scores(
            _CRITERIA,
            wide=(4, 4, 3, 3, 4, 4, 5, 5, 4, 4),
            narrow=(5, 4, 4, 3, 4, 4, 5, 5, 4, 4),
        ),
    ),
    Candidate(
        "next-best-list",
        scores(
            _CRITERIA,
            wide=(5, 4, 2, 5, 3, 5, 4, 5, 4, 5),
            narrow=(5, 4, 3, 5, 3, 5, 4, 5, 4, 5),
        ),
    ),
)
_ATTACKS = (
    Attack(
        "seven days with 14 slots each on a 360 px screen",
        "slot-grid",
        "weak",
        "two days fit; the rest scrolls sideways and 4 of 9 testers did not notice",
    ),
    Attack(
        "seven days with 14 slots each on a 360 px screen",
        "day-then-time",
        "holds",
        "one day at a time; the day strip shows how many slots are left",
    ),
    Attack(
        "seven days with 14 slots each on a 360 px screen",
        "next-best-list",
        "holds",
        "five slots are shown, the rest one tap away",
    ),
    Attack(
        "the slot is taken by someone else while the shopper pays",
        "slot-grid",
        "weak",
        "the cell turns grey, and focus is lost",
    ),
    Attack(
        "the slot is taken by someone else while the shopper pays",
        "next-best-list",
        "holds",
        "the nearest free slot takes its place with a sentence why",
    ),
    Attack(
        "a shopper wants Thursday evening and nothing else",
        "next-best-list",
        "weak",
        "three taps instead of one: the list has to be opened and filtered",
    ),
)
_LIMITS = (
    Limit("slot-grid", "density", "below 480 px it is a table that scrolls in two directions"),
    Limit("day-then-time", "price-visible", "prices show only after a day is chosen"),
    Limit("next-best-list", "full-slot", "a full slot is left out, so nobody sees how busy it is"),
)


def build() -> RunBuilder:
    """frontend.direction.decide blocked on DIRECTION_CHOICE_REQUIRED, approval-required (3/1)."""
    run = RunBuilder(
        "delivery-slot-picker",
        project="greenbasket",
        started="2026-11-12T07:30:00Z",
        mission={"goal": "Fewer baskets given up at the delivery step: 19 % today, 14 % wanted."},
    )
    bound_route(
        run,
        "1/1",
        at="2026-11-12T07:37:00Z",
        role="fe",
        commit=_WEB,
        write_roots=["web/checkout"],
        next=["business.decide"],
    )
    published_promise(
        run,
        "2/1",
        at="2026-11-12T08:05:00Z",
        feature="delivery-slots",
        promise="A slot that a shopper picked stays theirs for ten minutes.",
        commit=_API,
        claims=[
            ("A slot is held for ten minutes", "slots/hold.py:17-52"),
            ("A full slot is sent with isFull", "slots/api.py:66"),
        ],
        dimensions=["picking", "holding", "losing a slot", "price"],
        next=["frontend.direction.decide"],
    )
    _choice(run)
    return run


def _choice(run: RunBuilder) -> None:
    run.branch(
        "3/1",
        "frontend.direction.decide",
        status="blocked",
        stop="DIRECTION_CHOICE_REQUIRED",
        began="2026-11-12T08:07:00Z",
        at="2026-11-12T09:02:00Z",
        requirements=_requirements(),
        inputs={"business-promise-authority": "step-2/parallel-1/response/response.md"},
        contexts=[context(FRONTEND, _WEB), context(GRAMMAR), context("@knowledge/ui/composition")],
        reason="The grid is best on a wide screen and worst on a phone, where 71 % of orders come "
        "from. Which of the three should be built?",
        handoff=Handoff("caller", "user"),
        files={
            "response.md": frontend_markdown(
                _DIRECTION,
                decision=direction_decision(_requirements()),
                candidates=_CANDIDATES,
                attacks=_ATTACKS,
                limits=_LIMITS,
                sections=[_observed(), _contract()],
            ),
            "data/coverage.json": _coverage(),
            **{f"artifacts/{name}.html": text for name, text in sketches().items()},
        },
    )


def _requirements() -> dict[str, JsonValue]:
    return direction_requirements(
        "/checkout/delivery",
        intent="modify",
        change_level="reconstruct",
        owner_ceiling="surface-and-nested-layouts",
        candidates=3,
        policy="approval-required",
        references=["the pick-up step of our own returns form"],
    )


def _observed() -> Section:
    return table_section(
        "Observed",
        ("Item", "Evidence"),
        [
            ("a select box with 98 entries", code("web/checkout/delivery.tsx:20-88")),
            ("no word when a slot is gone", code("web/checkout/useSlots.ts:41")),
        ],
    )


def _contract() -> Section:
    return table_section(
        "UI contract",
        ("Element", "Kind", "Responsibility"),
        [
            (code("slots"), "region", "offers the slots with their price"),
            ("pick a slot", "action", "holds it for ten minutes and says so"),
            ("slot gone", "state", "says what happened and offers the nearest one"),
            ("narrow", "responsive", "one column below 480 px"),
        ],
    )


def _coverage() -> dict[str, JsonValue]:
    return {
        "directionId": _DIRECTION,
        "surfaceClass": "form",
        "actions": [{"action": "pick a slot", "states": ["picked", "held", "gone"]}],
        "regions": [{"region": "slots"}, {"region": "summary"}],
        "responsive": [{"branch": "narrow", "owner": "the checkout shell"}],
    }
