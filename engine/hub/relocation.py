"""A model on its way to another folder of the library: renamed where that is the same drive, else copied, compared,
named, and only then deleted at its old place.

Interrupted at any point nothing is lost. While a copy is made the old one is whole and the record says "copying"; once
every part has its name at the new place it says "copied". Renames are noted as "renaming" and gone on with.
`finish_moves` reads the record at the next start and takes away whichever half is superfluous.
"""

import contextlib
import os
import re
import shutil
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import DamagedFile, DownloadInUse, NoRoomForDownload, PlaceTaken, UnsafeName
from engine.hub.transfer.part_file import FileLock, disk_errors, free_bytes, put_in_place
from engine.hub.transfer.request import place_in
from engine.plain_json import from_json, to_json

SCHEMA = 1
MOVES = ".ember-moves"
_COPYING, _COPIED, _RENAMING = "copying", "copied", "renaming"
_BLOCK = 4 << 20
_RESERVE_BYTES = 64 << 20
_PARTIAL = ".moving"
_NAME = re.compile(r"(.+)\.(json|json\.new|lock)")

OnBytes = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """Kept in the new folder; `parts` are paths below both folders: of files, or of what is renamed as a whole."""

    schema: int
    model_id: str
    old: str
    stage: str
    parts: tuple[str, ...]


def move_parts(model_id: str, parts: Sequence[Path], old: Path, new: Path, on_bytes: OnBytes) -> None:
    """Move files and folders below `old` to the same places below `new`.

    `on_bytes(done, total)` counts copying and comparing, and may raise to stop, which leaves everything at its old
    place. Raises PlaceTaken, NoRoomForDownload, LibraryNotWritable, DownloadInUse, DamagedFile where the copy differs.
    """
    files = [file for part in parts for file in _files_of(part, old)]
    for file in files:
        place = place_in(new, file)
        if place.exists() or place.is_symlink():
            raise PlaceTaken(str(place))
    with disk_errors(new):
        (new / MOVES).mkdir(parents=True, exist_ok=True)
    path = new / MOVES / f"{model_id}.json"
    with FileLock(path.with_suffix(".lock"), model_id):
        whole = tuple(part.relative_to(old).as_posix() for part in parts)
        if _is_one_drive(old, new):
            _rename_all(MoveRecord(SCHEMA, model_id, str(old), _RENAMING, whole), old, new, path)
        else:
            _copy_all(MoveRecord(SCHEMA, model_id, str(old), _COPYING, tuple(files)), old, new, path, on_bytes)
    with contextlib.suppress(OSError):
        (new / MOVES).rmdir()


def finish_moves(folder: Path, others: Sequence[Path]) -> None:
    """End the moves into a folder, from one of the others, that an earlier process was killed in.

    One that another process is still making, or whose other folder is not connected, is left alone. Raises
    LibraryNotWritable.
    """
    known = {other.absolute() for other in others}
    names = {match[1] for path in (folder / MOVES).glob("*") if (match := _NAME.fullmatch(path.name))}
    for path in sorted(folder / MOVES / f"{name}.json" for name in names):
        record = _read(path)
        if path.exists() and (record is None or Path(record.old) not in known or not Path(record.old).is_dir()):
            continue
        try:
            lock = FileLock(path.with_suffix(".lock"), path.stem)
        except DownloadInUse:
            continue
        with lock, disk_errors(folder):
            if record is not None:
                _settle(record, folder, path)
            _fresh(path).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        (folder / MOVES).rmdir()


def _is_one_drive(old: Path, new: Path) -> bool:
    return old.stat().st_dev == new.stat().st_dev


def _settle(record: MoveRecord, new: Path, path: Path) -> None:
    """Make one whole model of what is at both places, and forget the move."""
    old = Path(record.old)
    with disk_errors(new):
        for part in record.parts:
            here, there = place_in(old, part), place_in(new, part)
            if record.stage == _RENAMING:
                if here.exists() and not there.exists():
                    there.parent.mkdir(parents=True, exist_ok=True)
                    here.rename(there)
                _remove_empty(here.parent, old)
                continue
            superfluous, root = (here, old) if record.stage == _COPIED else (there, new)
            superfluous.unlink(missing_ok=True)
            _partial(there).unlink(missing_ok=True)
            _remove_empty(superfluous.parent, root)
        path.unlink(missing_ok=True)


