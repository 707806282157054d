"""Says whether the kernel sends events for what lies in a folder."""

from __future__ import annotations

import os
import platform
from pathlib import Path

_SILENT = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "drvfs", "afs", "ceph", "virtiofs", "vboxsf"}
)
_MOUNTS = Path("/proc/self/mountinfo")


def is_silent(folder: str) -> bool:
    """Whether changes in the folder may pass without an event: a network or shared file system.

    File systems of other machines send no events (hazards 4.2). Where the mounts cannot be read,
    the folder is taken to be a usual one.
    """
    kind = mounted_kind(folder, _mounts())
    return kind in _SILENT or kind.startswith("fuse.")


def mounted_kind(folder: str, mountinfo: str) -> str:
    """The kind of the file system that holds the folder, "" where the mounts do not tell."""
    path = os.path.realpath(folder)
    best, kind = "", ""
    for line in mountinfo.splitlines():
        fields, _, rest = line.partition(" - ")
        parts = fields.split(" ")
        if len(parts) < 5 or not rest:
            continue
        point = parts[4].replace("\\040", " ")
        is_above = path == point or path.startswith(point.rstrip("/") + "/")
        if is_above and len(point) >= len(best):
            best, kind = point, rest.split(" ", 1)[0]
    return kind


def _mounts() -> str:
    if platform.system() != "Linux":
        return ""
    try:
        return _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
