"""Says what came of a decision: what is about to be written, was written, changed, or failed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.content import Content

from stopview_core.actor import Actor
from stopview_core.alternatives import Alternative, AlternativeTable
from stopview_core.compose import Pick
from stopview_core.decide import Outcome
from stopview_core.dossier import Dossier
from stopview_core.readings import DecisionStatus
from stopview_core.text import clean
from stopview_tui.changes import Changes, ScoreChange
from stopview_tui.render import BAD, GOOD, MUTED, STRONG, WARNING, long_text
from stopview_tui.render_decide import LABEL, labelled, made, named, standing
from stopview_tui.render_scores import shown_number
from stopview_tui.widgets.score_rows import note_parts, sources_of
from stopview_tui.words import count_of


def pick_line(has_pick: bool, selected: str | None, cursor: str | None, hindrance: str) -> Content:
    """What is picked, or how to pick; `cursor` is the column that space would pick.

    `hindrance` says why nothing can be picked now; empty where something can.
    """
    if has_pick and hindrance:
        kept = ("Picked, and kept for now: ", (named(selected), WARNING), ". ")
        return Content.assemble(*kept, (hindrance, MUTED))
    if hindrance:
        return Content.styled(hindrance, MUTED)
    if has_pick:
        return Content.assemble("Picked: ", (named(selected), GOOD))
    means = ": no alternative will do, with your reason why" if cursor is None else ""
    return Content.assemble("Nothing picked. ", (f"space picks {named(cursor)}{means}", MUTED))


def reason_label(*, is_required: bool, is_typing: bool, is_missed: bool) -> Content:
    """What stands over the reason; `is_missed` once a person wanted to go on without one."""
    if is_missed:
        first = ("Write your reason first: picking none of these requires one. ", WARNING)
    elif is_required:
        first = ("Your reason (required for none of these) ", STRONG)
    else:
        first = ("Your reason (if you like) ", LABEL)
    typing = ("You are typing it below; esc leads back to the alternatives.", MUTED)
    return Content.assemble(first, typing if is_typing else "")


def confirm_question(dossier: Dossier, pick: Pick, actor: Actor, supersede: str | None) -> Content:
    """What is about to be written, a line each: the pick, the whole reason, who, and for what."""
    code = dossier.reading.resolution.code if dossier.reading.resolution else ""
    operator = clean(dossier.reading.operator or "an operator that is not named")
    place = f"{code} on {operator}, run {clean(dossier.run.id)}, branch {dossier.reading.key}"
    where = f"{place}, in {clean(str(dossier.run.path))}"
    parts = [
        labelled("Selected", Content.styled(named(pick.selected), f"{GOOD} bold")),
        labelled("Approver", f"{actor.approver} (named, not proved)"),
        labelled("Reason", pick.reason if pick.reason else Content.styled("none given", MUTED)),
        labelled("For", where),
    ]
    behind = _behind(dossier.alternatives, pick.selected)
    if behind:
        parts.insert(1, Content.styled(behind, WARNING))
    if supersede is not None:
        taking = " The decision is taken back." if pick.selected is None else ""
        told = f"It replaces receipt {supersede}.{taking}"
        parts.insert(1, Content.styled(told, WARNING))
    if pick.selected is None:
        parts.append(Content("The branch then waits for a person again."))
    return Content("\n").join(parts)


def _behind(table: AlternativeTable, selected: str | None) -> str:
    """That the pick has not the highest total; empty where it has, or none is known."""
    highest = table.highest_total
    own = table.get(selected) if selected is not None else None
    if not highest or own is None or own.id in highest:
        return ""
    leading = table.get(highest[0])
    best = f", {shown_number(leading.total)}" if leading and leading.total is not None else ""
    has = "it is not ranked" if own.total is None else f"its total is {shown_number(own.total)}"
    what = "the highest is" if len(highest) == 1 else "the highest is a tie of"
    return f"Not the highest total: {has}, {what} {_ids(highest)}{best}."


def confirm_place(dossier: Dossier, outcome: Outcome) -> Content:
    """Where the record goes, from the run's root, and that nothing else changes."""
    root = f"{clean(str(dossier.run.path))}/"
    return Content.assemble(
        "Exactly this will be written to ",
        ((outcome.where or "").removeprefix(root), STRONG),
        ". Nothing else in the run changes.",
    )


