"""Reads the runs of the corpus, and puts it beside what a recipe says, as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from corpus.recipe import Expect, Recipe, RegistryName
from corpus.registries import registry
from stopview_core.alternatives import AlternativeTable, number
from stopview_core.board import Group, run_rows
from stopview_core.dossier import OpenedRun, open_run
from stopview_core.readings import BranchReading, ExchangeReading, RunReading, Stamp
from stopview_core.records import Skipped
from stopview_core.registry.model import Registry
from stopview_core.resolve import Resolution
from stopview_core.scan import Level
from stopview_core.snapshot import scan_once

Values = dict[str, Any]
_NEVER_COMPARED: Any = None


@dataclass(frozen=True)
class Read:
    """One run of the corpus, written and read at each level."""

    recipe: Recipe
    folder: Path
    registry: Registry

    @cached_property
    def opened(self) -> OpenedRun:
        """Read in full."""
        found = open_run(self.folder, self.registry)
        assert isinstance(found, OpenedRun), found
        return found

    @cached_property
    def listed(self) -> RunReading:
        """Read as `list` and the Inbox do."""
        return self._scanned("list")

    @cached_property
    def historic(self) -> RunReading:
        """Read as `history` does."""
        return self._scanned("history")

    def _scanned(self, level: Level) -> RunReading:
        snapshot = scan_once([self.folder], self.registry, level)
        (run,) = snapshot.runs.values()
        return run


class Corpus:
    """Writes each run once, below one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._reads: dict[str, Read] = {}
        self._registries: dict[RegistryName, Registry] = {}

    def registry(self, name: RegistryName) -> Registry:
        """The registry of that name."""
        if name not in self._registries:
            self._registries[name] = registry(name, self.root / "registries")
        return self._registries[name]

    def read(self, recipe: Recipe) -> Read:
        """The run of the recipe."""
        if recipe.name not in self._reads:
            self._reads[recipe.name] = self._write(recipe)
        return self._reads[recipe.name]

    def _write(self, recipe: Recipe) -> Read:
        folder = recipe.build().write(self.root / "runs" / recipe.name)
        if recipe.finish is not None:
            recipe.finish(folder)
        return Read(recipe, folder, self.registry(recipe.registry))


def expected(recipe: Recipe, level: Level) -> Values:
    """What the recipe says, in the form of `full_reading` and `list_reading`."""
    skips = [skip for skip in recipe.skipped if level == "full" or not skip.needs_more]
    return {
        "branches": {key: _wanted(expect, level) for key, expect in recipe.branches.items()},
        "skipped": sorted(f"{skip.path}: {skip.why}" for skip in skips),
        "notice": recipe.notice,
        "id": recipe.run_id,
        "rows": sorted(group.name for group in recipe.row_groups),
    }


def full_reading(read: Read) -> Values:
    """What is read in full."""
    return _reading(read, read.opened.reading, read.opened.skipped, "full")


def list_reading(read: Read) -> Values:
    """What `list` reads."""
    return _reading(read, read.listed, read.listed.skipped, "list")


def violations(run: RunReading) -> dict[str, list[str]]:
    """The codes of all violations, by branch."""
    return {key: [v.code for v in branch.violations] for key, branch in run.branches.items()}


def _wanted(expect: Expect, level: Level) -> Values:
    is_full = level == "full"
    wanted: Values = {
        "status": expect.status,
        "code": expect.code,
        "route": expect.route,
        "decidable": expect.decidable,
        "violations": sorted(expect.violations + (expect.needs_more if is_full else ())),
        "fallbacks": {**expect.fallbacks, **(expect.unlisted_fallbacks if is_full else {})},
        "decision": expect.decision,
        "selected": expect.selected,
    }
    if is_full or _is_opened(expect):
        wanted |= {"offered": expect.offered, "highest": expect.highest}
    if not expect.needs_more or is_full:
        wanted["group"] = expect.group.name if expect.group else None
    if is_full:
        wanted["problems"] = list(expect.problems)
    return wanted | {
        name: value for name in _IF_SAID if (value := getattr(expect, name)) is not None
    }


_IF_SAID = (
    "refusal",
    "because",
    "operator",
    "written",
    "flipped_by",
    "totals",
    "missing",
    "blocked_at",
    "attempts",
    "resumed_by",
    "exchanges",
)


