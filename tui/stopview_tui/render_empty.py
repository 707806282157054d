"""Says what an empty list means: nothing waits, nothing is found, nothing matches, or not yet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from textual.content import Content

from stopview_tui.inbox_model import Counts
from stopview_tui.moments import moment
from stopview_tui.render import (
    GOOD,
    KEY,
    MUTED,
    STRONG,
    WARNING,
    line,
    lines,
    styled,
)
from stopview_tui.words import count_of


def empty_words(
    counts: Counts, *, runs: int, roots: Sequence[str], since: datetime, is_whole: bool
) -> Content:
    """What stands in place of an empty Inbox."""
    watched = lines(line(root) for root in roots)
    when = f"since {moment(since)}"
    if counts.hidden:
        told = [
            styled((f"No row matches, {counts.hidden} hidden.", WARNING)),
            styled(("escape", KEY), " shows all of them again."),
        ]
        return lines(told)
    if not is_whole:
        so_far = [styled((f"{count_of(runs, 'run')} so far", MUTED))] if runs else []
        return lines([styled(("Reading …", STRONG)), *so_far, watched])
    if not runs:
        told = [
            styled(("No runs here yet.", STRONG)),
            styled("A run is a folder with a state.json or with step-1/parallel-1 in it."),
            styled((f"Watched {when}; what comes is shown at once:", MUTED)),
        ]
        return lines([*told, watched])
    told = [
        styled(("✓ Nothing waits.", GOOD)),
        styled(f"{count_of(runs, 'run')} read, none is blocked and no rule is broken."),
        styled((f"Watched {when}:", MUTED)),
        watched,
    ]
    if counts.seen:
        told.append(styled((f"{count_of(counts.seen, 'branch', 'branches')} seen before.", MUTED)))
    return lines(told)
