"""Takes pictures of the real app in a real terminal (tmux), to be looked at by a person.

`scripts/make_terminal_pictures.py FOLDER [--only WORD]` writes an SVG and a text file for each
place, size and kind of terminal into FOLDER. It needs tmux, and changes nothing of the runs shown.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from rich.ansi import AnsiDecoder
from rich.console import Console

ROOT = Path(__file__).parents[1]
FIRST_TEXT = "Needs your"
SIZES = ((80, 24), (200, 60), (40, 20))
PATIENCE_S = 12


@dataclass(frozen=True)
class Terminal:
    """What a terminal tells the app of its colours, and the theme in the settings."""

    term: str = "xterm-256color"
    theme: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)


TERMINALS = {
    "full": Terminal(env={"COLORTERM": "truecolor"}),
    "contrast": Terminal(theme="high-contrast", env={"COLORTERM": "truecolor"}),
    "sixteen": Terminal(term="xterm-16color", theme="textual-dark"),
    "ansi": Terminal(term="xterm-16color"),
    "plain": Terminal(env={"NO_COLOR": "1"}),
    "plain16": Terminal(term="xterm-16color", env={"NO_COLOR": "1"}),
}


@dataclass(frozen=True)
class Place:
    """The steps from the Inbox to a place, and a text that tells it is there.

    A step is a key of tmux, `type:TEXT` or `wait:TEXT`.
    """

    steps: Sequence[str]
    text: str


_DECIDE = ("Enter", "wait:Nothing picked")
PLACES = {
    "inbox": Place((), FIRST_TEXT),
    "detail": Place(("Tab", "NPage"), FIRST_TEXT),
    "filter": Place(("/", "wait:shown", "type:checkout"), "hidden"),
    "decide": Place(_DECIDE, "total"),
    "reason": Place(
        (*_DECIDE, "Space", "wait:Picked", "Tab", "wait:typing", "type:It is cheap."), "cheap"
    ),
    "confirm": Place((*_DECIDE, "Space", "wait:Picked", "C-s"), "301"),
    "run": Place(("r",), "texts to read"),
    "document": Place(("r", "wait:texts to read", "Tab", "Tab", "Enter"), "text 1 of"),
    "runs": Place(("2",), "catalogue-release"),
    "history": Place(("3",), "records"),
    "codes": Place(("4",), "Shared"),
    "help": Place(("?",), "Keys of this place"),
    "palette": Place(("C-p",), "Search"),
    "choose": Place(("Y",), "Copy"),
}


class Pane:
    """The app in a terminal of its own: a tmux server that nothing else uses."""

    def __init__(self, name: str) -> None:
        self._socket = f"stopview-pictures-{os.getpid()}-{name}"

    def tmux(self, *words: str) -> str:
        """What tmux answers."""
        command = ("tmux", "-L", self._socket, "-f", "/dev/null", *words)
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def start(
        self, command: Sequence[str], terminal: Terminal, size: tuple[int, int], home: Path
    ) -> None:
        """Start the command with settings of its own."""
        settings = home / "config" / "stopview" / "settings.toml"
        settings.parent.mkdir(parents=True)
        if terminal.theme is not None:
            settings.write_text(f'theme = "{terminal.theme}"\n')
        own = {
            "TERM": terminal.term,
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_STATE_HOME": str(home / "state"),
            "STOPVIEW_APPROVER": "ana@example.org",
            **terminal.env,
        }
        dropped = [word for name in ("COLORTERM", "NO_COLOR") for word in ("-u", name)]
        given = [f"{name}={value}" for name, value in own.items()]
        width, height = (str(cells) for cells in size)
        self.tmux("new-session", "-d", "-x", width, "-y", height, "env", *dropped, *given, *command)

    def end(self) -> None:
        """End it, and the app in it."""
        self.tmux("kill-server")

    def shown(self, *, is_styled: bool = False) -> str:
        """What is on the terminal now."""
        return self.tmux("capture-pane", "-p", *(("-e",) if is_styled else ()))

    def wait_for(self, text: str) -> bool:
        """Wait until the text is shown and the terminal is quiet; False where it never came."""
        until = time.monotonic() + PATIENCE_S
        before = ""
        while time.monotonic() < until:
            now = self.shown()
            if now == before and text in now:
                return True
            before = now
            time.sleep(0.2)
        return False

    def go(self, place: Place) -> bool:
        """Take the steps to a place; False where it was not reached."""
        is_there = self.wait_for(FIRST_TEXT)
        for step in place.steps:
            if step.startswith("wait:"):
                is_there = self.wait_for(step.removeprefix("wait:")) and is_there
            elif step.startswith("type:"):
                self.tmux("send-keys", "-l", step.removeprefix("type:"))
            else:
                self.tmux("send-keys", step)
        return self.wait_for(place.text) and is_there


def save(pane: Pane, file: Path, width: int) -> None:
    """Write what is shown as a picture and as text."""
    console = Console(
        record=True,
        width=width,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
    )
    decoder = AnsiDecoder()
    for line in pane.shown(is_styled=True).splitlines():
        console.print(decoder.decode_line(line), crop=False, overflow="ignore", no_wrap=True)
    file.with_suffix(".svg").write_text(console.export_svg(title=file.name))
    file.with_suffix(".txt").write_text(pane.shown())


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the pictures; 1 where a place was not reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="pictures whose name holds this")
    parser.add_argument("--runs", type=Path, default=ROOT / "examples" / "runs")
    given = parser.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    command = (str(Path(sys.executable).with_name("stopview")), str(given.runs.absolute()))
    missed = []
    for (label, terminal), size, (place, way) in product(TERMINALS.items(), SIZES, PLACES.items()):
        name = f"{label}-{size[0]}x{size[1]}-{place}"
        if given.only not in name:
            continue
        pane = Pane(name)
        with tempfile.TemporaryDirectory() as home:
            pane.start(command, terminal, size, Path(home))
            try:
                if not pane.go(way):
                    missed.append(name)
                save(pane, given.folder / name, size[0])
            finally:
                pane.end()
    for name in missed:
        print(f"not reached: {name}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
