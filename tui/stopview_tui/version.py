"""The version of the installed distribution."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as distribution_version


def version() -> str:
    """The distribution's version, or `unknown` where it is not installed."""
    try:
        return distribution_version("stopview")
    except PackageNotFoundError:
        return "unknown"
