"""Decisions that do not count, chains that are broken, and what hides none (1.7)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from corpus.parts import BUSINESS, CHOICE, IDS, bound, choice
from corpus.receipts import claim, decide, put
from corpus.recipe import Expect, Finish, Recipe, Skip, a_choice, done, resumed
from stopview_core.board import Group
from stopview_core.demo import RunBuilder

_OFFER: dict[str, Any] = {"offered": IDS, "highest": ("table",)}
_INVALID = ("DECISION_INVALID",)
_BROKEN = ("DECISION_CHAIN_BROKEN",)
_LATER = "2026-11-02T12:30:00.000Z"


def _choice(name: str, **more: Any) -> RunBuilder:
    run = RunBuilder(name)
    choice(run, "1/1", **more)
    return run


def _select(folder: Path) -> None:
    decide(folder, "1/1", "queue")


def _supersede(folder: Path) -> None:
    _select(folder)
    decide(folder, "1/1", "cache", seq=2, at=_LATER)


def _gap(folder: Path) -> None:
    _select(folder)
    decide(folder, "1/1", "cache", seq=4, at=_LATER)


def _not_the_file_before(folder: Path) -> None:
    _select(folder)
    decide(folder, "1/1", "cache", seq=2, at=_LATER, own={"previous": "0" * 64})


def _first_is_gone(folder: Path) -> None:
    _supersede(folder)
    (folder / "step-1" / "parallel-1" / "decision" / "0001.yaml").unlink()


def _invalid(**change: Any) -> Finish:
    def finish(folder: Path) -> None:
        decide(folder, "1/1", **{"selected": "queue", **change})

    return finish


def _half_written(folder: Path) -> None:
    _select(folder)
    path = folder / "step-1" / "parallel-1" / "decision" / "0001.yaml"
    path.write_bytes(path.read_bytes()[:100])


def _invalid_over_valid(folder: Path) -> None:
    """A file that does not count leaves the one before in force."""
    _select(folder)
    decide(folder, "1/1", "cache", seq=2, at=_LATER, status_code=200)


def _link(folder: Path) -> None:
    _select(folder)
    decisions = folder / "step-1" / "parallel-1" / "decision"
    (decisions / "0001.yaml").rename(folder / "elsewhere.yaml")
    (decisions / "0001.yaml").symlink_to(folder / "elsewhere.yaml")


def _folder_is_a_link(folder: Path) -> None:
    _select(folder)
    decisions = folder / "step-1" / "parallel-1" / "decision"
    decisions.rename(folder / "elsewhere")
    decisions.symlink_to(folder / "elsewhere")


def _folder_is_a_file(folder: Path) -> None:
    (folder / "step-1" / "parallel-1" / "decision").write_text("yes\n")


def _leftovers(folder: Path) -> None:
    """What a writer that was killed may leave, and what somebody put there."""
    _select(folder)
    decisions = folder / "step-1" / "parallel-1" / "decision"
    (decisions / ".0002.yaml.tmp-7").write_text("half")
    (decisions / "README").write_text("notes")


def _empty_folder(folder: Path) -> None:
    (folder / "step-1" / "parallel-1" / "decision").mkdir()


def _lost_response(folder: Path) -> None:
    _select(folder)
    (folder / "step-1" / "parallel-1" / "response" / "response.json").write_text('{"status": "bl')


def _stranger(folder: Path) -> None:
    """Somebody's own SACP receipt where decisions lie."""
    put(folder / "step-1" / "parallel-1" / "decision" / "0001.yaml", {"protocol": "SACP/0.1"})


def _invalid_recipe(name: str, about: str, finish: Finish, *, also: tuple[str, ...] = ()) -> Recipe:
    return Recipe(
        name,
        about,
        lambda: _choice(name),
        {"1/1": a_choice(CHOICE, violations=(*_INVALID, *also), **_OFFER)},
        finish=finish,
    )


def _closed() -> RunBuilder:
    lines = (("08:20", "blocked"), ("13:00", "abandoned"))
    return _choice(
        "closed-after-the-decision",
        transitions=[
            {"at": f"2026-11-02T{at}:00Z", "branch": "1/1", "event": event} for at, event in lines
        ],
    )


def _beside() -> RunBuilder:
    run = RunBuilder("decided-beside-others")
    choice(run, "1/1")
    choice(run, "1/2")
    bound(run, "1/3")
    return run


