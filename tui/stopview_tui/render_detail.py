"""Says a row of the Inbox in plain words: what happened, why, what is next, what you can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from textual.content import Content

from stopview_core.board import Group, Row
from stopview_core.evidence import NoEvidence
from stopview_core.lineage import sort_key
from stopview_core.readings import BranchReading, RecordedDecision, RunReading
from stopview_core.records import Skipped
from stopview_core.resolve import Resolution
from stopview_tui.moments import moment
from stopview_tui.render import (
    ACCENT,
    BAD,
    MUTED,
    STRONG,
    WARNING,
    bullets,
    line,
    lines,
    long_text,
    styled,
    waiting,
)
from stopview_tui.words import decision_words, route_words, run_words, standing_words

if TYPE_CHECKING:
    from stopview_core.dossier import Dossier, NotOpened

GONE = "This is not listed any more; it goes when the cursor leaves it."


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the detail. A quotation is set apart as somebody else's words."""

    title: str
    body: Content
    is_quotation: bool = False
    is_alert: bool = False


@dataclass(frozen=True, slots=True)
class Detail:
    """What the pane shows: a title, a line below it, and the sections in order."""

    title: Content
    subtitle: Content
    sections: tuple[Section, ...]


def detail_of(
    row: Row,
    run: RunReading | None,
    opened: Dossier | NotOpened | None,
    now: datetime,
    *,
    is_gone: bool = False,
    is_seen: bool = False,
) -> Detail:
    """The detail of a row. `opened` is None while the branch is still being opened.

    `is_gone` tells that the row is listed only because the cursor is on it, `is_seen` that its
    violations are marked as seen.
    """
    branch = row.branch
    if branch is None:
        return _unreadable(row)
    parts = [
        _violations(branch, is_seen=is_seen),
        *_what_happened(branch),
        *_why_here(branch),
        *_what_next(branch),
        *_what_you_can_do(row, branch, is_seen=is_seen),
        _fallbacks(branch),
        _decisions(branch),
        _evidence(branch, opened),
        _attempts(branch, run),
        _exchanges(branch),
        _not_read(branch.unreadable),
        _about_run(run),
    ]
    subtitle = styled((GONE, WARNING)) if is_gone else _subtitle(row, branch, now)
    sections = tuple(part for part in parts if part is not None)
    return Detail(_title(row, branch), subtitle, sections)


def _title(row: Row, branch: BranchReading) -> Content:
    run = line(run_words(row.run_id, row.run_path), STRONG)
    return styled(run, ("  branch ", MUTED), (branch.key, STRONG))


def _subtitle(row: Row, branch: BranchReading, now: datetime) -> Content:
    parts = [line(branch.operator or "operator not named")]
    if row.code:
        parts.append(line(row.code, ACCENT))
    if branch.is_open and branch.resolution is not None:
        parts.append(line(route_words(branch.resolution.route)))
    if row.waits_since is not None and branch.blocked_at is not None:
        source = "" if branch.blocked_at.source == "transition" else ", by the file's time"
        since = f"waits {waiting(row.waits_since, now)} (since {moment(row.waits_since)}{source})"
        parts.append(line(since))
    return styled((" · ", MUTED)).join(parts)


def _what_happened(branch: BranchReading) -> list[Section]:
    resolution = branch.resolution
    found = []
    if resolution is not None and resolution.meaning:
        found.append(Section("What happened", long_text(resolution.meaning)))
    elif resolution is None and branch.violations and not branch.is_open:
        told = f"The branch is {branch.status}, and on the way a rule was broken."
        found.append(Section("What happened", line(told)))
    elif resolution is None:
        told = f"The branch is {branch.status} and names no stop code."
        found.append(Section("What happened", line(told)))
    else:
        told = f"It stopped with {resolution.written_code}, which the registry does not explain."
        found.append(Section("What happened", line(told)))
    if branch.reason:
        who = branch.operator or "the agent"
        title = f"The agent's reason, in the words of {line(who).plain}"
        found.append(Section(title, long_text(branch.reason), is_quotation=True))
    return found


