"""A file of conversations belongs to one process at a time, and the next one learns how that process ended.

The lock lies beside the file and ends with the process, however it ends. While it is held it contains the process's
number, which a proper release takes out: a number that is still there at the next start means that nobody said goodbye.
"""

import contextlib
import os
import sys
from pathlib import Path

from app.chat.store_errors import StoreError, explained

if sys.platform == "win32":
    import msvcrt

    _LOCKED_AT = 1 << 20  # a locked byte cannot be read by others, the number before it can

    def _try_lock(handle: int) -> None:
        os.lseek(handle, _LOCKED_AT, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _try_lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def was_left_open(database: Path) -> bool:
    """Whether the last process that wrote said no goodbye, as far as the lock can be read."""
    try:
        return any(byte in b"0123456789" for byte in _lock_of(database).read_bytes())
    except OSError:
        return False


class ProcessLock:
    """Held from construction to `release`. Raises StoreError: in_use, read_only, unreadable, full."""

    def __init__(self, database: Path) -> None:
        self.path = _lock_of(database)
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
        with explained(database):
            self._handle = os.open(self.path, flags, 0o600)
        holder = self._number()
        try:
            _try_lock(self._handle)
        except OSError as error:
            os.close(self._handle)
            raise StoreError("in_use", str(database), f"process {holder or 'unknown'}") from error
        self.was_released = not self._number()
        """Whether the process before this one, if any, ended properly."""

    def mark(self) -> None:
        """From here on, an end without `release` is noticed."""
        with explained(self.path):
            os.ftruncate(self._handle, 0)
            os.lseek(self._handle, 0, os.SEEK_SET)
            os.write(self._handle, str(os.getpid()).encode())

    def release(self, *, is_proper: bool = True) -> None:
        """Let go; without `is_proper` the next process finds what it would find after a crash."""
        if is_proper:
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, 0)
        os.close(self._handle)

    def _number(self) -> str:
        os.lseek(self._handle, 0, os.SEEK_SET)
        return "".join(c for c in os.read(self._handle, 20).decode("ascii", "replace") if c.isdigit())


def _lock_of(database: Path) -> Path:
    return database.with_name(database.name + ".lock")
