"""Rows about the app: first frame, change on disk to bytes, opening Decide, idle cost."""

from __future__ import annotations

from benchmarks.values import Row

# A row's function takes the row and the data and gives an Outcome, as in benchmarks/scanning.py.
ROWS: tuple[Row, ...] = ()
