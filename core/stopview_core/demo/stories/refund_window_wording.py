"""A question with named options: the terms and the code disagree, and a person says which holds."""

from __future__ import annotations

from stopview_core.demo.branch import Handoff
from stopview_core.demo.builder import RunBuilder
from stopview_core.demo.markdown import code, document, fallbacks_section, table_section
from stopview_core.demo.stories.common import BACKEND, bound_route, promise_requirements
from stopview_core.demo.values import JsonValue, context, head

_COMMIT = head("fernway-travel/main/2026-11-11")
_OPTIONS = (
    (
        "keep-30-days",
        "Keep 30 days, change the terms",
        "Nobody loses anything. 1.1 % of bookings are refunded late: 18,000 euro a month.",
    ),
    (
        "enforce-14-days",
        "Enforce the 14 days of the terms",
        "Matches what was signed. 212 open bookings lose a refund that the app shows today.",
    ),
    (
        "14-days-from-december",
        "14 days for bookings from 1 December, 30 before",
        "Nobody loses what was shown. Two rules live side by side until the end of January.",
    ),
)


def build() -> RunBuilder:
    """business.decide blocked on CONTRADICTION_UNRESOLVED with an interaction (2/1)."""
    run = RunBuilder(
        "refund-window-wording",
        project="fernway-travel",
        started="2026-11-11T14:03:00Z",
        mission={"goal": "Tell every customer the refund window that the system really gives."},
    )
    bound_route(
        run,
        "1/1",
        at="2026-11-11T14:09:00Z",
        role="be",
        commit=_COMMIT,
        write_roots=["booking/refunds"],
        next=["business.decide"],
    )
    run.branch(
        "2/1",
        "business.decide",
        status="blocked",
        stop="CONTRADICTION_UNRESOLVED",
        began="2026-11-11T14:10:00Z",
        at="2026-11-11T14:48:00Z",
        requirements=promise_requirements(
            "refunds",
            "A customer gets the money back for a cancelled booking within the refund window.",
            ["cancelling", "paying back", "what the customer is told"],
        ),
        contexts=[context(BACKEND, _COMMIT)],
        reason="The terms of 2024 say 14 days, the code gives 30 and the app shows 30. Which one "
        "is the promise?",
        interaction=_interaction(),
        handoff=Handoff("caller", "user"),
        files={"response.md": _markdown(), "data/claims.json": _claims()},
    )
    return run


def _interaction() -> dict[str, JsonValue]:
    return {
        "kind": "choice",
        "decisionId": "refund-window",
        "options": [
            {"id": identifier, "label": label, "tradeoff": tradeoff}
            for identifier, label, tradeoff in _OPTIONS
        ],
    }


def _claims() -> dict[str, JsonValue]:
    return {
        "featureId": "refunds",
        "claims": [
            {"id": "C1", "statement": "14 days", "source": "legal/terms-2024.md:118"},
            {
                "id": "C2",
                "statement": "30 days",
                "source": f"booking/refunds/window.py:9@{_COMMIT[:12]}",
            },
            {
                "id": "C3",
                "statement": "30 days",
                "source": f"app/strings/en.json:402@{_COMMIT[:12]}",
            },
        ],
    }


def _markdown() -> str:
    return document(
        "business-promise-authority — refunds",
        [
            table_section(
                "Claims",
                ("Claim", "Statement", "Source"),
                [
                    ("C1", "a refund is given within 14 days", code("legal/terms-2024.md:118")),
                    ("C2", "a refund is given within 30 days", code("booking/refunds/window.py:9")),
                    ("C3", "the app says 30 days", code("app/strings/en.json:402")),
                ],
            ),
            table_section("Contradictions", ("Claims", "About"), [("C1, C2, C3", "how long")]),
            table_section(
                "Options",
                ("Option", "Trade-off"),
                [(code(one), three) for one, _, three in _OPTIONS],
            ),
            fallbacks_section({}),
        ],
    )
