"""Reads every run of the corpus, as `list` and as `show` do, and compares with what is written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus import compare
from corpus.all import RECIPES
from corpus.recipe import Recipe


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
