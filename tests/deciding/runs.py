"""Runs to decide on, built small, and the hand of the runtime that goes on rewriting them."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from deciding.checks import outside, tree_faults
from stopview_core.actor import Actor
from stopview_core.demo import (
    Alternative,
    Exchange,
    Handoff,
    RunBuilder,
    architecture_markdown,
    stack_model,
)
from stopview_core.registry.load import load
from stopview_core.registry.model import Registry

ROOT = Path(__file__).resolve().parents[2]
OPERATOR = "architecture.decide"
CHOICE, CONTRADICTION = "CHOICE_REQUIRED", "CONSTRAINT_CONTRADICTION"
APPROVAL, QUESTION, BOTH = "1/1", "1/2", "1/3"  # the branches of `decidable_run`, by what they ask
QUESTION_ID, BOTH_ID = "retention-question", "store-question"
OPTIONS = ("keep-90-days", "keep-a-year")

# The evidence in its versions: scored alternatives. The last one offers nothing.
VERSIONS: tuple[dict[str, dict[str, float]], ...] = (
    {
        "one-table": {"cost": 4, "complexity": 3, "reversibility": 4},
        "event-log": {"cost": 2, "complexity": 2, "reversibility": 5},
        "outbox": {"cost": 3, "complexity": 4.5, "reversibility": 3},
    },
    {
        "one-table": {"cost": 1, "complexity": 3, "reversibility": 4},
        "event-log": {"cost": 2, "complexity": 2, "reversibility": 5},
    },
    {},
)


def actor(name: str = "ada@example.org", *, via: str = "command, no terminal") -> Actor:
    return Actor(name, os_user="ada", host="desk-7", version="0.0.1", via=via)


@cache
def registry() -> Registry:
    """The registry that ships."""
    return load(ROOT)


def evidence_files(version: int, decision_id: str = "audit-store") -> dict[str, bytes]:
    """response.md and its data in one of the VERSIONS, by path from the branch."""
    alternatives = [
        Alternative(name, scores, f"It does the work of {name}.")
        for name, scores in VERSIONS[version].items()
    ]
    text = architecture_markdown(
        decision_id,
        objective="Keep who did what for a year",
        policy="approval-required",
        alternatives=alternatives,
    )
    model = json.dumps(stack_model(decision_id, alternatives), indent=2)
    return {
        "response/response.md": text.encode(),
        "response/data/stack-model.json": model.encode() + b"\n",
    }


def _documents(version: int) -> dict[str, str]:
    """The same by path from the response folder."""
    files = evidence_files(version).items()
    return {path.removeprefix("response/"): data.decode() for path, data in files}


def requirements(policy: str = "approval-required") -> dict[str, Any]:
    return {
        "objective": "Keep who did what for a year",
        "decisionId": "audit-store",
        "alternatives": 3,
        "tradeoffAxes": ["cost", "complexity", "reversibility"],
        "constraints": [],
        "selectionPolicy": policy,
        "approval": None,
        "resume": None,
    }


def interaction(decision_id: str, options: tuple[str, ...]) -> dict[str, Any]:
    return {
        "kind": "choice",
        "decisionId": decision_id,
        "options": [{"id": o, "label": o.title(), "tradeoff": "more for less"} for o in options],
    }


def choice_branch(run: RunBuilder, key: str, **more: Any) -> None:
    """A branch blocked on CHOICE_REQUIRED under approval-required, with three alternatives."""
    settings: dict[str, Any] = {
        "status": "blocked",
        "stop": CHOICE,
        "requirements": requirements(),
        "reason": "Two designs are within a point of each other: which one do you take?",
        "handoff": Handoff("caller", "user"),
        "files": _documents(0),
    }
    run.branch(key, OPERATOR, **(settings | more))


def decidable_run(
    run_id: str = "audit-trail", keys: Sequence[str] = (APPROVAL, QUESTION, BOTH), **settings: Any
) -> RunBuilder:
    """A run with a branch for each way a pick can go, or for those of `keys` alone."""
    run = RunBuilder(run_id, started="2026-11-02T08:00:00Z", **settings)
    if APPROVAL in keys:
        choice_branch(run, APPROVAL)
    if QUESTION in keys:
        run.branch(
            QUESTION,
            OPERATOR,
            status="blocked",
            stop=CONTRADICTION,
            requirements=requirements("automatic"),
            reason="The law says a year, the promise says ninety days.",
            interaction=interaction(QUESTION_ID, OPTIONS),
            handoff=Handoff("caller", "user"),
            files=_documents(0),
        )
    if BOTH in keys:
        choice_branch(run, BOTH, interaction=interaction(BOTH_ID, ("one-table", "outbox")))
    return run


def every_refusal() -> RunBuilder:
    """A run with branches that cannot be decided, each for its own reason."""
    run = RunBuilder("refusals", started="2026-11-02T08:00:00Z")
    choice_branch(run, "1/1", exchanges={"critique": Exchange()})
    run.branch("1/2", OPERATOR, requirements=requirements())
    run.branch("1/3", OPERATOR, status="running", requirements=requirements())
    choice_branch(run, "1/4", branch_files={"import.json": {"from": "another-run"}})
    choice_branch(run, "1/5", files={})
    choice_branch(run, "1/6", requirements=requirements("automatic"))
    choice_branch(run, "1/7", stop="SOURCE_DRIFT")
    choice_branch(run, "1/8", stop="NO_SUCH_CODE")
    choice_branch(run, "1/9", stop=None)
    choice_branch(run, "1/10", interaction=interaction("other", ("sqlite", "postgres")))
    choice_branch(run, "1/11", request={"operatorId": "business.decide"})
    choice_branch(run, "1/12", response={"fields": {"stack-model": "../../outside.json"}})
    choice_branch(run, "1/13")
    choice_branch(run, "1/14")
    choice_branch(run, "1/15")
    run.branch("2/1", OPERATOR, resumes="1/13", requirements=requirements())
    run.branch("2/2", OPERATOR, status="running", resumes="1/14", requirements=requirements())
    return run


def branch_folder(run: Path, key: str) -> Path:
    step, _, parallel = key.partition("/")
    return run / f"step-{step}" / f"parallel-{parallel}"


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A folder of its own in memory where there is one: a sync costs nothing there."""
    memory = Path("/dev/shm")
    is_usable = memory.is_dir() and os.access(memory, os.W_OK)
    made = Path(tempfile.mkdtemp(prefix="stopview-", dir=memory if is_usable else None))
    try:
        yield made
    finally:
        shutil.rmtree(made)


