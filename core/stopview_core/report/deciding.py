"""The documents of `stopview decide` and `stopview resume`."""

from __future__ import annotations

from stopview_core.decide import Outcome
from stopview_core.packet import NoPacket, ResumePacket
from stopview_core.report.models import DecideDocument, ResumeDocument
from stopview_core.text import clean


def decide_document(outcome: Outcome) -> DecideDocument:
    """`stopview.decide/1`."""
    return DecideDocument(
        status_code=outcome.status_code,
        name=outcome.name,
        written=outcome.is_written,
        path=outcome.where,
        receipt=dict(outcome.receipt) if outcome.receipt is not None else None,
        message=outcome.message,
        stale=outcome.is_stale,
        changed=[clean(path) for path in outcome.changed],
        alternatives=list(outcome.alternatives),
        fingerprint=outcome.fingerprint,
    )


def resume_document(packet: ResumePacket | NoPacket) -> ResumeDocument:
    """`stopview.resume/1`."""
    if isinstance(packet, NoPacket):
        return ResumeDocument(
            branch=None,
            request=None,
            requestText=None,
            state=None,
            receipt=None,
            status_code=packet.status_code,
            message=packet.message,
        )
    return ResumeDocument(
        branch=packet.branch,
        request=dict(packet.request),
        requestText=packet.request_text,
        state=dict(packet.state),
        receipt=packet.where,
        status_code=None,
        message=None,
    )
