"""Writes the JSON Schemas of the `--json` documents: `python scripts/make_schemas.py`."""

from __future__ import annotations

from pathlib import Path

from stopview_core.report.models import DOCUMENTS
from stopview_core.report.schemas import schema_text

SCHEMAS = Path(__file__).resolve().parents[1] / "docs" / "schemas"


def main() -> None:
    """Replaces every file of docs/schemas, so that nothing stale stays behind."""
    SCHEMAS.mkdir(parents=True, exist_ok=True)
    for stale in SCHEMAS.glob("*.json"):
        stale.unlink()
    for command in DOCUMENTS:
        (SCHEMAS / f"{command}.json").write_text(schema_text(command), encoding="utf-8")


if __name__ == "__main__":
    main()
