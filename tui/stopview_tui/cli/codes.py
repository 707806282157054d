"""`stopview codes`: the merged registry as a table."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from stopview_core.registry.codes import codes_in_order, markdown
from stopview_core.registry.model import Entry
from stopview_core.report.registry import codes_document
from stopview_core.resolve import value_text
from stopview_tui.cli.common import (
    DEFAULT_PATH,
    json_option,
    load_registry,
    print_document,
    registry_options,
    warn_of_faults,
)


@click.command("codes")
@click.option("--markdown", "as_markdown", is_flag=True, help="The table as docs/stop-codes.md.")
@json_option
@registry_options
def command(as_markdown: bool, as_json: bool, registry_root: Path | None, lang: str | None) -> None:
    """Print every stop code: scope, domain, disposition, meaning, fallback, unless, resume."""
    loaded = load_registry(DEFAULT_PATH, registry_root, lang)
    warn_of_faults(loaded)
    if as_json:
        print_document(codes_document(loaded.registry, loaded.choice))
    elif as_markdown:
        sys.stdout.write(markdown(loaded.registry))
    else:
        from stopview_tui.cli.tables import print_table

        print_table(
            ("CODE", "SCOPE", "DOMAIN", "DISPOSITION", "MEANING", "FALLBACK", "UNLESS", "RESUME"),
            [_cells(entry) for entry in codes_in_order(loaded.registry)],
            whole=("CODE", "DISPOSITION"),
            droppable=("FALLBACK", "UNLESS", "SCOPE", "DOMAIN", "RESUME"),
        )


def _cells(entry: Entry) -> tuple[str, ...]:
    unless = entry.unless
    flip = f"{unless.param}={value_text(unless.equals)}: {unless.then}" if unless else ""
    return (
        entry.code,
        ", ".join(entry.scope),
        entry.domain or "?",
        entry.disposition or "?",
        entry.meaning,
        entry.fallback or "",
        flip,
        entry.resume,
    )
