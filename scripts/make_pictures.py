"""Takes the pictures of the documentation: the app itself, on the sample runs."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from stopview_core.actor import Actor
from stopview_core.registry.load import load
from stopview_tui.app import StopviewApp
from stopview_tui.settings import Settings

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
RUNS = Path("/tmp/team/runs")
SIZE = (120, 40)
NOW = datetime(2026, 11, 26, 9, 30, tzinfo=UTC)
ACTOR = Actor("ana@example.org", "ana", "desk", "0.1.0", "app, terminal")

# Each picture: the keys that lead to it from the Inbox, and the text that tells it is there.
PLACES: dict[str, tuple[Sequence[str], str]] = {
    "inbox": ((), "request/request.json"),
    "decide": (("enter",), "none of these"),
    "confirm": (("enter", "wait:none of these", "space", "ctrl+s"), "Write this decision?"),
    "run": (("r",), "Step 3"),
    "runs": (("2",), "audit-trail-storage"),
    "history": (("3",), "records"),
    "codes": (("4",), "Shared codes"),
    "help": (("question_mark",), "Keys of this place"),
}


def drawn(app: StopviewApp) -> str:
    """The text on the screen."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in lines)


async def wait_for(app: StopviewApp, text: str) -> None:
    """Wait until the text is drawn."""
    for _ in range(400):
        if text in drawn(app):
            return
        await asyncio.sleep(0.02)
    raise SystemExit(f"{text!r} never came on the screen:\n{drawn(app)}")


async def take(name: str, keys: Sequence[str], text: str, settings: Path) -> None:
    """One picture, from a fresh start."""
    app = StopviewApp(
        [RUNS],
        load(ROOT),
        registry_how="shipped",
        actor=ACTOR,
        settings=Settings(theme="textual-dark"),
        settings_file=settings / "settings.toml",
        seen_file=settings / "seen.json",
        now=lambda: NOW,
    )
    async with app.run_test(size=SIZE) as pilot:
        await wait_for(app, "trace-collector-upgrade")
        for key in keys:
            if key.startswith("wait:"):
                await wait_for(app, key.removeprefix("wait:"))
            else:
                await pilot.press(key)
        await wait_for(app, text)
        await pilot.pause()
        picture = app.export_screenshot(title=f"stopview: {name}")
        (PICTURES / f"{name}.svg").write_text(picture)


def main() -> None:
    """Take all of them, of a copy whose path says nothing about this machine."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    shutil.copytree(ROOT / "examples" / "runs", RUNS)
    try:
        for name, (keys, text) in PLACES.items():
            with tempfile.TemporaryDirectory() as settings:
                asyncio.run(take(name, keys, text, Path(settings)))
    finally:
        shutil.rmtree(RUNS)


if __name__ == "__main__":
    main()
