"""Finds what broke a rule in a run: every row of the table in contracts 1.6."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from stopview_core.judged import Context, Judged
from stopview_core.readings import Violation, ViolationCode
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

_WORST_FIRST: tuple[ViolationCode, ...] = (
    # A person's word did not count.
    "APPROVAL_BYPASSED",
    "DECISION_IGNORED",
    # The records of it cannot be trusted.
    "DECISION_CHAIN_BROKEN",
    "DECISION_INVALID",
    # The operator did what its code forbids.
    "FALLBACK_NOT_ALLOWED",
    "SHOULD_HAVE_CONTINUED",
    # What it was asked, or by whom, is not what it says.
    "REQUEST_ALTERED",
    "OPERATOR_MISMATCH",
    "RESUME_BROKEN",
    "RESUME_WITHOUT_DELTA",
    # It says what happened wrongly, or not wholly.
    "FALLBACK_UNRECORDED",
    "STOP_MISSING",
    "STOP_UNEXPECTED",
    "STOP_UNLISTED",
    "NEXT_DISAGREES",
)
_RANK = {code: rank for rank, code in enumerate(_WORST_FIRST)}


def find_violations(context: Context, judged: Judged) -> tuple[Violation, ...]:
    """All violations of one branch, each once, the worst first; a bypassed approval before all.

    One row has room for one name, so what a person decided and did not get never stands behind
    what is only out of order (contracts 1.6, screens 1).
    """
    if judged.branch.is_import:
        return ()
    found = (violation for rule in _RULES for violation in rule(context, judged))
    return tuple(sorted(dict.fromkeys(found), key=lambda violation: _RANK[violation.code]))
