"""Finds the registry to use and loads it; a faulty one still loads, with its faults (1.2, 2.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from stopview_core.errors import RegistryRefused
from stopview_core.registry.faults import REFUSING
from stopview_core.registry.model import Fault, Registry
from stopview_core.registry.parse import parse_registry
from stopview_core.registry.source import ROUTING, SHARED_CODES, read_source
from stopview_core.text import one_line

VARIABLE = "STOPVIEW_REGISTRY"

How: TypeAlias = Literal["option", "environment", "above", "shipped"]


@dataclass(frozen=True, slots=True)
class RegistryChoice:
    """The registry to use and how it was chosen (architecture 2.3)."""

    root: Path
    how: How


def load(root: Path, *, lang: str | None = None) -> Registry:
    """The registry at `root`, its texts in `lang`, else English, else the first language.

    Raises RegistryRefused where a file cannot be read or a code is defined twice; every other fault
    is in `Registry.faults` (contracts 1.2).
    """
    source = read_source(root)
    tree, faults = parse_registry(source, lang)
    refusing = [fault for fault in faults if fault.code in REFUSING]
    if refusing or tree.routing is None:
        raise RegistryRefused(_refusal(root, refusing))
    return Registry(
        root=root,
        sha256=source.sha256,
        entries=tree.entries,
        operators={name: read.operator for name, read in tree.operators.items()},
        routes=tree.routing.routes,
        kinds=tree.routing.kinds,
        faults=faults,
    )


def find(start: Path | None, explicit: Path | None, env: Mapping[str, str]) -> RegistryChoice:
    """Which registry to use: `explicit`, else the variable, else one above `start`, else ours.

    One above `start` (the first PATH) is the nearest folder strictly above it that holds both
    files; what lies in a run folder is never trusted (architecture 2.3).
    """
    if explicit is not None:
        return RegistryChoice(explicit, "option")
    if named := env.get(VARIABLE):
        return RegistryChoice(Path(named), "environment")
    above = _above(start) if start is not None else None
    return RegistryChoice(above, "above") if above else RegistryChoice(shipped_root(), "shipped")


def shipped_root() -> Path:
    """The registry that comes with stopview: beside the package, or the checkout's own."""
    package = Path(__file__).parent.parent
    installed = package / "_data" / ROUTING
    # An installer may link each file into a store: the store holds the same folders, unlinked.
    return installed.resolve().parent if installed.exists() else package.parent.parent


def _above(start: Path) -> Path | None:
    try:
        folders = start.resolve().parents
    except (OSError, RuntimeError):
        folders = start.absolute().parents
    trusted: list[Path] = []
    for folder in reversed(folders):
        if _is_run(folder):
            break
        trusted.append(folder)
    return next((folder for folder in reversed(trusted) if holds_registry(folder)), None)


def holds_registry(folder: Path) -> bool:
    """Whether both files that make a folder a registry are there."""
    try:
        return (folder / SHARED_CODES).is_file() and (folder / ROUTING).is_file()
    except OSError:
        return False


def _is_run(folder: Path) -> bool:
    """Whether the folder is a run: it has a state.json or a branch (contracts 1.1)."""
    try:
        return (folder / "state.json").exists() or any(folder.glob("step-*/parallel-*"))
    except OSError:
        return False


def _refusal(root: Path, faults: list[Fault]) -> str:
    return "\n".join(
        [f"The registry at {one_line(str(root))} cannot be used:"]
        + [
            f"  {fault.file}{f', {fault.path}' if fault.path else ''}: "
            f"expected {fault.expected}, found {fault.found}"
            for fault in faults
        ]
    )
