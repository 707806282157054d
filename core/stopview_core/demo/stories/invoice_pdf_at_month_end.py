"""The automatic policy chose: an architecture fallback with its scores, then the work itself."""

from __future__ import annotations

from stopview_core.demo.architecture import Alternative, architecture_markdown, stack_model
from stopview_core.demo.branch import Exchange
from stopview_core.demo.builder import RunBuilder
from stopview_core.demo.markdown import (
    Attack,
    code,
    document,
    fallbacks_section,
    table_section,
)
from stopview_core.demo.sketch import comparison_page
from stopview_core.demo.stories.common import BACKEND, published_promise
from stopview_core.demo.stories.decisions import architecture_requirements, critique
from stopview_core.demo.values import JsonValue, context, head

_DECISION = "invoice-rendering"
_OBJECTIVE = (
    "Render 40,000 invoices as PDF in the night of the first, each within two seconds, and byte "
    "for byte the same when rendered again for an audit."
)
_COMMIT = head("ledgerly/main/2026-11-03")
_DELIVERED = head("ledgerly/session/invoice-pdf-at-month-end")
_SELECTED = "typesetting-library"
_ALTERNATIVES = (
    Alternative(
        "headless-browser-pool",
        {"cost": 3, "complexity": 2.5, "reversibility": 4},
        "The HTML invoice that exists today, printed by a pool of eight browsers. No new template. "
        "1.4 s an invoice, 9 GB of memory, and a browser update moves line breaks.",
        status="rejected",
        rejected_because="a browser update changes the bytes of an old invoice",
    ),
    Alternative(
        "typesetting-library",
        {"cost": 4, "complexity": 3.5, "reversibility": 4.5},
        "A library draws the invoice from the same data, in the worker that exists. 0.2 s an "
        "invoice, the same bytes every time. The template is written once more.",
        status="selected",
    ),
    Alternative(
        "hosted-pdf-api",
        {"cost": 2.5, "complexity": 5, "reversibility": 2},
        "A provider renders. Least code. Names and amounts of every customer leave the house, and "
        "the night depends on a service with a 99.5 % promise.",
        status="rejected",
        rejected_because="customer data would leave the region the contract names",
    ),
)
_ATTACKS = (
    Attack(
        "render the same invoice a year later",
        "typesetting-library",
        "holds",
        "fonts are pinned and the creation date comes from the invoice; 500 of 500 were identical",
    ),
    Attack(
        "render the same invoice a year later",
        "headless-browser-pool",
        "fails",
        "412 of 500 differed between two browser versions",
    ),
    Attack(
        "an invoice of 900 lines",
        "typesetting-library",
        "holds",
        "1.7 s and 31 pages; the table header is repeated on each",
    ),
    Attack(
        "the provider is down on the first of the month",
        "hosted-pdf-api",
        "fails",
        "nothing can be sent; its status page shows 3 such hours in October",
    ),
)
_ACTION = (
    "selected `typesetting-library`, the highest total (12 of 15 over cost, complexity and "
    "reversibility); the score table stands under Decision"
)


def build() -> RunBuilder:
    """CHOICE_REQUIRED fell back under automatic (2/1) and the work went on (3/1), done."""
    run = RunBuilder(
        "invoice-pdf-at-month-end",
        project="ledgerly",
        started="2026-11-03T06:02:00Z",
        mission={"goal": _OBJECTIVE},
    )
    published_promise(
        run,
        "1/1",
        at="2026-11-03T06:40:00Z",
        feature="invoices",
        promise="A customer gets the invoice by six in the morning of the first, and the same "
        "document whenever it is asked for again.",
        commit=_COMMIT,
        claims=[
            ("An invoice never changes once it is sent", "billing/invoice/freeze.py:20-58"),
            ("The monthly job starts at 00:30", "deploy/cron.yaml:14"),
        ],
        dimensions=["monthly run", "later copies", "audit export"],
        next=["architecture.decide"],
    )
    _decision(run)
    _application(run)
    return run


def _decision(run: RunBuilder) -> None:
    run.branch(
        "2/1",
        "architecture.decide",
        began="2026-11-03T06:41:00Z",
        at="2026-11-03T07:19:00Z",
        requirements=_requirements(),
        inputs={"model": "step-1/parallel-1/response/data/model.json"},
        contexts=[context(BACKEND, _COMMIT), context("@knowledge/patterns")],
        fallbacks=["CHOICE_REQUIRED"],
        next=["backend.source.apply"],
        files={
            "response.md": architecture_markdown(
                _DECISION,
                objective=_OBJECTIVE,
                policy="automatic",
                alternatives=_ALTERNATIVES,
                selected=_SELECTED,
                attacks=_ATTACKS,
                fallbacks={"CHOICE_REQUIRED": _ACTION},
            ),
            "data/current-state.json": {
                "head": _COMMIT,
                "components": ["billing worker (Python 3.12)", "Postgres 16", "S3 archive"],
                "invoicesPerMonth": 39840,
            },
            "data/stack-model.json": stack_model(
                _DECISION,
                _ALTERNATIVES,
                selected=_SELECTED,
                components=[
                    {"name": "billing worker", "change": "retained"},
                    {"name": "PDF typesetting library", "change": "new"},
                ],
            ),
            f"artifacts/{_DECISION}-alternatives.html": comparison_page(
                "Three ways to render an invoice", _ALTERNATIVES
            ),
        },
        exchanges={"critique": _critique()},
    )


def _requirements() -> dict[str, JsonValue]:
    return architecture_requirements(
        _DECISION,
        _OBJECTIVE,
        alternatives=3,
        constraints=[
            ("same-bytes", "fixed-intent", "An invoice rendered again is identical."),
            ("in-region", "fixed-intent", "Customer data stays in the EU region."),
            ("two-seconds", "measurable", "p99 of one invoice is under two seconds."),
        ],
    )


def _critique() -> Exchange:
    return critique(
        _DECISION,
        "step-2/parallel-1/response/data/stack-model.json",
        [
            (
                "two templates drift apart",
                "answered",
                "one data object feeds both",
            ),
            ("right-to-left names", "answered", "shaping tested with 60 names from production"),
        ],
        asked="2026-11-03T07:02:00Z",
        answered="2026-11-03T07:13:00Z",
    )


def _application(run: RunBuilder) -> None:
    changed = ["billing/pdf/render.py", "billing/pdf/template.py", "tests/pdf/test_render.py"]
    rows = [(code(path), "added") for path in changed]
    run.branch(
        "3/1",
        "backend.source.apply",
        began="2026-11-03T07:21:00Z",
        at="2026-11-03T09:05:00Z",
        requirements={
            "featureId": "invoices",
            "outcome": "Invoices are rendered by the typesetting library in the billing worker.",
            "mutableFileRefs": changed,
            "contractFingerprint": None,
            "mode": "apply",
            "resume": None,
        },
        inputs={
            "architecture-decision": "step-2/parallel-1/response/response.md",
            "model": "step-1/parallel-1/response/data/model.json",
        },
        contexts=[context(BACKEND, _COMMIT)],
        commits=[_DELIVERED],
        next=["quality.verify"],
        files={
            "response.md": document(
                "backend-source-application — invoices",
                [
                    table_section("Files", ("File", "Change"), rows),
                    fallbacks_section({}),
                ],
            ),
            "changes.md": document(
                "changes — invoices", [table_section("Files", ("File", "Change"), rows)]
            ),
            "data/mutations.json": {
                "commit": _DELIVERED,
                "files": [{"path": path, "before": None} for path in changed],
            },
        },
    )
