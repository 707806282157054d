"""A fallback without a choice: a rollout failed, the recovery held, the release is live."""

from __future__ import annotations

from stopview_core.demo.builder import RunBuilder
from stopview_core.demo.markdown import code, document, fallbacks_section, table_section
from stopview_core.demo.values import JsonValue, context, head

_COMMIT = head("paperlane/catalogue/14.2.0")
_DIGEST = f"sha256:{head('catalogue-image')}{head('14.2.0')[:24]}"
_GATES = (("lint", 41), ("typecheck", 63), ("unit-coverage", 212), ("build", 97))
_PROBES = (
    ("public-home", "https://shop.example/health", 200),
    ("public-search", "https://shop.example/search?q=pen", 200),
)


def build() -> RunBuilder:
    """release.deploy took the recovery of ROLLOUT_FAILED (2/1) and proved a steady state."""
    run = RunBuilder(
        "catalogue-release",
        project="paperlane",
        started="2026-11-25T19:00:00Z",
        mission={"goal": "Catalogue 14.2.0 live before the weekend."},
    )
    _verified(run)
    _deployed(run)
    return run


def _verified(run: RunBuilder) -> None:
    run.branch(
        "1/1",
        "quality.verify",
        at="2026-11-25T19:22:00Z",
        requirements={
            "gates": [
                {"gate": gate, "commandRef": f"make {gate}", "configRef": None, "required": True}
                for gate, _ in _GATES
            ],
            "thresholds": [{"statements": 85, "lines": 85, "functions": 80, "branches": 75}],
            "explicitE2eRequest": False,
            "sonarScope": "new-code",
            "declaredDebts": [],
            "resume": None,
        },
        contexts=[context("@workspaces/be", _COMMIT)],
        next=["release.deploy"],
        files={
            "response.md": document(
                "quality-verification — catalogue 14.2.0",
                [
                    table_section(
                        "Gates",
                        ("Gate", "Result", "Seconds"),
                        [(code(gate), "passed", str(seconds)) for gate, seconds in _GATES],
                    ),
                    fallbacks_section({}),
                ],
            ),
            **{
                f"data/gates/{gate}.json": {"gate": gate, "exitCode": 0, "seconds": seconds}
                for gate, seconds in _GATES
            },
        },
    )


def _deployed(run: RunBuilder) -> None:
    run.branch(
        "2/1",
        "release.deploy",
        began="2026-11-25T19:30:00Z",
        at="2026-11-25T20:04:00Z",
        requirements=_requirements(),
        inputs={"quality-verification": "step-1/parallel-1/response/response.md"},
        contexts=[context("@remote/ghcr/catalogue", _DIGEST)],
        fallbacks=["ROLLOUT_FAILED"],
        files={"response.md": _markdown(), "data/probes.json": _probes()},
    )


def _requirements() -> dict[str, JsonValue]:
    return {
        "release": f"catalogue-14.2.0@{_DIGEST}",
        "target": "catalogue/production-eu",
        "approval": "REL-0914",
        "probes": [
            {"probeId": name, "kind": "http", "endpointRef": url, "expectStatus": status}
            for name, url, status in _PROBES
        ],
        "steadyDeadline": 600,
        "migration": None,
        "rollbackIdentity": {
            "releaseId": "catalogue-14.1.3",
            "artifactRef": "ghcr/catalogue",
            "digest": f"sha256:{head('catalogue-image')}{head('14.1.3')[:24]}",
            "dataCompatible": True,
        },
        "resume": None,
    }


def _probes() -> dict[str, JsonValue]:
    return {
        "window": {"from": "2026-11-25T19:52:00Z", "to": "2026-11-25T20:02:00Z"},
        "observations": [
            {"probeId": name, "asked": 60, "expected": 60, "status": status}
            for name, _, status in _PROBES
        ],
    }


def _markdown() -> str:
    return document(
        "release-deployment — catalogue 14.2.0",
        [
            table_section(
                "Rollout",
                ("Time", "What"),
                [
                    ("19:36", "4 of 6 instances on 14.2.0, the fifth failed its health check"),
                    ("19:41", "recovery: the fifth instance was restarted, healthy after 18 s"),
                    ("19:47", "6 of 6 instances on 14.2.0"),
                    ("20:02", "ten minutes without a failed probe"),
                ],
            ),
            fallbacks_section(
                {
                    "ROLLOUT_FAILED": "recovery taken: one attempt, the fifth instance was "
                    "restarted on the same release and became healthy"
                }
            ),
        ],
    )