RECIPES = (
    Recipe(
        "a-gap",
        "A gap in the numbers breaks the chain and does not void the newest.",
        lambda: _choice("a-gap"),
        {
            "1/1": a_choice(
                CHOICE,
                group=Group.DECIDED,
                decision="in_force",
                selected="cache",
                violations=(*_BROKEN, *_BROKEN),
                **_OFFER,
            )
        },
        finish=_gap,
    ),
    Recipe(
        "not-the-file-before",
        "A `previous` that is not the file before breaks the chain.",
        lambda: _choice("not-the-file-before"),
        {
            "1/1": a_choice(
                CHOICE,
                group=Group.DECIDED,
                decision="in_force",
                selected="cache",
                violations=("DECISION_CHAIN_BROKEN step-1/parallel-1/decision/0002.yaml",),
                **_OFFER,
            )
        },
        finish=_not_the_file_before,
    ),
    Recipe(
        "first-is-gone",
        "A decision that was deleted is missed.",
        lambda: _choice("first-is-gone"),
        {
            "1/1": a_choice(
                CHOICE,
                group=Group.DECIDED,
                decision="in_force",
                selected="cache",
                violations=(*_BROKEN, *_BROKEN),
                **_OFFER,
            )
        },
        finish=_first_is_gone,
    ),
    *(
        _invalid_recipe(f"invalid-{name}", f"A decision with {about} does not count.", finish)
        for name, about, finish in (
            ("status", "another status code", _invalid(status_code=200)),
            ("branch", "another branch", _invalid(own={"branch": "2/1"})),
            ("operator", "another operator", _invalid(operator=BUSINESS)),
            ("stop", "another stop", _invalid(stop="CRITIQUE_UNRESOLVED")),
            ("sequence", "another number", _invalid(own={"sequence": 2})),
            ("number-as-text", "its number as text", _invalid(own={"sequence": "1"})),
            ("attempt", "another attempt_id", _invalid(attempt_id="invalid-attempt/1/1/0002")),
            ("selected", "a selection that was not offered", _invalid(selected="ghost")),
            ("packet", "a packet that breaks the rules", _invalid(next_owner="someone")),
            ("claims", "a claim without a source", _invalid(claims=[claim(source_id="none")])),
            ("half", "half of its text", _half_written),
            ("stranger", "nothing but a protocol", _stranger),
        )
    ),
    Recipe(
        "invalid-over-valid",
        "A file that does not count leaves the decision before it in force.",
        lambda: _choice("invalid-over-valid"),
        {
            "1/1": a_choice(
                CHOICE,
                group=Group.DECIDED,
                decision="in_force",
                selected="queue",
                violations=("DECISION_INVALID step-1/parallel-1/decision/0002.yaml",),
                **_OFFER,
            )
        },
        finish=_invalid_over_valid,
    ),
    Recipe(
        "a-linked-decision",
        "A link is no decision.",
        lambda: _choice("a-linked-decision"),
        {"1/1": a_choice(CHOICE, violations=_INVALID, **_OFFER)},
        skipped=(Skip("decision/0001.yaml", "link"),),
        finish=_link,
    ),
    Recipe(
        "a-linked-folder",
        "Decisions behind a link are not read, so nothing is decided there.",
        lambda: _choice("a-linked-folder"),
        {
            "1/1": Expect(
                "blocked",
                code=CHOICE,
                route="user",
                group=Group.PERSON,
                refusal=400,
                violations=_BROKEN,
                **_OFFER,
            )
        },
        skipped=(Skip("parallel-1/decision", "link"),),
        finish=_folder_is_a_link,
    ),
    Recipe(
        "a-file-for-a-folder",
        "A file in place of the decisions is said, and nothing is decided there.",
        lambda: _choice("a-file-for-a-folder"),
        {
            "1/1": Expect(
                "blocked",
                code=CHOICE,
                route="user",
                group=Group.PERSON,
                refusal=400,
                violations=_BROKEN,
                **_OFFER,
            )
        },
        skipped=(Skip("parallel-1/decision", "not a folder"),),
        finish=_folder_is_a_file,
    ),
    Recipe(
        "leftovers",
        "What is no numbered file in decision/ is not read.",
        lambda: _choice("leftovers"),
        {
            "1/1": a_choice(
                CHOICE, group=Group.DECIDED, decision="in_force", selected="queue", **_OFFER
            )
        },
        finish=_leftovers,
    ),
    Recipe(
        "an-empty-folder",
        "An empty decision/ may remain of a write that failed.",
        lambda: _choice("an-empty-folder"),
        {"1/1": a_choice(CHOICE, **_OFFER)},
        finish=_empty_folder,
    ),
    Recipe(
        "lost-response",
        "A decision is not lost with the response that it was made on.",
        lambda: _choice("lost-response"),
        {
            "1/1": Expect(
                "unreadable",
                group=Group.PERSON,
                decision="stale",
                selected="queue",
                refusal=400,
                **_OFFER,
            )
        },
        skipped=(Skip("response/response.json", "not JSON"),),
        finish=_lost_response,
    ),
    Recipe(
        "closed-after-the-decision",
        "A branch that the runtime closed keeps its decision on record.",
        lambda: _closed(),
        {"1/1": resumed(CHOICE, decision="in_force", selected="queue", refusal=204, **_OFFER)},
        finish=_select,
    ),
    Recipe(
        "decided-beside-others",
        "A decision stands for its own branch only.",
        lambda: _beside(),
        {
            "1/1": a_choice(
                CHOICE, group=Group.DECIDED, decision="in_force", selected="queue", **_OFFER
            ),
            "1/2": a_choice(CHOICE, **_OFFER),
            "1/3": done(),
        },
        finish=_select,
    ),
)
