"""Ways to change a registry: each makes a function that changes the files in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from small_registry import ROUTING, Files, written

Place = tuple[str, str, str]
"""Fault code, file and path of a fault."""

Change = Callable[[Files], object]


def codes(files: Files, file: str) -> dict[str, Any]:
    return files[file]["codes"]


def put(file: str, code: str, key: str, value: object) -> Change:
    return lambda files: codes(files, file)[code].__setitem__(key, value)


def drop(file: str, code: str, key: str) -> Change:
    return lambda files: codes(files, file)[code].pop(key)


def put_unless(file: str, code: str, key: str, value: object) -> Change:
    return lambda files: codes(files, file)[code]["unless"].__setitem__(key, value)


def drop_unless(file: str, code: str, key: str) -> Change:
    return lambda files: codes(files, file)[code]["unless"].pop(key)


def route(operator: str, domain: str, value: object) -> Change:
    return lambda files: files[ROUTING]["routes"][operator].__setitem__(domain, value)


def drop_route(operator: str, domain: str) -> Change:
    return lambda files: files[ROUTING]["routes"][operator].pop(domain)


def edit(file: str, old: str, new: str) -> Change:
    """Replace text that stands in the file exactly once."""

    def change(files: Files) -> None:
        text = files[file] if isinstance(files[file], str) else written(files[file]).decode()
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
        files[file] = text.replace(old, new)

    return change


def drop_row(file: str, code: str) -> Change:
    def change(files: Files) -> None:
        lines = files[file].splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith(f"| `{code}` |")]
        assert len(kept) == len(lines) - 1
        files[file] = "".join(kept)

    return change


def add_row(file: str, code: str, disposition: str) -> Change:
    return edit(
        file,
        "## Stops\n\n| Code | Disposition |\n| --- | --- |\n",
        (f"## Stops\n\n| Code | Disposition |\n| --- | --- |\n| `{code}` | {disposition} |\n"),
    )


def both(*changes: Change) -> Change:
    return lambda files: [change(files) for change in changes]


def copy_code(from_file: str, code: str, to_file: str, name: str | None = None) -> Change:
    return lambda files: codes(files, to_file).__setitem__(
        name or code, dict(codes(files, from_file)[code])
    )


def rename_code(file: str, code: str, name: str) -> Change:
    return lambda files: codes(files, file).__setitem__(name, codes(files, file).pop(code))
