"""Rules about resumes: whether they continue something, and whether they brought anything new."""

from __future__ import annotations

from collections.abc import Iterator

from stopview_core.judged import REQUEST, Context, Judged
from stopview_core.lineage import latest
from stopview_core.progress import has_delta
from stopview_core.readings import Violation


def resumes(context: Context, judged: Judged) -> Iterator[Violation]:
    """RESUME_BROKEN, else RESUME_WITHOUT_DELTA."""
    target = context.lineage.resumes.get(judged.key)
    if target is None:
        return
    request = judged.branch.request
    is_in_request = request is not None and request.resume is not None
    where = judged.at(REQUEST) if is_in_request else "state.json"
    problem = _broken(context, judged, target)
    if problem is not None:
        yield Violation("RESUME_BROKEN", f"{judged.key} says it resumes {problem}.", where)
        return
    before = context.judged[target]
    if _stopped_alike(before, judged) and not has_delta(
        context.run, before.branch, judged.branch, before.decisions, context.mtime_of
    ):
        stop = judged.resolution.written_code if judged.resolution else None
        yield Violation(
            "RESUME_WITHOUT_DELTA",
            f"{judged.key} resumed {target}, brought nothing new and stopped at {stop} again.",
            where,
        )


def _broken(context: Context, judged: Judged, target: str) -> str | None:
    """What is wrong with the target, to stand behind "says it resumes"; None in doubt."""
    before = context.judged.get(target)
    if before is None:
        return f"{target or 'no branch'}, which is not in this run"
    if before.branch.step >= judged.branch.step:
        return f"{target}, which is not in an earlier step"
    if before.operator and judged.operator and before.operator != judged.operator:
        return f"{target}, a branch of {before.operator}, and is itself one of {judged.operator}"
    if before.is_blocked or latest(context.run.state, target, "blocked") is not None:
        return None
    if before.branch.response is None and before.branch.has_response:
        return None
    return f"{target}, which did not block"


def _stopped_alike(before: Judged, judged: Judged) -> bool:
    """Whether both stopped with the same code, as it was written."""
    first, second = before.resolution, judged.resolution
    return (
        before.is_blocked
        and judged.is_blocked
        and first is not None
        and second is not None
        and first.written_code == second.written_code
    )
