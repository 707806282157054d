"""What the commands share: options, the registry in use, finding runs, printing documents."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from stopview_core.errors import UsageError
from stopview_core.registry.load import RegistryChoice, find, holds_registry, load
from stopview_core.registry.model import Registry
from stopview_core.text import clean

if TYPE_CHECKING:
    from stopview_core.records import Skipped
    from stopview_core.report.models import Document
    from stopview_core.scan import Level
    from stopview_core.scan_helpers import Helpers
    from stopview_core.snapshot import Snapshot

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_PATH = Path("runs")
"""Where runs are looked for when no PATH is given; the current folder where it is not there."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print a JSON document.")
path_option = click.option(
    "--path",
    "paths",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Where RUN is looked for when it is an id (default: runs, else the current folder).",
)


def registry_options(command: F) -> F:
    """`--registry` and `--lang`."""
    command = click.option(
        "--lang", help="The language of the registry's texts, where it has several."
    )(command)
    return click.option(
        "--registry",
        "registry_root",
        type=click.Path(path_type=Path),
        help="The registry to use: a folder with operators/ and routing.json.",
    )(command)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The registry in use and how it was chosen."""

    registry: Registry
    choice: RegistryChoice


def load_registry(start: Path | None, explicit: Path | None, lang: str | None) -> Loaded:
    """The registry for a command whose first PATH is `start`. RegistryRefused where it is none."""
    choice = choose_registry(start, explicit)
    return Loaded(load(choice.root, lang=lang), choice)


def choose_registry(start: Path | None, explicit: Path | None) -> RegistryChoice:
    """Which registry a command uses (2.3); UsageError where --registry is no folder."""
    if explicit is not None and not holds_registry(explicit):
        raise UsageError(
            f"--registry {explicit} holds no registry: operators/errors.json and routing.json"
        )
    return find(start, explicit, os.environ)


def roots_of(paths: Sequence[Path]) -> list[Path]:
    """The PATHs given, or `runs`, or the current folder; UsageError for one that is no folder."""
    if not paths:
        return [DEFAULT_PATH if DEFAULT_PATH.is_dir() else Path()]
    for path in paths:
        if not path.is_dir():
            what = "is not a folder" if path.exists() else "is not there"
            raise UsageError(f"{path} {what}")
    return _apart([path.resolve() if ".." in path.parts else path for path in paths])


def _apart(paths: list[Path]) -> list[Path]:
    """The paths; where some lead into one another, all of them as what they are without links.

    Runs are told apart by their paths, so a folder under two names would hold each run twice.
    """
    real = dict.fromkeys(path.resolve() for path in paths)
    is_apart = len(real) == len(paths)
    if is_apart and not any(above in real for path in real for above in path.parents):
        return paths
    return list(real)


def scan(
    roots: Sequence[Path],
    registry: Registry,
    level: Level = "list",
    early: dict[str, Helpers] | None = None,
) -> Snapshot:
    """One snapshot of everything below the roots, read as far as `level` says."""
    from stopview_core.snapshot import scan_once

    return scan_once(roots, registry, level, early)


def find_run(named: str, paths: Sequence[Path]) -> Path:
    """RUN: a path, or the id of one run below the paths. UsageError, with candidates if several."""
    from stopview_core.folder import Reader
    from stopview_core.scan import find_runs, is_run, run_id

    path = Path(named)
    reader = Reader()
    if path.is_dir():
        folder = reader.listing(os.fspath(path))
        if folder is None or is_run(folder, reader):
            # One that cannot be listed is a run or not, and opening it says why.
            return path
        raise UsageError(f"{named} is not a run")
    below = {
        folder.path: folder
        for root in roots_of(paths)
        for folder in find_runs(os.fspath(root), reader)
    }
    found = [Path(path) for path, folder in below.items() if run_id(folder, reader) == named]
    if len(found) == 1:
        return found[0]
    if not found:
        unread = "".join(f"\n  not read: {item.path}: {item.why}" for item in reader.skipped)
        raise UsageError(f"{named} is neither a run's folder nor the id of a run found{unread}")
    listed = "\n".join(f"  {candidate}" for candidate in found)
    raise UsageError(f"several runs have the id {named}; name one by its path:\n{listed}")


def print_document(document: Document | dict[str, Any]) -> None:
    """The document as one line of ASCII JSON on stdout."""
    if isinstance(document, dict):
        text = json.dumps(document, separators=(",", ":"), allow_nan=False)
    else:
        text = document.model_dump_json(by_alias=True, ensure_ascii=True)
    sys.stdout.write(f"{text}\n")


def say(text: str = "") -> None:
    """A line for people on stdout, cleaned."""
    click.echo(clean(text))


def warn(text: str) -> None:
    """A line for people on stderr, cleaned."""
    click.echo(clean(f"stopview: {text}"), err=True)


def warn_of_skipped(skipped: Iterable[Skipped]) -> None:
    """Say what could not be read, or not wholly."""
    for item in dict.fromkeys(skipped):
        warn(f"{'not wholly read' if item.is_partial else 'not read'}: {item.path}: {item.why}")


def unread_words(skipped: Iterable[Skipped]) -> str:
    """How much could not be read, for the last line of a page; empty where all was."""
    found = list(dict.fromkeys(skipped))
    parts = sum(item.is_partial for item in found)
    told = [(len(found) - parts, "not read"), (parts, "not wholly read")]
    said = ", ".join(f"{count} {how}" for count, how in told if count)
    return f", {said} (named on stderr)" if said else ""


def warn_of_faults(loaded: Loaded) -> None:
    """Say that the registry in use is faulty."""
    faults = loaded.registry.faults
    if faults:
        count = f"{len(faults)} fault{'s' if len(faults) != 1 else ''}"
        warn(f"the registry in use has {count}; see `stopview check {loaded.registry.root}`")


def warn_of_strangers(
    registry: Registry,
    *,
    operator: str | None = None,
    code: str | None = None,
    other_codes: Sequence[str] = (),
) -> None:
    """Say which names the registry does not know, and which that look alike it does.

    `other_codes` are codes that can be meant besides stop codes.
    """
    for what, name, known in (
        ("operator", operator, list(registry.operators)),
        ("code", code, [*registry.entries, *other_codes]),
    ):
        if name is not None and name not in known:
            import difflib

            alike = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {alike[0]}?" if alike else ""
            warn(f"the registry has no {what} {name}{hint}")


def ago(since: datetime, now: datetime | None = None) -> str:
    """How long ago, coarsely: 42s, 17m, 2h 14m, 3d 4h."""
    seconds = max(int(((now or datetime.now(UTC)) - since).total_seconds()), 0)
    if seconds < 60:
        return f"{seconds}s"
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86400
    if minutes < 60:
        return f"{minutes}m"
    if hours < 24:
        return f"{hours}h {minutes % 60}m"
    return f"{days}d {hours % 24}h"


def parse_when(text: str) -> datetime:
    """A date or time of the command line, ISO 8601 or how long ago, the same as in the app."""
    from stopview_tui.moments import FORMS, parse_moment

    at = parse_moment(text, datetime.now(UTC))
    if at is None:
        raise UsageError(f"{text} is not a date or time like {FORMS}")
    return at
