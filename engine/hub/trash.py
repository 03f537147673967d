"""The trash of a library folder: models that were deleted, until they are restored, thirty days old, or emptied.

Each is a folder below `.ember-trash` with a record of where its parts were. The record is written before the first part
is moved, and moves are renames on one drive, so that a kill at any moment leaves each part either here or there, and
both restoring and deleting take what they find.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from engine.errors import DamagedFile, PlaceTaken, UnknownTrash, UnsafeName
from engine.hub.transfer.part_file import disk_errors
from engine.hub.transfer.request import place_in
from engine.plain_json import from_json, to_json
from engine.transfer_reports import TrashedModel

SCHEMA = 1
TRASH = ".ember-trash"
KEPT_DAYS = 30
_RECORD = "record.json"
_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class TrashedPart:
    """A file or folder: its path below the library's folder, and its number here."""

    path: str
    name: str


@dataclass(frozen=True, slots=True)
class TrashRecord:
    """`trashed_s` is the time in seconds of 1970, `size_bytes` what all parts hold on the drive."""

    schema: int
    model_id: str
    trashed_s: float
    size_bytes: int
    parts: tuple[TrashedPart, ...]


class Trash:
    """The trash of one folder; `now` gives seconds of 1970."""

    def __init__(self, library: Path, now: Callable[[], float] = time.time) -> None:
        self._library = library
        self._folder = library / TRASH
        self._now = now

    def take(self, model_id: str, parts: Sequence[Path]) -> tuple[str, int]:
        """Move files and folders of the library here; returns the id of what is here now, and its bytes.

        Raises UnsafeName for a part that is not in the library, LibraryNotWritable.
        """
        parts = [part for part in parts if part.exists() or part.is_symlink()]
        places = [self._below(part) for part in parts]
        size = sum(bytes_on_drive(part) for part in parts)
        now = self._now()
        trash_id = hashlib.sha256(f"{model_id}\n{now}\n{os.getpid()}".encode()).hexdigest()[:12]
        here = self._folder / trash_id
        record = TrashRecord(
            SCHEMA, model_id, now, size, tuple(TrashedPart(place, str(n)) for n, place in enumerate(places))
        )
        with disk_errors(self._library):
            here.mkdir(parents=True)
            _write(here / _RECORD, record)
            for part, noted in zip(parts, record.parts, strict=True):
                try:
                    part.rename(here / noted.name)
                except OSError:
                    if noted is record.parts[0]:  # nothing is here yet
                        shutil.rmtree(here, ignore_errors=True)
                    raise
                _remove_empty_folders(part.parent, self._library)
        return trash_id, size

    def listing(self) -> list[TrashedModel]:
        """What is here, the latest first; what has no record that can be believed is left out."""
        found = [(trash_id, record) for trash_id, record in self._records() if record is not None]
        found.sort(key=lambda pair: -pair[1].trashed_s)
        return [
            TrashedModel(
                trash_id,
                record.model_id,
                record.size_bytes,
                datetime.fromtimestamp(record.trashed_s, UTC).isoformat(timespec="seconds"),
                max(0, KEPT_DAYS - int(self._age_s(record) / _DAY_S)),
            )
            for trash_id, record in found
        ]

    def restore(self, trash_id: str) -> str:
        """Put everything back where it was; returns the model's id.

        Raises UnknownTrash, PlaceTaken where another thing is there now (and moves nothing), LibraryNotWritable.
        """
        record = self._record(trash_id)
        here = self._folder / trash_id
        moves = [
            (here / part.name, place_in(self._library, part.path))
            for part in record.parts
            if (here / part.name).exists()
        ]
        for _, place in moves:
            if place.exists() or place.is_symlink():
                raise PlaceTaken(str(place))
        with disk_errors(self._library):
            for part, place in moves:
                place.parent.mkdir(parents=True, exist_ok=True)
                part.rename(place)
            shutil.rmtree(here)
            _remove_empty_folders(self._folder, self._library)
        return record.model_id

    def empty(self, trash_id: str = "") -> int:
        """Delete one thing, or all; returns the bytes freed. Raises UnknownTrash, LibraryNotWritable."""
        if trash_id:
            self._record(trash_id)
            return self._delete([trash_id])
        return self._delete([found for found, _ in self._records()])

    def expire(self) -> int:
        """Delete what is older than it is kept for; returns the bytes freed. Raises LibraryNotWritable.

        A date in the future, of a clock that was wrong then or is now, counts as today.
        """
        old = [
            trash_id
            for trash_id, record in self._records()
            if record is not None and self._age_s(record) > KEPT_DAYS * _DAY_S
        ]
        return self._delete(old)

    def _delete(self, trash_ids: Sequence[str]) -> int:
        freed = 0
        with disk_errors(self._library):
            for trash_id in trash_ids:
                here = self._folder / trash_id
                freed += bytes_on_drive(here)
                shutil.rmtree(here)
            _remove_empty_folders(self._folder, self._library)
        return freed

    def _age_s(self, record: TrashRecord) -> float:
        return max(0.0, self._now() - record.trashed_s)

    def _records(self) -> list[tuple[str, TrashRecord | None]]:
        try:
            folders = sorted(path for path in self._folder.iterdir() if path.is_dir() and not path.is_symlink())
        except OSError:
            return []
        return [(folder.name, _read(folder / _RECORD)) for folder in folders]

    def _record(self, trash_id: str) -> TrashRecord:
        found = dict(self._records()).get(trash_id)
        if found is None:
            raise UnknownTrash(trash_id)
        return found

    def _below(self, part: Path) -> str:
        """The path below the library's folder, of the thing itself and not of what a link leads to."""
        root, parent = self._library.resolve(), part.parent.resolve()
        if not parent.is_relative_to(root) or parent.is_relative_to(self._folder.resolve()):
            raise UnsafeName(str(part), "not in the library")
        return (parent / part.name).relative_to(root).as_posix()


def bytes_on_drive(path: Path) -> int:
    """What deleting a file, or a folder with all in it, gives back: bytes that others hold by hard links do not count.

    Holes of half-filled files do not count either, where the system tells of them. Links are not followed.
    """
    if path.is_dir() and not path.is_symlink():
        return sum(bytes_on_drive(Path(entry.path)) for entry in os.scandir(path))
    try:
        stat = path.lstat()
    except OSError:
        return 0
    if stat.st_nlink > 1:
        return 0
    blocks = getattr(stat, "st_blocks", None)
    return stat.st_size if blocks is None else min(stat.st_size, 512 * blocks)


def _remove_empty_folders(folder: Path, root: Path) -> None:
    """Remove a folder and those above it, up to the library's own, as long as they are empty."""
    while folder != root and folder.is_relative_to(root):
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


def _write(path: Path, record: TrashRecord) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(to_json(record))
        file.flush()
        os.fsync(file.fileno())


def _read(path: Path) -> TrashRecord | None:
    try:
        return from_json(TrashRecord, path.read_text(encoding="utf-8"), str(path), SCHEMA, "something in the trash")
    except (OSError, UnicodeDecodeError, DamagedFile):
        return None
