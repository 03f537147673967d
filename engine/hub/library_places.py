"""Which of a library's folders are there now, and which models were in those that are not connected.

A folder that Ember uses on another drive gets a marker file, and Ember's own folder keeps a list of the folders it has
used: where the drive of each was attached, and what was in it. A folder without its marker on a place where no drive is
attached any more is not connected: nothing is made in its place, which would be on the system's drive, and everything
there comes back with the drive. Ember's own folder is always there.
"""

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import DamagedFile, FolderNotConnected
from engine.hub.transfer.part_file import disk_errors
from engine.messages import ModelInfo
from engine.plain_json import from_json, to_json

log = logging.getLogger(__name__)

SCHEMA = 1
MARKER = ".ember-library"
FOLDERS = "library-folders.json"
_MARKER_TEXT = "Ember keeps models in this folder. This file tells it that the folder's drive is connected.\n"
_MAX_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class KnownFolder:
    """A folder as it was when it was last there; `mount` is where its drive is attached."""

    path: str
    mount: str
    models: tuple[ModelInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownFolders:
    schema: int
    folders: tuple[KnownFolder, ...]


def mount_of(path: Path) -> str:
    """Where the drive of a path is attached, also of one that does not exist; empty where the drive itself is gone."""
    place = path.absolute()
    while not place.exists():
        if place == place.parent:
            return ""  # a drive letter of Windows that nothing has now
        place = place.parent
    place = place.resolve()
    while not os.path.ismount(place) and place != place.parent:
        place = place.parent
    return str(place)


class Places:
    """The folders that Ember has used. Safe to use from several threads.

    own     Ember's own folder, where the list is kept; None knows of no drive, and takes every folder as connected
    mount   finds where the drive of a path is attached
    """

    def __init__(self, own: Path | None = None, mount: Callable[[Path], str] = mount_of) -> None:
        self._own = own.absolute() if own is not None else None
        self._mount = mount
        self._lock = threading.Lock()
        self._known = {folder.path: folder for folder in _read(self._own)}

    def is_connected(self, folder: Path) -> bool:
        """Whether what is written to a folder goes where it should."""
        if self._own is None or self._own in folder.absolute().parents or _has_marker(folder):
            return True
        with self._lock:
            known = self._known.get(str(folder))
        if known is None:  # never used: somebody has just chosen it, or its drive was not there from the beginning
            return folder.is_dir() or folder.parent.is_dir()
        return self._mount(folder) == known.mount

    def check(self, folder: Path) -> None:
        """Raises FolderNotConnected."""
        if not self.is_connected(folder):
            raise FolderNotConnected(str(folder))

    def prepare(self, folder: Path) -> None:
        """Make a folder ready to be written to. Raises FolderNotConnected, LibraryNotWritable, NoRoomForDownload."""
        self.check(folder)
        with disk_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        self._mark(folder)

    def use(self, folders: Sequence[Path]) -> None:
        """These are the library's folders from now on: others are forgotten, and those that are there are marked."""
        wanted = {str(folder) for folder in folders}
        with self._lock:
            kept = {path: known for path, known in self._known.items() if path in wanted}
            is_other = len(kept) != len(self._known)
            self._known = kept
        if is_other:
            self._write()
        for folder in folders:
            if folder.is_dir() and self.is_connected(folder):
                self._mark(folder)

    def remember(self, folder: Path, models: Sequence[ModelInfo]) -> None:
        """What is in a folder now, to be shown when it is not connected."""
        with self._lock:
            known = self._known.get(str(folder))
            if known is None or known.models == tuple(models):
                return
            self._known[str(folder)] = replace(known, models=tuple(models))
        self._write()

    def remembered(self, folder: Path) -> tuple[ModelInfo, ...]:
        """What was in a folder when it was last connected."""
        with self._lock:
            known = self._known.get(str(folder))
        return known.models if known is not None else ()

    def _mark(self, folder: Path) -> None:
        """Leave the marker and note where the drive is; a folder that may only be read goes without the marker."""
        if self._own is None or self._own in folder.absolute().parents:
            return
        if not _has_marker(folder):
            with contextlib.suppress(OSError):
                (folder / MARKER).write_text(_MARKER_TEXT, encoding="utf-8")
        mount = self._mount(folder)
        with self._lock:
            known = self._known.get(str(folder))
            if known is not None and known.mount == mount:
                return
            self._known[str(folder)] = KnownFolder(str(folder), mount, known.models if known is not None else ())
        self._write()

    def _write(self) -> None:
        """Replace the list as a whole; one that cannot be written costs no more than what it would have told."""
        if self._own is None:
            return
        with self._lock:
            path = self._own / FOLDERS
            text = to_json(KnownFolders(SCHEMA, tuple(self._known.values())))
            try:
                self._own.mkdir(parents=True, exist_ok=True)
                fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
                fresh.write_text(text, encoding="utf-8", newline="\n")
                fresh.replace(path)
            except OSError as error:
                log.warning("%s cannot be written: %s", path, error)


def _has_marker(folder: Path) -> bool:
    try:
        return (folder / MARKER).is_file()
    except OSError:
        return False


def _read(own: Path | None) -> tuple[KnownFolder, ...]:
    if own is None:
        return ()
    path = own / FOLDERS
    try:
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:
            return ()
        text = path.read_text(encoding="utf-8")
        return from_json(KnownFolders, text, str(path), SCHEMA, "the list of folders").folders
    except (OSError, UnicodeDecodeError, DamagedFile) as error:
        log.warning("the list of library folders cannot be read: %s", error)
        return ()
