"""Writes the sample runs to examples/runs: `python scripts/make_examples.py`."""

from __future__ import annotations

import shutil
from pathlib import Path

from stopview_core.demo import SCENARIOS

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "runs"


def main() -> None:
    """Replaces examples/runs as a whole, so that nothing stale stays behind."""
    shutil.rmtree(EXAMPLES, ignore_errors=True)
    EXAMPLES.mkdir(parents=True)
    for scenario in SCENARIOS.values():
        run = scenario.build().write(EXAMPLES)
        print(f"{run.relative_to(EXAMPLES.parents[1])}: {scenario.about}")


if __name__ == "__main__":
    main()
