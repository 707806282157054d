"""Shows outcomes as a table and writes them as JSON."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.values import Outcome, Samples

HEADS = ("what", "measured", "floor", "result", "goal", "met", "others")


def print_table(outcomes: Sequence[Outcome]) -> None:
    """The table: a line an outcome, each number with half its quartile distance.

    `others` is the share of the machine that other programs used meanwhile.
    """
    lines = [HEADS, *(_cells(outcome) for outcome in outcomes)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADS))]
    print()
    for line in lines:
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        )
    for outcome in outcomes:
        if outcome.skipped:
            print(f"{outcome.row.name}: not measured: {outcome.skipped}")


def print_row(outcome: Outcome) -> None:
    """One outcome, as soon as it is there."""
    print("  ".join(_cells(outcome)[1:]), file=sys.stderr, flush=True)


def write_json(outcomes: Sequence[Outcome], folder: Path) -> Path:
    """The outcomes with every sample, in a file named by the time."""
    folder.mkdir(parents=True, exist_ok=True)
    at = datetime.now(UTC)
    path = folder / f"{at:%Y%m%dT%H%M%SZ}.json"
    document = {
        "at": at.isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "system": platform.system(),
        "cores": os.cpu_count(),
        "rows": [_document(outcome) for outcome in outcomes],
    }
    path.write_text(json.dumps(document, indent=2) + "\n")
    return path


def _cells(outcome: Outcome) -> tuple[str, ...]:
    met = {True: "yes", False: "NO", None: "-"}[outcome.is_met]
    result = outcome.result
    unit = outcome.measured.unit if outcome.measured and not outcome.row.is_ratio else "x"
    return (
        outcome.row.what,
        _number(outcome.measured),
        _number(outcome.floor),
        "-" if result is None else f"{result:.2f} {unit}",
        f"<= {outcome.row.goal:g} {unit}",
        met,
        "-" if outcome.others is None else f"{outcome.others:.0%}",
    )


def _number(samples: Samples | None) -> str:
    if samples is None:
        return "-"
    return f"{samples.median:.2f} {samples.unit} +-{samples.spread:.0%}"


def _document(outcome: Outcome) -> dict[str, object]:
    return {
        "name": outcome.row.name,
        "what": outcome.row.what,
        "goal": outcome.row.goal,
        "result": outcome.result,
        "met": outcome.is_met,
        "others": outcome.others,
        "skipped": outcome.skipped or None,
        "measured": _samples(outcome.measured),
        "floor": _samples(outcome.floor),
        **outcome.more,
    }


def _samples(samples: Samples | None) -> dict[str, object] | None:
    if samples is None:
        return None
    return {"median": samples.median, "unit": samples.unit, "samples": samples.values}
