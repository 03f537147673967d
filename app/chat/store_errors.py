"""Why conversations cannot be stored: one error with a kind, for every way in which a database or a disk can refuse.

Owns the mapping from SQLite's and the system's errors to these kinds. The words for people are in app/error_text.py.
"""

import contextlib
import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

_KINDS = {
    "SQLITE_NOTADB": "corrupt", "SQLITE_CORRUPT": "corrupt", "SQLITE_BUSY": "locked", "SQLITE_LOCKED": "locked",
    "SQLITE_READONLY": "read_only", "SQLITE_FULL": "full", "SQLITE_PERM": "unreadable", "SQLITE_CANTOPEN": "unreadable",
    "SQLITE_IOERR": "unreadable", "SQLITE_AUTH": "unreadable", "SQLITE_TOOBIG": "too_big",
}  # fmt: skip
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_NO_ROOM_BYTES = 1 << 20  # a failed write where less than this is free was refused for want of room


class StoreError(Exception):
    """The database refused.

    kind     corrupt, locked, read_only, full, unreadable, newer (written by a later version), in_use (open in another
             process), foreign (not a file of conversations), no_search (SQLite without the full-text index), too_big
    reason   the database's or the system's own words
    """

    def __init__(self, kind: str, path: str, reason: str) -> None:
        super().__init__(kind, path, reason)
        self.kind = kind
        self.path = path
        self.reason = reason


@contextlib.contextmanager
def explained(path: Path | None) -> Iterator[None]:
    """Raise StoreError for what SQLite or the system refuses; mistakes of ours pass as they are."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        kind = next((kind for prefix, kind in _KINDS.items() if name.startswith(prefix)), None)
        if kind is None and not name:
            raise
        if name.startswith("SQLITE_IOERR") and path is not None and _has_no_room(path):
            kind = "full"
        if name.startswith("SQLITE_CANTOPEN") and path is not None and _is_write_protected(path):
            kind = "read_only"  # what could not be opened is the journal beside it
        raise StoreError(kind or "unreadable", str(path), str(error)) from error
    except OSError as error:
        raise StoreError(_kind_of(error), str(path), error.strerror or str(error)) from error


def _has_no_room(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _NO_ROOM_BYTES
    except OSError:
        return False


def _is_write_protected(path: Path) -> bool:
    """Whether a file can be read, and nothing can be made beside it."""
    as_who = {"effective_ids": True} if os.access in os.supports_effective_ids else {}
    return os.access(path, os.R_OK, **as_who) and not os.access(path.parent, os.W_OK, **as_who)


def _kind_of(error: OSError) -> str:
    if error.errno in _FULL:
        return "full"
    return "read_only" if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM) else "unreadable"
