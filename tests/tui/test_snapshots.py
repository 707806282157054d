"""What the app looks like: one picture of each place, at the sizes that change it.

After a wanted change of the looks: `pytest tests/tui/test_snapshots.py -n 0 --snapshot-update`,
then look at each picture that changed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from decide_setup import ACTOR, KEY, registry, tamper, until, write_run
from modes_setup import fell_back, settled, write_demo
from shell_setup import NOW, ShellApp, drawn
from textual.pilot import Pilot

from stopview_core.demo import Alternative
from stopview_tui.messages import Health
from stopview_tui.render_status import Facts
from stopview_tui.screens.decide import ConfirmScreen, DecideScreen
from stopview_tui.settings import Settings

HERE = Path("/proc/self/cwd")
"""The working folder under a name that is the same on every machine: paths are shown."""
SMALL, WIDE, NARROW = (80, 24), (120, 40), (40, 20)
DARK = Settings(theme="textual-dark")
FROZEN = replace(registry(), root=Path("/registry"), sha256="5" * 64)
Way = Callable[["Framed", Pilot[None]], Awaitable[None]]


def named(value: object) -> str:
    """How the name of a picture says its size."""
    return "x".join(str(cells) for cells in value) if isinstance(value, tuple) else str(value)


pytestmark = pytest.mark.skipif(not HERE.is_dir(), reason="needs /proc, as Linux has it")


class Framed(ShellApp):
    """The app with nothing in it that another machine or another day would change."""

    def facts(self) -> Facts:
        """Always live: how the folder is watched is not what the pictures are about."""
        return replace(super().facts(), health=Health("live", "", NOW))


@pytest.fixture
def picture(
    snap_compare: Callable[..., bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[tuple[int, int], Way], bool]:
    """Compares the app over `runs` in the test's own folder, once a way through it was taken."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()

    def compare(size: tuple[int, int], way: Way) -> bool:
        app = Framed(
            [HERE / "runs"],
            FROZEN,
            registry_how="shipped",
            actor=ACTOR,
            settings=DARK,
            settings_file=tmp_path / "settings.toml",
            seen_file=tmp_path / "seen.json",
            now=lambda: NOW,
        )

        async def look(pilot: Pilot[None]) -> None:
            await until(pilot, lambda: app.picture.is_whole)
            await settled(app, pilot)
            await way(app, pilot)
            await pilot.pause()

        return snap_compare(app, terminal_size=size, run_before=look)

    return compare


Picture = Callable[[tuple[int, int], Way], bool]


def on_screen(*texts: str, keys: Sequence[str] = ()) -> Way:
    """Press keys one after the other, and wait until all the texts are drawn."""

    async def way(app: Framed, pilot: Pilot[None]) -> None:
        for key in keys:
            await pilot.press(key)
        await until(pilot, lambda: all(text in drawn(app) for text in texts))

    return way


def deciding(*keys: str, then: Way | None = None) -> Way:
    """The Decide screen of the run `lanes`, with the clock of the test, and keys pressed in it."""

    async def way(app: Framed, pilot: Pilot[None]) -> None:
        run = HERE / "runs" / "lanes"
        screen = DecideScreen(run, KEY, registry=FROZEN, actor=ACTOR, now=lambda: NOW)
        app.push_screen(screen)
        await until(pilot, lambda: screen.is_listening)
        for key in keys:
            await pilot.press(key)
        if then is not None:
            await then(app, pilot)

    return way


def alternatives(count: int) -> list[Alternative]:
    """So many alternatives with scores that differ, one of them not viable."""
    return [
        Alternative(
            f"lane-{number:02}",
            {"cost": 1 + number % 5, "risk": 5 - number % 4, "reach": 2.5 + number % 3},
            f"Lane {number} of {count}, with what it means for the people who use it.",
        )
        for number in range(1, count + 1)
    ]


def write_lanes(count: int) -> Path:
    return write_run(
        Path("runs"), alternatives(count), axes=("cost", "risk", "reach"), reason="Which lane?"
    )


@pytest.mark.parametrize("size", [SMALL, WIDE, NARROW], ids=named)
def test_inbox(picture: Picture, size: tuple[int, int]) -> None:
    write_demo(Path("runs"))
    fell_back(Path("runs"), "bypassed", "2026-11-20T08:00:00Z", policy="approval-required")
    assert picture(size, on_screen("What happened" if size[0] == 120 else "bypassed"))


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=named)
def test_runs(picture: Picture, size: tuple[int, int]) -> None:
    write_demo(Path("runs"))
    assert picture(size, on_screen("catalogue-release", "Step 1", keys="2"))


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=named)
def test_history(picture: Picture, size: tuple[int, int]) -> None:
    write_demo(Path("runs"))
    fell_back(Path("runs"), "bypassed", "2026-11-20T08:00:00Z", policy="approval-required")
    assert picture(size, on_screen("4 records", "Fallback taken", keys="3"))


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=named)
def test_codes(picture: Picture, size: tuple[int, int]) -> None:
    assert picture(size, on_screen("Shared codes", "Meaning", keys="4"))


@pytest.mark.parametrize("size", [SMALL, WIDE, NARROW], ids=named)
def test_run(picture: Picture, size: tuple[int, int]) -> None:
    write_demo(Path("runs"), "orders-out-of-the-shop")
    assert picture(size, on_screen("texts to read", "critique.md", keys="r"))


@pytest.mark.parametrize(
    ("count", "size"),
    [(2, SMALL), (3, SMALL), (3, WIDE), (3, NARROW), (12, WIDE)],
    ids=named,
)
def test_decide(picture: Picture, count: int, size: tuple[int, int]) -> None:
    write_lanes(count)
    keys = ("right", "space") if count == 3 else ()
    assert picture(size, deciding(*keys, then=on_screen("total")))


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=named)
def test_confirm(picture: Picture, size: tuple[int, int]) -> None:
    write_lanes(3)

    async def gate_open(app: Framed, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        screen = app.screen
        assert isinstance(screen, ConfirmScreen)
        await until(pilot, lambda: screen.gate.is_open)

    assert picture(size, deciding("space", "ctrl+s", then=gate_open))


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=named)
def test_changed_under_the_person(picture: Picture, size: tuple[int, int]) -> None:
    run = write_lanes(3)

    async def change(app: Framed, pilot: Pilot[None]) -> None:
        changed = alternatives(3)
        tamper(run, [replace(changed[0], scores={"cost": 5, "risk": 5, "reach": 5}), *changed[1:]])
        screen = app.screen
        assert isinstance(screen, DecideScreen)
        screen.look_again()
        await until(pilot, lambda: screen.has_class("-noticed"))

    assert picture(size, deciding("right", "space", then=change))


@pytest.mark.parametrize("size", [SMALL, NARROW], ids=named)
def test_nothing_to_do(picture: Picture, size: tuple[int, int]) -> None:
    assert picture(size, on_screen("/proc/self/cwd/runs"))


def test_unreadable(picture: Picture) -> None:
    write_demo(Path("runs"), "orders-out-of-the-shop")
    run = write_lanes(2)
    (run / "state.json").write_text("{")
    (run / "step-1/parallel-1/response/response.json").write_text('{"status": "blo')
    assert picture(WIDE, on_screen("cannot be read", "state.json", keys=("down",)))
