"""Makes realistic runs: small ones from recipes, the sample stories, and thousands in bulk."""

from __future__ import annotations

from stopview_core.demo.architecture import Alternative, architecture_markdown, stack_model
from stopview_core.demo.branch import Branch, Exchange, Handoff, Resume, resume_token
from stopview_core.demo.builder import RunBuilder
from stopview_core.demo.bulk import write_many
from stopview_core.demo.documents import SampleFile
from stopview_core.demo.frontend import Candidate, Limit, frontend_markdown
from stopview_core.demo.markdown import (
    Attack,
    Section,
    document,
    fallbacks_section,
    table,
    table_section,
    text_section,
)
from stopview_core.demo.stories import SCENARIOS, Scenario
from stopview_core.demo.values import DERIVED, OMIT, context, head

__all__ = [
    "DERIVED",
    "OMIT",
    "SCENARIOS",
    "Alternative",
    "Attack",
    "Branch",
    "Candidate",
    "Exchange",
    "Handoff",
    "Limit",
    "Resume",
    "RunBuilder",
    "SampleFile",
    "Scenario",
    "Section",
    "architecture_markdown",
    "context",
    "document",
    "fallbacks_section",
    "frontend_markdown",
    "head",
    "resume_token",
    "stack_model",
    "table",
    "table_section",
    "text_section",
    "write_many",
]
