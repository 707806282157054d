"""Says which operator judges a branch, and whether the registry at hand covers a run (1.6)."""

from __future__ import annotations

from stopview_core.records import Branch, Run
from stopview_core.registry.model import Registry

_MANY_OPERATORS, _MANY_BRANCHES = 2, 4


def is_covered_by(run: Run, registry: Registry) -> bool:
    """Whether the registry knows the run's operators, but for a stray one (contracts 1.6)."""
    named = _named_operators(run)
    unknown = [operator for operator in named if operator not in registry.operators]
    if 2 * len(set(unknown)) < len(set(named)):
        return True
    return len(set(unknown)) < _MANY_OPERATORS and len(unknown) < _MANY_BRANCHES


def named_operator(branch: Branch, run: Run) -> str | None:
    """The operator that judges a branch: of response.json, else request.json, else state.json."""
    for record in (branch.response, branch.request):
        if record is not None and record.operator:
            return record.operator
    return run.state.steps.get(branch.key) if run.state else None


def notice_of(run: Run, registry: Registry) -> str:
    """What is said once about a run that the registry does not cover."""
    named = set(_named_operators(run))
    unknown = sorted(named - registry.operators.keys())
    return (
        f"This run was made by another registry: {len(unknown)} of its {len(named)} operators "
        f"{'is' if len(unknown) == 1 else 'are'} not in the one in use "
        f"({', '.join(unknown[:3])}{', …' if len(unknown) > 3 else ''})."
    )


def _named_operators(run: Run) -> list[str]:
    """The operator of each branch that names one."""
    own = (branch for branch in run.branches.values() if not branch.is_import)
    return [operator for branch in own if (operator := named_operator(branch, run))]
