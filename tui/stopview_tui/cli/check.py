"""`stopview check`: is the registry sound and the map closed?"""

from __future__ import annotations

import os
from pathlib import Path

import click

from stopview_core.errors import EXIT_DONE, EXIT_FAULTS, UsageError
from stopview_core.registry.check import check
from stopview_core.registry.load import find
from stopview_core.report.registry import check_document
from stopview_tui.cli.common import DEFAULT_PATH, json_option, print_document, say
from stopview_tui.words import count_of


@click.command("check")
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
@click.option(
    "--registry", "registry_root", type=click.Path(path_type=Path), help="The same as DIR."
)
@click.option("--lang", help="Accepted for every command; the check looks at all languages.")
@json_option
def command(
    folder: Path | None, registry_root: Path | None, lang: str | None, as_json: bool
) -> int:
    """Check the registry in DIR (default: the one in use): every fault, where it stands.

    Exits 1 on faults and 0 when the map is closed.

    \b
    stopview check
    stopview check path/to/registry --json
    """
    explicit = folder or registry_root
    root = find(DEFAULT_PATH, explicit, os.environ).root
    if not root.is_dir():
        raise UsageError(f"{root} is not a folder")
    report = check(root)
    if as_json:
        print_document(check_document(root, report))
    else:
        for fault in report.faults:
            say(": ".join(part for part in (fault.file, fault.path, fault.code) if part))
            say(f"    expected {fault.expected}, found {fault.found}")
        counts = report.counts
        if report.faults:
            say(count_of(len(report.faults), "fault"))
        else:
            say(
                f"closed: {count_of(counts.operators, 'operator')}, "
                f"{count_of(counts.routes, 'route')}, {count_of(counts.codes, 'code')}"
            )
    return EXIT_FAULTS if report.faults else EXIT_DONE