class Site:
    """A run on disk, and the runtime's hand in it; what nobody's hand changed must not change.

    `hands` counts over all runs how often the runtime changed something.
    """

    hands: ClassVar[int] = 0

    def __init__(self, run: Path) -> None:
        self.run = run
        self.before = outside(run)

    def check(self) -> None:
        """Nothing but `decision/` differs from what the runtime left."""
        assert tree_faults(self.before, outside(self.run)) == []

    @contextmanager
    def runtime(self) -> Iterator[None]:
        """What happens inside is the runtime's doing."""
        self.check()
        Site.hands += 1
        yield
        self.before = outside(self.run)

    def branch(self, key: str) -> Path:
        return branch_folder(self.run, key)

    def receipts(self, key: str) -> dict[str, bytes]:
        """Every file in `decision/` of the branch, by name."""
        try:
            found = sorted((self.branch(key) / "decision").iterdir())
        except FileNotFoundError:
            return {}
        return {path.name: path.read_bytes() for path in found}

    def rewrite(self, key: str, version: int) -> None:
        """The operator works its evidence out anew, in place."""
        with self.runtime():
            for path, data in evidence_files(version).items():
                (self.branch(key) / path).write_bytes(data)

    def link_or_restore(self, path: Path) -> None:
        """Put a link where the file was, or the file where the link is."""
        kept = path.with_name(".kept")
        with self.runtime():
            if kept.exists():
                kept.replace(path)
            else:
                path.replace(kept)
                path.symlink_to(kept.name)

    def halve_or_restore(self, path: Path) -> None:
        """Leave half of the file, or make it whole again."""
        kept = path.with_name(f".{path.name}.whole")
        with self.runtime():
            if kept.exists():
                kept.replace(path)
            else:
                data = path.read_bytes()
                path.replace(kept)
                path.write_bytes(data[: len(data) // 2])

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.run / "state.json").read_bytes())
        return found

    def set_state(self, state: Mapping[str, Any]) -> None:
        with self.runtime():
            (self.run / "state.json").write_text(json.dumps(state))

    def transition(self, key: str, event: str) -> None:
        state = self.state()
        lines = state.setdefault("transitions", [])
        lines.append({"at": f"2026-11-03T08:00:{len(lines):02d}Z", "branch": key, "event": event})
        self.set_state(state)

    def choose(self, decision_id: str, selected: str) -> None:
        """The runtime records an answer that it got elsewhere."""
        state = self.state()
        choice = {"selected": selected, "selectedBy": "user", "sourceRef": "a conversation"}
        state.setdefault("choices", {})[decision_id] = choice
        self.set_state(state)

    def resume(self, key: str, into: str, *, carries: Mapping[str, Any] | None = None) -> None:
        """A later branch resumes this one: its request is there, nothing else yet."""
        request = json.loads((self.branch(key) / "request/request.json").read_bytes())
        step, _, parallel = key.partition("/")
        own_step, _, own_parallel = into.partition("/")
        token = f"step-{step}-parallel-{parallel}-choice-required"
        request |= {"step": int(own_step), "parallel": int(own_parallel)}
        request["resume"] = {"step": int(step), "parallel": int(parallel), "token": token}
        request["requirements"] |= {"resume": token, **(carries or {})}
        with self.runtime():
            folder = self.branch(into) / "request"
            folder.mkdir(parents=True)
            (folder / "request.json").write_text(json.dumps(request))

    def finish(self, key: str) -> None:
        response = {"schemaVersion": 9, "operatorId": OPERATOR, "status": "done", "fields": {}}
        with self.runtime():
            folder = self.branch(key) / "response"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "response.json").write_text(json.dumps(response))


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
