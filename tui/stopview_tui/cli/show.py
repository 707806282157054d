"""`stopview show`: one run or branch in full."""

from __future__ import annotations

from pathlib import Path

import click

from stopview_core.dossier import NotOpened, open_branch, open_run
from stopview_core.errors import EXIT_REFUSED, UsageError
from stopview_core.records import branch_key
from stopview_core.report.showing import branch_document, run_document
from stopview_tui.cli.common import (
    Loaded,
    find_run,
    json_option,
    load_registry,
    path_option,
    print_document,
    registry_options,
    warn,
    warn_of_faults,
)


@click.command("show")
@click.argument("run")
@click.argument("branch", required=False)
@path_option
@json_option
@registry_options
def command(
    run: str,
    branch: str | None,
    paths: tuple[Path, ...],
    as_json: bool,
    registry_root: Path | None,
    lang: str | None,
) -> int:
    """Show one run, or one BRANCH (N/M, or N/M/exchange) of it, in full.

    \b
    stopview show runs/orders
    stopview show orders 2/1 --json
    """
    path = find_run(run, paths)
    loaded = load_registry(path, registry_root, lang)
    warn_of_faults(loaded)
    if branch is None:
        return _show_run(path, as_json, loaded)
    return _show_branch(path, branch, as_json, loaded)


def _show_run(path: Path, as_json: bool, loaded: Loaded) -> int:
    opened = open_run(path, loaded.registry)
    if isinstance(opened, NotOpened):
        raise UsageError(opened.why)
    document = run_document(opened, loaded.registry, loaded.choice)
    if as_json:
        print_document(document)
        return 0
    from stopview_tui.cli.pages import print_run

    print_run(document, opened.reading)
    return 0


def _show_branch(path: Path, branch: str, as_json: bool, loaded: Loaded) -> int:
    key, exchange = _split(branch)
    dossier = open_branch(path, key, loaded.registry)
    if isinstance(dossier, NotOpened):
        if dossier.is_missing:
            raise UsageError(dossier.why)
        warn(dossier.why)
        return EXIT_REFUSED
    if exchange and not any(e.key == branch for e in dossier.reading.exchanges):
        raise UsageError(f"{key} has no exchange {exchange}")
    document = branch_document(dossier, loaded.registry, loaded.choice)
    if as_json:
        print_document(document)
        return 0
    from stopview_tui.cli.pages import print_branch

    print_branch(document, dossier.reading)
    return 0


def _split(branch: str) -> tuple[str, str]:
    """A BRANCH as its key and its exchange; UsageError where it is neither."""
    parts = branch.split("/", 2)
    key = "/".join(parts[:2])
    if branch_key(key) is None:
        raise UsageError(f"{branch} is not a branch like 2/1 or 2/1/critique")
    return key, parts[2] if len(parts) == 3 else ""
