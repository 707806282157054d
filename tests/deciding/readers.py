"""Reads a run as its readers do, and again only once something on disk is other than it was."""

from __future__ import annotations

import os
from collections.abc import Mapping

from deciding.runs import Site, registry
from stopview_core.folder import Reader
from stopview_core.judge import judge_run
from stopview_core.readings import RunReading
from stopview_core.scan import Level, read_run


class Readers:
    """Readers of a run, of which the test checks all that is on disk before they read."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._on_disk: object = None
        self._readings: dict[Level, RunReading] = {}

    def read(self, level: Level, decided: Mapping[str, tuple[bytes, ...]]) -> RunReading:
        """The run as it is now; `decided` holds the files of each `decision/`."""
        on_disk = (self._site.before, decided)
        if self._on_disk != on_disk:
            self._on_disk, self._readings = on_disk, {}
        if level not in self._readings:
            self._readings[level] = self._read(level)
        return self._readings[level]

    def _read(self, level: Level) -> RunReading:
        reader = Reader()
        folder = reader.listing(os.fspath(self._site.run))
        assert folder is not None
        return judge_run(read_run(folder, reader, level), registry(), reader).reading
