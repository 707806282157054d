"""The exception root and the exit codes of the command (architecture 2.3)."""

from __future__ import annotations

EXIT_DONE = 0
EXIT_FAULTS = 1
EXIT_USAGE = 2
EXIT_REFUSED = 3
EXIT_WRITE_FAILED = 4
EXIT_INTERRUPTED = 130


class StopviewError(Exception):
    """Trouble that ends a command: a short `title` for people, and the exit code it ends with."""

    title = "stopview cannot go on"
    exit_code = EXIT_USAGE


class UsageError(StopviewError):
    """A PATH, RUN or BRANCH that is not there, or is not one."""

    title = "not found"


class RegistryRefused(StopviewError):
    """A registry whose files cannot be read, or that defines a code twice (contracts 1.2)."""

    title = "the registry cannot be used"
