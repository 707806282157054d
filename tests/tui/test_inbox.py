"""The Inbox: what it lists, says, filters, opens and keeps, with nothing taken for markup."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest
from shell_setup import (
    HOSTILE,
    ShellApp,
    bypassed_run,
    choice_run,
    cursor,
    detail,
    drawn,
    inbox,
    listening,
    open_decide,
    replace_file,
    rows,
    shell,
    shown,
    toasts,
    until,
    waiting_run,
)
from textual.pilot import Pilot

from stopview_core.board import Filter, Group
from stopview_core.compose import Pick
from stopview_core.decide import Outcome, Wish, decide
from stopview_core.text import is_clean
from stopview_tui.screens.choose import ChooseScreen
from stopview_tui.screens.decide import DecideScreen, gate
from stopview_tui.screens.run.screen import RunScreen
from stopview_tui.settings import Settings
from stopview_tui.widgets.filter_bar import FilterBar
from stopview_tui.widgets.rows import Rows
from stopview_tui.widgets.status_bar import StatusBar


def write_some(root: Path) -> None:
    waiting_run("waits").write(root)
    choice_run("older-choice", "2026-11-02T08:00:00Z").write(root)
    choice_run("newer-choice", "2026-11-29T21:30:00Z").write(root)
    bypassed_run("bypassed").write(root)
    broken = root / "broken"
    broken.mkdir()
    (broken / "state.json").write_text('{"id": ')


def bar(app: object) -> str:
    return str(inbox(app).query_one(StatusBar).render())  # type: ignore[arg-type]


async def test_rows_stand_in_the_groups_of_the_board_the_oldest_wait_first(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    root.mkdir()
    write_some(root)
    async with shell(root, size=(160, 40)) as (app, _):
        assert shown(app) == ["bypassed", "older-choice", "newer-choice", "broken", "waits"]
        assert cursor(app) == "bypassed"
        text = drawn(app)
        for heading in (Group.BYPASSED, Group.CHOICE, Group.PERSON, Group.OPERATOR):
            assert heading.value in text
        assert Group.OUTSIDE.value not in text
        assert "28d" in text
        assert "1d 0h" in text
        assert "-> you" in text
        assert "-> workspace.bind" in text
        assert "2 choices, 5 shown" in bar(app)
        assert "● live" in bar(app)
        assert not rows(app).mark_of(rows(app).identities[0])


async def test_the_detail_says_it_in_plain_words(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    run = choice_run("lanes").write(root)
    async with shell(root) as (app, pilot):
        await until(pilot, lambda: "data/stack-model.json" in detail(app))
        said = detail(app)
        for part in (
            "What happened",
            "in the words of architecture.decide Two lanes are left in lanes.",
            "because selectionPolicy is approval-required in the request",
            "It waits for a person.",
            "Enter shows the 2 alternatives side by side, to pick one.",
            "response/artifacts/left.html",
            str(run),
        ):
            assert part in said
        assert "waits 25d 14h" not in said
        assert "waits 25d (since 2026-11-05 08:00 UTC)" in said


async def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    root.mkdir()
    write_some(root)
    half = root / "half/step-1/parallel-1/response"
    half.mkdir(parents=True)
    (half / "response.json").write_text("{]")
    async with shell(root) as (app, pilot):
        rows(app).move_to((str(root / "broken"), str(root / "broken/state.json")))
        await pilot.pause()
        assert "cannot be read" in drawn(app)
        assert "state.json" in detail(app)
        rows(app).move_to((str(root / "half"), "1/1"))
        await pilot.pause()
        assert "response.json" in detail(app)


async def test_hostile_texts_are_shown_and_obeyed_by_nobody(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    run = choice_run(f"run-{HOSTILE}", folder="evil [/x]")
    run.branch(
        "2/1",
        "backend.source.apply",
        status="blocked",
        stop=f"X{HOSTILE}",
        reason=HOSTILE + "\n" + "long " * 4000,
    )
    run.write(root)
    async with shell(root) as (app, pilot):
        assert "[/x]" in drawn(app)
        for key in ("down", "slash", "[", "/", "x", "]", "escape", "f", "c", "escape", "escape"):
            await pilot.press(key)
        await until(pilot, lambda: "response.json" in detail(app))
        assert all(is_clean(line) for line in drawn(app).splitlines())
        assert "\\x1b" in detail(app)
        await pilot.press("question_mark", "escape", "ctrl+p", "escape")
        assert app.is_running
        assert app._exception is None


async def test_filtering_as_it_is_typed_counts_what_it_hides(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    root.mkdir()
    write_some(root)
    async with shell(root) as (app, pilot):
        await pilot.press("slash", *"older")
        await pilot.pause()
        assert shown(app) == ["older-choice"]
        assert "1 choice, 1 shown, 4 hidden (1 bypassed!)" in bar(app)
        facts = str(inbox(app).query_one("#filter-facts").render())
        assert facts == "1 shown, 4 hidden (1 bypassed!)"
        await pilot.press("q", "1")
        assert shown(app) == []
        assert "No row matches, 5 hidden" in drawn(app)
        await pilot.press("backspace", "backspace", "enter")
        assert isinstance(app.focused, Rows)
        assert shown(app) == ["older-choice"]
        await pilot.press("escape")
        assert len(shown(app)) == 5
        assert not inbox(app).query_one(FilterBar).has_class("-shown")
        assert cursor(app) == "older-choice"


async def test_a_filter_goes_on_while_things_change(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    root.mkdir()
    write_some(root)
    async with shell(root) as (app, pilot):
        await pilot.press("slash", *"choice", "enter")
        assert app.inbox.counts.hidden == 3
        waiting_run("another").write(root)
        choice_run("third-choice", "2026-11-10T08:00:00Z").write(root)
        await until(pilot, lambda: "third-choice" in shown(app))
        await until(pilot, lambda: app.inbox.counts.hidden == 4)
        assert shown(app) == ["older-choice", "third-choice", "newer-choice"]
        assert rows(app).mark_of((str(root / "third-choice"), "1/1")) == "new"


async def test_filtering_by_code_operator_and_route(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    root.mkdir()
    write_some(root)
    async with shell(root) as (app, pilot):
        await pilot.press("f")
        await until(pilot, lambda: isinstance(app.screen, ChooseScreen))
        await pilot.press("r")
        await until(pilot, lambda: "Filter by route" in drawn(app))
        assert "operator" in drawn(app)
        await pilot.press("2")
        await until(pilot, lambda: app.inbox.filter == Filter(route="operator"))
        assert shown(app) == ["waits"]
        await pilot.press("f")
        await until(pilot, lambda: "now operator" in drawn(app))
        await pilot.press("r")
        await until(pilot, lambda: "-> you (user)" in drawn(app))
        await pilot.press("2")
        await until(pilot, lambda: app.inbox.filter == Filter(route="operator"))
        await pilot.press("escape")
        assert app.inbox.filter.is_empty
        await pilot.press("f", "c")
        await until(pilot, lambda: "CHOICE_REQUIRED" in drawn(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.inbox.filter.code is not None)
        assert app.inbox.filter.code == "CHOICE_REQUIRED"
        assert {"older-choice", "newer-choice"} <= set(shown(app))
        assert "waits" not in shown(app)


async def test_enter_decides_a_row_that_can_be_decided_and_goes_on_to_the_next(
    tmp_path: Path,
) -> None:
    root = tmp_path / "runs"
    root.mkdir()
    write_some(root)
    async with shell(root) as (app, pilot):
        await pilot.press("n")
        assert cursor(app) == "older-choice"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, DecideScreen))
        screen = app.screen
        assert isinstance(screen, DecideScreen)
        run = root / "older-choice"
        assert app.registry is not None
        wish = Wish(Pick.of("left", "because"))
        screen.outcome = decide(run, "1/1", wish, app.registry, app.actor)
        screen.action_next()
        await until(pilot, lambda: app.screen is not screen and cursor(app) == "newer-choice")
        decided = (str(run), "1/1")
        await until(pilot, lambda: _group(app, decided) is Group.DECIDED)
        assert "1 choice," in bar(app)
        rows(app).move_to(decided)
        await pilot.pause()
        assert "decided at" in detail(app)
        await pilot.press("u")
        await until(pilot, lambda: isinstance(app.screen, DecideScreen))


@pytest.mark.parametrize("key", ["q", "escape", "1"])
async def test_the_cursor_stays_with_what_was_decided_so_that_u_changes_it(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "QUIET_S", 0.01)
    root = tmp_path / "runs"
    root.mkdir()
    write_some(root)
    async with shell(root) as (app, pilot):
        await pilot.press("n")
        assert cursor(app) == "older-choice"
        await _write(app, pilot, "space")
        await pilot.press(key)
        decided = (str(root / "older-choice"), "1/1")
        await until(pilot, lambda: _group(app, decided) is Group.DECIDED)
        await pilot.pause()
        assert rows(app).cursor == decided
        assert shown(app)[2] == "older-choice", "the row went to its group, the cursor with it"
        await pilot.press("u")
        await until(pilot, lambda: isinstance(app.screen, DecideScreen))
        changing = cast("DecideScreen", app.screen)
        await until(pilot, lambda: changing.case.superseding == "0001")


async def test_u_changes_what_was_just_written_and_none_of_these_offers_nothing_to_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "QUIET_S", 0.01)
    root = tmp_path / "runs"
    root.mkdir()
    write_some(root)
    async with shell(root) as (app, pilot):
        await pilot.press("n")
        first = await _write(app, pilot, "space")
        assert "u change" in drawn(app)
        await pilot.press("u")
        await until(pilot, lambda: isinstance(app.screen, DecideScreen) and app.screen is not first)
        second = cast("DecideScreen", app.screen)
        await until(pilot, lambda: second.is_listening)
        assert (second.desk.key, second.case.superseding) == ("1/1", "0001")
        await _confirm(app, pilot, second, "end", "space", "tab", "x")
        assert second.outcome is not None
        assert str(second.outcome.where).endswith("parallel-1/decision/0002.yaml")
        assert "u change" not in drawn(app)
        await pilot.press("u")
        await pilot.pause()
        assert app.screen is second


async def _write(app: ShellApp, pilot: Pilot[None], *keys: str) -> DecideScreen:
    """Decide the row under the cursor, with these keys on the alternatives."""
    screen = await open_decide(app, pilot)
    await _confirm(app, pilot, screen, *keys)
    return screen


async def _confirm(app: ShellApp, pilot: Pilot[None], screen: DecideScreen, *keys: str) -> None:
    await pilot.press(*keys, "ctrl+s")
    await listening(app, pilot)
    await pilot.press("y")
    await until(pilot, lambda: screen.outcome is not None and app.screen is screen)
    await pilot.pause()


def _group(app: object, identity: tuple[str, str]) -> Group | None:
    row = rows(app).get(identity)  # type: ignore[arg-type]
    return row.group if row is not None else None


async def test_a_dismissed_decision_leaves_the_cursor_where_it_was(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    root.mkdir()
    write_some(root)
    async with shell(root) as (app, pilot):
        await pilot.press("n", "enter")
        await until(pilot, lambda: isinstance(app.screen, DecideScreen))
        app.screen.dismiss(Outcome(409, False, "somebody else"))
        await until(pilot, lambda: not isinstance(app.screen, DecideScreen))
        await pilot.pause()
        assert cursor(app) == "older-choice"


async def test_enter_on_another_row_opens_its_run(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    waiting_run("waits").write(root)
    async with shell(root) as (app, pilot):
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, RunScreen))
        await pilot.press("q")
        await until(pilot, lambda: not isinstance(app.screen, RunScreen))
        assert cursor(app) == "waits"


async def test_what_does_not_wait_any_more_is_never_opened(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    choice_run("first", "2026-11-02T08:00:00Z").write(root)
    second = choice_run("second", "2026-11-03T08:00:00Z").write(root)
    async with shell(root) as (app, pilot):
        await pilot.press("n")
        assert cursor(app) == "second"
        state = json.loads((second / "state.json").read_text())
        at = "2026-11-20T08:00:00Z"
        state["transitions"].append({"at": at, "branch": "1/1", "event": "abandoned"})
        replace_file(second / "state.json", json.dumps(state))
        await until(pilot, lambda: rows(app).cursor_is_gone)
        assert shown(app) == ["first", "second"]
        assert "1 choice, 1 shown" in bar(app)
        await until(pilot, lambda: "not listed any more" in detail(app))
        await pilot.press("enter")
        await pilot.pause()
        assert not isinstance(app.screen, DecideScreen)
        assert "does not wait any more" in toasts(app)
        await pilot.press("u", "o", "Y")
        await pilot.press("up")
        assert shown(app) == ["first"]


async def test_seen_violations_go_stay_counted_and_come_back(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    bypassed_run("bypassed").write(root)
    choice_run("choice").write(root)
    async with shell(root) as (app, pilot):
        assert cursor(app) == "bypassed"
        await pilot.press("m")
        await until(pilot, lambda: app.inbox.counts.seen == 1)
        assert rows(app).cursor_is_gone
        await pilot.press("down")
        assert shown(app) == ["choice"]
        assert "1 seen" in bar(app)
        assert "m" not in {key for key, _ in _hinted(app)}
        inbox(app).action_toggle_seen()
        await until(pilot, lambda: "bypassed" in shown(app))
        rows(app).move_to((str(root / "bypassed"), "1/1"))
        await pilot.press("m")
        await until(pilot, lambda: app.inbox.counts.seen == 0)
    async with shell(root) as (app, pilot):
        assert app.inbox.counts.seen == 0
        await pilot.press("m")
        await until(pilot, lambda: app.inbox.counts.seen == 1)
    async with shell(root) as (app, pilot):
        await until(pilot, lambda: app.inbox.counts.seen == 1)
        await until(pilot, lambda: shown(app) == ["choice"])


def _hinted(app: object) -> list[tuple[str, object]]:
    screen = inbox(app)  # type: ignore[arg-type]
    return [(key, active) for key, active in screen.active_bindings.items() if active.enabled]


async def test_an_artifact_is_opened_only_where_it_is_a_file_of_the_branch(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    run = choice_run("lanes").write(root)
    secret = tmp_path / "secret.html"
    secret.write_text("secret")
    artifacts = run / "step-1/parallel-1/response/artifacts"
    (artifacts / "right.html").unlink()
    (artifacts / "right.html").symlink_to(secret)
    async with shell(root) as (app, pilot):
        await pilot.press("o")
        await until(pilot, lambda: bool(app.opened) or "no browser" in toasts(app))
        assert "secret" not in "".join(app.opened)
        (artifacts / "left.html").unlink()
        await pilot.press("o")
        await until(pilot, lambda: "no artifacts" in toasts(app))


async def test_copying_offers_what_names_the_row(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    run = choice_run("lanes").write(root)
    async with shell(root) as (app, pilot):
        await pilot.press("Y")
        await until(pilot, lambda: isinstance(app.screen, ChooseScreen))
        await pilot.press("p")
        await until(pilot, lambda: app.clipboard == str(run / "step-1/parallel-1"))
        await pilot.press("Y")
        await until(pilot, lambda: isinstance(app.screen, ChooseScreen))
        await pilot.press("escape")
        assert app.clipboard == str(run / "step-1/parallel-1")


async def test_an_editor_that_cannot_have_the_terminal_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "true")
    root = tmp_path / "runs"
    choice_run("lanes").write(root)
    async with shell(root) as (app, pilot):
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, ChooseScreen))
        await pilot.press("1")
        await until(pilot, lambda: "cannot be handed over" in toasts(app))


@pytest.mark.parametrize(
    ("editor", "told"),
    [
        ("false", "false ended with exit code 1."),
        ("sh -c 'kill -9 $$'", "sh was ended by SIGKILL."),
        ("true", ""),
    ],
)
async def test_an_editor_that_fails_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, editor: str, told: str
) -> None:
    monkeypatch.setenv("EDITOR", editor)
    root = tmp_path / "runs"
    choice_run("lanes").write(root)
    async with shell(root) as (app, pilot):
        handed_over: list[str] = []

        @contextmanager
        def suspend() -> Iterator[None]:
            yield
            handed_over.append(editor)

        monkeypatch.setattr(app, "suspend", suspend)
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, ChooseScreen))
        await pilot.press("1")
        await until(pilot, lambda: bool(handed_over))
        await pilot.pause()
        assert toasts(app) == told


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 20), (20, 8), (200, 50)])
async def test_no_size_breaks_it_and_every_cut_is_marked(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    root = tmp_path / "runs"
    root.mkdir()
    write_some(root)
    choice_run("a-run-with-quite-a-long-name-that-nobody-can-type").write(root)
    async with shell(root, size=size) as (app, pilot):
        text = drawn(app)
        assert all(len(line) <= size[0] for line in text.splitlines())
        if "a-run-with-quite-a-long-name-that-nobody-can-type" not in text:
            line = next((line for line in text.splitlines() if "a-run-" in line), "…")
            assert "…" in line
        await pilot.resize_terminal(90, 30)
        await pilot.pause()
        assert "bypassed" in drawn(app)


async def test_columns_can_be_chosen_and_the_detail_put_beside(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    choice_run("lanes").write(root)
    chosen = Settings(layout="beside", columns={"inbox": ("code", "run", "nonsense")})
    async with shell(root, settings=chosen) as (app, pilot):
        titles = drawn(app).splitlines()[0]
        assert titles.split()[:2] == ["code", "run"]
        assert inbox(app).query_one("#inbox-detail").region.x > 0
        app.set_layout("below")
        await pilot.pause()
        assert inbox(app).query_one("#inbox-detail").region.x == 0


async def test_an_empty_inbox_says_what_is_watched_and_since_when(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    async with shell(root) as (app, pilot):
        assert "No runs here yet." in drawn(app)
        assert str(root)[:60] in drawn(app)
        assert "Watched since" in drawn(app)
        run = choice_run("lanes").write(root)
        await until(pilot, lambda: shown(app) == ["lanes"])
        await pilot.pause()
        assert "No runs here yet" not in drawn(app)
        assert isinstance(app.focused, Rows)
        state = run / "state.json"
        response = run / "step-1/parallel-1/response/response.json"
        done = json.loads(response.read_text()) | {"status": "done", "stop": None, "next": []}
        replace_file(response, json.dumps(done))
        finished = json.loads(state.read_text()) | {"status": "done"}
        replace_file(state, json.dumps(finished))
        await until(pilot, lambda: rows(app).cursor_is_gone)
        await pilot.press("down")
        await pilot.pause()
        assert "Nothing waits." in drawn(app)


async def test_a_root_that_cannot_be_read_is_a_row_and_not_nothing(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    async with shell(root) as (app, pilot):
        root.rmdir()
        await until(pilot, lambda: shown(app) == ["runs"])
        await until(pilot, lambda: "◐ polling" in bar(app))
        await pilot.pause()
        assert "cannot be listed" in detail(app)
        assert "Nothing waits" not in drawn(app)