def _why_here(branch: BranchReading) -> list[Section]:
    if branch.resolution is None:
        return []
    why = branch.resolution.why_for_people
    sentences = [line(sentence) for sentence in why]
    if branch.resolution.is_faulty and sentences:
        sentences[-1] = line(why[-1], WARNING)
    return [Section("Why it stopped here", lines(sentences))] if sentences else []


def _what_next(branch: BranchReading) -> list[Section]:
    said: list[Content] = []
    decision = branch.decision
    if decision.status == "in_force":
        by, at = decision.by or "somebody", f" at {moment(decision.at)}" if decision.at else ""
        said.append(line(f"{by} decided{at}: {decision.selected}.", STRONG))
        operator = branch.operator or "the operator"
        said.append(line(f"It takes effect when {operator} resumes with it."))
    elif decision.status == "answered":
        by = decision.by or "somebody the runtime does not name"
        said.append(line(f"Already answered by {by}: {decision.selected}.", STRONG))
    elif decision.status in ("stale", "withdrawn"):
        told = {
            "stale": "There is a decision, but the evidence has changed since: decide again.",
            "withdrawn": "The decision was taken back, so a person has to decide again.",
        }
        said.append(line(told[decision.status], WARNING))
    if branch.resumed_by:
        said.append(line(f"{', '.join(branch.resumed_by)} carried it on."))
    has_answer = decision.status in ("in_force", "answered")
    if branch.resolution is not None and branch.is_open and not has_answer:
        said.append(line(_next_words(branch.resolution, branch.operator or "the operator")))
    return [Section("What happens next", lines(said))] if said else []


def _next_words(resolution: Resolution, operator: str) -> str:
    """Where it goes, as told to the person who reads it."""
    route = resolution.route
    if route.unrouted:
        return "The map has no way on from here, so it waits until a person looks at it."
    match route.kind:
        case "user":
            return f"It waits for a person. {operator} goes on only with an answer."
        case "operator":
            return f"{route.target} runs next, then {operator} goes on. Nothing is asked of you."
        case "chain":
            return f"Another run of {route.target} brings what is missing, then it goes on."
        case "resume":
            return f"{operator} runs again, once something has changed."
        case "external":
            return "It waits for something outside the runtime; nothing in it can help."
    return f"It goes on by the way of {route.kind}."


def _what_you_can_do(row: Row, branch: BranchReading, *, is_seen: bool) -> list[Section]:
    said: list[Content] = []
    if branch.decidability.is_decidable:
        verb = "change the decision" if branch.decision.status == "in_force" else "pick one"
        said.append(
            styled(
                ("Enter", "bold $text-accent"),
                f" shows the {len(branch.offered)} alternatives side by side, to {verb}.",
            )
        )
    elif branch.is_open or row.group is Group.PERSON:
        said.append(line(branch.decidability.why))
    if branch.is_open and branch.resolution is not None and branch.resolution.resume:
        said.append(long_text(branch.resolution.resume))
    if branch.is_bypassed and not branch.is_open:
        told = "The work went on without you. The fallback below says what was taken."
        said.append(line(told))
    if branch.violations:
        verb = "takes the mark off" if is_seen else "marks"
        what = "the violations of this row" + ("" if is_seen else " as seen")
        said.append(styled(("m", "bold $text-accent"), f" {verb} {what}."))
    return [Section("What you can do", lines(said))] if said else []


def _violations(branch: BranchReading, *, is_seen: bool) -> Section | None:
    if not branch.violations:
        return None
    said = []
    for violation in branch.violations:
        style = BAD if violation.code == "APPROVAL_BYPASSED" else WARNING
        where = styled("  ", line(violation.where, MUTED)) if violation.where else Content("")
        said.append(styled((violation.code, style), " ", long_text(violation.text), where))
    title = "Violations, marked as seen" if is_seen else "Violations"
    return Section(title, bullets(said), is_alert=not is_seen)


def _fallbacks(branch: BranchReading) -> Section | None:
    said = []
    for record in branch.fallbacks:
        parts = [styled((line(record.code).plain, ACCENT))]
        parts.append(long_text(record.action) if record.action else line("no action recorded"))
        if record.selected:
            parts.append(line(f"It went on with {record.selected}."))
        said.append(Content(" ").join(parts))
    return Section("Fallbacks taken", bullets(said)) if said else None


