"""Reads each run of the corpus as `list`, `history` and `show` do: it is what its recipe says."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus import compare
from corpus.all import RECIPES
from corpus.recipe import Recipe

from stopview_core.readings import ViolationCode
from stopview_core.registry.load import load, shipped_root
from stopview_core.registry.model import Registry
from stopview_core.snapshot import scan_once

ROOT = Path(__file__).resolve().parents[2]
UPSTREAM = ROOT.parent / "shared" / "upstream"
CODES = frozenset(ViolationCode.__args__)  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> compare.Corpus:
    return compare.Corpus(tmp_path_factory.mktemp("corpus"))


def by_name(recipe: Recipe) -> str:
    return recipe.name


@pytest.mark.parametrize("recipe", RECIPES, ids=by_name)
def test_it_is_read_as_it_is_written(recipe: Recipe, corpus: compare.Corpus) -> None:
    read = corpus.read(recipe)
    assert compare.full_reading(read) == compare.expected(recipe, "full")
    assert compare.list_reading(read) == compare.expected(recipe, "list")
    # What `list` cannot see is there for `history`.
    assert compare.violations(read.historic) == compare.violations(read.opened.reading)


def test_there_are_enough_recipes_and_each_has_a_name_of_its_own() -> None:
    names = [recipe.name for recipe in RECIPES]
    assert len(names) == len(set(names)) >= 60
    for recipe in RECIPES:
        assert recipe.build().folder == recipe.name


def test_every_violation_is_broken_by_some_recipe_and_kept_by_others() -> None:
    broken = {
        code.partition(" ")[0]
        for recipe in RECIPES
        for expect in recipe.branches.values()
        for code in (*expect.violations, *expect.needs_more)
    }
    assert broken == CODES
    healthy = [
        r for r in RECIPES if not any(e.violations or e.needs_more for e in r.branches.values())
    ]
    assert len(healthy) >= 60


def test_all_of_them_together_are_read_as_each_alone(corpus: compare.Corpus) -> None:
    """One scan over everything: no run takes anything from another."""
    shipped = [recipe for recipe in RECIPES if recipe.registry == "shipped"]
    reads = {str(corpus.read(recipe).folder): corpus.read(recipe) for recipe in shipped}
    snapshot = scan_once([corpus.root / "runs"], corpus.registry("shipped"))
    assert reads.keys() <= snapshot.runs.keys()
    for path, read in reads.items():
        assert snapshot.runs[path] == read.listed
    assert snapshot.skipped == ()


def violations_in(root: Path, registry: Registry) -> list[tuple[str, str, str]]:
    snapshot = scan_once([root], registry, "full")
    assert not snapshot.all_skipped()
    return [
        (run.id, branch.key, violation.code)
        for run in snapshot.runs.values()
        for branch in run.branches.values()
        for violation in branch.violations
    ]


def test_the_sample_runs_raise_nothing_but_what_they_tell_of() -> None:
    assert violations_in(ROOT / "examples" / "runs", load(shipped_root())) == [
        ("nightly-export-checkout", "2/1", "RESUME_WITHOUT_DELTA")
    ]


@pytest.mark.skipif(not UPSTREAM.exists(), reason="the upstream runs are not beside this checkout")
def test_real_runs_raise_nothing() -> None:
    assert violations_in(UPSTREAM / "runs", load(UPSTREAM)) == []
