"""The settings of the app: one TOML file in the user's configuration folder."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from stopview_tui.own_files import read_whole, write_whole

Layout: TypeAlias = Literal["auto", "beside", "below"]
LAYOUTS: tuple[Layout, ...] = ("auto", "beside", "below")
_CAP = 256 * 1024  # bytes


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person can set. `columns` lists a list's columns by its name, `keys` keys by binding.

    Without a theme the terminal's colours decide. `problems` are the values that were not
    understood; each has its default then.
    """

    theme: str | None = None
    bell: bool = True
    title: bool = True
    start_mode: str = "inbox"
    layout: Layout = "auto"
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def settings_path() -> Path:
    """The file, in the configuration folder of the user (XDG on Linux)."""
    from platformdirs import user_config_path

    return user_config_path("stopview", appauthor=False) / "settings.toml"


def load_settings(path: Path) -> Settings:
    """The settings in the file, defaults where there is none. Raises nothing."""
    try:
        found = tomllib.loads(read_whole(path, _CAP).decode("utf-8"))
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        return Settings(problems=(f"{path}: {error.strerror or error}",))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        return Settings(problems=(f"{path}: {error}",))
    return _settings(found)


def save_setting(path: Path, name: str, value: str | bool) -> None:
    """Set one value in the file and leave all else in it as it is, comments too. OSError."""
    import tomlkit

    try:
        data = read_whole(path, _CAP)
    except FileNotFoundError:
        data = b""
    try:
        document = tomlkit.parse(data.decode("utf-8"))
    except (tomlkit.exceptions.ParseError, UnicodeDecodeError) as error:
        raise OSError(f"{path} is not TOML, so it is left alone: {error}") from error
    document[name] = value
    write_whole(path, tomlkit.dumps(document).encode())


def _settings(found: Mapping[str, Any]) -> Settings:
    taken: dict[str, Any] = {}
    problems = [f"{name}: not a setting" for name in found if name not in _READERS]
    for name, (is_right, expected, convert) in _READERS.items():
        if name not in found:
            continue
        if is_right(found[name]):
            taken[name] = convert(found[name])
        else:
            problems.append(f"{name}: expected {expected}, found {found[name]!r}")
    return replace(Settings(**taken), problems=tuple(problems))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_layout(value: object) -> bool:
    return value in LAYOUTS


def _is_column_table(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(names, list) and all(_is_text(name) for name in names)
        for names in value.values()
    )


def _is_key_table(value: object) -> bool:
    return isinstance(value, dict) and all(_is_text(key) for key in value.values())


def _as_it_is(value: object) -> object:
    return value


def _as_columns(value: object) -> object:
    table = cast("dict[str, list[str]]", value)
    return {name: tuple(columns) for name, columns in table.items()}


_READERS: Mapping[str, tuple[Callable[[object], bool], str, Callable[[object], object]]] = {
    "theme": (_is_text, "a theme's name", _as_it_is),
    "bell": (_is_flag, "true or false", _as_it_is),
    "title": (_is_flag, "true or false", _as_it_is),
    "start_mode": (_is_text, "a mode's name", _as_it_is),
    "layout": (_is_layout, "auto, beside or below", _as_it_is),
    "columns": (_is_column_table, "lists of column names by list", _as_columns),
    "keys": (_is_key_table, "keys by binding", _as_it_is),
}
