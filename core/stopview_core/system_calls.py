"""The system calls that a commit makes, one method each, so that a test can break any of them."""

from __future__ import annotations

import errno
import fcntl
import os
import time


class SystemCalls:
    """The real calls; every one raises OSError. Folders come as descriptors, names as one part."""

    def open(self, path: str, flags: int, mode: int = 0, *, dir_fd: int | None = None) -> int:
        """A new descriptor."""
        return os.open(path, flags, mode, dir_fd=dir_fd)

    def close(self, fd: int) -> None:
        """Give the descriptor back."""
        os.close(fd)

    def mkdir(self, name: str, mode: int, *, dir_fd: int) -> None:
        """Make a folder; the umask applies."""
        os.mkdir(name, mode, dir_fd=dir_fd)

    def write(self, fd: int, data: memoryview) -> int:
        """How many bytes of `data` were taken, perhaps not all."""
        return os.write(fd, data)

    def sync(self, fd: int) -> None:
        """Put a file or folder on the disk itself, on macOS through the drive's own cache too."""
        full: int | None = getattr(fcntl, "F_FULLFSYNC", None)
        if full is not None:
            try:
                fcntl.fcntl(fd, full)
                return
            except OSError as error:
                # Only where the file system does not know it: what failed is never tried again.
                if error.errno not in (errno.ENOTSUP, errno.EINVAL, errno.ENOTTY):
                    raise
        os.fsync(fd)

    def link_open(self, fd: int, name: str, *, dir_fd: int) -> None:
        """Give the open, unnamed file `fd` a name; EEXIST when it is taken."""
        source = f"/proc/self/fd/{fd}"
        os.link(source, name, src_dir_fd=dir_fd, dst_dir_fd=dir_fd, follow_symlinks=True)

    def link(self, source: str, name: str, *, dir_fd: int) -> None:
        """Give the file `source` a second name in its folder; EEXIST when it is taken."""
        os.link(source, name, src_dir_fd=dir_fd, dst_dir_fd=dir_fd, follow_symlinks=False)

    def rename_new(self, source: str, name: str, *, dir_fd: int) -> None:
        """Rename within the folder; EEXIST when the name is taken (RENAME_NOREPLACE)."""
        try:
            import ctypes

            rename = ctypes.CDLL(None, use_errno=True).renameat2
        except (ImportError, AttributeError) as error:
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS)) from error
        if rename(dir_fd, os.fsencode(source), dir_fd, os.fsencode(name), ctypes.c_uint(1)):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def unlink(self, name: str, *, dir_fd: int) -> None:
        """Take a name out of the folder."""
        os.unlink(name, dir_fd=dir_fd)

    def stat(self, name: str, *, dir_fd: int) -> os.stat_result:
        """What stands under the name, a link not followed."""
        return os.stat(name, dir_fd=dir_fd, follow_symlinks=False)

    def fstat(self, fd: int) -> os.stat_result:
        """What the descriptor leads to."""
        return os.fstat(fd)

    def names(self, fd: int) -> list[str]:
        """All names in the folder."""
        return os.listdir(fd)

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()
