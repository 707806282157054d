"""`stopview resume`: what a runtime needs to carry a decision out, printed and never written."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from stopview_core.dossier import NotOpened, open_branch
from stopview_core.errors import EXIT_DONE, EXIT_REFUSED, UsageError
from stopview_core.packet import NoPacket, ResumePacket, resume_packet
from stopview_core.report.deciding import resume_document
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


@click.command("resume")
@click.argument("run")
@click.argument("branch")
@path_option
@json_option
@registry_options
def command(
    run: str,
    branch: str,
    paths: tuple[Path, ...],
    as_json: bool,
    registry_root: Path | None,
    lang: str | None,
) -> int:
    """Print the packet that resumes BRANCH of RUN with the decision in force.

    \b
    stopview resume orders 2/1 --json
    """
    path = find_run(run, paths)
    loaded = load_registry(path, registry_root, lang)
    warn_of_faults(loaded)
    packet = _packet(path, branch, loaded)
    document = resume_document(packet)
    if as_json:
        print_document(document)
    elif isinstance(packet, NoPacket):
        warn(f"{packet.status_code}: {packet.message}")
    else:
        sys.stdout.write(json.dumps(document.model_dump(by_alias=True), indent=2) + "\n")
    return EXIT_REFUSED if isinstance(packet, NoPacket) else EXIT_DONE


def _packet(path: Path, branch: str, loaded: Loaded) -> ResumePacket | NoPacket:
    dossier = open_branch(path, branch, loaded.registry)
    if not isinstance(dossier, NotOpened):
        return resume_packet(dossier)
    if dossier.is_missing:
        raise UsageError(dossier.why)
    return NoPacket(400, dossier.why)
