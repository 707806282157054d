"""A choice that a person made: blocked, approved two days later, resumed and done."""

from __future__ import annotations

from collections.abc import Sequence

from stopview_core.demo.architecture import Alternative, architecture_markdown, stack_model
from stopview_core.demo.branch import Exchange, Handoff
from stopview_core.demo.builder import RunBuilder
from stopview_core.demo.markdown import Attack
from stopview_core.demo.stories.common import BACKEND, published_promise
from stopview_core.demo.stories.decisions import architecture_requirements, critique
from stopview_core.demo.values import Content, JsonValue, context, head

_DECISION = "audit-trail-store"
_OBJECTIVE = (
    "Keep who changed which patient record, for ten years, so that nobody with access to the "
    "database can change it unseen."
)
_COMMIT = head("praxis-cloud/main/2026-11-13")
_APPROVED = "append-only-table"
_REJECTED = {
    "object-store-locked": "a search over ten years took 40 s in the trial",
    "ledger-service": "the approver wants no second provider for patient data",
}
_OPEN = (
    Alternative(
        "append-only-table",
        {"cost": 5, "complexity": 4, "reversibility": 4, "tamper-evidence": 3},
        "A table in the database that exists; updates are refused by a trigger and each row holds "
        "the hash of the one before. Anchored once a day in a second account.",
    ),
    Alternative(
        "object-store-locked",
        {"cost": 4, "complexity": 3, "reversibility": 3, "tamper-evidence": 5},
        "One object an hour in a bucket with a ten year lock. Cannot be changed by anyone. Slow to "
        "search.",
    ),
    Alternative(
        "ledger-service",
        {"cost": 2, "complexity": 4, "reversibility": 2, "tamper-evidence": 5},
        "A hosted ledger with proofs built in. Priced by the entry: 31 million a year.",
    ),
)
_ATTACKS = (
    Attack(
        "a database administrator edits a row",
        "append-only-table",
        "holds",
        "the chain of hashes breaks at that row; found by the daily comparison",
    ),
    Attack(
        "a database administrator rewrites the whole chain within a day",
        "append-only-table",
        "weak",
        "seen only against the anchor of the day before",
    ),
    Attack(
        "the auditor asks for one patient over ten years",
        "object-store-locked",
        "weak",
        "87,600 objects are read: 40 s",
    ),
)


def build() -> RunBuilder:
    """CHOICE_REQUIRED (2/1), then resumed with requirements.approval set (3/1), done."""
    run = RunBuilder(
        "audit-trail-storage",
        project="praxis-cloud",
        started="2026-11-13T06:45:00Z",
        mission={"goal": _OBJECTIVE},
    )
    published_promise(
        run,
        "1/1",
        at="2026-11-13T07:20:00Z",
        feature="audit-trail",
        promise="Every change of a patient record can be shown with its author for ten years.",
        commit=_COMMIT,
        claims=[
            ("Every write passes one repository class", "records/repository.py:15-140"),
            ("The author is the signed-in person, never a service", "auth/actor.py:22"),
        ],
        dimensions=["writing", "reading", "keeping", "showing to an auditor"],
        next=["architecture.decide"],
    )
    _asked(run)
    _resumed(run)
    return run


def _asked(run: RunBuilder) -> None:
    run.branch(
        "2/1",
        "architecture.decide",
        status="blocked",
        stop="CHOICE_REQUIRED",
        began="2026-11-13T07:22:00Z",
        at="2026-11-13T08:10:00Z",
        requirements=_requirements(approval=None),
        inputs={"model": "step-1/parallel-1/response/data/model.json"},
        contexts=[context(BACKEND, _COMMIT)],
        reason="The cheapest design is the weakest against an administrator; how much that "
        "matters is not for the operator to say.",
        handoff=Handoff("caller", "user"),
        files=_files(_OPEN, None),
    )


def _resumed(run: RunBuilder) -> None:
    settled = [
        Alternative(
            each.id,
            each.scores,
            each.assessment,
            status="rejected" if each.id in _REJECTED else "selected",
            rejected_because=_REJECTED.get(each.id),
        )
        for each in _OPEN
    ]
    run.branch(
        "3/1",
        "architecture.decide",
        began="2026-11-16T07:05:00Z",
        at="2026-11-16T07:48:00Z",
        requirements=_requirements(approval=_APPROVED),
        inputs={"model": "step-1/parallel-1/response/data/model.json"},
        contexts=[context(BACKEND, _COMMIT)],
        resumes="2/1",
        next=["backend.source.apply"],
        files=_files(settled, _APPROVED),
        exchanges={"critique": _critique()},
    )


def _requirements(*, approval: str | None) -> dict[str, JsonValue]:
    return architecture_requirements(
        _DECISION,
        _OBJECTIVE,
        alternatives=3,
        axes=("cost", "complexity", "reversibility", "tamper-evidence"),
        policy="approval-required",
        approval=approval,
        constraints=[
            ("ten-years", "fixed-intent", "Entries are kept for ten years."),
            ("seen", "fixed-intent", "No change of an entry stays unseen for a week."),
            ("five-seconds", "preference", "One patient's trail opens in five seconds."),
        ],
    )


def _files(alternatives: Sequence[Alternative], selected: str | None) -> dict[str, Content | None]:
    return {
        "response.md": architecture_markdown(
            _DECISION,
            objective=_OBJECTIVE,
            policy="approval-required",
            alternatives=alternatives,
            selected=selected,
            attacks=_ATTACKS,
        ),
        "data/current-state.json": {
            "head": _COMMIT,
            "components": ["Postgres 16", "records service (Kotlin)"],
            "changesPerYear": 31000000,
        },
        "data/stack-model.json": stack_model(_DECISION, alternatives, selected=selected),
    }


def _critique() -> Exchange:
    return critique(
        _DECISION,
        "step-3/parallel-1/response/data/stack-model.json",
        [
            (
                "the second account belongs to the same administrators",
                "answered",
                "the anchor account is held by the data protection officer",
            )
        ],
        asked="2026-11-16T07:25:00Z",
        answered="2026-11-16T07:40:00Z",
    )
