"""The three HTML sketches of the delivery slot candidates."""

from __future__ import annotations

from stopview_core.demo.sketch import candidate_page

_DAYS = ("Thu 19", "Fri 20", "Sat 21", "Sun 22", "Mon 23")
_TIMES = ("8 to 10", "10 to 12", "16 to 18", "18 to 20", "20 to 22")
_FULL = {("Thu 19", "18 to 20"), ("Fri 20", "18 to 20"), ("Sat 21", "10 to 12")}


def sketches() -> dict[str, str]:
    """Candidate id to page."""
    return {
        "slot-grid": _slot_grid(),
        "day-then-time": _day_then_time(),
        "next-best-list": _next_best_list(),
    }


def _slot_grid() -> str:
    head = "".join(f"<th>{day}</th>" for day in _DAYS)
    rows = "\n".join(
        f"<tr><th>{time}</th>{''.join(_cell(day, time) for day in _DAYS)}</tr>" for time in _TIMES
    )
    return candidate_page(
        "Slot grid: all days and times at once",
        "Five of seven days. Below 480 px the table scrolls sideways.",
        f"<table>\n<tr><th></th>{head}</tr>\n{rows}\n</table>",
        style="td button{width:100%}td.full{color:#777;background:#eee}",
    )


def _cell(day: str, time: str) -> str:
    if (day, time) in _FULL:
        return '<td class="full">full</td>'
    return f"<td><button>{_price(time)}</button></td>"


def _price(time: str) -> str:
    return "4.90" if time.startswith(("16", "18")) else "2.90"


def _day_then_time() -> str:
    days = "\n".join(
        f'<button aria-pressed="{"true" if day == "Fri 20" else "false"}">{day}<br>'
        f"<small>{_left(day)} left</small></button>"
        for day in _DAYS
    )
    times = "\n".join(
        f'<label><input type="radio" name="time"> {time}, {_price(time)} euro</label>'
        for time in _TIMES
        if ("Fri 20", time) not in _FULL
    )
    return candidate_page(
        "Day, then time: two small questions",
        "Shown with Friday chosen. Prices appear only with the times.",
        f'<nav class="days">\n{days}\n</nav>\n<fieldset>\n<legend>Friday, 20 November</legend>\n'
        f"{times}\n</fieldset>\n<p><button>Hold this slot for ten minutes</button></p>",
        style=".days{display:flex;gap:.5rem;overflow-x:auto}label{display:block;padding:.6rem 0}"
        "[aria-pressed=true]{outline:3px solid #06c}",
    )


def _left(day: str) -> int:
    return sum((day, time) not in _FULL for time in _TIMES)


def _next_best_list() -> str:
    offers = (
        ("Thursday, 19 November, 16 to 18", "4.90", "the next one in your usual hours"),
        ("Thursday, 19 November, 20 to 22", "2.90", "cheapest this week"),
        ("Friday, 20 November, 8 to 10", "2.90", ""),
        ("Friday, 20 November, 16 to 18", "4.90", ""),
        ("Saturday, 21 November, 8 to 10", "2.90", ""),
    )
    items = "\n".join(
        f"<li><button>{when}</button> {price} euro <small>{why}</small></li>"
        for when, price, why in offers
    )
    return candidate_page(
        "Next best list: five offers, the rest on request",
        "Full slots are left out. The filter behind the last button is not drawn.",
        f"<ol>\n{items}\n</ol>\n<p><button>Show all 61 slots</button></p>",
        style="li{padding:.5rem 0}ol{padding-left:1.2rem}small{color:#555}",
    )
