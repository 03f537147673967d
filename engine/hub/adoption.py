"""Models that another program keeps in a hub's cache, taken into the library without fetching them again.

Reads the cache's layout: `models--owner--name/{blobs,snapshots/<commit>}`, where a snapshot's files are links to blobs
named by their digest. Files come over as hard links where both are on one drive, else as copies; the cache itself is
not changed. Only files whose content is what their name in the cache says are taken.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine.errors import DamagedFile, EngineError, FileMissing, NoRoomForDownload, UnsafeName
from engine.hub.manifest import MANIFEST, SCHEMA, Manifest, ManifestFile, source_folder, write_manifest
from engine.hub.relocation import copied
from engine.hub.transfer.part_file import disk_errors, free_bytes, put_in_place
from engine.hub.transfer.request import FileWanted, TransferRequest, place_in
from engine.hub.transfer.verify import digest_kind, read_back
from engine.transfer_reports import AdoptableModel

_CACHED = re.compile(r"models--(?:(?P<owner>[A-Za-z0-9][\w.-]{0,95}?)--)?(?P<name>[A-Za-z0-9][\w.-]{0,95})", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_RESERVE_BYTES = 64 << 20
_PARTIAL = ".adopting"
_BLOCK = 1 << 20

OnBytes = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Adopted:
    folder: Path
    linked_bytes: int
    copied_bytes: int


def adoptable(caches: Sequence[Path], library: Path) -> list[AdoptableModel]:
    """Every snapshot in these folders that has weights in it; folders that cannot be read are left out."""
    return [model for cache in caches for model in _snapshots(cache, library)]


def adopt(
    snapshot: Path, repo: str, commit: str, library: Path, fetched_at: str, on_bytes: OnBytes, *, may_link: bool = True
) -> Adopted:
    """Take a snapshot into the library with a manifest of its own; `on_bytes(done, total)` may raise to stop.

    Stopped or killed it leaves what has come over, and goes on from there when asked again. Raises UnsafeName,
    FileMissing, DamagedFile for a file that is not what the cache says, NoRoomForDownload, LibraryNotWritable.
    """
    files = _files_of(snapshot)
    if not files:
        raise FileMissing(str(snapshot), "there are no files")
    request = TransferRequest(repo, commit, tuple(FileWanted(name) for name in files))
    folder = source_folder(library, repo, commit)
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    sizes = {name: path.stat().st_size for name, path in files.items()}
    total, done, linked, copied_bytes = 2 * sum(sizes.values()), 0, 0, 0
    kept: list[ManifestFile] = []
    for wanted in request.files:
        blob, size = files[wanted.path], sizes[wanted.path]
        etag = _digest_in_name(blob)
        tell = partial(_tell, on_bytes, done, total)
        found = read_back(blob, size, etag or "0" * 64, _BLOCK, {}, tell)
        if etag and found.digest != etag:
            raise DamagedFile(str(blob), f"the {digest_kind(etag)} is {found.digest}")
        done += size
        target = place_in(folder, wanted.path)
        with disk_errors(target):
            target.parent.mkdir(parents=True, exist_ok=True)
        if may_link and _link(blob, target):
            linked += size
        else:
            _copy(blob, target, found.digest, partial(_tell, on_bytes, done, total))
            copied_bytes += size
        done += size
        on_bytes(done, total)
        is_sha256 = digest_kind(found.digest) == "SHA-256"
        kept.append(
            ManifestFile(wanted.path, size, found.digest if is_sha256 else "", "" if is_sha256 else found.digest)
        )
    write_manifest(folder, Manifest(SCHEMA, "", repo, "", commit, "", fetched_at, tuple(kept)))
    return Adopted(folder, linked, copied_bytes)


def _snapshots(cache: Path, library: Path) -> Iterator[AdoptableModel]:
    try:
        repositories = sorted(path for path in cache.iterdir() if path.is_dir() and _CACHED.fullmatch(path.name))
    except OSError:
        return
    for repository in repositories:
        match = _CACHED.fullmatch(repository.name)
        repo = "/".join(part for part in match.group("owner", "name") if part) if match else ""
        try:
            snapshots = sorted(p for p in (repository / "snapshots").iterdir() if _COMMIT.fullmatch(p.name))
        except OSError:
            continue
        for snapshot in snapshots:
            try:
                files = _files_of(snapshot)
                size = sum(path.stat().st_size for path in files.values())
                links = _device(snapshot) == _device(library)
            except (OSError, EngineError):
                continue
            if any(name.endswith((".safetensors", ".bin", ".gguf")) for name in files):
                yield AdoptableModel(str(snapshot), repo, snapshot.name, size, len(files), links)


def _files_of(snapshot: Path) -> dict[str, Path]:
    """The files of a snapshot by their names, each as the blob it leads to.

    Raises UnsafeName where one leads out of the cache's repository.
    """
    root = snapshot.parent.parent.resolve()
    found: dict[str, Path] = {}
    for path in sorted(snapshot.rglob("*")):
        if path.is_dir():
            continue
        blob = path.resolve()
        if not blob.is_relative_to(root):
            raise UnsafeName(path.name, "a link that leads out of the cache")
        name = path.relative_to(snapshot).as_posix()
        if blob.is_file() and name != MANIFEST:
            found[name] = blob
    return found


def _digest_in_name(blob: Path) -> str:
    """The digest that a cache names its blob by; empty in caches without links, where files keep their own names."""
    return blob.name if digest_kind(blob.name) else ""


def _link(blob: Path, target: Path) -> bool:
    if target.exists():
        return os.path.samestat(blob.stat(), target.stat())
    try:
        target.hardlink_to(blob)
    except OSError:  # another drive, or a file system without links
        return False
    return True


def _copy(blob: Path, target: Path, digest: str, on_bytes: Callable[[int], None]) -> None:
    size = blob.stat().st_size
    is_there = target.is_file() and target.stat().st_size == size
    if is_there and read_back(target, size, digest, _BLOCK, {}, on_bytes).digest == digest:
        return  # of an earlier attempt, which was stopped
    available = free_bytes(target.parent)
    if available < size + _RESERVE_BYTES:
        raise NoRoomForDownload(str(target), size + _RESERVE_BYTES, available)
    unfinished = target.with_name(f".{target.name}{_PARTIAL}")
    with disk_errors(unfinished):
        unfinished.unlink(missing_ok=True)
    for n_bytes, _ in copied(blob, unfinished):
        on_bytes(n_bytes)
    put_in_place(unfinished, target)


def _tell(on_bytes: OnBytes, before: int, total: int, n_bytes: int) -> None:
    on_bytes(before + n_bytes, total)


def _device(path: Path) -> int:
    """The drive of a path, or of the nearest folder above it that exists."""
    for place in (path, *path.parents):
        if place.exists():
            return place.stat().st_dev
    return -1
