"""Finds the command that was asked for, runs it, and turns trouble into messages and exit codes."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Sequence

import click

from stopview_core.errors import (
    EXIT_DONE,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    EXIT_WRITE_FAILED,
    StopviewError,
)
from stopview_core.text import clean

APP = "app"
COMMANDS = {
    APP: "stopview_tui.cli.app",
    "list": "stopview_tui.cli.list",
    "show": "stopview_tui.cli.show",
    "decide": "stopview_tui.cli.decide",
    "resume": "stopview_tui.cli.resume",
    "history": "stopview_tui.cli.history",
    "check": "stopview_tui.cli.check",
    "resolve": "stopview_tui.cli.resolve",
    "codes": "stopview_tui.cli.codes",
}
_GROUP_OPTIONS = ("--help", "-h", "--version")


class LazyCommands(click.Group):
    """Imports a command's module only when it is asked for; anything else is the app's PATH."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in COMMANDS if name != APP]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command = importlib.import_module(module).command
        assert isinstance(command, click.Command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        is_named = bool(args) and (args[0] in COMMANDS or args[0] in _GROUP_OPTIONS)
        return super().parse_args(ctx, args if is_named else [APP, *args])


@click.group(
    cls=LazyCommands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog='Shell completion: eval "$(_STOPVIEW_COMPLETE=bash_source stopview)" '
    "(zsh_source, fish_source likewise).",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _, asked: _print_version(ctx) if asked else None,
    help="Show the version and exit.",
)
def cli() -> None:
    """See which agent runs are blocked and why, decide what waits for you, keep the record.

    \b
    stopview runs/                  watch the runs below runs/ in the terminal app
    stopview runs/orders --branch 2/1   open the app at one branch
    stopview list runs/ --json      the blocked branches, for a program
    stopview show orders 2/1        one branch in full
    stopview decide orders 2/1 --select split-view --reason "fewest clicks"

    The app takes --branch, --approver, --registry and --lang: see stopview app --help.
    """


def _print_version(ctx: click.Context) -> None:
    from stopview_tui.version import VERSION

    click.echo(f"stopview {VERSION}")
    ctx.exit()


def main(args: Sequence[str] | None = None) -> None:
    """Run the command and exit: 0 done, 1 faults, 2 usage, 3 refused, 4 write failed, 130."""
    # A command has ended before there is anything to collect; the app turns it on once it is up.
    gc.disable()
    sys.exit(run(args))


def run(args: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        # Before anything is done: what came of it could not be told.
        click.echo("stopview: the output could not be written: it is closed", err=True)
        return EXIT_WRITE_FAILED
    try:
        result = cli.main(args=args, prog_name="stopview", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show(sys.stderr)
        return EXIT_USAGE
    except (click.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except StopviewError as error:
        click.echo(f"stopview: {clean(str(error))}", err=True)
        return error.exit_code
    except (BrokenPipeError, SystemExit):
        # Who read the output went away; click itself exits when it meets that first.
        _point_at_nothing()
        return EXIT_DONE
    except OSError as error:
        if error.filename is not None:
            raise
        # Only writing out has no file name: the disk behind it is full, or it is closed.
        _point_at_nothing()
        click.echo(f"stopview: the output could not be written: {error.strerror}", err=True)
        return EXIT_WRITE_FAILED
    return result if isinstance(result, int) else EXIT_DONE


def _point_at_nothing() -> None:
    """Let what is still buffered go nowhere: who read it is gone, or cannot take it."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