def _decisions(branch: BranchReading) -> Section | None:
    said = [_decision(decision) for decision in reversed(branch.decisions)]
    if not said and branch.decision.status == "answered":
        said = [line(decision_words(branch.decision))]
    return Section("Decisions", bullets(said)) if said else None


def _decision(decision: RecordedDecision) -> Content:
    picked = decision.selected if decision.selected is not None else "none of these"
    told = line(f"by {decision.by}, {moment(decision.at)}")
    reason = styled("\n  “", long_text(decision.reason), "”") if decision.reason else Content("")
    return styled(
        (decision.seq, MUTED),
        " ",
        line(picked, STRONG),
        " ",
        told,
        " ",
        (standing_words(decision), ACCENT if decision.is_in_force else MUTED),
        reason,
    )


def _evidence(branch: BranchReading, opened: Dossier | NotOpened | None) -> Section | None:
    if opened is None:
        return Section("Evidence", line("is being read …", MUTED))
    from stopview_core.dossier import NotOpened  # It is loaded with the first branch opened.

    if isinstance(opened, NotOpened):
        return Section("Evidence", line(f"{opened.why}.", WARNING), is_alert=True)
    if isinstance(opened.evidence, NoEvidence):
        return Section("Evidence", line(opened.evidence.why, WARNING), is_alert=True)
    return Section("Evidence", lines(_files(opened.evidence.files, opened.branch.artifacts)))


def _files(files: Mapping[str, str | None], artifacts: tuple[str, ...]) -> list[Content]:
    listed = [
        line(path) if digest else styled(line(path, MUTED), (" (not there)", MUTED))
        for path, digest in sorted(files.items())
    ]
    more = [line(path) for path in artifacts if path not in files]
    return listed + more


def _attempts(branch: BranchReading, run: RunReading | None) -> Section | None:
    """The attempts of the branch's lineage, first to last."""
    if run is None or not (branch.resumes or branch.resumed_by):
        return None
    keys = {branch.key}
    pending = [branch.key]
    while pending:
        at = run.branches.get(pending.pop())
        for key in (*at.resumed_by, at.resumes or "") if at else ():
            if key in run.branches and key not in keys:
                keys.add(key)
                pending.append(key)
    said = []
    for key in sorted(keys, key=sort_key):
        other = run.branches[key]
        stop = f" with {other.resolution.written_code}" if other.resolution else ""
        here = ("  this one", ACCENT) if key == branch.key else ("", "")
        said.append(styled((key, STRONG), " ", line(f"{other.status}{stop}"), here))
    return Section("Attempts so far", bullets(said))


def _exchanges(branch: BranchReading) -> Section | None:
    said = []
    for exchange in branch.exchanges:
        stop = f" with {exchange.resolution.written_code}" if exchange.resolution else ""
        said.append(styled(line(exchange.name, STRONG), " ", line(f"{exchange.status}{stop}")))
    return Section("Exchanges", bullets(said)) if said else None


def _not_read(skipped: tuple[Skipped, ...]) -> Section | None:
    if not skipped:
        return None
    said = [styled(line(item.path), ": ", line(item.why, WARNING)) for item in skipped]
    return Section("Could not be read", bullets(said), is_alert=True)


def _about_run(run: RunReading | None) -> Section | None:
    if run is None:
        return None
    said = [long_text(run.goal)] if run.goal else []
    said.append(line(str(run.path), MUTED))
    if run.notice:
        said.append(line(run.notice, WARNING))
    return Section("The run", lines(said))


def _unreadable(row: Row) -> Detail:
    why = row.skipped
    said = [styled(line(why.path), ": ", line(why.why, WARNING))] if why else []
    return Detail(
        styled((line(row.run_id).plain, STRONG), ("  cannot be read", WARNING)),
        line(str(row.run_path), MUTED),
        (
            Section("What happened", lines(said), is_alert=True),
            Section(
                "What you can do",
                line("Look at the file. It is read again as soon as it changes."),
            ),
        ),
    )
