"""The command: `python -m benchmarks [--data DIR] [--size N] [--only NAME]...`."""

from __future__ import annotations

import argparse
import compileall
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import stopview_core
import stopview_tui
from benchmarks import app, commands, machine, memory, scanning
from benchmarks.data import Data
from benchmarks.table import print_row, print_table, write_json
from benchmarks.values import Outcome, Row

ROWS: tuple[Row, ...] = (*commands.ROWS, *scanning.ROWS, *memory.ROWS, *app.ROWS)
RESULTS = Path(__file__).parent / "results"


def main(args: Sequence[str] | None = None) -> int:
    """Run the rows asked for; 0, or 1 with --strict where a goal was missed."""
    asked = _parser().parse_args(args)
    if asked.list:
        for row in ROWS:
            print(f"{row.name:24} {row.what}")
        return 0
    rows = [row for row in ROWS if not asked.only or row.name in asked.only]
    _compile()
    with tempfile.TemporaryDirectory(prefix="stopview-bench-") as scratch:
        data = Data(asked.data or Path(scratch), asked.size, asked.repeat)
        outcomes = [_run(row, data) for row in rows]
    print_table(outcomes)
    written = write_json(outcomes, RESULTS if asked.json is None else asked.json)
    print(f"\n{written}")
    is_missed = any(outcome.is_met is False for outcome in outcomes)
    return 1 if asked.strict and is_missed else 0


def _compile() -> None:
    """As an installer does: no start is measured that has to compile a source first."""
    for package in (stopview_core, stopview_tui):
        for folder in package.__path__:
            compileall.compile_dir(folder, quiet=1)


def _run(row: Row, data: Data) -> Outcome:
    print(f"{row.name} ...", file=sys.stderr, flush=True)
    before = machine.now()
    outcome = row.run(row, data)
    outcome = replace(outcome, others=machine.others_share(before, machine.now()))
    print_row(outcome)
    return outcome


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--list", action="store_true", help="Say which rows there are.")
    parser.add_argument(
        "--only", action="append", metavar="NAME", choices=[row.name for row in ROWS],
        help="Only this row; may be given again.",
    )  # fmt: skip
    parser.add_argument("--size", type=int, default=10_000, help="How many runs are many.")
    parser.add_argument("--repeat", type=int, default=7, help="How often each is measured.")
    parser.add_argument("--data", type=Path, help="Keep the runs here, for the next time too.")
    parser.add_argument("--strict", action="store_true", help="Exit 1 where a goal is missed.")
    parser.add_argument("--json", type=Path, help="The folder for the results.")
    return parser


if __name__ == "__main__":
    sys.exit(main())
