"""Finds what broke a rule in a run: every row of the table in contracts 1.6."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from stopview_core.judged import Context, Judged
from stopview_core.readings import Violation
from stopview_core.rules.decisions import broken_decisions, decision_ignored
from stopview_core.rules.fallbacks import fallbacks_not_allowed, fallbacks_unrecorded
from stopview_core.rules.files import operator_mismatch, request_altered
from stopview_core.rules.resumes import resumes
from stopview_core.rules.stops import next_disagrees, stops

__all__ = ["Context", "Judged", "find_violations"]

_RULES: tuple[Callable[[Context, Judged], Iterator[Violation]], ...] = (
    fallbacks_not_allowed,
    stops,
    fallbacks_unrecorded,
    operator_mismatch,
    next_disagrees,
    resumes,
    request_altered,
    decision_ignored,
    broken_decisions,
)


def find_violations(context: Context, judged: Judged) -> tuple[Violation, ...]:
    """All violations of one branch, each once; a bypassed approval first (contracts 1.6)."""
    if judged.branch.is_import:
        return ()
    found = (violation for rule in _RULES for violation in rule(context, judged))
    return tuple(
        sorted(dict.fromkeys(found), key=lambda violation: violation.code != "APPROVAL_BYPASSED")
    )
