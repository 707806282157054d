"""Finds out who decides: the name given, and the account and host it was given from (2.3)."""

from __future__ import annotations

import getpass
import platform
import shutil
import subprocess
from collections.abc import Mapping

from stopview_core.actor import Actor
from stopview_core.errors import UsageError
from stopview_core.text import has_controls, is_blank, one_line

VARIABLE = "STOPVIEW_APPROVER"
_LONGEST = 200
_GIT_TIMEOUT_S = 5


def find_actor(named: str | None, env: Mapping[str, str], *, version: str, via: str) -> Actor:
    """The approver: `named`, else the variable, else git's user.email, else login and host.

    The approver is named, not proved. UsageError for an empty name or a control character.
    """
    user, host = login_name(), one_line(platform.node()) or "unknown-host"
    return Actor(
        approver=_approver(named, env, f"{user}@{host}"),
        os_user=user,
        host=host,
        version=version,
        via=via,
    )


def login_name() -> str:
    """The account's name, or `unknown` where the system has none."""
    try:
        return one_line(getpass.getuser()) or "unknown"
    except (ImportError, OSError, KeyError):
        return "unknown"


def _approver(named: str | None, env: Mapping[str, str], fallback: str) -> str:
    if named is not None:
        return checked_name(named, "--approver")
    if VARIABLE in env:
        return checked_name(env[VARIABLE], VARIABLE)
    email = _git_email()
    return email if email is not None and _is_name(email) else fallback


def checked_name(name: str, origin: str) -> str:
    """The approver's name as it is taken; UsageError for one that is none (architecture 2.3)."""
    if not _is_name(name):
        raise UsageError(
            f"{origin} has to be a name of 1 to {_LONGEST} characters without control characters"
        )
    return name.strip()


def _is_name(text: str) -> bool:
    return not (has_controls(text) or is_blank(text)) and len(text.strip()) <= _LONGEST


def _git_email() -> str | None:
    git = shutil.which("git")
    if git is None:
        return None
    try:
        asked = subprocess.run(
            [git, "config", "user.email"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_GIT_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return asked.stdout.strip() or None
