"""Composes the 301 receipt of a decision (contracts 1.7, What)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from stopview_core.actor import Actor
from stopview_core.alternatives import number
from stopview_core.decidability import APPROVAL
from stopview_core.decision_file import (
    EXTENSION,
    FOLDER,
    SUPERSEDED_BY_HUMAN_DECISION,
    sequence,
)
from stopview_core.dossier import Dossier
from stopview_core.evidence import Evidence
from stopview_core.fallbacks import offers_of
from stopview_core.records import JsonValue
from stopview_core.sacp import PROTOCOL, STATUS_CODES
from stopview_core.text import clean, is_blank, without_controls


@dataclass(frozen=True, slots=True)
class Pick:
    """What a person picked (None: none of these), and why in their words, without controls."""

    selected: str | None
    reason: str | None

    @staticmethod
    def of(selected: str | None, reason: str | None) -> Pick:
        """A pick with its reason cleaned; a reason of which nothing can be seen is none."""
        said = without_controls(reason).strip() if reason is not None else ""
        return Pick(selected, None if is_blank(said) else said)


@dataclass(frozen=True, slots=True)
class Draft:
    """A receipt before it is written: its number, its path from the run root, its content.

    `selected` is the id it selects, None for none of these.
    """

    number: int
    where: str
    receipt: Mapping[str, JsonValue]
    selected: str | None

    @property
    def seq(self) -> str:
        """The number as in the file's name."""
        return sequence(self.number)

    @property
    def name(self) -> str:
        """The file's name."""
        return f"{self.seq}.yaml"


def compose(
    dossier: Dossier,
    evidence: Evidence,
    pick: Pick,
    actor: Actor,
    registry_sha256: str,
    at: datetime,
) -> Draft:
    """The receipt for a pick on a decidable branch, numbered after the highest file there.

    The names are cleaned of control characters here, whoever gave them; a reason is by `Pick.of`.
    """
    actor = _cleaned(actor)
    count = dossier.decisions.next_number
    seq, run_id = sequence(count), _name(dossier.run.id)
    where = f"{dossier.branch.folder}/{FOLDER}/{seq}.yaml"
    nobody = pick.selected is None
    receipt: dict[str, JsonValue] = {
        "protocol": PROTOCOL,
        "type": "receipt",
        "method": "BLOCK",
        "status_code": SUPERSEDED_BY_HUMAN_DECISION,
        "status_text": STATUS_CODES[SUPERSEDED_BY_HUMAN_DECISION].name,
        "handoff_id": f"{run_id}/{dossier.first_attempt}",
        "attempt_id": f"{run_id}/{dossier.reading.key}/{FOLDER}/{seq}",
        "agent_id": f"human:{actor.approver}",
        "processed_at": _utc(at),
        "source_fingerprint": evidence.fingerprint,
        "claims": _claims(dossier, pick, actor, where),
        "verification": {
            "status": "passed",
            "method": "The evidence was read again just before the write and had not changed.",
            "evidence_id": evidence.fingerprint,
        },
        "residual_risk": _residual_risk(nobody),
        "next_owner": "Human" if nobody else (dossier.reading.operator or "Human"),
        "human_decision_required": nobody,
        "extensions": _extensions(dossier, evidence, pick, actor, registry_sha256, count),
    }
    return Draft(count, where, receipt, pick.selected)


def _cleaned(actor: Actor) -> Actor:
    return replace(
        actor,
        approver=_name(actor.approver),
        os_user=_name(actor.os_user),
        host=_name(actor.host),
    )


def _name(text: str) -> str:
    return without_controls(text).replace("\n", " ").strip()


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _claims(dossier: Dossier, pick: Pick, actor: Actor, where: str) -> list[JsonValue]:
    stop = dossier.reading.resolution.code if dossier.reading.resolution else ""
    picked = f"`{pick.selected}`" if pick.selected is not None else "none of the alternatives"
    on = dossier.reading.operator or "an operator that is not named"
    claims = [(f"{actor.approver} selected {picked} for {stop} on {on}.", "user_statement")]
    if pick.reason is not None:
        claims.append((pick.reason, "user_statement"))
    claims.append((f"Attempt {dossier.reading.key} is superseded by this decision.", "inference"))
    return [
        {
            "text": text,
            "claim_type": claim_type,
            "source_id": where,
            "support_status": "supported",
        }
        for text, claim_type in claims
    ]


def _residual_risk(nobody: bool) -> str:
    effect = (
        "Nothing was selected, so the branch waits for a person again."
        if nobody
        else "The decision takes effect only when the operator resumes with it."
    )
    return f"{effect} The approver is named, not authenticated."


def _extensions(
    dossier: Dossier,
    evidence: Evidence,
    pick: Pick,
    actor: Actor,
    registry_sha256: str,
    count: int,
) -> dict[str, JsonValue]:
    reading, decisions = dossier.reading, dossier.decisions
    resolution = reading.resolution
    superseded, highest = decisions.newest_valid, decisions.highest
    response = dossier.branch.response
    own: dict[str, JsonValue] = {
        "run": _name(dossier.run.id),
        "branch": reading.key,
        "operator": reading.operator,
        "stop": response.stop if response else None,
        "domain": resolution.domain if resolution else None,
        "route": resolution.route.kind if resolution else None,
        "selected": pick.selected,
        "param": APPROVAL if dossier.decidability.takes_approval else None,
        "decision": dossier.decidability.interaction_id,
        "reason": pick.reason,
        "alternatives": _alternatives(dossier),
        "highest_total": _highest(dossier),
        "sequence": count,
        "supersedes": superseded.seq if superseded else None,
        "previous": highest.sha256 if highest else None,
        "evidence": [clean(path) for path in sorted(evidence.files)],
        "registry": registry_sha256,
        "via": actor.via,
        "os_user": actor.os_user,
        "host": actor.host,
        "version": actor.version,
    }
    return {EXTENSION + name: value for name, value in own.items()}


def _alternatives(dossier: Dossier) -> list[JsonValue]:
    return [
        {
            "id": offer.id,
            "scores": {
                axis: None if score is None else number(score)
                for axis, score in offer.scores.items()
            },
            "total": None if offer.total is None else number(offer.total),
        }
        for offer in offers_of(dossier.alternatives)
    ]


def _highest(dossier: Dossier) -> list[JsonValue] | None:
    highest = dossier.alternatives.highest_total
    return None if highest is None else list(highest)
