"""Rules about what a branch's files say of it: who ran it, and on which request."""

from __future__ import annotations

from collections.abc import Iterator

from stopview_core.judged import REQUEST, RESPONSE, Context, Judged
from stopview_core.readings import Violation


def operator_mismatch(context: Context, judged: Judged) -> Iterator[Violation]:
    """OPERATOR_MISMATCH."""
    branch, state = judged.branch, context.run.state
    named = {
        "response.json": branch.response.operator if branch.response else None,
        "request.json": branch.request.operator if branch.request else None,
        "state.json": state.steps.get(branch.key) if state else None,
    }
    if len({operator for operator in named.values() if operator}) > 1:
        listed = ", ".join(f"{operator} in {file}" for file, operator in named.items() if operator)
        yield Violation(
            "OPERATOR_MISMATCH",
            f"The files name different operators: {listed}.",
            judged.at(RESPONSE if named["response.json"] else REQUEST),
        )


def request_altered(context: Context, judged: Judged) -> Iterator[Violation]:
    """REQUEST_ALTERED; without an entry in `requestHashes` there is nothing to say."""
    state, request = context.run.state, judged.branch.request
    recorded = state.request_hashes.get(judged.key) if state else None
    if request is None or not recorded:
        return
    if recorded.removeprefix("sha256:").lower() != request.sha256:
        yield Violation(
            "REQUEST_ALTERED",
            "request.json is not the file that was dispatched: its sha256 differs from the one "
            "in state.json.",
            judged.at(REQUEST),
        )
