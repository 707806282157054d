"""`stopview decide`: write the decision on a blocked branch. It never asks."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import click

from stopview_core.compose import Pick
from stopview_core.decide import Outcome, Wish, decide
from stopview_core.errors import UsageError
from stopview_core.records import branch_key
from stopview_core.report.deciding import decide_document
from stopview_core.yamltext import write
from stopview_tui.approver import find_actor
from stopview_tui.cli.common import (
    find_run,
    json_option,
    load_registry,
    path_option,
    print_document,
    registry_options,
    say,
    warn,
    warn_of_faults,
)
from stopview_tui.version import VERSION

_SEQUENCE = re.compile("[0-9]{1,250}")
_FINGERPRINT = re.compile(r"sha256:[0-9a-f]{64}")


@click.command("decide")
@click.argument("run")
@click.argument("branch")
@click.option("--select", "selected", metavar="ID", help="The alternative to select.")
@click.option("--none", "is_none", is_flag=True, help="None of these; also takes a decision back.")
@click.option("--reason", metavar="TEXT", help="Why, in your words; needed with --none.")
@click.option("--approver", metavar="NAME", help="Who decides (named, not proved).")
@click.option(
    "--expect", metavar="FINGERPRINT", help="Only on this evidence: a fingerprint from `show`."
)
@click.option("--supersede", metavar="SEQ", help="Replace the decision in force, by its number.")
@click.option("--dry-run", is_flag=True, help="Say what would be written; write nothing.")
@path_option
@json_option
@registry_options
def command(
    run: str,
    branch: str,
    selected: str | None,
    is_none: bool,
    reason: str | None,
    approver: str | None,
    expect: str | None,
    supersede: str | None,
    dry_run: bool,
    paths: tuple[Path, ...],
    as_json: bool,
    registry_root: Path | None,
    lang: str | None,
) -> int:
    """Decide a blocked BRANCH of RUN: write a 301 receipt beside it.

    \b
    stopview decide orders 2/1 --select split-view --reason "fewest clicks"
    stopview decide orders 2/1 --none --reason "wait for the audit" --supersede 0001
    """
    if (selected is None) == (not is_none):
        raise UsageError("name one: --select ID, or --none")
    actor = find_actor(approver, os.environ, version=VERSION, via=_via())
    path = find_run(run, paths)
    _check_branch(branch)
    loaded = load_registry(path, registry_root, lang)
    warn_of_faults(loaded)
    wish = Wish(Pick.of(selected, reason), _fingerprint(expect), _sequence(supersede), dry_run)
    outcome = decide(path, branch, wish, loaded.registry, actor)
    _print(outcome, as_json)
    return outcome.exit_code


def _via() -> str:
    return "command, terminal" if sys.stdin and sys.stdin.isatty() else "command, no terminal"


def _check_branch(branch: str) -> None:
    key = "/".join(branch.split("/", 2)[:2])
    if branch_key(key) is None:
        raise UsageError(f"{branch} is not a branch like 2/1")


def _fingerprint(text: str | None) -> str | None:
    if text is not None and _FINGERPRINT.fullmatch(text) is None:
        raise UsageError(f"--expect {text} is not a fingerprint: sha256: and 64 digits, as in show")
    return text


def _sequence(text: str | None) -> str | None:
    if text is None:
        return None
    if _SEQUENCE.fullmatch(text) is None:
        raise UsageError(f"--supersede {text} is not a number like 0001")
    return f"{int(text):04d}"


def _print(outcome: Outcome, as_json: bool) -> None:
    if as_json:
        print_document(decide_document(outcome))
        return
    line = f"{outcome.status_code} {outcome.name}: {outcome.message}"
    if outcome.exit_code == 0:
        say(line)
        if outcome.status_code == 301 and not outcome.is_written and outcome.receipt is not None:
            say(write(outcome.receipt).decode())
        if outcome.where is not None:
            say(outcome.where)
    else:
        warn(line)
