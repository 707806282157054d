"""Safe YAML text: reads what is hostile, and writes what every YAML reader reads alike."""

from __future__ import annotations

from stopview_core.yamltext.reading import MAX_DEPTH, Fault, read
from stopview_core.yamltext.writing import write

__all__ = ["MAX_DEPTH", "Fault", "read", "write"]
