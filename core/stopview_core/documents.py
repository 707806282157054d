"""Reads what lies beside response.json: response.md, the JSON data, the names of artifacts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from stopview_core.folder import Folder, Reader
from stopview_core.records import JsonValue, Skipped
from stopview_core.text import clean

DOCUMENT_CAP = 8 << 20
DATA_CAP = 8 << 20
_DEPTH = 8
_DATA, _ARTIFACTS = "data", "artifacts"
_NOT_FOLLOWED = "a link, which is not followed"


@dataclass(frozen=True, slots=True)
class Documents:
    """What lies beside response.json (contracts 1.5); every path is from the branch.

    `data_files` and `artifacts` name what is there, readable or not; `unread` says why a document
    or a data file is missing here.
    """

    text: str | None = None
    data: Mapping[str, JsonValue] | None = None
    data_files: tuple[str, ...] = ()
    artifacts: tuple[str, ...] = ()
    unread: tuple[Skipped, ...] = ()


class _Names(NamedTuple):
    """Paths below a folder: regular files, what else stands where a file could, and why not all.

    `others` are paths with what they are; `unlisted` are folders that could not be listed.
    """

    files: tuple[str, ...]
    others: tuple[tuple[str, str], ...]
    unlisted: tuple[Skipped, ...]

    def all(self) -> list[str]:
        """Every path, in order."""
        return sorted((*self.files, *(path for path, _ in self.others)))


def read_documents(
    branch_path: str, reader: Reader, wants_data: Callable[[str | None], bool]
) -> Documents:
    """The documents of the branch in the folder `branch_path`.

    `wants_data` is asked with the text of response.md whether the data and artifacts matter too.
    """
    folder = reader.listing(f"{branch_path}/response")
    if folder is None:
        return Documents(unread=(Skipped("response", reader.last_why),))
    unread: list[Skipped] = []
    text = _text(folder, reader, unread)
    if not wants_data(text):
        return Documents(text, unread=tuple(unread))
    data: dict[str, JsonValue] = {}
    data_files = _data_files(folder, branch_path, reader, unread)
    for name in data_files:
        read = reader.json(f"{branch_path}/{name}", DATA_CAP)
        if read is not None:
            data[name] = read.value
        else:
            unread.append(Skipped(clean(name), reader.last_why))
    artifacts = _artifacts(folder, branch_path, reader, unread)
    return Documents(text, data, data_files, artifacts, tuple(unread))


def _text(folder: Folder, reader: Reader, unread: list[Skipped]) -> str | None:
    if not folder.has("response.md"):
        return None
    text = reader.text(f"{folder.path}/response.md", DOCUMENT_CAP)
    if text is None:
        unread.append(Skipped("response/response.md", reader.last_why))
    elif not text.strip():
        reader.skip(f"{folder.path}/response.md", "it is empty", is_partial=True)
    return text


def _data_files(
    folder: Folder, branch_path: str, reader: Reader, unread: list[Skipped]
) -> tuple[str, ...]:
    """Every path under data/ that ends in .json, whatever it is: reading it says what it is not."""
    names = _below(folder, _DATA, branch_path, reader)
    unread.extend(names.unlisted)
    for path, why in names.others:
        if not path.endswith(".json"):
            reader.skip(f"{branch_path}/{path}", why)
    return tuple(path for path in names.all() if path.endswith(".json"))


def _artifacts(
    folder: Folder, branch_path: str, reader: Reader, unread: list[Skipped]
) -> tuple[str, ...]:
    names = _below(folder, _ARTIFACTS, branch_path, reader)
    unread.extend(names.unlisted)
    for path, why in names.others:
        reader.skip(f"{branch_path}/{path}", why)
    return tuple(names.all())


def _below(folder: Folder, name: str, branch_path: str, reader: Reader) -> _Names:
    """What lies below a folder of response/."""
    top = f"{folder.path}/{name}"
    if name not in folder.folders:
        if not folder.has(name):
            return _Names((), (), ())
        reader.skip(top, _NOT_FOLLOWED if name in folder.links else "not a folder")
        return _Names((), (), (Skipped(f"response/{name}", reader.last_why),))
    files: list[str] = []
    others: list[tuple[str, str]] = []
    unlisted: list[Skipped] = []
    pending = [(top, 0)]
    cut = len(branch_path) + 1
    while pending:
        at, depth = pending.pop()
        listed = reader.listing(at)
        if listed is None:
            unlisted.append(Skipped(clean(at[cut:]), reader.last_why))
            continue
        files.extend(f"{at}/{file}"[cut:] for file in listed.files)
        others.extend((f"{at}/{link}"[cut:], _NOT_FOLLOWED) for link in listed.links)
        others.extend((f"{at}/{other}"[cut:], "not a regular file") for other in listed.others)
        for inner in listed.folders:
            if depth == _DEPTH:
                reader.skip(f"{at}/{inner}", "nested too deep")
                unlisted.append(Skipped(clean(f"{at}/{inner}"[cut:]), reader.last_why))
            elif inner.endswith(".json"):
                others.append((f"{at}/{inner}"[cut:], "a folder, not a file"))
            else:
                pending.append((f"{at}/{inner}", depth + 1))
    return _Names(tuple(files), tuple(others), tuple(unlisted))
