"""All recipes, each name once."""

from __future__ import annotations

from corpus import (
    alternatives,
    broken_decisions,
    damage,
    decisions,
    exchanges,
    fallbacks,
    lineage,
    progress,
    questions,
    reading,
    resumes_unread,
    routes,
    stops,
    violations,
)
from corpus.recipe import Recipe

RECIPES: tuple[Recipe, ...] = (
    *reading.RECIPES,
    *exchanges.RECIPES,
    *routes.RECIPES,
    *lineage.RECIPES,
    *resumes_unread.RECIPES,
    *progress.RECIPES,
    *alternatives.RECIPES,
    *questions.RECIPES,
    *fallbacks.RECIPES,
    *stops.RECIPES,
    *violations.RECIPES,
    *decisions.RECIPES,
    *broken_decisions.RECIPES,
    *damage.RECIPES,
)
