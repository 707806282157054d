"""The pane beside or below a list that says one row in plain words."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from stopview_tui.render_detail import Detail, Section
from stopview_tui.widgets.keyed_scroll import KeyedScroll


class SectionView(Vertical):
    """One section: its title and its body."""

    DEFAULT_CSS = """
    SectionView {
        height: auto;
        margin-top: 1;
        & > .section--title { color: $text-primary; text-style: bold; }
        & > .section--body { max-width: 100; }
        &.-quotation > .section--body {
            border-left: outer $primary;
            padding-left: 1;
            color: $foreground;
            text-style: italic;
        }
        &.-alert > .section--title { color: $text-warning; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._title = Static(classes="section--title", markup=False)
        self._body = Static(classes="section--body", markup=False)
        self._section: Section | None = None

    def compose(self) -> ComposeResult:
        """A title above a body."""
        yield self._title
        yield self._body

    def say(self, section: Section | None) -> None:
        """Show this section, or nothing."""
        self.display = section is not None
        if section is None or section == self._section:
            return
        self._section = section
        self.set_class(section.is_quotation, "-quotation")
        self.set_class(section.is_alert, "-alert")
        self._title.update(Content(section.title))
        self._body.update(section.body)


class DetailPane(KeyedScroll):
    """Shows a Detail; it scrolls, so that nothing is cut."""

    DEFAULT_CSS = """
    DetailPane {
        padding: 0 1;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._title = Static(classes="detail--title", markup=False)
        self._subtitle = Static(classes="detail--subtitle", markup=False)
        self._views: list[SectionView] = []

    def compose(self) -> ComposeResult:
        """The title and the line below it; sections come as they are needed."""
        yield self._title
        yield self._subtitle

    def say(self, detail: Detail | None, *, is_other: bool) -> None:
        """Show this, from its top where it is about another row than before."""
        self._title.update(detail.title if detail else Content(""))
        self._subtitle.update(detail.subtitle if detail else Content(""))
        sections = detail.sections if detail else ()
        missing = [SectionView() for _ in range(len(sections) - len(self._views))]
        if missing:
            self._views += missing
            self.mount_all(missing)
        for place, view in enumerate(self._views):
            view.say(sections[place] if place < len(sections) else None)
        if is_other:
            self.scroll_home(animate=False)
