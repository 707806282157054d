"""The checks: what is wrong with a tree, a receipt, or a folder of them; nothing is a pass.

The rules of a receipt are written down a second time here, from the contract and not from the code.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from stopview_core import yamltext

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
FINGERPRINT = re.compile(r"sha256:[0-9a-f]{64}")
V = "vendor.stopview."
CORE = (
    "protocol",
    "type",
    "method",
    "status_code",
    "status_text",
    "handoff_id",
    "attempt_id",
    "agent_id",
    "processed_at",
    "source_fingerprint",
    "claims",
    "verification",
    "residual_risk",
    "next_owner",
    "human_decision_required",
    "extensions",
)
EXTENSIONS = (
    "run",
    "branch",
    "operator",
    "stop",
    "domain",
    "route",
    "selected",
    "param",
    "decision",
    "reason",
    "alternatives",
    "highest_total",
    "sequence",
    "supersedes",
    "previous",
    "evidence",
    "registry",
    "via",
    "os_user",
    "host",
    "version",
)


def outside(run: Path) -> dict[str, tuple[str, int, int]]:
    """Everything of a run but `decision/`: what it holds, its mode and its time of change."""
    found: dict[str, tuple[str, int, int]] = {}
    pending = [(os.fspath(run), "")]
    while pending:
        folder, prefix = pending.pop()
        is_branch = os.path.basename(folder).startswith("parallel-")
        with os.scandir(folder) as entries:
            for entry in entries:
                if is_branch and entry.name == "decision" and entry.is_dir():
                    continue
                own, name = entry.stat(follow_symlinks=False), f"{prefix}{entry.name}"
                if stat.S_ISDIR(own.st_mode):
                    found[name] = ("folder", own.st_mode, 0)
                    pending.append((entry.path, f"{name}/"))
                else:
                    found[name] = (_held(entry.path, own), own.st_mode, own.st_mtime_ns)
    return found


def _held(path: str, own: os.stat_result) -> str:
    if stat.S_ISLNK(own.st_mode):
        return f"link to {os.readlink(path)}"
    if not stat.S_ISREG(own.st_mode):
        return "neither file, folder nor link"
    fd = os.open(path, os.O_RDONLY)
    try:
        held = b"".join(iter(lambda: os.read(fd, 1 << 20), b""))
    finally:
        os.close(fd)
    return hashlib.sha256(held).hexdigest()


def tree_faults(
    before: Mapping[str, tuple[str, int, int]], after: Mapping[str, tuple[str, int, int]]
) -> list[str]:
    """The paths that came, went or changed."""
    names = sorted({*before, *after})
    return [name for name in names if before.get(name) != after.get(name)]


def receipt_faults(
    data: bytes,
    *,
    where: str,
    run_id: str,
    branch: str,
    operator: str,
    stop: str,
    before: bytes | None,
) -> list[str]:
    """What is wrong with a receipt that stopview wrote; `before` is the next lower file."""
    try:
        packet = yaml.safe_load(data)
    except yaml.YAMLError as error:
        return [f"no YAML: {error}"]
    if yamltext.read(data, cap=len(data)) != packet:
        return ["two YAML readers read different values"]
    if tuple(packet) != CORE:
        return [f"the fields are {list(packet)}"]
    if list(packet["extensions"]) != [V + name for name in EXTENSIONS]:
        return [f"the extensions are {list(packet['extensions'])}"]
    own = {name: packet["extensions"][V + name] for name in EXTENSIONS}
    seq = Path(where).stem
    return [
        *_unequal(packet, own, seq, run_id=run_id, branch=branch, operator=operator, stop=stop),
        *_claim_faults(packet, own, where),
        *_choice_faults(packet, own),
        *_chain_faults(own, before),
        *(f"a control character in {path}" for path in _with_controls(packet, "", own["reason"])),
    ]


def _unequal(packet: Any, own: Any, seq: str, **of: str) -> Iterator[str]:
    wanted = {
        "protocol": "SACP/0.1",
        "type": "receipt",
        "method": "BLOCK",
        "status_code": 301,
        "status_text": "superseded_by_human_decision",
        "attempt_id": f"{of['run_id']}/{of['branch']}/decision/{seq}",
    }
    for name, value in wanted.items():
        if packet[name] != value or type(packet[name]) is not type(value):
            yield f"{name} is {packet[name]!r}"
    placed = {"run": of["run_id"], "branch": of["branch"], "operator": of["operator"]}
    for name, value in {**placed, "stop": of["stop"], "sequence": int(seq)}.items():
        if own[name] != value or type(own[name]) is not type(value):
            yield f"{name} is {own[name]!r}"
    if not re.fullmatch(re.escape(of["run_id"]) + r"/[1-9]\d*/[1-9]\d*", packet["handoff_id"]):
        yield f"handoff_id is {packet['handoff_id']!r}"
    if not FINGERPRINT.fullmatch(packet["source_fingerprint"]):
        yield f"source_fingerprint is {packet['source_fingerprint']!r}"
    at = packet["processed_at"]
    if not isinstance(at, str) or not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", at):
        yield f"processed_at is {at!r}"
    elif datetime.fromisoformat(at).utcoffset() != timedelta(0):
        yield f"processed_at is {at!r}, not in UTC"
    if not re.fullmatch(r"human:\S(.*\S)?", packet["agent_id"]):
        yield f"agent_id is {packet['agent_id']!r}"
    verification = packet["verification"]
    if (
        verification["status"] != "passed"
        or not verification["method"]
        or verification["evidence_id"] != packet["source_fingerprint"]
    ):
        yield f"verification is {verification!r}"
    for name in ("via", "os_user", "host", "version", "registry", "domain", "route"):
        if not isinstance(own[name], str) or not own[name]:
            yield f"{name} is {own[name]!r}"
    if not re.fullmatch("[0-9a-f]{64}", own["registry"]):
        yield f"registry is {own['registry']!r}"
    if own["evidence"] != sorted(own["evidence"]) or "request/request.json" not in own["evidence"]:
        yield f"evidence is {own['evidence']!r}"


def _claim_faults(packet: Any, own: Any, where: str) -> Iterator[str]:
    kinds = ["user_statement", *(["user_statement"] if own["reason"] else []), "inference"]
    claims = packet["claims"]
    if [claim["claim_type"] for claim in claims] != kinds:
        yield f"the claims are {claims!r}"
    for claim in claims:
        if sorted(claim) != ["claim_type", "source_id", "support_status", "text"]:
            yield f"a claim is {claim!r}"
        elif (claim["source_id"], claim["support_status"]) != (where, "supported"):
            yield f"a claim rests on {claim['source_id']!r}, {claim['support_status']!r}"
        elif not claim["text"].strip():
            yield "a claim says nothing"
    if own["reason"] and claims[1]["text"] != own["reason"]:
        yield "the reason is not claimed in the approver's words"
    named = packet["agent_id"].removeprefix("human:")
    picked = f"`{own['selected']}`" if own["selected"] is not None else "none of the alternatives"
    if not claims[0]["text"].startswith(f"{named} selected {picked} for {own['stop']} on "):
        yield f"the first claim says {claims[0]['text']!r}"


def _choice_faults(packet: Any, own: Any) -> Iterator[str]:
    ids = [item["id"] for item in own["alternatives"]]
    is_nobody = own["selected"] is None
    if not is_nobody and own["selected"] not in ids:
        yield f"{own['selected']!r} is not among {ids}"
    if is_nobody and not own["reason"]:
        yield "nothing selected, and no reason"
    if packet["human_decision_required"] is not is_nobody:
        yield f"human_decision_required is {packet['human_decision_required']!r}"
    if packet["next_owner"] != ("Human" if is_nobody else own["operator"]):
        yield f"next_owner is {packet['next_owner']!r}"
    if own["param"] not in ("approval", None) or (own["param"] is None) > bool(own["decision"]):
        yield f"param is {own['param']!r}, decision is {own['decision']!r}"
    for item in own["alternatives"]:
        if sorted(item) != ["id", "scores", "total"]:
            yield f"an alternative is {item!r}"
        elif item["total"] is not None and item["total"] != sum(item["scores"].values()):
            yield f"the total of {item['id']} is {item['total']}"
    totals = [i["total"] for i in own["alternatives"] if i["total"] is not None]
    best = [i["id"] for i in own["alternatives"] if totals and i["total"] == max(totals)]
    if own["highest_total"] != (best or None):
        yield f"highest_total is {own['highest_total']!r}"
    risk = packet["residual_risk"]
    if "resumes" not in risk + "resumes" * is_nobody or "not authenticated" not in risk:
        yield f"residual_risk is {risk!r}"


def _chain_faults(own: Any, before: bytes | None) -> Iterator[str]:
    previous = hashlib.sha256(before).hexdigest() if before is not None else None
    if own["previous"] != previous:
        yield f"previous is {own['previous']!r}"
    superseded = own["supersedes"]
    if superseded is not None and not (
        re.fullmatch(r"\d{4,}", superseded) and int(superseded) < own["sequence"]
    ):
        yield f"supersedes is {superseded!r}"


def _with_controls(value: Any, path: str, reason: str | None) -> Iterator[str]:
    """The paths of texts that hold a control character; a reason may hold line feeds."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _with_controls(inner, f"{path}.{key}", reason)
            yield from _with_controls(key, f"{path}.{key}", None)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _with_controls(inner, f"{path}[{place}]", reason)
    elif isinstance(value, str):
        is_reason = value == reason
        if CONTROL.search(value) or ("\n" in value and not is_reason):
            yield path


def fingerprint_of(branch: Path) -> str:
    """The fingerprint of the branch's evidence, by the rule and with nothing of the code."""
    response = json.loads((branch / "response/response.json").read_bytes())
    named = [path for listed in response["fields"].values() for path in _several(listed)]
    data = (branch / "response/data").glob("**/*.json")
    names = {
        "request/request.json",
        "response/response.json",
        "response/response.md",
        *named,
        *(str(path.relative_to(branch)) for path in data),
    }
    lines = sorted(f"{_digest(branch / name)}  {name}\n".encode() for name in names)
    return f"sha256:{hashlib.sha256(b''.join(lines)).hexdigest()}"


def _several(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "absent"