def confirm_hint(
    is_armed: bool, is_writing: bool, dropped: int, waiting: str = "One moment… "
) -> Content:
    """What can be done now; `waiting` is said as long as nothing is taken."""
    if is_writing:
        return Content.styled("Writing…", STRONG)
    parts: list[str | tuple[str, str]] = []
    if is_armed:
        parts += [("y", STRONG), " writes it, ", ("escape", STRONG), " goes back. "]
    else:
        parts.append((waiting, MUTED))
    if dropped:
        keys = count_of(dropped, "key or click", "keys or clicks")
        verb = "was" if dropped == 1 else "were"
        parts.append((f"{keys} from before this was shown {verb} ignored.", WARNING))
    return Content.assemble(*parts)


def failed(outcome: Outcome) -> Content:
    """A write that did not work, and that it can be tried again."""
    return Content.assemble(
        (f"Not written ({outcome.status_code}). ", BAD),
        long_text(outcome.message),
        " Your pick and your reason are kept: try again, or go back.",
    )


def refused(outcome: Outcome) -> Content:
    """An outcome that wrote nothing and is no failure."""
    return Content.assemble(
        (f"Not written ({outcome.status_code}). ", WARNING), long_text(outcome.message)
    )


def settled_already(decision: DecisionStatus) -> Content:
    """The pick is in force already, so its new reason is recorded nowhere; both are kept here."""
    return Content.assemble(
        ("Nothing was written. ", WARNING),
        f"It is already in force: {made(decision)}. A receipt is never rewritten, so the reason "
        "you typed is not recorded; it is kept below. Pick another, or leave.",
    )


def in_the_way(decision: DecisionStatus) -> Content:
    """Another selection is in force, so nothing was written (409)."""
    return Content.assemble(
        ("Not written (409). ", WARNING),
        f"Another selection is in force: {made(decision)}. Press u to change it.",
    )


def decided_meanwhile(decision: DecisionStatus) -> Content:
    """Another decision stands on the branch than at the last look."""
    told = standing(decision) or Content("No decision stands any more.")
    return Content.assemble(("Decided while you looked. ", BAD), told)


def closed_meanwhile(why: str) -> Content:
    """The branch was decidable at the last look, and is not now."""
    return Content.assemble(("Nothing to decide here any more. ", BAD), long_text(why))


def overtaken(outcome: Outcome) -> Content:
    """What came while the record was shown, so that it cannot be written any more."""
    return Content.assemble(
        ("This changed while you looked, and will not be written ", BAD),
        (f"({outcome.status_code}). ", BAD),
        long_text(outcome.message),
        (" escape", STRONG),
        " goes back and shows it; your pick and your reason are kept.",
    )


def broken(why: str) -> Content:
    """Something that should not have happened."""
    return Content.assemble(("This should not happen: ", BAD), long_text(why))


def written(outcome: Outcome, pick: Pick, record: str, *, is_taking_back: bool = False) -> Content:
    """What was written and where, and what comes next."""
    if outcome.is_settled:
        head = Content.assemble(("Already in force. ", GOOD), long_text(outcome.message))
        where = "The receipt in force"
    elif outcome.is_stale:
        head = Content.assemble(
            ("Written, and stale already. ", WARNING), long_text(outcome.message)
        )
        where = "Written to"
    else:
        head = Content.assemble(("Written. ", GOOD), _effect(pick, is_taking_back))
        where = "Written to"
    parts = [head, labelled(where, outcome.where or "")]
    if outcome.changed:
        parts.append(labelled("Changed right after it", ", ".join(map(clean, outcome.changed))))
    return Content("\n").join([*parts, Content(""), long_text(record)])


def changed_under_you(changes: Changes, picked: str | None, *, is_pick_gone: bool) -> Content:
    """What is not as it was when a person looked, the most telling first; `picked` in words."""
    if picked is None:
        kept = "Look again."
    elif is_pick_gone:
        kept = f"Your pick ({picked}) is no longer offered; your reason is kept."
    else:
        kept = f"Your pick ({picked}) and your reason are kept: look again, then go on."
    head = Content.assemble(
        ("Changed under you. ", BAD),
        "Nothing was written: the evidence is not what you looked at. ",
        kept,
    )
    return Content("\n").join([head, *_change_lines(changes)])


