"""Writes thousands of runs in the real layout, quickly: what the benchmarks read."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from stopview_core.demo.architecture import Alternative, architecture_markdown, stack_model
from stopview_core.demo.branch import Handoff
from stopview_core.demo.builder import RunBuilder
from stopview_core.demo.bulk_words import CHAINS, CHANGES, DESIGNS, REASONS, SENTENCES, THINGS
from stopview_core.demo.documents import SampleFile
from stopview_core.demo.markdown import document, fallbacks_section, table_section, text_section
from stopview_core.demo.times import nanoseconds, stamp
from stopview_core.demo.values import JsonValue, context, head

_FIRST = datetime(2026, 11, 1, tzinfo=UTC)
_MINUTES = 27 * 24 * 60
_AXES = ("cost", "complexity", "reversibility")


def write_many(
    root: str | os.PathLike[str],
    count: int,
    *,
    branches: int = 3,
    blocked_every: int = 10,
    seed: int = 0,
    evidence_folders: bool = False,
) -> list[Path]:
    """Writes `count` runs under `root` and returns their folders; same arguments, same bytes.

    Each run has one branch a step: state.json, and a branch's request.json, response.json and
    response.md of 1 to 4 kB; three branches make 13 folders. Each `blocked_every`-th run (0:
    none) stops at its last branch on CHOICE_REQUIRED under approval-required, with three scored
    alternatives in data/stack-model.json. `data/` and `artifacts/` exist where a file is in
    them; with `evidence_folders` every response has both. Raises FileExistsError where a run is
    there already.
    """
    base = Path(root)
    base.mkdir(parents=True, exist_ok=True)
    random = Random(seed)
    written = []
    for place in range(count):
        is_blocked = blocked_every > 0 and place % blocked_every == blocked_every - 1
        run = _run(random, place, branches, is_blocked)
        folder = base / run.folder
        _write(str(folder), run.files())
        if evidence_folders:
            _add_evidence_folders(folder, run)
        written.append(folder)
    return written


def _run(random: Random, place: int, branches: int, is_blocked: bool) -> RunBuilder:
    thing, change = random.choice(THINGS), random.choice(CHANGES)
    run_id = f"{thing}-{change}-{place:05d}"
    at = _FIRST + timedelta(minutes=random.randrange(_MINUTES), seconds=random.randrange(60))
    run = RunBuilder(run_id, project=f"{thing}-service", started=stamp(at))
    commit = head(run_id)
    chain = random.choice(CHAINS)
    for step in range(1, branches + 1):
        at += timedelta(minutes=random.randint(6, 90))
        inputs = {"changes": f"step-{step - 1}/parallel-1/response/response.md"} if step > 1 else {}
        if is_blocked and step == branches:
            _add_choice(run, random, f"{step}/1", stamp(at), commit, inputs)
        else:
            operator = chain[(step - 1) % len(chain)]
            _add_done(run, random, f"{step}/1", operator, stamp(at), commit, inputs)
    return run


def _add_done(
    run: RunBuilder,
    random: Random,
    key: str,
    operator: str,
    at: str,
    commit: str,
    inputs: Mapping[str, str],
) -> None:
    run.branch(
        key,
        operator,
        at=at,
        requirements={"objective": f"{run.id}, step {key}", "mode": "apply"},
        inputs=inputs,
        contexts=[context("@workspaces/be", commit)],
        commits=[head(f"{run.id}/{key}")],
        files={"response.md": _report(random, operator, run.id)},
    )


def _add_choice(
    run: RunBuilder,
    random: Random,
    key: str,
    at: str,
    commit: str,
    inputs: Mapping[str, str],
) -> None:
    alternatives = [
        Alternative(name, {axis: random.randint(1, 5) for axis in _AXES}, assessment)
        for name, assessment in random.sample(DESIGNS, 3)
    ]
    objective = f"Carry {run.id.rpartition('-')[0].replace('-', ' ')} through without an outage."
    run.branch(
        key,
        "architecture.decide",
        status="blocked",
        stop="CHOICE_REQUIRED",
        at=at,
        requirements=_choice_requirements(objective, run.id),
        inputs=inputs,
        contexts=[context("@workspaces/be", commit)],
        reason=random.choice(REASONS),
        handoff=Handoff("caller", "user"),
        files={
            "response.md": architecture_markdown(
                run.id,
                objective=objective,
                policy="approval-required",
                alternatives=alternatives,
                sections=[text_section("Current state", _paragraph(random, 8))],
            ),
            "data/stack-model.json": stack_model(run.id, alternatives),
        },
    )


def _choice_requirements(objective: str, decision_id: str) -> dict[str, JsonValue]:
    return {
        "objective": objective,
        "decisionId": decision_id,
        "alternatives": 3,
        "tradeoffAxes": list(_AXES),
        "constraints": [
            {"id": "up", "kind": "fixed-intent", "statement": "The service stays up meanwhile."}
        ],
        "selectionPolicy": "approval-required",
        "approval": None,
    }


def _report(random: Random, operator: str, run_id: str) -> str:
    """A plain report of 1 to 4 kB."""
    rows = [
        (f"`src/{random.choice(THINGS)}/{random.choice(CHANGES)}.py`", random.choice(SENTENCES))
        for _ in range(random.randint(11, 28))
    ]
    return document(
        f"{operator} — {run_id}",
        [
            text_section("Summary", _paragraph(random, 4)),
            table_section("Files", ("File", "What was found"), rows),
            fallbacks_section({}),
        ],
    )


def _paragraph(random: Random, sentences: int) -> str:
    return " ".join(random.choice(SENTENCES) for _ in range(sentences))


def _write(folder: str, files: Mapping[str, SampleFile]) -> None:
    """Writes the files without pathlib, which would cost more than the writing."""
    os.mkdir(folder)
    made = {""}
    for path, sample in files.items():
        _make(folder, path.rpartition("/")[0], made)
        target = f"{folder}/{path}"
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        with os.fdopen(descriptor, "wb") as file:
            file.write(sample.data)
        changed = nanoseconds(sample.changed)
        os.utime(target, ns=(changed, changed))


def _make(folder: str, parent: str, made: set[str]) -> None:
    if parent not in made:
        _make(folder, parent.rpartition("/")[0], made)
        os.mkdir(f"{folder}/{parent}")
        made.add(parent)


def _add_evidence_folders(folder: Path, run: RunBuilder) -> None:
    names: Sequence[str] = ("data", "artifacts")
    for branch in run.branches:
        for name in names:
            (folder / branch.folder / "response" / name).mkdir(exist_ok=True)
