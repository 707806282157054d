"""Finds runs below a folder and reads one run from disk into records (contracts 1.5, 1.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Literal, TypeAlias

from stopview_core.documents import Documents, read_documents
from stopview_core.fallbacks import documented_fallbacks
from stopview_core.files import Unreadable, normalise
from stopview_core.folder import Folder, Reader
from stopview_core.parse import (
    Problems,
    misfit,
    parse_folder_number,
    parse_request,
    parse_response,
    parse_state,
)
from stopview_core.records import Branch, Exchange, Request, Response, Run, Skipped, State
from stopview_core.text import clean

MAX_DEPTH = 6
_STEP, _PARALLEL = "step-", "parallel-"
NOT_EXCHANGES = frozenset({"request", "response", "decision"})
JSON_CAP = 8 << 20

Level: TypeAlias = Literal["list", "history", "full"]
_Wanted: TypeAlias = Literal["request", "document", "all"]


def find_runs(root: str, reader: Reader, depth: int = 0) -> Iterator[Folder]:
    """The listings of all runs at or below `root`: down to depth 6, never inside a run or a link.

    `depth` is that of `root` itself below what was asked for. What cannot be listed goes to the
    reader's `skipped`.
    """
    pending = [(root, depth)]
    while pending:
        path, depth = pending.pop()
        folder = reader.listing(path)
        if folder is None:
            continue
        if is_run(folder, reader):
            yield folder
        elif depth < MAX_DEPTH:
            pending.extend((f"{path}/{name}", depth + 1) for name in reversed(folder.folders))


def is_run(folder: Folder, reader: Reader) -> bool:
    """A folder is a run when it has `state.json` or a `step-*/parallel-*` inside (1.1)."""
    if folder.has("state.json"):
        return True
    for name in folder.folders:
        if name.startswith(_STEP):
            listed = reader.listing(f"{folder.path}/{name}")
            if listed and any(inner.startswith(_PARALLEL) for inner in listed.folders):
                return True
    return False


def run_id(folder: Folder, reader: Reader) -> str:
    """The run's id: what state.json says, else the folder's name."""
    return _RunReading(folder, reader, "list").identity()


def read_run(folder: Folder, reader: Reader, level: Level) -> Run:
    """One run. "list" opens what contracts 1.6 names for `list`; "full" opens everything.

    "history" also opens every request and response.md, and what belongs to a fallback found there.
    """
    return _RunReading(folder, reader, level).read()


class _RunReading:
    """One pass over a run's folder; what could not be read collects in the reader."""

    def __init__(self, folder: Folder, reader: Reader, level: Level) -> None:
        self.folder = folder
        self.reader = reader
        self.level = level
        self.unread_resumes: list[tuple[int, str]] = []

    def read(self) -> Run:
        first = len(self.reader.skipped)
        state = self._state()
        is_unread = state is None and self.folder.has("state.json")
        why_no_state = self.reader.last_why if is_unread else None
        branches = {}
        for step, parallel, path in self._branch_folders():
            branch = self._branch(step, parallel, path)
            branches[branch.key] = branch
        wanted = self._opened(branches.values(), state)
        for key, branch in branches.items():
            if key in wanted:
                opened = branches[key] = self._open(branch, wanted[key])
                self._miss_resume(opened, state)
        return Run(
            path=Path(self.folder.path),
            id=self._id(state),
            state=state,
            branches=branches,
            skipped=tuple(self.reader.skipped[first:]),
            unread_state=why_no_state if state is None else state.lost,
            unread_resumes=tuple(self.unread_resumes),
        )

    def identity(self) -> str:
        """The run's id, with nothing else of the run read."""
        return self._id(self._state())

    def _id(self, state: State | None) -> str:
        return (state.id if state else None) or clean(Path(self.folder.path).resolve().name)

    def _state(self) -> State | None:
        if not self.folder.has("state.json"):
            return None
        path = f"{self.folder.path}/state.json"
        read = self.reader.json_object(path, JSON_CAP)
        if read is None:
            return None
        problems: Problems = []
        state = parse_state(read.value, problems)
        self.reader.note_problems(path, problems)
        return state

    def _branch_folders(self) -> Iterator[tuple[int, int, str]]:
        for step, step_path in self._numbered(self.folder, _STEP):
            listed = self.reader.listing(step_path)
            if listed:
                for parallel, path in self._numbered(listed, _PARALLEL, step):
                    yield step, parallel, path
            else:
                self._miss(step, step_path)

    def _numbered(
        self, folder: Folder, prefix: str, step: int | None = None
    ) -> list[tuple[int, str]]:
        """The folders with their numbers; `step` is the one they are in, None for steps."""
        found = []
        for name in folder.folders:
            if name.startswith(prefix):
                number = parse_folder_number(name, prefix)
                if number is None:
                    why = f"not {prefix} with a number behind it"
                    self.reader.skip(f"{folder.path}/{name}", why, is_partial=True)
                else:
                    found.append((number, f"{folder.path}/{name}"))
        for name in (*folder.links, *folder.files, *folder.others):
            if name.startswith(prefix):
                self._skip_no_folder(folder, name)
                number = parse_folder_number(name, prefix)
                if number is not None:
                    self._miss(number if step is None else step, f"{folder.path}/{name}")
        return sorted(found)

    def _miss(self, step: int, path: str) -> None:
        """Note that what was not read just now, in this step, may hold a resume."""
        where = clean(path[len(self.folder.path) + 1 :])
        self.unread_resumes.append((step, f"{where}: {self.reader.last_why}"))

    def _miss_resume(self, branch: Branch, state: State | None) -> None:
        """As `_miss`, where the branch's request may say what it resumes and nothing else does."""
        if branch.is_import or (state is not None and branch.key in state.resumes):
            return
        if branch.request is not None and branch.request.resume == "":
            told = f"{branch.folder}/request/request.json: resume: expected a step and a parallel"
            self.unread_resumes.append((branch.step, told))
        for item in branch.unread:
            if item.path in _HOLD_RESUMES:
                where = f"{branch.folder}/{item.path}".removesuffix("/.")
                self.unread_resumes.append((branch.step, f"{where}: {item.why}"))

    def _skip_no_folder(self, folder: Folder, name: str) -> None:
        why = "a link, which is not followed" if name in folder.links else "not a folder"
        self.reader.skip(f"{folder.path}/{name}", why)

    def _branch(self, step: int, parallel: int, path: str) -> Branch:
        key = f"{step}/{parallel}"
        first = len(self.reader.skipped)
        folder = self.reader.listing(path)
        if folder is None:
            return _unlisted(key, step, parallel, self.reader, first)
        response, has_response = self._response(folder)
        notes = self.reader.skipped[first:]
        unread = notes[-1:] if response is None and has_response else []
        return Branch(
            key=key,
            step=step,
            parallel=parallel,
            has_request=self._has_request(folder, response),
            has_response=has_response,
            is_import=folder.has("import.json"),
            has_decisions=folder.has("decision"),
            request=None,
            response=response,
            exchanges=tuple(self._exchanges(key, folder)),
            unreadable=tuple(self.reader.skipped[first:]),
            unread=tuple(Skipped("response/response.json", item.why) for item in unread),
        )

    def _has_request(self, folder: Folder, response: Response | None) -> bool:
        """Whether there is a request, readable or not.

        Beside a response it does not matter here whether its folder holds one: it is looked into
        only where the answer decides between running and nothing.
        """
        if "request" in folder.folders:
            if response is not None:
                return True
            listed = self.reader.listing(f"{folder.path}/request")
            return listed is None or listed.has("request.json")
        if folder.has("request"):
            self._skip_no_folder(folder, "request")
            return True
        return False

    def _response(self, folder: Folder) -> tuple[Response | None, bool]:
        """The response, and whether there is one, readable or not."""
        if "response" in folder.folders:
            return self._response_file(f"{folder.path}/response/response.json")
        if folder.has("response"):
            self._skip_no_folder(folder, "response")
            return None, True
        return None, False

    def _response_file(self, path: str) -> tuple[Response | None, bool]:
        read = self.reader.json_object(path, JSON_CAP, may_be_missing=True)
        if read is None:
            return None, not self.reader.was_missing
        problems: Problems = []
        status = read.value.get("status")
        if status is not None and not isinstance(status, str):
            # Whether it is blocked is what a response is read for first of all.
            self.reader.skip(path, misfit("status", "text", status))
            return None, True
        response = parse_response(read.value, read.mtime_ns, problems)
        if problems:
            self.reader.note_problems(path, problems)
        return response, True

    def _exchanges(self, key: str, folder: Folder) -> Iterator[Exchange]:
        for name in folder.folders:
            if name in NOT_EXCHANGES:
                continue
            inner = self.reader.listing(f"{folder.path}/{name}")
            if inner is None or not (inner.has("request") or inner.has("response")):
                continue
            response, has_response = self._response(inner)
            has_request = self._has_request(inner, response)
            wants_request = self.level == "full" or _is_nameless(response)
            request = self._request(inner) if wants_request and has_request else None
            named = clean(name)
            yield Exchange(f"{key}/{named}", named, request, response, has_request, has_response)
        for name in folder.links:
            if name not in NOT_EXCHANGES:
                self._skip_no_folder(folder, name)

    def _opened(self, branches: Iterable[Branch], state: State | None) -> dict[str, _Wanted]:
        """Keys of the branches of which more is opened, and how much."""
        listed = list(branches)
        if self.level == "full":
            return {branch.key: "all" for branch in listed}
        own = [branch for branch in listed if not branch.is_import]
        opened: dict[str, _Wanted] = {b.key: "all" for b in own if _needs_documents(b)}
        if self.level == "history":
            return {**{branch.key: "document" for branch in own}, **opened}
        blocked_steps = [branch.step for branch in own if _is_blocked(branch)]
        first = min(blocked_steps, default=None)
        for branch in listed:
            is_later = first is not None and branch.step > first
            if is_later or (state is not None and _says_more(state, branch)):
                opened.setdefault(branch.key, "request")
        return opened

    def _open(self, branch: Branch, wanted: _Wanted) -> Branch:
        first = len(self.reader.skipped)
        path = f"{self.folder.path}/{branch.folder}"
        request, unread = None, branch.unread
        if branch.has_request:
            request = self._request_file(f"{path}/request/request.json")
            if request is None and not self.reader.was_missing:
                unread += (Skipped("request/request.json", self.reader.last_why),)
        documents = Documents()
        if wanted != "request" and self._has_documents(branch, path):
            documents = read_documents(
                path, self.reader, lambda text: wanted == "all" or _tells_of_fallbacks(text)
            )
            self._check_outputs(branch, path, first)
        return replace(
            branch,
            request=request,
            document=documents.text,
            data=documents.data or {},
            data_files=documents.data_files,
            artifacts=documents.artifacts,
            unreadable=branch.unreadable + tuple(self.reader.skipped[first:]),
            unread=unread + documents.unread,
        )

    def _has_documents(self, branch: Branch, path: str) -> bool:
        """Whether there is a response folder; it may stand without a response.json."""
        if branch.response is not None:
            return True
        found = self.reader.lstat(f"{path}/response")
        return found is not None and S_ISDIR(found.st_mode)

    def _check_outputs(self, branch: Branch, path: str, first: int) -> None:
        """Note each file that `fields` names and that is there, but is no regular file."""
        noted = {item.path for item in self.reader.skipped[first:]}
        fields = branch.response.fields if branch.response is not None else {}
        for named in dict.fromkeys(named for paths in fields.values() for named in paths):
            inside = normalise(named)
            if isinstance(inside, Unreadable):
                self.reader.skip(f"{path}/{named}", inside.why)
                continue
            file = f"{path}/{inside}"
            found = self.reader.lstat(file)
            if found is not None and not S_ISREG(found.st_mode) and clean(file) not in noted:
                self.reader.skip(file, "an output of the response, and not a regular file")

    def _request(self, folder: Folder) -> Request | None:
        return self._request_file(f"{folder.path}/request/request.json")

    def _request_file(self, file: str) -> Request | None:
        read = self.reader.json_object(file, JSON_CAP, may_be_missing=True, digest=True)
        if read is None:
            return None
        problems: Problems = []
        request = parse_request(read.value, read.sha256, read.mtime_ns, problems)
        self.reader.note_problems(file, problems)
        return request


