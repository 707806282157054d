"""Approvers that can be killed at any of their system calls, by a tracer."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from deciding import child

CHILD = [sys.executable, "-s", str(Path(child.__file__))]


class Approvers:
    """A process that forks approvers, each of which can be traced from its first call on."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.server = subprocess.Popen(
            [*CHILD, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def run(self, run: Path, *tracing: str) -> tuple[int, list[str]]:
        """The wait status of one traced approver and the system calls it made after its start."""
        self._tell(str(run))
        pid = self._hear()
        tracer = subprocess.Popen(
            ["strace", "-p", str(pid), "-o", str(self.log), *tracing],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert tracer.stderr is not None
        attached = tracer.stderr.readline()
        self._tell("go")
        status = self._hear()
        complaint = tracer.communicate()[1]
        if "attached" not in attached:
            raise PermissionError(f"strace: {attached}{complaint}".strip())
        calls = re.findall(r"^(\w+)\(", self.log.read_text(), re.MULTILINE)
        return status, calls

    def close(self) -> None:
        """End the process, which ends by itself once nothing can come any more."""
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        self.server.stdin.close()
        self.server.stdout.close()
        self.server.wait()

    def _tell(self, line: str) -> None:
        assert self.server.stdin is not None
        self.server.stdin.write(f"{line}\n".encode())
        self.server.stdin.flush()

    def _hear(self) -> int:
        assert self.server.stdout is not None
        return int(self.server.stdout.readline())
