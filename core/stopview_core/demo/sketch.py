"""Small HTML pages for sample runs: sketches of candidates, and alternatives side by side."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from stopview_core.demo.architecture import Alternative
from stopview_core.demo.markdown import number

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%}"
    "td,th{border:1px solid #999;padding:.4rem .6rem;text-align:left;vertical-align:top}"
    "button,input,select{font:inherit;padding:.5rem .8rem}"
    ".note{color:#555;border-left:3px solid #999;padding-left:.6rem}"
)


def page(title: str, body: str, *, style: str = "") -> str:
    """A page that stands alone: no script, nothing loaded. `body` is HTML, `title` is text."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}{style}</style>\n</head>\n<body>\n"
        f"{body.strip()}\n</body>\n</html>\n"
    )


def candidate_page(title: str, limits: str, body: str, *, style: str = "") -> str:
    """The sketch of one candidate; `limits` says what it does not show."""
    note = f'<p class="note">Sketch, not product code. {escape(limits)}</p>'
    return page(title, f"<h1>{escape(title)}</h1>\n{note}\n{body.strip()}", style=style)


def comparison_page(title: str, alternatives: Sequence[Alternative]) -> str:
    """The alternatives side by side, a row an axis."""
    axes = list(dict.fromkeys(axis for each in alternatives for axis in each.scores))
    rows = [
        ("", [f"<th>{escape(each.id)}</th>" for each in alternatives]),
        ("In short", [f"<td>{escape(each.assessment)}</td>" for each in alternatives]),
        *((axis, [_score(each, axis) for each in alternatives]) for axis in axes),
        ("Total", [f"<td>{number(float(each.total))}</td>" for each in alternatives]),
    ]
    lines = [f"<tr><th>{escape(name)}</th>{''.join(cells)}</tr>" for name, cells in rows]
    return page(title, f"<h1>{escape(title)}</h1>\n<table>\n" + "\n".join(lines) + "\n</table>")


def _score(alternative: Alternative, axis: str) -> str:
    score = alternative.scores.get(axis)
    return f"<td>{'—' if score is None else number(score)}</td>"
