"""A download as it is kept on disk, so that quitting, a kill and a restart cost nothing but the time in between.

Each is a JSON file in `.ember-downloads` of the library's folder that it goes to, with a lock beside it that one
process holds for as long as it has the download in hand, and a note of which that is. The token is never written.
"""

import contextlib
import hashlib
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from engine.errors import (
    DamagedFile,
    DownloadInUse,
    ErrorReport,
    InvalidRequest,
    LibraryNotWritable,
    ModelHeldElsewhere,
    UnsafeName,
)
from engine.hub.library_places import Places
from engine.hub.transfer.journal import read_journal
from engine.hub.transfer.part_file import FileLock, disk_errors
from engine.hub.transfer.request import WORK_FOLDER, FileWanted, TransferRequest
from engine.plain_json import from_json, to_json
from engine.transfer_reports import DOWNLOAD_STATES

SCHEMA = 1
DOWNLOADS = ".ember-downloads"
_SUFFIX = ".download.json"
_MAX_BYTES = 16 << 20
_TRIES, _PAUSE_S = 5, 0.02


@dataclass(frozen=True, slots=True)
class StoredError:
    """An ErrorReport with its texts and numbers apart, as JSON keeps them."""

    code: str
    texts: tuple[tuple[str, str], ...]
    numbers: tuple[tuple[str, int], ...]

    def report(self) -> ErrorReport:
        return ErrorReport(self.code, (*self.texts, *self.numbers))


@dataclass(frozen=True, slots=True)
class DownloadRecord:
    """What a download is and how far it has come.

    folder     of the library it goes to; on disk empty for the one that the record is in, so that a drive may be
               attached elsewhere
    files      as the hub listed them at `commit`, empty until then
    place      order among the others: smaller is earlier
    is_fetched whether all files are there and proven, so that only the packing is left
    packed_bytes   of the file that packing will write; 0 where the headers did not tell
    state      of DOWNLOAD_STATES, as it was last: what another process can tell of it
    """

    schema: int
    download_id: str
    repo: str
    revision: str
    endpoint: str
    folder: str
    weight_format: str
    packs: bool
    keeps_source: bool
    place: int
    commit: str = ""
    licence: str = ""
    files: tuple[FileWanted, ...] = ()
    is_paused: bool = False
    is_fetched: bool = False
    state: str = "queued"
    failure: StoredError | None = None
    packed_bytes: int = 0

    @property
    def request(self) -> TransferRequest | None:
        return TransferRequest(self.repo, self.commit, self.files) if self.files else None

    @property
    def size_bytes(self) -> int | None:
        sizes = [wanted.size_bytes for wanted in self.files]
        return None if None in sizes or not sizes else sum(size for size in sizes if size is not None)


def download_id_of(repo: str, revision: str) -> str:
    return hashlib.sha256(f"{repo.casefold()}@{revision}".encode()).hexdigest()[:16]


def stored(report: ErrorReport) -> StoredError:
    texts = tuple((name, value) for name, value in report.fields if isinstance(value, str))
    numbers = tuple((name, value) for name, value in report.fields if isinstance(value, int))
    return StoredError(report.code, texts, numbers)


