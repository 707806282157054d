"""Shows the Decide screen of a run in a real terminal: `decide_child.py RUN`."""

from __future__ import annotations

import sys
from pathlib import Path

from decide_setup import ACTOR, KEY, Desk, registry

from stopview_tui.screens.decide import DecideScreen


class Child(Desk):
    """Ends once the Decide screen is left."""

    def on_mount(self) -> None:
        screen = DecideScreen(Path(sys.argv[1]), KEY, registry=registry(), actor=ACTOR)
        self.push_screen(screen, lambda _: self.exit())


if __name__ == "__main__":
    Child().run()
