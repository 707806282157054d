"""Draws one branch of a run in full: its stop, decisions, fallbacks, receipts and attempts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from textual.content import Content

from stopview_core.chain import ChainRow
from stopview_core.dossier import OpenedRun
from stopview_core.lineage import sort_key
from stopview_core.readings import BranchReading, FallbackRecord, RecordedDecision
from stopview_core.resolve import Resolution
from stopview_core.text import one_line
from stopview_tui.moments import moment
from stopview_tui.render import (
    BAD,
    GOOD,
    KEY,
    MUTED,
    STRONG,
    TITLE,
    WARNING,
    bullets,
    line,
    lines,
    long_text,
    styled,
    waiting,
)
from stopview_tui.render_receipts import receipt_part
from stopview_tui.render_run import NOT_STARTED, status_cell, status_content, stop_words
from stopview_tui.render_scores import shown_number
from stopview_tui.words import count_of, decision_words, standing_words


def row_page(row: ChainRow, opened: OpenedRun, now: datetime) -> Content:
    """One row of the run in full."""
    if row.branch is None:
        return _planned_page(row)
    if row.exchange is not None:
        return _exchange_page(row)
    branch = row.branch
    parts = [
        _branch_title(row, now),
        *_violations(branch),
        *_stop(branch),
        *_decisions(branch),
        *_fallbacks(branch.fallbacks),
        *_lineage(row, opened),
        *_exchanges(branch),
    ]
    for found in opened.receipts.get(row.key, ()):
        parts.append(section(f"Receipt {found.where}", receipt_part(found.receipt)))
    unread = [styled(f"{item.path}: ", one_line(item.why)) for item in branch.unreadable]
    if unread:
        parts.append(section("Could not be read", bullets(unread)))
    return Content("\n\n").join(parts)


def section(title: str, *body: Content | str) -> Content:
    """A heading and what stands below it."""
    parts = [part if isinstance(part, Content) else long_text(part) for part in body]
    return lines([styled((one_line(title), TITLE)), *parts])


def offer_words(taken: FallbackRecord | RecordedDecision, identifier: str) -> str:
    """An alternative's id with its total, where it has one."""
    total = next((offer.total for offer in taken.offers if offer.id == identifier), None)
    name = one_line(identifier)
    return name if total is None else f"{name} ({shown_number(total)})"


def over_words(taken: FallbackRecord | RecordedDecision) -> str:
    """What was on offer beside the selected one."""
    others = [offer.id for offer in taken.offers if offer.id != taken.selected]
    return ", ".join(offer_words(taken, identifier) for identifier in others)


def _branch_title(row: ChainRow, now: datetime) -> Content:
    branch = row.branch
    assert branch is not None
    head = [styled((row.key, STRONG)), line(branch.operator or "no operator is named", STRONG)]
    head.append(status_cell(row))
    parts = [Content("  ").join(head)]
    began, ended = row.times.began, row.times.ended
    if began is not None:
        took = f", after {waiting(began, ended.at)}" if ended and ended.at >= began else ""
        until = f", ended {moment(ended.at)}{took}" if ended else ", not ended yet"
        parts.append(styled((f"Began {moment(began)}{until}.", MUTED)))
    elif ended is not None:
        parts.append(styled((f"Ended {moment(ended.at)}.", MUTED)))
    if ended is not None and ended.source == "mtime":
        parts.append(styled(("No transition says when: it is the time of response.json.", MUTED)))
    if branch.is_open and branch.blocked_at is not None:
        parts.append(styled((f"It has waited {waiting(branch.blocked_at.at, now)}.", WARNING)))
    if branch.is_import:
        parts.append(styled(("Imported: it is another run's evidence.", WARNING)))
    if not row.is_in_chain:
        parts.append(styled(("The chain in state.json does not name it.", WARNING)))
    return lines(parts)


def _violations(branch: BranchReading) -> Iterable[Content]:
    if branch.violations:
        yield section(
            "Violations",
            bullets(
                styled(
                    (violation.code, BAD if violation.code == "APPROVAL_BYPASSED" else WARNING),
                    ": ",
                    one_line(violation.text),
                    (f" ({one_line(violation.where)})", MUTED),
                )
                for violation in branch.violations
            ),
        )


def _stop(branch: BranchReading) -> Iterable[Content]:
    resolution = branch.resolution
    if resolution is not None:
        yield section("What happened", stop_line(resolution), resolution.meaning)
    if branch.reason:
        yield section("The agent says", styled("“", long_text(branch.reason), "”"))
    if resolution is None:
        return
    yield section("Why it stopped here, and what happens next", _why(resolution))
    if branch.is_open:
        yield section("What you can do", *_what_you_can_do(branch, resolution.resume))


def _why(resolution: Resolution) -> Content:
    return bullets(map(line, resolution.why_for_people))


