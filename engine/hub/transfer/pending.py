"""Transfers that are not finished, as files in the folder they fill, so that a later start can take them up again.

Each is a JSON file with the request and, once the hub has told it, the commit that its revision meant: a branch that
moves on while a model is fetched must not mix two versions of it. The token is never written.
"""

import contextlib
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from engine.errors import DamagedFile, InvalidRequest, UnsafeName
from engine.hub.transfer.part_file import disk_errors
from engine.hub.transfer.request import WORK_FOLDER, FileWanted, TransferRequest
from engine.plain_json import from_json, to_json

SCHEMA = 1
_SUFFIX = ".request.json"


@dataclass(frozen=True, slots=True)
class PendingTransfer:
    """A request, the hub it was made to, and the commit it is held to, or an empty string."""

    schema: int
    endpoint: str
    repo: str
    revision: str
    commit: str
    files: tuple[FileWanted, ...]

    @property
    def request(self) -> TransferRequest:
        return TransferRequest(self.repo, self.revision, self.files)


def pending_in(folder: Path) -> list[PendingTransfer]:
    """Every unfinished transfer into this folder; files that cannot be read, or name what is unsafe, are left out."""
    found = []
    for path in sorted((folder / WORK_FOLDER).glob(f"*{_SUFFIX}")):
        pending = _read(path)
        if pending is not None:
            found.append(pending)
    return found


def read_pending(folder: Path, endpoint: str, request: TransferRequest) -> PendingTransfer | None:
    """What is kept about exactly this request to this hub, if anything is."""
    pending = _read(_path(folder, request))
    same = pending is not None and (pending.endpoint, pending.request) == (endpoint, request)
    return pending if same else None


def write_pending(folder: Path, endpoint: str, request: TransferRequest, commit: str) -> None:
    """Keep a request. Raises LibraryNotWritable and NoRoomForDownload."""
    path = _path(folder, request)
    fresh = path.with_name(path.name + ".new")
    text = to_json(PendingTransfer(SCHEMA, endpoint, request.repo, request.revision, commit, request.files))
    with disk_errors(path, len(text)):
        with fresh.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)


def remove_pending(folder: Path, request: TransferRequest) -> None:
    """Forget a request, and the folder of unfinished ones where it was the last."""
    with contextlib.suppress(OSError):  # one that stays is found complete at the next start
        _path(folder, request).unlink(missing_ok=True)
        (folder / WORK_FOLDER).rmdir()


def _read(path: Path) -> PendingTransfer | None:
    try:
        pending = from_json(PendingTransfer, path.read_text(encoding="utf-8"), str(path), SCHEMA, "a transfer")
        return pending if pending.request.files else None  # to make the request is to check it
    except (OSError, UnicodeDecodeError, DamagedFile, InvalidRequest, UnsafeName):
        return None


def _path(folder: Path, request: TransferRequest) -> Path:
    told = "\n".join((request.repo, request.revision, *sorted(wanted.path for wanted in request.files)))
    return folder / WORK_FOLDER / (hashlib.sha256(told.encode()).hexdigest()[:32] + _SUFFIX)