def _rename_all(record: MoveRecord, old: Path, new: Path, path: Path) -> None:
    with disk_errors(new):
        _write(path, record)
    _settle(record, new, path)


def _copy_all(record: MoveRecord, old: Path, new: Path, path: Path, on_bytes: OnBytes) -> None:
    sizes = {part: (old / part).stat().st_size for part in record.parts}
    total = 2 * sum(sizes.values())  # each byte is written once and read back once
    available = free_bytes(new)
    if available < total // 2 + _RESERVE_BYTES:
        raise NoRoomForDownload(str(new), total // 2 + _RESERVE_BYTES, available)
    with disk_errors(new):
        _write(path, record)
    is_whole, done = False, 0
    try:
        for part, size in sizes.items():
            place = new / part
            with disk_errors(place):
                place.parent.mkdir(parents=True, exist_ok=True)
            crc = _last_crc(copied(old / part, _partial(place)), done, total, on_bytes)
            found = _last_crc(_read_back(_partial(place)), done + size, total, on_bytes)
            if found != crc:
                raise DamagedFile(str(place), "the copy differs from the original")
            done += 2 * size
            put_in_place(_partial(place), place)
        record = replace(record, stage=_COPIED)
        with disk_errors(new):
            _write(path, record)
        is_whole = True
    finally:
        if not is_whole:
            _settle(record, new, path)
    _settle(record, new, path)


def copied(source: Path, target: Path) -> Iterator[tuple[int, int]]:
    """Copy a file, flushed to the drive at its end; yields the bytes copied so far and their CRC-32.

    Raises LibraryNotWritable and NoRoomForDownload.
    """
    done, crc = 0, 0
    with disk_errors(target), source.open("rb") as reader, target.open("xb") as writer:
        while block := reader.read(_BLOCK):
            writer.write(block)
            done, crc = done + len(block), zlib.crc32(block, crc)
            yield done, crc
        writer.flush()
        os.fsync(writer.fileno())
        if not done:
            yield 0, 0
    shutil.copystat(source, target)


def _read_back(path: Path) -> Iterator[tuple[int, int]]:
    done, crc = 0, 0
    with disk_errors(path), path.open("rb") as file:
        while block := file.read(_BLOCK):
            done, crc = done + len(block), zlib.crc32(block, crc)
            yield done, crc
        if not done:
            yield 0, 0


def _last_crc(steps: Iterator[tuple[int, int]], before: int, total: int, on_bytes: OnBytes) -> int:
    crc = 0
    for n_bytes, crc in steps:  # noqa: B007 - the last one is the whole file's
        on_bytes(before + n_bytes, total)
    return crc


def _files_of(part: Path, old: Path) -> list[str]:
    """Paths below `old` of a file, or of all files in a folder. Raises UnsafeName for links that lead out of it."""
    found = sorted(p for p in part.rglob("*") if not p.is_dir()) if part.is_dir() else [part]
    root = old.resolve()
    for path in found:
        if not path.resolve().is_relative_to(root):
            raise UnsafeName(str(path), "a link that leads out of the library")
    return [path.relative_to(old).as_posix() for path in found]


def _partial(place: Path) -> Path:
    return place.with_name(f".{place.name}{_PARTIAL}")


def _remove_empty(folder: Path, root: Path) -> None:
    while folder != root and folder.is_relative_to(root):
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


def _write(path: Path, record: MoveRecord) -> None:
    fresh = _fresh(path)
    with fresh.open("w", encoding="utf-8", newline="\n") as file:
        file.write(to_json(record))
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def _fresh(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def _read(path: Path) -> MoveRecord | None:
    try:
        return from_json(MoveRecord, path.read_text(encoding="utf-8"), str(path), SCHEMA, "a move")
    except (OSError, UnicodeDecodeError, DamagedFile):
        return None
