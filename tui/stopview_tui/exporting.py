"""Writes an export to a new file: in the working folder, else in the user's data folder."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

_MOST_NAMES = 100


def export_folders() -> tuple[Path, ...]:
    """Where an export may go, the first that can be written to."""
    from platformdirs import user_data_path

    data = user_data_path("stopview", appauthor=False)
    try:
        return (Path.cwd(), data)
    except OSError:  # The working folder is gone.
        return (data,)


def export_name(what: str, at: datetime) -> str:
    """The file's name without its ending: what it holds, and when."""
    return f"stopview-{what}-{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def write_export(folders: Sequence[Path], name: str, data: bytes) -> Path:
    """Write the data to `<name>.json` in the first folder that takes it; the file's path.

    No file is ever replaced: a name that is taken gets a number. OSError where no folder takes it,
    with the reason of each; nothing half written is left behind.
    """
    refused: list[str] = []
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return _write_new(folder, name, data)
        except OSError as error:
            refused.append(f"{folder}: {error.strerror or error}")
    raise OSError("; ".join(refused))


def _write_new(folder: Path, name: str, data: bytes) -> Path:
    for number in range(1, _MOST_NAMES + 1):
        path = folder / (f"{name}.json" if number == 1 else f"{name}-{number}.json")
        try:
            file = path.open("xb")
        except FileExistsError:
            continue
        try:
            with file:
                file.write(data)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return path.absolute()
    raise FileExistsError(None, f"{name}.json and {_MOST_NAMES - 1} more names are taken")
