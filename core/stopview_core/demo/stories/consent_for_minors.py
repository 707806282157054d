"""A surface cannot be decided before the promise is: a stop that waits for another operator."""

from __future__ import annotations

from stopview_core.demo.branch import Handoff
from stopview_core.demo.builder import RunBuilder
from stopview_core.demo.markdown import code, document, fallbacks_section, table_section
from stopview_core.demo.stories.common import FRONTEND, GRAMMAR, bound_route
from stopview_core.demo.stories.decisions import direction_requirements
from stopview_core.demo.values import context, head

_WEB = head("klassenfunk/web/2026-11-20")
_API = head("klassenfunk/api/2026-11-20")


def build() -> RunBuilder:
    """frontend.direction.decide blocked on BUSINESS_REQUIRED (2/1) after two bound checkouts."""
    run = RunBuilder(
        "consent-for-minors",
        project="klassenfunk",
        started="2026-11-20T08:00:00Z",
        mission={"goal": "Pupils under sixteen can join a class once a parent has agreed."},
    )
    for key, role, commit, root in (
        ("1/1", "fe", _WEB, "web/join"),
        ("1/2", "be", _API, "api/consent"),
    ):
        bound_route(
            run,
            key,
            at=f"2026-11-20T08:0{6 if role == 'fe' else 9}:00Z",
            role=role,
            commit=commit,
            write_roots=[root],
            next=["frontend.direction.decide"] if role == "fe" else ["business.decide"],
        )
    run.branch(
        "2/1",
        "frontend.direction.decide",
        status="blocked",
        stop="BUSINESS_REQUIRED",
        began="2026-11-20T08:11:00Z",
        at="2026-11-20T08:29:00Z",
        requirements=direction_requirements(
            "/join/consent", intent="create", change_level="new", owner_ceiling="surface-only"
        ),
        contexts=[context(FRONTEND, _WEB), context(GRAMMAR)],
        reason="Nobody has decided what happens when a parent takes the consent back while the "
        "pupil is in a lesson, and the page has to say it.",
        next=["business.decide"],
        handoff=Handoff("business", "operator", "business.decide"),
        files={"response.md": _markdown()},
    )
    return run


def _markdown() -> str:
    return document(
        "frontend-direction-decision — consent",
        [
            table_section(
                "Unresolved",
                ("Question", "Why the page needs it"),
                [
                    (
                        "Who may take consent back?",
                        "the button stands on one parent's page or both",
                    ),
                    ("What happens to a lesson in progress?", "the warning has to name it"),
                    ("How long is a request valid?", "the link's page shows a date"),
                ],
            ),
            table_section(
                "Observed",
                ("Item", "Evidence"),
                [("joining asks for an age and does nothing with it", code("web/join/age.tsx:31"))],
            ),
            fallbacks_section({}),
        ],
    )
