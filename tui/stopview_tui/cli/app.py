"""`stopview [PATH...]`: the app."""

from __future__ import annotations

import difflib
import os
import sys
from pathlib import Path

import click

from stopview_core.errors import UsageError
from stopview_core.records import branch_key
from stopview_core.registry.load import load
from stopview_tui.cli.common import choose_registry, registry_options, roots_of

_NAMED = 5
"""How many runs are named at most that a branch may be meant of."""


@click.command("app")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@click.option("--branch", metavar="N/M", help="Open at this branch; PATH is then one run.")
@click.option("--approver", metavar="NAME", help="Who decides (named, not proved).")
@registry_options
def command(
    paths: tuple[Path, ...],
    branch: str | None,
    approver: str | None,
    registry_root: Path | None,
    lang: str | None,
) -> int:
    """Watch the runs below each PATH (default: runs, else the current folder)."""
    _refuse_typo(paths)
    roots = roots_of(paths)
    open_at = None
    if branch is not None:
        if branch_key(branch) is None:
            raise UsageError(f"--branch {branch} is not a branch like 2/1")
        if len(roots) != 1:
            raise UsageError("--branch needs one PATH: the run it is in")
        _refuse_no_run(roots[0], branch)
        open_at = (roots[0], branch)
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the app needs a terminal; `stopview list` prints what waits")
    if not (sys.stderr and sys.stderr.isatty()):
        raise UsageError("the app draws on the standard error, which is no terminal here")
    from stopview_tui.launch import launch

    choice = choose_registry(roots[0], registry_root)
    return launch(
        roots,
        choice,
        lambda: load(choice.root, lang=lang),
        approver,
        os.environ,
        open_at,
    )


def _refuse_typo(paths: tuple[Path, ...]) -> None:
    """Name the command that was probably meant by a PATH that is not there."""
    from stopview_tui.cli.root import COMMANDS

    if len(paths) == 0 or paths[0].exists():
        return
    if str(paths[0]) in COMMANDS:
        raise UsageError(f"options stand behind the command: stopview {paths[0]} ...")
    meant = difflib.get_close_matches(str(paths[0]), COMMANDS, n=1)
    if meant:
        raise UsageError(f"{paths[0]} is neither a folder nor a command; did you mean {meant[0]}?")
    if len(paths) == 1 and os.sep not in str(paths[0]):
        told = "is not there, and it is no command: stopview --help lists the commands"
        raise UsageError(f"{paths[0]} {told}")


def _refuse_no_run(path: Path, branch: str) -> None:
    """A branch is in one run, and PATH may be a folder of many: say which to name."""
    from stopview_core.folder import Reader
    from stopview_core.scan import find_runs, is_run

    reader = Reader()
    folder = reader.listing(os.fspath(path))
    if folder is None or is_run(folder, reader):
        # One that cannot be listed is a run or not, and opening it says why.
        return
    step, _, parallel = branch.partition("/")
    inside = f"step-{step}/parallel-{parallel}"
    found = [run.path for run in find_runs(os.fspath(path), reader)]
    having = [run for run in found if Path(run, inside).is_dir()]
    told = "".join(f"\n  stopview {run} --branch {branch}" for run in having[:_NAMED])
    more = f"\n  and {len(having) - _NAMED} more" if len(having) > _NAMED else ""
    raise UsageError(
        f"--branch {branch} needs the run that it is in, and {path} is not a run"
        + (f"; these runs have it:{told}{more}" if having else "; no run below it has that branch")
    )
