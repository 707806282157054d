"""The documents of `stopview check`, `resolve` and `codes`."""

from __future__ import annotations

import os
from pathlib import Path

from stopview_core.registry.check import CheckReport
from stopview_core.registry.codes import codes_in_order
from stopview_core.registry.load import RegistryChoice
from stopview_core.registry.model import Entry, Registry
from stopview_core.report.models import (
    CheckDocument,
    CodeDoc,
    CodesDocument,
    FaultDoc,
    ResolveDocument,
    UnlessDoc,
)
from stopview_core.report.parts import flip_part, registry_part, route_part
from stopview_core.resolve import Resolution
from stopview_core.text import clean


def check_document(root: Path, report: CheckReport) -> CheckDocument:
    """`stopview.check/1`."""
    counts = report.counts
    return CheckDocument(
        path=clean(os.fspath(root)),
        closed=not report.faults,
        counts={
            "operators": counts.operators,
            "routes": counts.routes,
            "codes": counts.codes,
            "shared": counts.shared,
            "own": counts.own,
            "stops": counts.stops,
            **{f"routes_{kind}": count for kind, count in sorted(counts.kinds.items())},
        },
        faults=[
            FaultDoc(
                code=fault.code,
                file=clean(fault.file),
                path=clean(fault.path),
                expected=clean(fault.expected),
                found=clean(fault.found),
            )
            for fault in report.faults
        ],
    )


def resolve_document(
    resolution: Resolution, registry: Registry, choice: RegistryChoice
) -> ResolveDocument:
    """`stopview.resolve/1`."""
    return ResolveDocument(
        registry=registry_part(registry, choice),
        operator=clean(resolution.operator or ""),
        code=resolution.code,
        written_code=clean(resolution.written_code),
        disposition=resolution.disposition,
        base_disposition=resolution.base_disposition,
        flipped_by=flip_part(resolution.flipped_by),
        domain=resolution.domain,
        route=route_part(resolution.route),
        meaning=resolution.meaning,
        fallback=resolution.fallback,
        resume=resolution.resume,
        why=list(resolution.why),
        faulty=resolution.is_faulty,
    )


def codes_document(registry: Registry, choice: RegistryChoice) -> CodesDocument:
    """`stopview.codes/1`."""
    return CodesDocument(
        registry=registry_part(registry, choice),
        codes=[_code(entry) for entry in codes_in_order(registry)],
    )


def _code(entry: Entry) -> CodeDoc:
    unless = entry.unless
    return CodeDoc(
        code=entry.code,
        scope=list(entry.scope),
        domain=entry.domain,
        disposition=entry.disposition,
        meaning=entry.meaning,
        fallback=entry.fallback,
        unless=UnlessDoc(param=unless.param, equals=unless.equals, then=unless.then)
        if unless
        else None,
        resume=entry.resume,
    )