def _is_opened(expect: Expect) -> bool:
    """Whether `list` opens the documents of such a branch."""
    is_imported = expect.because == "imported"
    return not is_imported and (expect.status == "blocked" or bool(expect.fallbacks))


def _reading(read: Read, run: RunReading, skipped: Iterable[Skipped], level: Level) -> Values:
    rows = run_rows(run)
    groups = {row.branch.key: row.group for row in rows if row.branch is not None}
    branches = {
        key: _branch(read, branch, groups.get(key), level) for key, branch in run.branches.items()
    }
    return {
        "branches": branches,
        "skipped": sorted(_told(read.recipe, item) for item in dict.fromkeys(skipped)),
        "notice": None if run.notice is None else _part(run.notice, read.recipe.notice),
        "id": run.id if read.recipe.run_id is not None else None,
        "rows": sorted(row.group.name for row in rows if row.branch is None),
    }


def _branch(read: Read, branch: BranchReading, group: Group | None, level: Level) -> Values:
    expect = read.recipe.branches.get(branch.key, Expect("a branch that no recipe names"))
    is_full = level == "full"
    able = read.opened.decidability(branch.key) if is_full else branch.decidability
    every = {violation.code for violation in branch.violations}
    placed = [f"{violation.code} {violation.where}" for violation in branch.violations]
    wanted = expect.violations + expect.needs_more
    found: Values = {
        "status": branch.status,
        "code": branch.resolution.code if branch.resolution else None,
        "route": _route(branch.resolution),
        "decidable": able.is_decidable,
        "violations": sorted(p if p in wanted else p.partition(" ")[0] for p in placed),
        "fallbacks": {record.code: record.selected for record in branch.fallbacks},
        "decision": branch.decision.status,
        "selected": branch.decision.selected,
    }
    assert every <= {
        violation.code for violation in read.opened.reading.branches[branch.key].violations
    }
    if is_full or _is_opened(expect):
        found |= {"offered": branch.offered, "highest": branch.highest_total}
    if not expect.needs_more or is_full:
        found["group"] = group.name if group else None
    table = read.opened.judgement.alternatives[branch.key]
    if is_full:
        found["problems"] = [
            _part(f"{problem.path}: {problem.why}", _at(expect.problems, place))
            for place, problem in enumerate(table.problems)
        ]
    more = {
        "refusal": able.status_code,
        "because": _part(able.why, expect.because),
        "operator": branch.operator,
        "written": branch.written_code,
        "flipped_by": _flip(branch.resolution),
        "totals": _totals(table),
        "missing": {one.id: one.missing for one in table.alternatives if one.missing},
        "blocked_at": _stamp(branch.blocked_at),
        "attempts": read.opened.judgement.lineage.attempts(branch.key),
        "resumed_by": branch.resumed_by,
        "exchanges": {exchange.key: _exchange(exchange) for exchange in branch.exchanges},
    }
    return found | {name: more[name] for name in _IF_SAID if getattr(expect, name) is not None}


def _told(recipe: Recipe, item: Skipped) -> str:
    for skip in recipe.skipped:
        if item.path.endswith(skip.path) and skip.why in item.why:
            return f"{skip.path}: {skip.why}"
    return f"{item.path}: {item.why}"


def _part(text: str, part: str | None) -> str:
    """The part where the text holds it, so that both sides are equal, else the whole text."""
    return part if part is not None and part in text else text


def _at(parts: tuple[str, ...], place: int) -> str | None:
    return parts[place] if place < len(parts) else None


def _route(resolution: Resolution | None) -> str | None:
    if resolution is None:
        return None
    if resolution.route.unrouted:
        return "unrouted"
    return " ".join(filter(None, (resolution.route.kind, resolution.route.target)))


def _flip(resolution: Resolution | None) -> str | None:
    return resolution.flipped_by.param if resolution and resolution.flipped_by else None


def _totals(table: AlternativeTable) -> Mapping[str, float | None]:
    return {one.id: None if one.total is None else number(one.total) for one in table.alternatives}


def _stamp(stamp: Stamp | None) -> str | None:
    return f"{stamp.at:%Y-%m-%dT%H:%M:%SZ} {stamp.source}" if stamp else None


def _exchange(exchange: ExchangeReading) -> str:
    code = exchange.resolution.code if exchange.resolution else None
    return " ".join(filter(None, (exchange.status, code, _route(exchange.resolution))))
