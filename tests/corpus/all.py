"""All recipes, each name once."""

from __future__ import annotations

from corpus import alternatives, damage, decisions, lineage, reading, violations
from corpus.recipe import Recipe

RECIPES: tuple[Recipe, ...] = (
    *reading.RECIPES,
    *lineage.RECIPES,
    *alternatives.RECIPES,
    *violations.RECIPES,
    *decisions.RECIPES,
    *damage.RECIPES,
)
