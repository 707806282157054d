"""The automatic policy broke a tie: two candidates scored the same, the smaller one was taken."""

from __future__ import annotations

from stopview_core.demo.builder import RunBuilder
from stopview_core.demo.frontend import Candidate, frontend_markdown, scores
from stopview_core.demo.markdown import Attack
from stopview_core.demo.sketch import candidate_page
from stopview_core.demo.stories.common import FRONTEND, GRAMMAR, bound_route
from stopview_core.demo.stories.decisions import direction_decision, direction_requirements
from stopview_core.demo.values import JsonValue, context, head

_DIRECTION = "settings-navigation"
_WEB = head("quietmail/web/2026-11-18")
_SELECTED = "one-page-sections"
_CRITERIA = ("first-action", "scan-order", "find-by-word", "way-back", "keyboard", "unsaved-change")
_CANDIDATES = (
    Candidate(
        "one-page-sections",
        scores(_CRITERIA, wide=(4, 5, 5, 4, 4, 4), narrow=(4, 3, 5, 4, 4, 4)),
    ),
    Candidate(
        "side-menu-pages",
        scores(_CRITERIA, wide=(5, 5, 3, 5, 4, 4), narrow=(4, 4, 3, 4, 4, 5)),
        rejected_because="ties on the total and introduces 9 new nodes, one-page-sections 3",
    ),
    Candidate(
        "search-first",
        scores(_CRITERIA, wide=(3, 2, 5, 4, 5, 4), narrow=(3, 2, 5, 3, 3, 4)),
        rejected_because="who does not know the word finds nothing",
    ),
)
_ATTACKS = (
    Attack(
        "140 settings in German",
        "one-page-sections",
        "holds",
        "find in page works; the longest label wraps once at 360 px",
    ),
    Attack("140 settings in German", "side-menu-pages", "holds", "eleven menu entries, none wraps"),
    Attack(
        "a newcomer looks for the signature",
        "search-first",
        "weak",
        "5 of 8 testers typed footer and got no result",
    ),
)


def build() -> RunBuilder:
    """DIRECTION_CHOICE_REQUIRED fell back on a tie under automatic (2/1); the run is done."""
    run = RunBuilder(
        "settings-navigation",
        project="quietmail",
        started="2026-11-18T10:00:00Z",
        mission={"goal": "People find a setting without writing to support."},
    )
    bound_route(
        run,
        "1/1",
        at="2026-11-18T10:06:00Z",
        role="fe",
        commit=_WEB,
        write_roots=["web/settings"],
        next=["frontend.direction.decide"],
    )
    run.branch(
        "2/1",
        "frontend.direction.decide",
        began="2026-11-18T10:07:00Z",
        at="2026-11-18T10:58:00Z",
        requirements=_requirements(),
        contexts=[context(FRONTEND, _WEB), context(GRAMMAR)],
        fallbacks=["DIRECTION_CHOICE_REQUIRED"],
        next=["frontend.presentation.resolve"],
        files={
            "response.md": frontend_markdown(
                _DIRECTION,
                decision=direction_decision(_requirements()),
                candidates=_CANDIDATES,
                selected=_SELECTED,
                attacks=_ATTACKS,
                fallbacks={
                    "DIRECTION_CHOICE_REQUIRED": "one-page-sections and side-menu-pages tied at "
                    "25 over six criteria; `one-page-sections` was selected: it introduces 3 new "
                    "nodes, the other 9"
                },
            ),
            "data/coverage.json": {
                "directionId": _DIRECTION,
                "surfaceClass": "settings",
                "regions": [{"region": "sections"}, {"region": "search"}],
            },
            **{f"artifacts/{name}.html": text for name, text in _sketches().items()},
        },
    )
    return run


def _requirements() -> dict[str, JsonValue]:
    return direction_requirements(
        "/settings",
        intent="modify",
        change_level="refine",
        owner_ceiling="surface-only",
        candidates=3,
    )


def _sketches() -> dict[str, str]:
    signature = '<label>Signature <textarea rows="2">Ines</textarea></label>'
    away = '<label><input type="checkbox"> Answer for me while I am away</label>'
    return {
        "one-page-sections": candidate_page(
            "One page, all sections",
            "Two of eleven sections.",
            f"<h2>Writing</h2>\n{signature}\n<h2>Away</h2>\n{away}",
        ),
        "side-menu-pages": candidate_page(
            "A menu beside, a page each",
            "Shown with Writing open.",
            '<nav><a href="#writing">Writing</a> <a href="#away">Away</a></nav>\n'
            f'<section id="writing">\n<h2>Writing</h2>\n{signature}\n</section>',
            style="nav{float:left;width:9rem}nav a{display:block}",
        ),
        "search-first": candidate_page(
            "Search first",
            "Shown after typing sign.",
            '<label>Find a setting <input value="sign"></label>\n'
            f"<ul>\n<li>{signature}</li>\n</ul>",
        ),
    }
