"""Draws the registry: a stop code with what it means, when it flips, and where it leads."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

from stopview_core.registry.faults import RULES
from stopview_core.registry.model import EVERY, SELF, Entry, Fault, Registry, Route
from stopview_core.registry.pages import CodePage, RouteLine
from stopview_core.resolve import value_text
from stopview_core.text import one_line
from stopview_tui.render import (
    BAD,
    GOOD,
    MUTED,
    STRONG,
    TITLE,
    WARNING,
    bullets,
    line,
    lines,
    long_text,
    styled,
)
from stopview_tui.render_markdown_table import TableCells, table_lines
from stopview_tui.render_run import short_line
from stopview_tui.render_run_page import section
from stopview_tui.words import count_of

EVERY_OPERATOR = "every operator"
UNROUTED = "unrouted: a person looks at it"
_DISPOSITIONS = {
    "terminate": "Terminate: the branch ends blocked.",
    "fallback": "Fallback: the named action is taken and recorded, and the work goes on.",
}
_OUTCOMES = {
    "terminate": "it terminates instead: the branch ends blocked, and the fallback is not taken",
    "fallback": "it falls back instead: the named action is taken, and the work goes on",
}


def code_cell(page: CodePage) -> Content:
    """The code."""
    return line(page.entry.code, WARNING if page.faults else STRONG)


def disposition_cell(page: CodePage) -> Content:
    """The base disposition, `⇄` where a requirement flips it."""
    entry = page.entry
    if entry.disposition is None:
        return styled(("invalid", BAD))
    sign, style = ("■", WARNING) if entry.disposition == "terminate" else ("↷", GOOD)
    return styled((f"{sign} {entry.disposition}", style), (" ⇄" if entry.unless else "", STRONG))


def domain_cell(page: CodePage) -> Content:
    """The domain it hands to."""
    return line(page.entry.domain) if page.entry.domain else styled(("invalid", BAD))


def scope_cell(page: CodePage) -> Content:
    """Who may stop with it."""
    return short_line(scope_words(page.entry), MUTED)


def route_cell(page: CodePage) -> Content:
    """The kinds of its routes."""
    parts = [styled((kind, BAD if kind == "unrouted" else "")) for kind in page.kinds]
    return Content(", ").join(parts)


def faults_cell(page: CodePage) -> Content:
    """How many faults touch it."""
    return styled((f"! {count_of(len(page.faults), 'fault')}" if page.faults else "", BAD))


def meaning_cell(page: CodePage) -> Content:
    """What it means."""
    return short_line(page.entry.meaning, MUTED)


def fault_code_cell(fault: Fault) -> Content:
    """A fault's own code."""
    return styled((f"! {fault.code}", BAD))


def fault_file_cell(fault: Fault) -> Content:
    """The file it stands in."""
    return line(fault.file, MUTED)


def fault_told_cell(fault: Fault) -> Content:
    """Where in the file, what was expected, and what was found."""
    told = f"expected {fault.expected}, found {fault.found}"
    return styled(line(fault.path, STRONG), ": " if fault.path else "", line(told))


def empty_cell(fault: Fault) -> Content:
    """What a fault has nothing to say about."""
    return Content("")


def filter_words(
    domain: str | None, operator: str | None, route: str | None, shown: int, hidden: int
) -> Content:
    """What the codes are filtered by, and how much that hides; empty where by nothing."""
    parts = [
        styled((f"{name} ", MUTED), line(value))
        for name, value in (("domain", domain), ("operator", operator), ("route", route))
        if value is not None
    ]
    if not parts:
        return Content("")
    return Content("  ").join([*parts, styled((f"{shown} shown, {hidden} hidden", WARNING))])


def heading(title: str, count: int, *, is_alert: bool) -> Content:
    """The line above a group."""
    style = BAD if is_alert else TITLE
    return styled((one_line(title), style), (f"  {count}", MUTED))


def code_lines(page: CodePage, registry: Registry, width: int) -> list[Content]:
    """An entry's page laid out for a width."""
    entry = page.entry
    head = [
        styled((entry.code, STRONG)),
        styled((f"{one_line(entry.file)}{', shared' if entry.is_shared else ''}", MUTED)),
    ]
    parts = [lines(head)]
    if page.faults:
        parts.append(section("Faults", bullets(map(fault_part, page.faults))))
    parts.append(section("Meaning", _text(entry.meaning)))
    parts.append(section("Disposition", *_disposition(entry)))
    if entry.fallback or _may_fall_back(entry):
        parts.append(section("What the fallback does", _text(entry.fallback)))
    parts.append(section("What a person or operator does instead", _text(entry.resume)))
    parts.append(section("Scope", scope_words(entry)))
    parts.append(section("Domain", *_domain(entry)))
    if entry.writer:
        parts.append(section("Written by", line(entry.writer)))
    drawn = Content("\n\n").join(parts).wrap(width)
    return [*drawn, Content(""), *_routes(page, registry, width)]


