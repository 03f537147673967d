"""The unfinished file: bytes written where they belong, synced, and given their name when all of it is proven.

Also the lock that keeps a second process away from it, and errors of the disk as the engine's own.
"""

import contextlib
import errno
import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from engine.errors import DownloadInUse, LibraryNotWritable, NoRoomForDownload

_FULL = {errno.ENOSPC, errno.EDQUOT}
_RENAME_TRIES = 20  # on Windows, a scanner may hold a file that was just written
_RENAME_PAUSE_S = 0.1
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)

if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _try_lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def free_bytes(folder: Path) -> int:
    """What this user may still write on the drive of a folder, which need not exist yet."""
    return shutil.disk_usage(_existing(folder)).free


def is_same_drive(one: Path, other: Path) -> bool:
    """Whether two folders, which need not exist yet, are on the same drive."""
    return _existing(one).stat().st_dev == _existing(other).stat().st_dev


@contextlib.contextmanager
def disk_errors(path: Path, needed_bytes: int = 0) -> Iterator[None]:
    """Raises LibraryNotWritable or NoRoomForDownload for an error of the operating system while writing so many bytes.

    0 bytes are told where nobody knows how many there are still to come. A quota may end where the drive itself has
    room: the free bytes are the drive's then, and more than were needed.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise NoRoomForDownload(str(path), needed_bytes, _left_on_drive(path)) from error
        raise LibraryNotWritable(str(path), error.strerror or str(error)) from error


def _existing(folder: Path) -> Path:
    """A folder, or the nearest one above it that exists."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def _left_on_drive(path: Path) -> int:
    try:
        return free_bytes(path)
    except OSError:
        return 0


class PartFile:
    """A file that fills in any order. Writes from several threads may overlap in time, not in place.

    It grows as it is written, and takes no room where nothing was written yet.
    """

    def __init__(self, path: Path) -> None:
        """Open it, or make an empty one. Raises the errors of `disk_errors`."""
        self.path = path
        self._seek = threading.Lock()
        with disk_errors(path):
            self._handle = os.open(path, _FLAGS, 0o666)

    def write_at(self, offset: int, data: bytes) -> None:
        view = memoryview(data)
        with disk_errors(self.path, len(data)):
            while view:
                written = self._write(offset, view)
                view, offset = view[written:], offset + written

    def sync(self) -> None:
        with disk_errors(self.path):
            os.fsync(self._handle)

    def close(self) -> None:
        os.close(self._handle)

    def _write(self, offset: int, view: memoryview) -> int:
        if sys.platform != "win32":
            return os.pwrite(self._handle, view, offset)
        with self._seek:
            os.lseek(self._handle, offset, os.SEEK_SET)
            return os.write(self._handle, view)


class FileLock:
    """Held by one process, and one holder in it, at a time; the system lets go of it when the process ends, however."""

    def __init__(self, path: Path, about: str) -> None:
        """Raises DownloadInUse with `about` where another holds it."""
        self._path = path
        while True:
            with disk_errors(path):
                self._handle = os.open(path, _FLAGS, 0o666)
            try:
                _try_lock(self._handle)
            except OSError as error:
                os.close(self._handle)
                raise DownloadInUse(about) from error
            if self._is_still_there():
                return
            os.close(self._handle)

    def release(self) -> None:
        with contextlib.suppress(OSError):  # on Windows an open file stays; it is empty and is used again
            self._path.unlink()
        os.close(self._handle)

    def _is_still_there(self) -> bool:
        """Whether the locked file is the one at the path, and not one that its holder has just deleted."""
        try:
            return os.path.samestat(os.fstat(self._handle), self._path.stat())
        except FileNotFoundError:
            return False

    def __enter__(self) -> "FileLock":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release()


def put_in_place(part: Path, target: Path) -> None:
    """Rename a whole, synced and closed file; durable when this returns. Raises the errors of `disk_errors`."""
    with disk_errors(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        for left in reversed(range(_RENAME_TRIES)):
            try:
                part.replace(target)
                break
            except PermissionError:
                if sys.platform != "win32" or left == 0:
                    raise
                time.sleep(_RENAME_PAUSE_S)
        _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make a rename durable where folders can be synced (not on Windows)."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
