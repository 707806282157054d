"""Rules about decisions: whether they were heeded, and whether their files can be trusted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from stopview_core.decisions import DecisionFile
from stopview_core.judged import REQUEST, Context, Judged
from stopview_core.lineage import earliest, time_of_file
from stopview_core.readings import Violation
from stopview_core.records import Request
from stopview_core.text import clean

_BEGINS = ("dispatched", "resumed")


def decision_ignored(context: Context, judged: Judged) -> Iterator[Violation]:
    """DECISION_IGNORED, said at the attempt that does not carry what a person had decided."""
    target = context.lineage.resumes.get(judged.key)
    before = context.judged.get(target) if target is not None else None
    request = judged.branch.request
    if before is None or request is None:
        return
    if judged.key not in context.lineage.resumed_by.get(before.key, ()):
        return
    began = _began(context, judged.key, request)
    receipt = before.decisions.valid_before(began) if began is not None else None
    if receipt is None or receipt.selected is None or _carries(request, receipt):
        return
    yield Violation(
        "DECISION_IGNORED",
        f"{clean(receipt.approver)} decided `{clean(receipt.selected)}` on {before.key} "
        f"(receipt {receipt.seq}), and {judged.key} resumed it without that.",
        judged.at(REQUEST),
        receipt.seq,
    )


def broken_decisions(context: Context, judged: Judged) -> Iterator[Violation]:
    """DECISION_CHAIN_BROKEN and DECISION_INVALID."""
    for where, problem in judged.decisions.chain_problems:
        yield Violation(
            "DECISION_CHAIN_BROKEN",
            f"The chain of decisions is broken: {problem}.",
            clean(where),
            _number(where),
        )
    for file in judged.decisions.files:
        if not file.is_valid:
            listed = "; ".join(map(clean, file.problems))
            yield Violation(
                "DECISION_INVALID",
                f"{file.seq} does not count as a decision: {listed}.",
                clean(file.where),
                file.seq,
            )


def _began(context: Context, key: str, request: Request) -> datetime | None:
    return earliest(context.run.state, key, *_BEGINS) or time_of_file(request.mtime_ns)


def _carries(request: Request, receipt: DecisionFile) -> bool:
    param, decision = receipt.text("param"), receipt.text("decision")
    is_approved = param is None or request.requirements.get(param) == receipt.selected
    is_answered = decision is None or (
        request.decision_id == decision and request.selected_option == receipt.selected
    )
    return is_approved and is_answered


def _number(where: str) -> str | None:
    name = where.rpartition("/")[2]
    return name.removesuffix(".yaml") if name.endswith(".yaml") else None
