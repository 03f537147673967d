"""What a download leaves in the library: its files, their manifest, and what goes away when it is packed or given up.

Owns which folder is whose. Every method raises FolderNotConnected, LibraryNotWritable where the folder is none of the
library's any more or cannot be written, and UnsafeName where a link in it leads out.
"""

import contextlib
import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from engine.catalog_reports import HubFile, HubRepository
from engine.errors import EngineError, LibraryNotWritable
from engine.hub.download_record import DownloadRecord, bytes_held
from engine.hub.library_places import Places
from engine.hub.manifest import (
    MANIFEST,
    SCHEMA,
    Manifest,
    ManifestFile,
    is_weights,
    read_manifest,
    source_folder,
    write_manifest,
)
from engine.hub.transfer.line import Network
from engine.hub.transfer.part_file import disk_errors
from engine.hub.transfer.request import WORK_FOLDER, FileWanted, TransferRequest
from engine.hub.transfer.resolving import Hub
from engine.hub.transfer.transfer import Transfer
from engine.hub.trash import bytes_on_drive

# Besides what a model needs: what its publisher says of it, and under which terms.
_CARDS = ("readme", "licence", "license", "copying", "notice", "use_policy", "model_card")
# Bytes of a packed value, with the scales of its row: of f32, and the most of the formats of eight bits and fewer.
_F32_BYTES, _MOST_PACKED_BYTES = 4, 1.125
_LEFT_BY_PACKING = 64 << 20
_CARD_ENDS = (".md", ".txt", "licence", "license", "copying", "notice")


class SourceFiles:
    """The folders of a library, as downloads use them; the first is for those that name none."""

    def __init__(self, folders: tuple[Path, ...], places: Places | None = None) -> None:
        self._folders = folders
        self._places = places or Places()

    def library(self, record: DownloadRecord) -> Path:
        """The folder of the library that a download goes to. Raises FolderNotConnected as well."""
        folder = Path(record.folder) if record.folder else self._folders[0]
        if folder not in self._folders:
            raise LibraryNotWritable(str(folder), "it is none of the library's folders any more")
        self._places.check(folder)
        return folder

    def prepare(self, record: DownloadRecord) -> None:
        """Make the folder that a download goes to."""
        self._places.prepare(self.library(record))

    def folder(self, record: DownloadRecord) -> Path | None:
        """Where its files are; None until the commit is known."""
        return source_folder(self.library(record), record.repo, record.commit) if record.commit else None

    def shown_folder(self, record: DownloadRecord) -> str:
        with contextlib.suppress(EngineError):
            return str(self.folder(record) or "")
        return ""

    def held_bytes(self, record: DownloadRecord) -> int:
        """What is on disk of it; nothing where its folder cannot be looked at."""
        with contextlib.suppress(EngineError):
            folder = self.folder(record)
            return bytes_held(record, folder) if folder is not None else 0
        return 0

    def write_manifest(self, record: DownloadRecord) -> None:
        """All files are there and proven."""
        folder = self.folder(record)
        if folder is None:
            return
        before = read_manifest(folder)
        files = tuple(ManifestFile(f.path, f.size_bytes or 0, f.sha256, f.git_sha1) for f in record.files)
        packings, supersedes = (before.packings, before.supersedes) if before else ((), ())
        write_manifest(
            folder,
            Manifest(
                SCHEMA, record.endpoint, record.repo, record.revision, record.commit, record.licence, now(), files,
                packings, supersedes,
            ),
        )  # fmt: skip

    def settle(self, record: DownloadRecord, packed: Path, weight_format: str) -> None:
        """Note the packed file in the manifest and, where the user wants that, delete the weights it was made of.

        The manifest says first that they are gone: a kill in between leaves files that nothing names, not the reverse.
        """
        folder = self.folder(record)
        manifest = read_manifest(folder) if folder is not None else None
        if folder is None or manifest is None:
            return
        manifest = manifest.packed_as(packed.name, weight_format, now())
        if not record.keeps_source:
            files = tuple(replace(file, is_here=file.is_here and not is_weights(file.path)) for file in manifest.files)
            manifest = replace(manifest, files=files)
        write_manifest(folder, manifest)
        with disk_errors(folder):
            for file in manifest.files if not record.keeps_source else ():
                if not file.is_here:
                    (folder / file.path).unlink(missing_ok=True)

    def delete(self, record: DownloadRecord, network: Network) -> int:
        """Delete what has come of a download that is given up; returns the bytes freed.

        A model that was whole before it stays. Raises DownloadInUse as well.
        """
        folder, request = self.folder(record), record.request
        if folder is None or request is None or not folder.is_dir():
            return 0
        work = folder / WORK_FOLDER
        freed = bytes_on_drive(work) if work.is_dir() and not work.is_symlink() else 0
        Transfer(request, folder, Hub(record.endpoint), network).discard()
        if read_manifest(folder) is not None and not record.is_fetched:
            return freed
        with disk_errors(folder):
            for wanted in request.files:
                path = folder / wanted.path
                freed += bytes_on_drive(path) if path.is_file() else 0
                path.unlink(missing_ok=True)
            (folder / MANIFEST).unlink(missing_ok=True)
        for path in sorted((p for p in folder.rglob("*") if p.is_dir()), reverse=True):
            with contextlib.suppress(OSError):
                path.rmdir()
        _remove_empty(folder, self.library(record))
        return freed


def request_with_cards(found: HubRepository) -> TransferRequest:
    """The files of a model and what is to be read of it by people, but none that would be taken for our own record.

    Raises UnsafeName and InvalidRequest.
    """
    wanted = tuple(
        FileWanted(file.path, file.size_bytes, file.sha256, file.git_sha1)
        for file in found.files
        if (not file.left_out or _is_card(file)) and file.path.casefold() != MANIFEST
    )
    return TransferRequest(found.model.repo, found.commit, wanted)


def packable(folder: Path, files: Sequence[FileWanted]) -> Path:
    """What of a source a reader of checkpoints is given: the folder, or the one GGUF file in it."""
    paths = [wanted.path for wanted in files]
    gguf = [path for path in paths if path.lower().endswith(".gguf")]
    return folder / gguf[0] if len(gguf) == 1 and "config.json" not in paths else folder


def room_to_pack(record: DownloadRecord) -> int:
    """What must be free when a download is packed; 0 where no packing is wanted.

    That the weights may be deleted afterwards makes no difference: until then both are there. Where the headers did
    not tell the size, the values of a checkpoint are taken for two bytes each, the least that is published, and those
    of a GGUF file for one; of fewer bits they may take more, which packing then says itself.
    """
    if not record.packs:
        return 0
    packed = record.packed_bytes
    if not packed:
        n_values = sum(
            (wanted.size_bytes or 0) / (1 if wanted.path.lower().endswith(".gguf") else 2)
            for wanted in record.files
            if is_weights(wanted.path)
        )
        packed = math.ceil(n_values * (_F32_BYTES if record.weight_format == "f32" else _MOST_PACKED_BYTES))
    return packed + _LEFT_BY_PACKING


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _is_card(file: HubFile) -> bool:
    """Whether a file says something about the model to people: its card, its licence."""
    name = file.path.casefold()
    return "/" not in name and name.startswith(_CARDS) and name.endswith(_CARD_ENDS)


def _remove_empty(folder: Path, root: Path) -> None:
    """A folder and those above it, up to the library's own, as long as they are empty."""
    while folder != root:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent
