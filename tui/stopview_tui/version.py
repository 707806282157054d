"""The version, which the build reads from here."""

from __future__ import annotations

VERSION = "0.1.0"
