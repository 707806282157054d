"""SACP receipts as agents leave them in a branch, each with what has to be said about it (1.7)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.parts import bound, choice
from corpus.receipts import claim, decide, packet, put
from stopview_core.demo import Exchange, RunBuilder


@dataclass(frozen=True)
class Found:
    """A receipt: where it lies in the branch, what it holds, and the paths of its faults."""

    where: str
    packet: dict[str, Any]
    faults: tuple[str, ...] = ()

    @property
    def status_code(self) -> Any:
        """The code that it carries."""
        return self.packet.get("status_code")


@dataclass(frozen=True)
class Code:
    """What SACP says of a code, in the words that have to be in ours."""

    name: str
    family: str
    retry: str
    fix: str
    guidance: str


CODES = {
    200: Code("completed", "2xx", "no", "next owner", "next owner"),
    202: Code("accepted_processing", "2xx", "not yet", "Wait", "receipt"),
    204: Code("no_action_needed", "2xx", "no", "Stop", "nothing to do"),
    301: Code("superseded_by_human_decision", "3xx", "no", "person decided", "person's decision"),
    400: Code("invalid_packet", "4xx", "no", "Correct the packet", "Correct the packet"),
    409: Code("duplicate_handoff", "4xx", "no", "receipt that exists", "receipt that exists"),
    412: Code("missing_evidence", "4xx", "after fix", "evidence", "evidence"),
    423: Code("lease_active", "4xx", "later", "coordinator", "lease runs out"),
    500: Code("agent_error", "5xx", "yes", "new attempt", "new attempt"),
    504: Code("lease_expired", "5xx", "yes", "someone else", "new attempt"),
}

_NOT_RUN = {"status": "not_run", "method": "a load test"}

RECEIPTS = (
    *(Found(f"receipts/{code}.yaml", packet(code)) for code in CODES),
    # Wherever they lie, however they are called.
    Found("top.yaml", packet()),
    Found("request/claim.yml", packet(202, method="CLAIM")),
    Found("response/data/deep/er/RECEIPT.YAML", packet(500, method="FAIL")),
    Found("critique/response/critique.yaml", packet(412, method="BLOCK")),
    Found(
        "handoff.yaml",
        {
            "protocol": "SACP/0.1",
            "type": "handoff",
            "method": "PROPOSE",
            "resource_type": "task",
            "resource_id": "orders/2/1",
            "handoff_id": "orders/1/1",
            "attempt_id": "orders/1/1/1",
            "agent_id": "agent:planner",
            "created_at": "2026-11-02T09:00:00Z",
            "source_fingerprint": "sha256:00",
            "content_type": "application/json",
        },
    ),
    # What nobody knows makes none invalid.
    Found("unknown.yaml", packet(weather="fine", extensions={"vendor.a.mood": "good"})),
    Found("named.yaml", packet(423, status_text="lease_active")),
    # The evidence boundaries.
    Found("no-source.yaml", packet(claims=[claim(source_id=None)]), ("claims[0].source_id",)),
    Found(
        "source-none.yaml",
        packet(claims=[claim(), claim(source_id=" None ")]),
        ("claims[1].source_id",),
    ),
    Found("source-empty.yaml", packet(claims=[claim(source_id="")]), ("claims[0].source_id",)),
    Found(
        "retrieved.yaml",
        packet(
            claims=[claim(claim_type="retrieved_fact", support_status="unverified", source_id=None)]
        ),
        ("claims[0].source_id",),
    ),
    Found(
        "needs-none.yaml",
        packet(claims=[claim(claim_type="inference", support_status="unverified", source_id=None)]),
    ),
    Found(
        "hides-a-field.yaml",
        packet(extensions={"vendor.a.status_code": 200, "vendor.claims": []}),
        ("extensions.vendor.a.status_code", "extensions.vendor.claims"),
    ),
    Found("no-namespace.yaml", packet(extensions={"mood": "good"}), ("extensions.mood",)),
    *(
        Found(f"owner-{place}.yaml", packet(next_owner=owner), ("next_owner",))
        for place, owner in enumerate(("someone", "Later", "unknown", "TBD", "", 7))
    ),
    # The rest of the packet rules.
    Found("not-run.yaml", packet(verification=_NOT_RUN), ("verification.reason",)),
    Found("not-run-why.yaml", packet(verification={**_NOT_RUN, "reason": "no cluster"})),
    Found("code.yaml", packet(418), ("status_code",)),
    Found("code-as-text.yaml", packet(status_code="200"), ("status_code",)),
    Found("another-name.yaml", packet(200, status_text="done"), ("status_text",)),
    Found(
        "words.yaml",
        packet(method="SHOUT", human_decision_required="no"),
        ("method", "human_decision_required"),
    ),
    Found(
        "claim-words.yaml",
        packet(claims=[claim(claim_type="rumour", support_status="sure")]),
        ("claims[0].claim_type", "claims[0].support_status"),
    ),
    Found(
        "bare.yaml",
        {"protocol": "SACP/0.1", "type": "receipt", "status_code": 200},
        (
            "method",
            "handoff_id",
            "attempt_id",
            "agent_id",
            "source_fingerprint",
            "processed_at",
            "claims",
            "verification",
            "residual_risk",
            "next_owner",
            "human_decision_required",
        ),
    ),
)

NOT_RECEIPTS: dict[str, object] = {
    "notes.yaml": {"kind": "notes"},
    "older.yaml": {"protocol": "SACP/0.0", "type": "receipt"},
    "quoted.yaml": {"text": "protocol: SACP/0.1"},
}
"""YAML that is no receipt, though some of it speaks of one."""


def build(root: Path) -> Path:
    """A run with all of them in branch 1/1, and a decision, which is a receipt too, in 2/1."""
    run = RunBuilder("with-receipts")
    bound(run, exchanges={"critique": Exchange()})
    choice(run, "2/1")
    folder = run.write(root)
    for found in RECEIPTS:
        put(folder / "step-1" / "parallel-1" / found.where, found.packet)
    for name, value in NOT_RECEIPTS.items():
        put(folder / "step-1" / "parallel-1" / name, value)
    decide(folder, "2/1", "queue")
    return folder