def fault_lines(fault: Fault, width: int) -> list[Content]:
    """A fault's page laid out for a width."""
    parts = [
        styled((fault.code, BAD)),
        section("The rule it breaks", RULES.get(fault.code, "")),
        section("Where", line(fault.file), line(fault.path, STRONG)),
        section("Expected", line(fault.expected)),
        section("Found", line(fault.found)),
    ]
    touched = [*sorted(fault.codes), *(_route_name(*route) for route in sorted(fault.routes))]
    if touched:
        parts.append(section("It touches", bullets(map(line, touched))))
    return Content("\n\n").join(parts).wrap(width)


def fault_part(fault: Fault) -> Content:
    """A fault in a sentence or two."""
    return styled(
        (fault.code, BAD),
        f": {RULES.get(fault.code, '')}\n  ",
        (one_line(fault.file), STRONG),
        f", {one_line(fault.path)}" if fault.path else "",
        f": expected {one_line(fault.expected)}, found {one_line(fault.found)}",
    )


def scope_words(entry: Entry) -> str:
    """Who may stop with a code."""
    if EVERY in entry.scope:
        return EVERY_OPERATOR
    return ", ".join(map(one_line, entry.scope)) or "nobody: it has no scope"


def route_words(route: Route | None) -> str:
    """Where a domain leads, in words."""
    if route is None:
        return UNROUTED
    return {
        "operator": f"{route.target} runs next",
        "chain": f"a sibling run has {route.target} produce its outcome",
        "resume": "the same operator again, once something has changed",
        "user": "a person decides",
        "external": "something outside the runtime",
    }.get(route.kind, route.kind)


def _text(text: str | None) -> Content:
    return long_text(text) if text else styled(("The registry does not say.", WARNING))


def _disposition(entry: Entry) -> Iterable[Content]:
    if entry.disposition is None:
        yield styled(("It has no valid disposition, so a person looks at it.", BAD))
        return
    yield Content(_DISPOSITIONS[entry.disposition])
    if entry.unless is None:
        yield styled(("No requirement flips it.", MUTED))
        return
    unless = entry.unless
    yield styled(
        ("⇄ Unless ", STRONG),
        (one_line(unless.param), STRONG),
        " is ",
        (one_line(value_text(unless.equals)), STRONG),
        f" in the request, or by the operator's default: {_OUTCOMES[unless.then]}.",
    )


def _may_fall_back(entry: Entry) -> bool:
    return "fallback" in (entry.disposition, entry.unless.then if entry.unless else None)


def _domain(entry: Entry) -> Iterable[Content]:
    if entry.domain is None:
        yield styled(("It has no valid domain, so a person looks at it.", BAD))
    elif entry.domain == SELF:
        yield styled((SELF, STRONG), ": the own domain of the operator that stops.")
    else:
        yield styled((one_line(entry.domain), STRONG))


def _routes(page: CodePage, registry: Registry, width: int) -> list[Content]:
    title = styled(("Where it leads", TITLE))
    if not page.routes:
        return [title, styled(("No operator is in its scope.", WARNING))]
    header = ("From", "Domain", "Route")
    aligns = ("left",) * len(header)
    rows = [TableCells(tuple(map(Content, header)), aligns, True, "")]
    for found in page.routes:
        operator = styled(
            one_line(found.operator), ("" if found.is_listed else " (does not list it)", MUTED)
        )
        cells = (operator, line(found.domain or "none"), _route_content(found))
        rows.append(TableCells(cells, aligns, False, ""))
    drawn = [title, *table_lines(rows, width)]
    kinds = {found.route.kind for found in page.routes if found.route is not None}
    said = [f"{kind}: {text}" for kind, text in registry.kinds.items() if kind in kinds and text]
    if said:
        drawn += [Content(""), *(styled((one_line(text), MUTED)) for text in said)]
    return [piece for one in drawn for piece in one.wrap(width)]


def _route_content(found: RouteLine) -> Content:
    style = BAD if found.route is None else ""
    fault = (" (a fault touches it)", BAD) if found.is_faulty else ("", "")
    return styled((one_line(route_words(found.route)), style), fault)


def _route_name(operator: str, domain: str) -> str:
    where = "every route" if domain == EVERY else f"the route for {domain}"
    return f"{operator}: {where}"
