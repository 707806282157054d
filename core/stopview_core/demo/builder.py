"""Builds one sample run from a readable recipe, consistent unless the recipe says otherwise."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from stopview_core.demo.branch import Branch, Exchange, Handoff, Resume, split_key
from stopview_core.demo.documents import SampleFile, branch_files
from stopview_core.demo.state import state_value
from stopview_core.demo.times import instant, nanoseconds
from stopview_core.demo.values import (
    DERIVED,
    Content,
    JsonValue,
    Mark,
    Override,
    content_bytes,
    overridden,
)

_USUAL_WORK = timedelta(minutes=20)
_USUAL_PAUSE = timedelta(minutes=30)


class RunBuilder:
    """One run directory in the making: `branch(...)` for each attempt, then `write(root)`.

    Everything of contracts 1.5 is derived from the branches: state.json's chain, steps, status,
    transitions, request hashes, resumes and stoppedAt. `state` overrides it (see `Override`).
    The folder is named after the run id unless `folder` says otherwise.
    """

    def __init__(
        self,
        run_id: str,
        *,
        project: str = "sample-project",
        started: str = "2026-11-02T08:00:00Z",
        folder: str | None = None,
        mission: Mapping[str, JsonValue] | None = None,
        choices: Mapping[str, JsonValue] | None = None,
        state: Override = DERIVED,
    ) -> None:
        self.id = run_id
        self.project = project
        self.started = instant(started)
        self.folder = run_id if folder is None else folder
        self.mission = mission
        self.choices = choices
        self.state = state
        self._branches: dict[str, Branch] = {}
        self._own_files: dict[str, Content | None] = {}

    def branch(
        self,
        key: str,
        operator: str,
        *,
        status: str = "done",
        stop: str | None = None,
        at: str | None = None,
        began: str | None = None,
        requirements: Mapping[str, JsonValue] | None = None,
        inputs: Mapping[str, str] | None = None,
        contexts: Sequence[Mapping[str, JsonValue]] = (),
        resumes: str | Resume | None = None,
        reason: str | None = None,
        next: Sequence[str] = (),
        fallbacks: Sequence[str] = (),
        fields: Mapping[str, JsonValue] | Literal[Mark.DERIVED] = DERIVED,
        interaction: Mapping[str, JsonValue] | None = None,
        awaiting: Mapping[str, JsonValue] | None = None,
        commits: Sequence[str] = (),
        files: Mapping[str, Content | None] | None = None,
        branch_files: Mapping[str, Content | None] | None = None,
        exchanges: Mapping[str, Exchange] | None = None,
        handoff: Handoff | None = None,
        lease: Mapping[str, JsonValue] | None = None,
        decision_id: str | None = None,
        selected_option: str | None = None,
        request: Override = DERIVED,
        response: Override = DERIVED,
        transitions: Sequence[Mapping[str, JsonValue]] | Literal[Mark.DERIVED] = DERIVED,
    ) -> Branch:
        """Adds the branch `N/M`, or replaces it, and returns it.

        `at` is when it stopped or ended, `began` when it was dispatched (ISO 8601); left out,
        they follow the steps before. A running branch has one time.
        `files` are paths from `response/`, `branch_files` from the branch; None removes a derived
        file, and a file named here wins over the derived one.
        `resumes` names a branch of this run that stopped; a resume that is to be wrong is spelled
        out as a `Resume`. `request`, `response` and `transitions` override what is derived.
        Raises ValueError for a key that is none, and for a branch that cannot be resumed.
        """
        step, parallel = split_key(key)
        began_at, ended_at = self._times(step, began, at)
        if status == "running":
            began_at = ended_at = began_at if began or at is None else ended_at
        branch = Branch(
            key=key,
            step=step,
            parallel=parallel,
            operator=operator,
            status=status,
            began=began_at,
            ended=ended_at,
            stop=stop,
            requirements=requirements or {},
            inputs=inputs or {},
            contexts=contexts,
            resume=self._resume(resumes),
            reason=reason,
            next=next,
            fallbacks=fallbacks,
            fields=fields,
            interaction=interaction,
            awaiting=awaiting,
            commits=commits,
            files=files or {},
            branch_files=branch_files or {},
            exchanges=exchanges or {},
            handoff=handoff,
            lease=lease,
            decision_id=decision_id,
            selected_option=selected_option,
            request=request,
            response=response,
            transitions=transitions,
        )
        self._branches[key] = branch
        return branch

    def file(self, path: str, content: Content | None) -> None:
        """Writes this file, by path from the run root, whatever was derived; None removes it."""
        self._own_files[path] = content

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The branches so far, by step and parallel."""
        return tuple(sorted(self._branches.values(), key=lambda b: (b.step, b.parallel)))

    def files(self) -> dict[str, SampleFile]:
        """Every file of the run by path from its root: the same recipe gives the same bytes."""
        written: dict[str, SampleFile] = {}
        latest = max((branch.ended for branch in self.branches), default=self.started)
        state = overridden(self._state(), self.state)
        if state is not None:
            written["state.json"] = SampleFile(state, latest)
        for branch in self.branches:
            written |= branch_files(self.id, branch)
        for path, content in self._own_files.items():
            changed = written[path].changed if path in written else latest
            written.pop(path, None)
            if content is not None:
                written[path] = SampleFile(content_bytes(content), changed)
        return written

    def write(self, root: str | os.PathLike[str]) -> Path:
        """Writes the run under `root` and returns its folder; each file gets its branch's time.

        Raises FileExistsError where the folder is there already.
        """
        folder = Path(root) / self.folder
        folder.mkdir(parents=True)
        for path, sample in self.files().items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(sample.data)
            changed = nanoseconds(sample.changed)
            os.utime(target, ns=(changed, changed))
        return folder

    def _state(self) -> dict[str, JsonValue]:
        return state_value(
            self.id,
            self.project,
            self.started,
            self.branches,
            mission=self.mission,
            choices=self.choices,
        )

    def _times(self, step: int, began: str | None, at: str | None) -> tuple[datetime, datetime]:
        earlier = [branch.ended for branch in self._branches.values() if branch.step < step]
        free = max(earlier, default=self.started)
        if at is not None:
            ended = instant(at)
        else:
            ended = (instant(began) if began is not None else free) + _USUAL_PAUSE
        if began is not None:
            return instant(began), ended
        return min(max(ended - _USUAL_WORK, free), ended), ended

    def _resume(self, resumes: str | Resume | None) -> Resume | None:
        if resumes is None or isinstance(resumes, Resume):
            return resumes
        earlier = self._branches.get(resumes)
        if earlier is None:
            raise ValueError(f"{resumes} is no branch of {self.id} yet: spell it out as a Resume")
        return Resume(earlier.key, earlier.token, earlier.stop)
