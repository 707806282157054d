"""A resume that changed nothing: the same request hit the same wall a second time."""

from __future__ import annotations

from stopview_core.demo.branch import Handoff
from stopview_core.demo.builder import RunBuilder
from stopview_core.demo.markdown import code, document, fallbacks_section, table_section
from stopview_core.demo.stories.common import BACKEND, bind_requirements
from stopview_core.demo.values import context, head

_COMMIT = head("grid-metering/main/2026-11-09")
_DIRTY = ("jobs/export/nightly.py", "jobs/export/nightly.py.orig", "deploy/cron.yaml")


def build() -> RunBuilder:
    """workspace.bind blocked on CHECKOUT_DIRTY (1/1), resumed unchanged, blocked again (2/1)."""
    run = RunBuilder(
        "nightly-export-checkout",
        project="grid-metering",
        started="2026-11-09T05:10:00Z",
        mission={"goal": "Send the nightly meter export to the grid operator before four."},
    )
    _attempt(run, "1/1", began="2026-11-09T05:11:00Z", at="2026-11-09T05:14:00Z")
    _attempt(run, "2/1", began="2026-11-09T05:28:00Z", at="2026-11-09T05:31:00Z", resumes="1/1")
    return run


def _attempt(run: RunBuilder, key: str, *, began: str, at: str, resumes: str | None = None) -> None:
    run.branch(
        key,
        "workspace.bind",
        status="blocked",
        stop="CHECKOUT_DIRTY",
        began=began,
        at=at,
        requirements=bind_requirements(run, "be", ["jobs/export"]),
        contexts=[context("@workspaces/device-state"), context(BACKEND, _COMMIT)],
        resumes=resumes,
        reason="deploy/cron.yaml has an uncommitted change outside jobs/export: someone moved the "
        "export from 02:00 to 03:15 by hand and did not commit it.",
        next=["workspace.bind"],
        handoff=Handoff("source", "resume"),
        files={"response.md": _markdown()},
    )


def _markdown() -> str:
    rows = [
        (code(path), "yes" if path.startswith("jobs/export/") else "no", "not committed")
        for path in _DIRTY
    ]
    return document(
        "workspace-route-binding — grid-metering be",
        [
            table_section("Checkout", ("File", "May be written", "State"), rows),
            fallbacks_section({}),
        ],
    )
