"""Writes decisions and other SACP receipts by the rules of contracts 1.7, with no help of ours."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from corpus.parts import EVIDENCE, IDS

OWN = "vendor.stopview."


def fingerprint(branch: Path, paths: Sequence[str] = EVIDENCE) -> str:
    """The fingerprint of the files at these paths from the branch's folder."""
    lines = []
    for path in paths:
        file = branch / path
        digest = hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else "absent"
        lines.append(f"{digest}  {path}\n".encode())
    return f"sha256:{hashlib.sha256(b''.join(sorted(lines))).hexdigest()}"


def packet(status_code: int = 200, **fields: Any) -> dict[str, Any]:
    """A valid receipt; a field given as None is left out."""
    whole = {
        "protocol": "SACP/0.1",
        "type": "receipt",
        "method": "COMPLETE",
        "status_code": status_code,
        "handoff_id": "orders/1/1",
        "attempt_id": "orders/1/1/1",
        "agent_id": "agent:planner",
        "processed_at": "2026-11-02T09:00:00.000Z",
        "source_fingerprint": "sha256:" + "0" * 64,
        "claims": [claim()],
        "verification": {"status": "passed", "method": "read again"},
        "residual_risk": "none is known",
        "next_owner": "workspace.bind",
        "human_decision_required": False,
        **fields,
    }
    return {key: value for key, value in whole.items() if value is not None}


def claim(**fields: Any) -> dict[str, Any]:
    """A valid claim; a field given as None is left out."""
    whole = {
        "text": "The table has an index.",
        "claim_type": "tool_result",
        "source_id": "step-1/parallel-1/response/data/schema.json",
        "support_status": "supported",
        **fields,
    }
    return {key: value for key, value in whole.items() if value is not None}


def put(path: Path, value: object) -> None:
    """Write the value as YAML."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(value, sort_keys=False, allow_unicode=True), encoding="utf-8")


def decide(
    run: Path,
    key: str,
    selected: str | None,
    *,
    seq: int = 1,
    at: str = "2026-11-02T12:00:00.000Z",
    stop: str = "CHOICE_REQUIRED",
    operator: str = "architecture.decide",
    by: str = "ada@example.org",
    param: str | None = "approval",
    decision: str | None = None,
    offered: Sequence[str] = IDS,
    evidence: Sequence[str] = EVIDENCE,
    own: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Path:
    """Write one decision on a branch; `own` is laid over the extensions, `fields` over the rest."""
    step, _, parallel = key.partition("/")
    branch = run / f"step-{step}" / f"parallel-{parallel}"
    name = f"{seq:04d}"
    before = branch / "decision" / f"{seq - 1:04d}.yaml"
    previous = hashlib.sha256(before.read_bytes()).hexdigest() if before.exists() else None
    extensions = {
        "run": run.name,
        "branch": key,
        "operator": operator,
        "stop": stop,
        "selected": selected,
        "param": param,
        "decision": decision,
        "reason": "It can be undone.",
        "alternatives": [{"id": one, "scores": {}, "total": None} for one in offered],
        "highest_total": None,
        "sequence": seq,
        "supersedes": f"{seq - 1:04d}" if previous else None,
        "previous": previous,
        "via": "command, no terminal",
        **(own or {}),
    }
    receipt = packet(
        **{
            "status_code": 301,
            "method": "BLOCK",
            "attempt_id": f"{run.name}/{key}/decision/{name}",
            "agent_id": f"human:{by}",
            "processed_at": at,
            "source_fingerprint": fingerprint(branch, evidence),
            "extensions": {OWN + name: value for name, value in extensions.items()},
            **fields,
        },
    )
    put(branch / "decision" / f"{name}.yaml", receipt)
    return branch / "decision" / f"{name}.yaml"
