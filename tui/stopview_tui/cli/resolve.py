"""`stopview resolve`: what one stop of one operator means."""

from __future__ import annotations

from pathlib import Path

import click

from stopview_core.errors import UsageError
from stopview_core.files import JsonValue, Unreadable, parse_json
from stopview_core.report.registry import resolve_document
from stopview_core.resolve import resolve
from stopview_tui.cli.common import (
    DEFAULT_PATH,
    json_option,
    load_registry,
    print_document,
    registry_options,
    say,
    warn_of_faults,
    warn_of_strangers,
)


@click.command("resolve")
@click.argument("operator")
@click.argument("code")
@click.option(
    "-p",
    "--param",
    "params",
    multiple=True,
    metavar="KEY=VALUE",
    help="A requirement; the value is JSON where it parses, else text.",
)
@json_option
@registry_options
def command(
    operator: str,
    code: str,
    params: tuple[str, ...],
    as_json: bool,
    registry_root: Path | None,
    lang: str | None,
) -> None:
    """Resolve CODE as stopped with by OPERATOR.

    \b
    stopview resolve architecture.decide CHOICE_REQUIRED -p selectionPolicy=approval-required
    """
    loaded = load_registry(DEFAULT_PATH, registry_root, lang)
    warn_of_faults(loaded)
    requirements = dict(_param(text) for text in params)
    warn_of_strangers(loaded.registry, operator=operator, code=code)
    resolution = resolve(loaded.registry, operator, code, requirements)
    if as_json:
        print_document(resolve_document(resolution, loaded.registry, loaded.choice))
        return
    for sentence in resolution.why:
        say(sentence)
    lines = [("Meaning", resolution.meaning), ("Fallback", resolution.fallback or "")]
    lines.append(("What you can do", resolution.resume))
    for label, text in lines:
        if text:
            say(f"{label}: {text}")


def _param(text: str) -> tuple[str, JsonValue]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise UsageError(f"-p {text} is not KEY=VALUE")
    parsed = parse_json(value.encode("utf-8", "surrogateescape"))
    return key, value if isinstance(parsed, Unreadable) else parsed