def _change_lines(changes: Changes) -> Iterable[Content]:
    if changes.is_empty:
        yield Content("It is back to what you saw. Go on where you were.")
        return
    if changes.highest is not None:
        was, now = (_ids(ids) for ids in changes.highest)
        yield labelled("Highest total", f"{now}, it was {was}")
    if changes.added:
        yield labelled("New alternatives", ", ".join(changes.added))
    if changes.removed:
        yield labelled("Gone", ", ".join(changes.removed))
    if changes.scores:
        yield labelled("Scores", "; ".join(map(_score_change, changes.scores)))
    if changes.texts:
        yield labelled("Texts", ", ".join(f"{name} of {who}" for who, name in changes.texts))
    if changes.requirements:
        yield labelled("Requirements", ", ".join(map(clean, changes.requirements)))
    files = [f"{clean(path)} ({how})" for path, how in changes.files.items()]
    yield labelled("Files", ", ".join(files))


def _score_change(change: ScoreChange) -> str:
    place = f" {change.viewport}" if change.viewport else ""
    was = "missing" if change.was is None else shown_number(change.was)
    now = "missing" if change.now is None else shown_number(change.now)
    return f"{change.alternative} {change.axis}{place} {was} → {now}"


def _ids(ids: Sequence[str] | None) -> str:
    return " and ".join(ids) if ids else "none"


def _effect(pick: Pick, is_taking_back: bool) -> str:
    if pick.selected is None and is_taking_back:
        return "The decision is taken back: the branch waits for a person again."
    if pick.selected is None:
        return "Nothing is selected, so the branch waits for a person again."
    return f"{clean(pick.selected)} takes effect when the operator resumes."


def in_full(alternative: Alternative, axes: Sequence[str]) -> Content:
    """Everything that is known of one alternative, uncut, each part with its file."""
    parts: list[Content] = []
    for label, name in _PARTS:
        text = getattr(alternative, name)
        if text:
            source = alternative.sources.get(name, "")
            parts.append(Content.assemble((label, LABEL), (f"  {clean(source)}", MUTED)))
            parts += [long_text(text), Content("")]
    parts += _all_scores(alternative, axes)
    for note in alternative.notes:
        topic, text = note_parts(note)
        source = f"  {clean(note.source)}"
        parts.append(Content.assemble((f"{note.heading}: {topic}", LABEL), (source, MUTED)))
        parts += [Content.assemble(text), Content("")]
    if alternative.artifacts:
        parts.append(Content.styled("artifacts", LABEL))
        parts += [Content(clean(path)) for path in alternative.artifacts]
        parts.append(Content(""))
    parts.append(Content.styled("read from", LABEL))
    parts += [
        Content.assemble(clean(source), (f": {', '.join(names)}", MUTED))
        for source, names in sources_of(alternative).items()
    ]
    return Content("\n").join(parts)


_PARTS = (
    ("label", "label"),
    ("status", "status"),
    ("assessment", "assessment"),
    ("rejected because", "rejected_because"),
    ("tradeoff", "tradeoff"),
)


def _all_scores(alternative: Alternative, axes: Sequence[str]) -> Iterable[Content]:
    lines: list[Content] = []
    for axis in axes:
        for score in alternative.scores.get(axis, ()):
            told = [text for text in (score.viewport, score.verdict) if text]
            lines.append(
                Content.assemble(
                    f"{axis}: ",
                    (shown_number(score.value), STRONG),
                    f"  {', '.join(told)}" if told else "",
                    (f"  {clean(score.source)}", MUTED),
                )
            )
        for viewport in (v for name, v in alternative.missing if name == axis):
            place = f" on {viewport}" if viewport else ""
            lines.append(Content.assemble(f"{axis}: ", (f"missing{place}", BAD)))
    return [Content.styled("scores", LABEL), *lines, Content("")] if lines else []
