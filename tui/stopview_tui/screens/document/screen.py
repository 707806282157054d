"""Shows a text of a run in place, part by part where it is long."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeAlias

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from stopview_core.run_documents import Document, read_document
from stopview_core.text import clean
from stopview_core.unreadable import Unreadable
from stopview_tui.bindings import bind
from stopview_tui.markdown_parts import parts
from stopview_tui.render import MUTED, WARNING, line, styled
from stopview_tui.render_markdown import render_markdown
from stopview_tui.screens.shell_screen import ShellScreen
from stopview_tui.widgets.bottom_bars import BottomBars
from stopview_tui.widgets.page import Page
from stopview_tui.words import count_of

LOOK_S = 2
"""How often the file is looked at."""

Stamp: TypeAlias = tuple[int, int, int]
_BRANCH = re.compile(r"step-(\d+)/parallel-(\d+)/")


@dataclass(frozen=True, slots=True)
class Shown:
    """What is on the page: which text, which part of how many, laid out for which width."""

    where: str
    part: int
    width: int


class DocumentScreen(ShellScreen[None]):
    """One of several texts, by path from the run root; left and right go to the others."""

    CSS_PATH = "document.tcss"
    AUTO_FOCUS = "#text"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("document", "left", "other(-1)", description="Text before", tooltip="The text before"),
        bind("document", "right", "other(1)", description="Next text", tooltip="The next text"),
        bind("document", "editor", "editor", tooltip="Open this text in $EDITOR or $PAGER"),
        bind("document", "copy", "copy", description="Copy the path", tooltip="To the clipboard"),
        bind("document", "back", "leave", tooltip="Leave the text"),
    ]

    class TextRead(Message):
        """A text was read and cut into parts, or why it was not."""

        def __init__(self, where: str, found: tuple[str, ...] | Unreadable, *, is_again: bool):
            super().__init__()
            self.where = where
            self.found = found
            self.is_again = is_again

    class PartDrawn(Message):
        """A part was laid out."""

        def __init__(self, shown: Shown, lines: Sequence[Content], *, at_end: bool, keeps: bool):
            super().__init__()
            self.shown = shown
            self.lines = lines
            self.at_end = at_end
            self.keeps = keeps

    def __init__(self, run_path: Path, texts: Sequence[str], first: str) -> None:
        super().__init__()
        self.run_path = run_path
        self.texts = tuple(texts)
        self.where = first
        self.parts: tuple[str, ...] = ()
        self.part = 0
        self._stamp: Stamp | None = None

    def compose(self) -> ComposeResult:
        """The path, the text, and the bars."""
        yield Static(id="document-title", markup=False)
        yield Page(id="text")
        yield BottomBars()

    def on_mount(self) -> None:
        """Read the text, and again when the file changes."""
        self.set_interval(LOOK_S, self._look)
        self._say_title()
        self.call_after_refresh(self.read)

    @property
    def page(self) -> Page:
        """The page."""
        return self.query_one("#text", Page)

    # Reading and drawing, in threads

    def read(self, *, is_again: bool = False) -> None:
        """Read the text and cut it into parts."""
        where = self.where
        if not is_again:
            self.page.show(styled(("Reading the text…", MUTED)))

        def reading() -> None:
            found = read_document(self.run_path, where)
            cut = parts(clean(found.text)) if isinstance(found, Document) else found
            self.post_message(self.TextRead(where, cut, is_again=is_again))

        self.run_worker(reading, group="text", exclusive=True, thread=True, exit_on_error=False)

    def _look(self) -> None:
        """Read the text again where its file has changed; no snapshot tells of every text."""
        if not self.is_current:
            return
        path, before = self.run_path / self.where, self._stamp

        def looking() -> None:
            stamp = _stamp(path)
            if stamp != before:
                self.app.call_from_thread(self._look_closer, stamp)

        self.run_worker(looking, group="look", exclusive=True, thread=True, exit_on_error=False)

    def _look_closer(self, stamp: Stamp) -> None:
        is_first = self._stamp is None
        self._stamp = stamp
        if not is_first:
            self.read(is_again=True)

    @on(TextRead)
    def _text_read(self, message: TextRead) -> None:
        if message.where != self.where:
            return
        if isinstance(message.found, Unreadable):
            self.parts = ()
            why = styled((f"This text cannot be shown: {line(message.found.why).plain}.", WARNING))
            self.page.show(why)
            self._say_title()
        elif message.found != self.parts:
            is_same_part = message.is_again and self.part < len(message.found)
            self.parts = message.found
            self.part = self.part if is_same_part else 0
            self.draw(keeps=message.is_again)

    def draw(self, *, at_end: bool = False, keeps: bool = False) -> None:
        """Lay the part out for the page's width."""
        if not self.parts or not self.page.inner_width:
            return
        shown = Shown(self.where, self.part, self.page.inner_width)
        text, count = self.parts[self.part], len(self.parts)

        def drawing() -> None:
            lines = [*render_markdown(text, shown.width), *_end_lines(shown.part, count)]
            self.post_message(self.PartDrawn(shown, lines, at_end=at_end, keeps=keeps))

        self.run_worker(drawing, group="draw", exclusive=True, thread=True, exit_on_error=False)

    @on(PartDrawn)
    def _part_drawn(self, message: PartDrawn) -> None:
        if message.shown != Shown(self.where, self.part, self.page.inner_width):
            return
        lines = message.lines or [styled(("This text is empty.", MUTED))]
        self.page.show(lambda width: lines, keep_place=message.keeps, at_end=message.at_end)
        self._say_title()

    @on(Page.WidthChanged)
    def _width_changed(self, message: Page.WidthChanged) -> None:
        self.draw(keeps=True)

    @on(Page.EndPassed)
    def _end_passed(self, message: Page.EndPassed) -> None:
        """Go on with the next part, or to the very first or last one."""
        last = len(self.parts) - 1
        goal = (
            (0 if message.direction < 0 else last)
            if message.wants_whole
            else (self.part + message.direction)
        )
        if goal == self.part or not 0 <= goal <= last:
            return
        self.part = goal
        self.draw(at_end=(message.direction > 0) == message.wants_whole)

    def _say_title(self) -> None:
        told = [short_path(self.where)]
        if len(self.texts) > 1:
            told.append(styled((f"text {self._place + 1} of {len(self.texts)}", MUTED)))
        if len(self.parts) > 1:
            told.append(styled((f"part {self.part + 1} of {len(self.parts)}", MUTED)))
        self.query_one("#document-title", Static).update(Content("  ").join(told))

    @property
    def _place(self) -> int:
        return self.texts.index(self.where) if self.where in self.texts else 0

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what leads nowhere."""
        if action == "next_pane":
            return False
        if action == "other" and isinstance(parameters[0], int):
            return 0 <= self._place + parameters[0] < len(self.texts)
        return True

    def action_other(self, step: int) -> None:
        """Show another text of the branch."""
        place = self._place + step
        if 0 <= place < len(self.texts):
            self.where, self.parts, self.part = self.texts[place], (), 0
            self._stamp = None
            self._say_title()
            self.read()
            self.refresh_bindings()

    def action_editor(self) -> None:
        """Open this text in the editor or pager."""
        self.shell.do(self.shell.opener.text, self.run_path, self.where)

    def action_copy(self) -> None:
        """Copy the text's path."""
        path = str(self.run_path / self.where)
        self.app.copy_to_clipboard(clean(path))
        self.shell.say(f"Copied: {path}")

    def action_leave(self) -> None:
        """Back to the run."""
        self.dismiss(None)


def _stamp(path: Path) -> Stamp:
    """What tells that a file is another one than before; zeros where there is none."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return (0, 0, 0)
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def short_path(where: str) -> Content:
    """A path from the run root, its branch as a key: `3/1  response/response.md`."""
    found = _BRANCH.match(where)
    if found is None:
        return line(where, "bold")
    return styled((f"{found[1]}/{found[2]}  ", MUTED), line(where[found.end() :], "bold"))


def _end_lines(part: int, count: int) -> list[Content]:
    """What stands below a part that is not the last one."""
    left = count - part - 1
    if not left:
        return []
    told = f"… {count_of(left, 'more part')}: page down goes on, end goes to the end"
    return [Content(""), styled((told, WARNING))]
