"""Who decides: known before anything is read, so it stands apart from what deciding needs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Actor:
    """Who decides and from where: the approver as named, the account, the host, the program."""

    approver: str
    os_user: str
    host: str
    version: str
    via: str
