"""Finds runs below a folder and reads one run from disk into records (contracts 1.5, 1.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from stopview_core.folder import Folder, Reader
from stopview_core.parse import (
    Problems,
    parse_folder_number,
    parse_request,
    parse_response,
    parse_state,
)
from stopview_core.records import Branch, Exchange, JsonValue, Request, Response, Run, State
from stopview_core.text import clean

MAX_DEPTH = 6
NOT_EXCHANGES = frozenset({"request", "response", "decision"})
JSON_CAP = 8 << 20
DOCUMENT_CAP = 8 << 20
DEPTH_OF_DATA = 8

Level: TypeAlias = Literal["list", "full"]


def find_runs(root: str, reader: Reader) -> Iterator[Folder]:
    """The listings of all runs at or below `root`: down to depth 6, never inside a run or a link.

    What cannot be listed goes to the reader's `skipped`.
    """
    pending = [(root, 0)]
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
    steps = [name for name in folder.folders if parse_folder_number(name, "step-") is not None]
    for name in steps:
        listed = reader.listing(f"{folder.path}/{name}")
        if listed and any(
            parse_folder_number(inner, "parallel-") is not None for inner in listed.folders
        ):
            return True
    return False


def run_id(folder: Folder, reader: Reader) -> str:
    """The run's id: what state.json says, else the folder's name."""
    return _RunReading(folder, reader, "list").identity()


def read_run(folder: Folder, reader: Reader, level: Level) -> Run:
    """One run. "list" opens what contracts 1.6 names for `list`; "full" opens everything."""
    return _RunReading(folder, reader, level).read()


class _Documents(NamedTuple):
    text: str | None = None
    data: Mapping[str, JsonValue] = {}
    data_files: tuple[str, ...] = ()
    artifacts: tuple[str, ...] = ()


class _RunReading:
    """One pass over a run's folder; what could not be read collects in the reader."""

    def __init__(self, folder: Folder, reader: Reader, level: Level) -> None:
        self.folder = folder
        self.reader = reader
        self.level = level

    def read(self) -> Run:
        first = len(self.reader.skipped)
        state = self._state()
        branches = {}
        for step, parallel, path in self._branch_folders():
            branch = self._branch(step, parallel, path)
            branches[branch.key] = branch
        wanted = self._opened(branches.values())
        for key, branch in branches.items():
            if key in wanted:
                branches[key] = self._open(branch, with_documents=wanted[key])
        return Run(
            path=Path(self.folder.path),
            id=self._id(state),
            state=state,
            branches=branches,
            skipped=tuple(self.reader.skipped[first:]),
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
        for step, step_path in self._numbered(self.folder, "step-"):
            listed = self.reader.listing(step_path)
            if listed:
                for parallel, path in self._numbered(listed, "parallel-"):
                    yield step, parallel, path

    def _numbered(self, folder: Folder, prefix: str) -> list[tuple[int, str]]:
        found = []
        for name in (*folder.folders, *folder.links):
            if not name.startswith(prefix):
                continue
            path = f"{folder.path}/{name}"
            number = parse_folder_number(name, prefix)
            if name in folder.links:
                self.reader.skip(path, "a link, which is not followed")
            elif number is None:
                self.reader.skip(path, f"not {prefix} with a number behind it")
            else:
                found.append((number, path))
        return sorted(found)

    def _branch(self, step: int, parallel: int, path: str) -> Branch:
        key = f"{step}/{parallel}"
        first = len(self.reader.skipped)
        folder = self.reader.listing(path)
        if folder is None:
            return _unlisted(key, step, parallel, self.reader, first)
        response, has_response = self._response(folder)
        return Branch(
            key=key,
            step=step,
            parallel=parallel,
            has_request="request" in folder.folders,
            has_response=has_response,
            is_import=folder.has("import.json"),
            has_decisions="decision" in folder.folders or "decision" in folder.links,
            request=None,
            response=response,
            exchanges=tuple(self._exchanges(key, folder)),
            unreadable=tuple(self.reader.skipped[first:]),
        )

    def _response(self, folder: Folder) -> tuple[Response | None, bool]:
        """The response, and whether there is one, readable or not."""
        path = f"{folder.path}/response"
        if "response" in folder.links:
            self.reader.skip(path, "a link, which is not followed")
            return None, True
        if "response" not in folder.folders:
            if folder.has("response"):
                self.reader.skip(path, "not a folder")
                return None, True
            return None, False
        return self._response_file(f"{path}/response.json")

    def _response_file(self, path: str) -> tuple[Response | None, bool]:
        read = self.reader.json_object(path, JSON_CAP, may_be_missing=True)
        if read is None:
            return None, not self.reader.was_missing
        problems: Problems = []
        response = parse_response(read.value, read.mtime_ns, problems)
        if problems:
            self.reader.note_problems(path, problems)
        return response, True

    def _exchanges(self, key: str, folder: Folder) -> Iterator[Exchange]:
        for name in folder.folders:
            if name in NOT_EXCHANGES:
                continue
            inner = self.reader.listing(f"{folder.path}/{name}")
            if inner is None or not {"request", "response"} & set(inner.folders):
                continue
            response, _ = self._response(inner)
            request = self._request(inner.path, "request" in inner.folders)
            yield Exchange(f"{key}/{clean(name)}", clean(name), request, response)

    def _opened(self, branches: Iterable[Branch]) -> dict[str, bool]:
        """Keys of the branches whose request is opened, and whether their documents are too."""
        listed = list(branches)
        if self.level == "full":
            return {branch.key: True for branch in listed}
        opened = {b.key: True for b in listed if not b.is_import and _needs_documents(b)}
        blocked_steps = [b.step for b in listed if not b.is_import and _is_blocked(b)]
        if blocked_steps:
            first = min(blocked_steps)
            for branch in listed:
                if branch.step > first:
                    opened.setdefault(branch.key, False)
        return opened

    def _open(self, branch: Branch, *, with_documents: bool) -> Branch:
        first = len(self.reader.skipped)
        path = f"{self.folder.path}/{branch.folder}"
        request = self._request(path, branch.has_request)
        documents = _Documents()
        if with_documents and branch.has_response:
            documents = self._documents(path)
        return replace(
            branch,
            request=request,
            document=documents.text,
            data=documents.data,
            data_files=documents.data_files,
            artifacts=documents.artifacts,
            unreadable=branch.unreadable + tuple(self.reader.skipped[first:]),
        )

    def _request(self, path: str, has_request: bool) -> Request | None:
        if not has_request:
            return None
        file = f"{path}/request/request.json"
        read = self.reader.json_object(file, JSON_CAP, may_be_missing=True, digest=True)
        if read is None:
            return None
        problems: Problems = []
        request = parse_request(read.value, read.sha256, read.mtime_ns, problems)
        self.reader.note_problems(file, problems)
        return request

    def _documents(self, path: str) -> _Documents:
        folder = self.reader.listing(f"{path}/response")
        if folder is None:
            return _Documents()
        text = None
        if folder.has("response.md"):
            text = self.reader.text(f"{path}/response/response.md", DOCUMENT_CAP)
        data: dict[str, JsonValue] = {}
        data_files = self._files_in(folder, "data", path, ".json")
        for name in data_files:
            read = self.reader.json(f"{path}/{name}", JSON_CAP)
            if read is not None:
                data[name] = read.value
        return _Documents(text, data, data_files, self._files_in(folder, "artifacts", path, ""))

    def _files_in(self, folder: Folder, name: str, path: str, ending: str) -> tuple[str, ...]:
        if name not in folder.folders:
            if folder.has(name):
                self.reader.skip(f"{folder.path}/{name}", "not a folder")
            return ()
        found = self._files_below(f"{folder.path}/{name}")
        return tuple(file[len(path) + 1 :] for file in found if file.endswith(ending))

    def _files_below(self, path: str) -> list[str]:
        found: list[str] = []
        pending = [(path, 0)]
        while pending:
            at, depth = pending.pop()
            folder = self.reader.listing(at)
            if folder is None:
                continue
            found.extend(f"{at}/{name}" for name in folder.files)
            for name in folder.links:
                self.reader.skip(f"{at}/{name}", "a link, which is not followed")
            if depth < DEPTH_OF_DATA:
                pending.extend((f"{at}/{name}", depth + 1) for name in folder.folders)
            else:
                for name in folder.folders:
                    self.reader.skip(f"{at}/{name}", "nested too deep")
        return sorted(found)


def _is_blocked(branch: Branch) -> bool:
    return branch.response is not None and branch.response.status == "blocked"


def _needs_documents(branch: Branch) -> bool:
    response = branch.response
    if response is None:
        return False
    return response.status == "blocked" or bool(response.fallbacks)


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
    )