class DownloadFiles:
    """The records of all folders of a library that are connected. Those that are `held` are locked by this process."""

    def __init__(self, folders: Sequence[Path], places: Places | None = None) -> None:
        self._folders = tuple(folders)
        self._places = places or Places()
        self._homes: dict[str, Path] = {}  # of those that are held: where they were found, or are to be
        self._locks: dict[str, FileLock] = {}

    def all(self) -> list[DownloadRecord]:
        """In their order; what cannot be read, or names what is unsafe, is left out, and of two of one id the later."""
        found: dict[str, DownloadRecord] = {}
        for folder in self._folders:
            if self._places.is_connected(folder):
                for path in sorted((folder / DOWNLOADS).glob(f"*{_SUFFIX}")):
                    if (record := _read(path, folder)) is not None:
                        found.setdefault(record.download_id, record)
        return sorted(found.values(), key=lambda record: (record.place, record.download_id))

    def read(self, download_id: str) -> DownloadRecord | None:
        home = self._home(download_id)
        return _read(home / DOWNLOADS / f"{download_id}{_SUFFIX}", home) if home is not None else None

    def hold(self, record: DownloadRecord) -> None:
        """Take a download in hand, with its record where it was found or, a new one, where it goes to.

        Raises ModelHeldElsewhere with the process that has it, FolderNotConnected, LibraryNotWritable.
        """
        download_id, repo = record.download_id, record.repo
        if download_id in self._locks:
            return
        home = self._home(download_id) or self._goal(record)
        self._places.prepare(home)
        with disk_errors(home):
            (home / DOWNLOADS).mkdir(parents=True, exist_ok=True)
        for left in reversed(range(_TRIES)):  # another process that only looks holds it for a moment
            try:
                self._locks[download_id] = FileLock(home / DOWNLOADS / f"{download_id}.lock", repo)
                break
            except DownloadInUse as error:
                if left == 0:
                    raise ModelHeldElsewhere(repo, _noted(home, download_id)) from error
                time.sleep(_PAUSE_S)
        self._homes[download_id] = home
        with disk_errors(home):
            _owner(home, download_id).write_text(str(os.getpid()), encoding="ascii")

    def release(self, download_id: str) -> None:
        lock, home = self._locks.pop(download_id, None), self._homes.pop(download_id, None)
        if lock is not None and home is not None:
            with contextlib.suppress(OSError):
                _owner(home, download_id).unlink(missing_ok=True)
            lock.release()

    def release_all(self) -> None:
        for download_id in tuple(self._locks):
            self.release(download_id)

    def is_held_here(self, download_id: str) -> bool:
        return download_id in self._locks

    def holder(self, download_id: str) -> str:
        """The id of the process that has a download in hand, or an empty string where none has.

        A process that was killed leaves its note and not its lock; the note then says nothing.
        """
        if download_id in self._locks:
            return str(os.getpid())
        home = self._home(download_id)
        if home is None or not (lock := home / DOWNLOADS / f"{download_id}.lock").exists():
            return ""
        try:
            FileLock(lock, download_id).release()
        except DownloadInUse:
            return _noted(home, download_id)
        except LibraryNotWritable:  # a library that may only be read: nobody here downloads into it
            return ""
        return ""

    def write(self, record: DownloadRecord) -> None:
        """Replace a record as a whole. Raises FolderNotConnected, LibraryNotWritable and NoRoomForDownload."""
        home = self._home(record.download_id) or self._goal(record)
        self._places.check(home)
        path = home / DOWNLOADS / f"{record.download_id}{_SUFFIX}"
        fresh = path.with_name(path.name + ".new")
        text = to_json(replace(record, folder="" if record.folder == str(home) else record.folder))
        with disk_errors(path, len(text)):
            path.parent.mkdir(parents=True, exist_ok=True)
            with fresh.open("w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)

    def remove(self, download_id: str) -> None:
        home = self._home(download_id)
        if home is not None:
            with disk_errors(home):
                (home / DOWNLOADS / f"{download_id}{_SUFFIX}").unlink(missing_ok=True)
        self.release(download_id)
        if home is not None:
            with contextlib.suppress(OSError):
                (home / DOWNLOADS).rmdir()

    def _goal(self, record: DownloadRecord) -> Path:
        return Path(record.folder) if record.folder else self._folders[0]

    def _home(self, download_id: str) -> Path | None:
        """The folder that the record is in."""
        if download_id in self._homes:
            return self._homes[download_id]
        return next(
            (
                folder
                for folder in self._folders
                if self._places.is_connected(folder) and (folder / DOWNLOADS / f"{download_id}{_SUFFIX}").is_file()
            ),
            None,
        )


def _noted(home: Path, download_id: str) -> str:
    """The process that has taken a download in hand, as far as it has left word."""
    try:
        noted = _owner(home, download_id).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return "unknown"
    return noted if noted.isdigit() and psutil.pid_exists(int(noted)) else "unknown"


def _owner(home: Path, download_id: str) -> Path:
    return home / DOWNLOADS / f"{download_id}.owner"


def bytes_held(record: DownloadRecord, folder: Path) -> int:
    """What is in a source's folder of a download that nobody has in hand: whole files, what journals say of others."""
    held = 0
    whole = {wanted.path: wanted.size_bytes for wanted in record.files}
    for wanted in record.files:
        with contextlib.suppress(OSError):
            held += (folder / wanted.path).stat().st_size
            whole.pop(wanted.path)
    for path in (folder / WORK_FOLDER).glob("*.journal"):
        found = read_journal(path)
        if found is not None and found[0].path in whole:
            held += sum(block.n_bytes for block in found[1].blocks.values())
    return held


def _read(path: Path, home: Path) -> DownloadRecord | None:
    """A record with the folder that it goes to."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            return None
        record = from_json(DownloadRecord, path.read_text(encoding="utf-8"), str(path), SCHEMA, "a download")
        if record.files:
            TransferRequest(record.repo, record.commit, record.files)  # to make it is to check it
        is_own = path.name == f"{record.download_id}{_SUFFIX}" and record.state in DOWNLOAD_STATES
    except (OSError, UnicodeDecodeError, DamagedFile, InvalidRequest, UnsafeName):
        return None
    return replace(record, folder=record.folder or str(home)) if is_own else None