_HOLD_RESUMES = (".", "request/request.json")


def _is_blocked(branch: Branch) -> bool:
    return branch.response is not None and branch.response.status == "blocked"


def _needs_documents(branch: Branch) -> bool:
    if branch.has_decisions:
        return True
    response = branch.response
    if response is not None and (response.status == "blocked" or response.fallbacks):
        return True
    answers = (exchange.response for exchange in branch.exchanges)
    return any(answer is not None and (answer.stop or answer.fallbacks) for answer in answers)


def _is_nameless(response: Response | None) -> bool:
    """Whether only the request can tell whose stop or fallback a response speaks of."""
    if response is None or response.operator is not None:
        return False
    return response.stop is not None or bool(response.fallbacks)


def _says_more(state: State, branch: Branch) -> bool:
    """Whether state.json says something of the branch that its request may put otherwise."""
    operator = branch.response.operator if branch.response is not None else None
    return branch.key in state.resumes or (
        operator is not None and state.steps.get(branch.key, operator) != operator
    )


def _tells_of_fallbacks(text: str | None) -> bool:
    return bool(documented_fallbacks(text))


def _unlisted(key: str, step: int, parallel: int, reader: Reader, first: int) -> Branch:
    return Branch(
        key=key,
        step=step,
        parallel=parallel,
        has_request=False,
        has_response=True,
        is_import=False,
        has_decisions=False,
        request=None,
        response=None,
        unreadable=tuple(reader.skipped[first:]),
        unread=(Skipped(".", reader.last_why),),
    )