def _what_you_can_do(branch: BranchReading, resume: str) -> Iterable[Content]:
    if branch.decidability.is_decidable:
        verb = "change the decision" if branch.decision.status == "in_force" else "pick one"
        count = count_of(len(branch.offered), "alternative")
        yield styled(("Enter", KEY), f" shows the {count} side by side, to {verb}.")
    elif branch.decidability.why:
        yield line(branch.decidability.why)
    if resume and resume not in branch.decidability.why:
        yield long_text(resume)


def stop_line(resolution: Resolution) -> Content:
    """The code, and the one that was written where it is read as another."""
    written = resolution.written_code
    other = f", written as {one_line(written)}" if written != resolution.code else ""
    return styled((resolution.code, WARNING), (other, MUTED))


def _decisions(branch: BranchReading) -> Iterable[Content]:
    if branch.decision.status != "none":
        yield section("Decision", line(decision_words(branch.decision), STRONG))
    if branch.decisions:
        yield section("Decisions made", bullets(map(_decision, reversed(branch.decisions))))


def _decision(made: RecordedDecision) -> Content:
    selected = "none of these" if made.selected is None else offer_words(made, made.selected)
    return styled(
        (f"{made.seq}  ", MUTED),
        (selected, GOOD if made.is_in_force else ""),
        f", by {one_line(made.by)}, {moment(made.at)}",
        ", ",
        (standing_words(made), GOOD if made.is_in_force else MUTED),
        styled("\n  “", long_text(made.reason), "”") if made.reason else "",
    )


def _fallbacks(fallbacks: Sequence[FallbackRecord]) -> Iterable[Content]:
    if fallbacks:
        yield section("Fallbacks taken", bullets(map(_fallback, fallbacks)))


def _fallback(taken: FallbackRecord) -> Content:
    parts: list[Content | tuple[str, str] | str] = [
        (one_line(taken.code), STRONG),
        ": ",
        one_line(taken.action) if taken.action else ("no action was recorded", WARNING),
    ]
    if taken.selected:
        parts.append(f" Selected {offer_words(taken, taken.selected)}")
        over = over_words(taken)
        parts.append(f" over {over}." if over else ".")
    return styled(*parts)


def _lineage(row: ChainRow, opened: OpenedRun) -> Iterable[Content]:
    branch = row.branch
    if branch is None or (row.attempt is None and branch.resumes is None):
        return
    if row.attempt is not None:
        keys = [styled((key, f"{STRONG} reverse" if key == row.key else "")) for key in _order(row)]
        chain = Content(" -> ").join(keys)
        said = f"   attempt {row.attempt.number} of {row.attempt.count}"
        outcomes = [
            styled((f"{key}  ", MUTED), _outcome(opened.reading.branches.get(key)))
            for key in _order(row)
        ]
        yield section("Attempts", styled(chain, (said, MUTED)), bullets(outcomes))
    elif branch.resumes is not None:
        named = one_line(branch.resumes) or "no branch"
        yield section("Attempts", f"It says that it resumes {named}.")


def _order(row: ChainRow) -> Sequence[str]:
    return sorted(row.attempt.lineage, key=sort_key) if row.attempt else ()


def _outcome(branch: BranchReading | None) -> Content:
    if branch is None:
        return styled(("not there", WARNING))
    stop = branch.resolution
    said = styled(f" {stop.code}") if stop else Content("")
    decided = decision_words(branch.decision)
    return styled(
        status_content(branch.status), said, (f"  {one_line(decided)}" if decided else "", MUTED)
    )


def _exchanges(branch: BranchReading) -> Iterable[Content]:
    if branch.exchanges:
        yield section(
            "Exchanges",
            bullets(
                styled(
                    (f"{one_line(exchange.name)}  ", STRONG),
                    status_content(exchange.status),
                    "  ",
                    stop_words(exchange.resolution, is_open=False),
                )
                for exchange in branch.exchanges
            ),
        )


def _exchange_page(row: ChainRow) -> Content:
    exchange = row.exchange
    assert exchange is not None
    head = styled(
        (one_line(exchange.key), STRONG),
        "  ",
        line(exchange.operator or "no operator is named", STRONG),
        "  ",
        status_content(exchange.status),
    )
    said = f"An exchange inside branch {row.branch_key}. It is never decided by itself."
    parts = [lines([head, styled((said, MUTED))])]
    if exchange.resolution is not None:
        resolution = exchange.resolution
        parts.append(section("What happened", stop_line(resolution), resolution.meaning))
        parts.append(
            section(
                "Why it stopped, and what happens next",
                _why(resolution),
            )
        )
    return Content("\n\n").join(parts)


def _planned_page(row: ChainRow) -> Content:
    head = styled((row.key, STRONG), "  ", line(row.planned_operator or "", STRONG))
    return lines(
        [
            styled(head, "  ", status_content(NOT_STARTED)),
            styled(("The chain in state.json names it; there is no folder for it yet.", MUTED)),
        ]
    )
