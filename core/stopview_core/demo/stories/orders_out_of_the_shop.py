"""A person must choose how orders leave the shop monolith: three designs, none selected."""

from __future__ import annotations

from stopview_core.demo.architecture import Alternative, architecture_markdown, stack_model
from stopview_core.demo.branch import Exchange, Handoff
from stopview_core.demo.builder import RunBuilder
from stopview_core.demo.markdown import Attack, Section, table_section
from stopview_core.demo.sketch import comparison_page
from stopview_core.demo.stories.common import BACKEND, bound_route, published_promise
from stopview_core.demo.stories.decisions import architecture_requirements, critique
from stopview_core.demo.values import JsonValue, context, head

_DECISION = "order-boundary"
_OBJECTIVE = (
    "Take orders out of the shop monolith so that the checkout team can release on its own, "
    "without one minute of checkout downtime before the season ends."
)
_COMMIT = head("harbor-shop/main/2026-11-02")
_ALTERNATIVES = (
    Alternative(
        "strangler-facade",
        {"cost": 3, "complexity": 3, "reversibility": 5, "checkout-risk": 4},
        "A thin facade sends each order endpoint to the monolith or to the new service, one switch "
        "an endpoint. A move is turned back in under a minute. Both code paths live side by side "
        "for about five weeks.",
    ),
    Alternative(
        "shared-schema-service",
        {"cost": 5, "complexity": 4, "reversibility": 2, "checkout-risk": 3},
        "A new service owns the order code and keeps the monolith's Postgres schema. Cheapest "
        "start, running in two weeks. Every schema change still needs both teams, and the split of "
        "the data is left for later.",
    ),
    Alternative(
        "event-fed-store",
        {"cost": 2, "complexity": 2, "reversibility": 3, "checkout-risk": 5},
        "A new service with its own store, filled from an outbox in the monolith. Checkout keeps "
        "working while the monolith restarts. Needs a backfill of 41 million rows and a nightly "
        "comparison of the two stores.",
    ),
)
_ATTACKS = (
    Attack(
        "1,900 orders a minute, last year's sale peak",
        "strangler-facade",
        "holds",
        "the facade adds 3 ms at p99 in the load test of 30 October",
    ),
    Attack(
        "1,900 orders a minute, last year's sale peak",
        "shared-schema-service",
        "weak",
        "both services share 200 database connections; the test ran out at 1,750 a minute",
    ),
    Attack(
        "1,900 orders a minute, last year's sale peak",
        "event-fed-store",
        "holds",
        "the outbox lagged 4 s behind at the peak and caught up within 20 s",
    ),
    Attack(
        "a refund arrives for an order that moved an hour ago",
        "strangler-facade",
        "holds",
        "refunds read through the facade; the switch table is part of the refund's transaction",
    ),
    Attack(
        "a refund arrives for an order that moved an hour ago",
        "event-fed-store",
        "weak",
        "until the event arrives the refund sees the order as unpaid",
    ),
    Attack(
        "the split turns out wrong after three weeks",
        "shared-schema-service",
        "fails",
        "by then 14 migrations depend on columns that only the new service writes",
    ),
)


def build() -> RunBuilder:
    """architecture.decide blocked on CHOICE_REQUIRED under approval-required (3/1)."""
    run = RunBuilder(
        "orders-out-of-the-shop",
        project="harbor-shop",
        started="2026-11-02T08:14:00Z",
        mission={"goal": _OBJECTIVE},
    )
    bound_route(
        run,
        "1/1",
        at="2026-11-02T08:21:00Z",
        role="be",
        commit=_COMMIT,
        write_roots=["services/orders", "shop/orders"],
        next=["business.decide"],
    )
    published_promise(
        run,
        "2/1",
        at="2026-11-02T08:52:00Z",
        feature="orders",
        promise="An order that a customer was told is placed is never lost and is charged once.",
        commit=_COMMIT,
        claims=[
            (
                "An order number is given out only after the payment is stored",
                "shop/orders/place.py:88-131",
            ),
            (
                "A second submit with the same basket returns the first order",
                "shop/orders/place.py:40-66",
            ),
            ("A refund names exactly one order", "shop/refunds/model.py:12-37"),
        ],
        dimensions=["placing", "paying", "refunding", "lookup"],
        next=["architecture.decide"],
    )
    _choice(run)
    return run


def _choice(run: RunBuilder) -> None:
    run.branch(
        "3/1",
        "architecture.decide",
        status="blocked",
        stop="CHOICE_REQUIRED",
        began="2026-11-02T08:54:00Z",
        at="2026-11-02T09:31:00Z",
        requirements=_requirements(),
        inputs={"model": "step-2/parallel-1/response/data/model.json"},
        contexts=[context(BACKEND, _COMMIT), context("@knowledge/patterns")],
        reason="All three designs hold both fixed constraints and differ in what they cost and "
        "risk. Which one should the checkout team build?",
        handoff=Handoff("caller", "user"),
        files={
            "response.md": architecture_markdown(
                _DECISION,
                objective=_OBJECTIVE,
                policy="approval-required",
                alternatives=_ALTERNATIVES,
                attacks=_ATTACKS,
                sections=[_current_state()],
            ),
            "data/current-state.json": {
                "head": _COMMIT,
                "components": ["shop monolith (Python 3.11)", "Postgres 15", "RabbitMQ 3.12"],
                "ordersPerDay": 61000,
                "orderEndpoints": 23,
            },
            "data/stack-model.json": stack_model(
                _DECISION,
                _ALTERNATIVES,
                components=[
                    {"name": "Postgres 15", "change": "retained"},
                    {"name": "order service", "change": "new"},
                ],
            ),
            f"artifacts/{_DECISION}-alternatives.html": comparison_page(
                "Three ways out of the monolith", _ALTERNATIVES
            ),
        },
        exchanges={"critique": _critique()},
    )


def _requirements() -> dict[str, JsonValue]:
    return architecture_requirements(
        _DECISION,
        _OBJECTIVE,
        alternatives=3,
        axes=("cost", "complexity", "reversibility", "checkout-risk"),
        policy="approval-required",
        constraints=[
            ("no-downtime", "fixed-intent", "Checkout stays up during every move."),
            ("once-charged", "fixed-intent", "No order is charged twice."),
            ("season", "measurable", "The first endpoint runs outside by 23 November."),
            ("two-people", "measurable", "Two engineers, four weeks."),
            ("keep-postgres", "preference", "No second kind of database, if avoidable."),
        ],
    )


def _current_state() -> Section:
    return table_section(
        "Current state",
        ("Item", "Evidence"),
        [
            ("23 order endpoints in the monolith", "`shop/orders/urls.py:1-74`"),
            ("orders and refunds share one transaction", "`shop/refunds/service.py:51-90`"),
            ("200 database connections for the whole shop", "`deploy/pgbouncer.ini:9`"),
        ],
    )


def _critique() -> Exchange:
    return critique(
        _DECISION,
        "step-3/parallel-1/response/data/stack-model.json",
        [
            (
                "the facade becomes permanent",
                "answered",
                "each switch carries an end date; a check fails the build once it has passed",
            ),
            (
                "nobody owns the nightly comparison of the two stores",
                "open",
                "named as a cost of event-fed-store, no owner found",
            ),
            (
                "the shared schema only moves the problem",
                "agreed",
                "its reversibility was lowered from 3 to 2",
            ),
        ],
        asked="2026-11-02T09:12:00Z",
        answered="2026-11-02T09:26:00Z",
    )
