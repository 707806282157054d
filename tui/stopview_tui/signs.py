"""What the signs before rows, groups and numbers mean, for help."""

from __future__ import annotations

SIGNS: tuple[tuple[str, str], ...] = (
    ("▌", "The row under the cursor"),
    ("●", "A row that is new since you looked; the cursor takes the sign off"),
    ("~", "Before a row: it changed, or it moves when the cursor leaves it"),
    ("×", "Before a row: not listed any more, it goes when the cursor leaves it"),
    ("~3d 4h", "A time that only the file's date tells, not the run itself"),
    ("│ ●", "In a run: attempts of one lineage, the first above the next"),
    ("‼", "An approval was bypassed"),
    ("?", "It needs your choice"),
    ("✓", "Decided, waiting to resume; a decision in force; done"),
    ("!", "It needs a person"),
    ("»", "It waits for an operator"),
    ("…", "It waits outside; at the end of a text: the text goes on"),
    ("✗", "A rule was broken"),
    ("■ ▸ · ≠", "A branch: blocked, running, not started, at odds with its request"),
    ("× stopped", "A branch or a run that ended without being done"),
    ("● live", "The picture is kept up as things change"),
    ("◐ polling", "Everything is looked at again and again instead"),
    ("○ stale", "The picture may be old; the reason stands beside it"),
)
"""A sign, or a sample of it, and its meaning."""
