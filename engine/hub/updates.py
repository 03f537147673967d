"""A newer commit of a model takes the place of the older one: once it is whole, the older goes to the trash and leaves
its name to the newer.

The manifest of the newer says what it supersedes from the moment it is whole until that is done, so that a kill, or an
older model that is loaded just now, only puts it off. A commit that was asked for by itself supersedes nothing, and
neither does a model in another format: both were wanted beside each other.
"""

import contextlib
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from engine.errors import EngineError
from engine.hub.library import Library, neurons_folder
from engine.hub.manifest import Manifest, Superseded, read_manifest, sources_in, write_manifest
from engine.hub.model_infos import model_id_of
from engine.hub.repository import NEWEST
from engine.hub.transfer.part_file import disk_errors
from engine.hub.trash import Trash
from engine.model.packed_model import open_packed

log = logging.getLogger(__name__)

InUse = Callable[[Path], bool]


def note_superseded(library: Library, source: Path, packed: Path | None) -> None:
    """Write into the manifest of a source, which is whole now, what it is a newer version of.

    packed   what was made of it, if anything. Raises LibraryNotWritable and NoRoomForDownload
    """
    manifest = read_manifest(source)
    if manifest is None or _branch(manifest) == manifest.commit:
        return
    formats = {packing.file: packing.weight_format for packing in manifest.packings}
    weight_format = formats.get(packed.name, "") if packed is not None else ""
    found = [
        Superseded(older.commit, name)
        for folder, _, older in _sources(library)
        if _is_older(older, manifest)
        for name in _names(folder, older, weight_format, is_packed=packed is not None)
    ]
    new = [one for one in found if one not in manifest.supersedes]
    if new:
        write_manifest(source, replace(manifest, supersedes=(*manifest.supersedes, *new)))


def settle_updates(library: Library, in_use: InUse) -> bool:
    """Let every newer version take its place; returns whether one has to wait for a model that is in use.

    What cannot be written to is left for the next time.
    """
    waits = False
    for folder, source, manifest in list(_sources(library)):
        for one in manifest.supersedes:
            try:
                waits |= not _settle(library, folder, source, one, in_use)
            except EngineError as error:
                log.warning("an older version of %s stays: %s", manifest.repo, error)
    return waits


def packed_of(folder: Path, source: Path) -> Path | None:
    """The latest packed file of a source that is there."""
    manifest = read_manifest(source)
    names = [packing.file for packing in manifest.packings] if manifest is not None else []
    return next((folder / name for name in reversed(names) if (folder / name).exists()), None)


def _settle(library: Library, home: Path, source: Path, one: Superseded, in_use: InUse) -> bool:
    """Put one older version in the trash and take its name; False where one of both is in use."""
    newer = packed_of(home, source)
    older = _packed_older(library, one) if one.packed else None
    if any(packed is not None and in_use(packed) for packed in (older, newer)):
        return False
    if older is not None:
        library.discard(older.name.removesuffix(older.suffix))
    else:
        _discard_source(library, source, one)
    manifest = read_manifest(source)
    if manifest is None:
        return True
    if newer is not None and one.packed:
        manifest = _take_name(library, home, newer, one.packed, manifest)
    elif newer is None and one.packed and _is_of(home / one.packed, manifest.commit):
        manifest = _renamed(manifest, manifest.packings[-1].file, one.packed)  # killed after the file had its name
    write_manifest(source, replace(manifest, supersedes=tuple(other for other in manifest.supersedes if other != one)))
    return True


def _take_name(library: Library, home: Path, newer: Path, name: str, manifest: Manifest) -> Manifest:
    """Give the newer packed file the name of the older, where nothing else has it now."""
    target = home / name
    if newer == target or any((folder / name).exists() for folder in library.connected):
        return manifest
    with disk_errors(target):
        newer.rename(target)
        if (known := neurons_folder(newer)).is_dir() and not neurons_folder(target).exists():
            known.rename(neurons_folder(target))
    return _renamed(manifest, newer.name, name)


def _renamed(manifest: Manifest, name: str, other: str) -> Manifest:
    packings = tuple(replace(p, file=other) if p.file == name else p for p in manifest.packings)
    return replace(manifest, packings=packings)


def _discard_source(library: Library, newer: Path, one: Superseded) -> None:
    """What an older version was fetched as, unless a packed model of another format is still made of it."""
    repo = manifest.repo if (manifest := read_manifest(newer)) is not None else ""
    for folder, source, older in list(_sources(library)):
        is_it = older.repo.casefold() == repo.casefold() and older.commit == one.commit and source != newer
        if is_it and packed_of(folder, source) is None:
            Trash(folder).take(model_id_of(older.repo.rpartition("/")[2]), [source])


def _packed_older(library: Library, one: Superseded) -> Path | None:
    places = (folder / one.packed for folder in library.connected)
    return next((place for place in places if _is_of(place, one.commit)), None)


def _is_of(packed: Path, commit: str) -> bool:
    """Whether a packed file is there and was made of this commit, by the folder that it was packed from."""
    with contextlib.suppress(EngineError):
        return packed.is_file() and any(commit.startswith(part) for part in _commits(open_packed(packed).source))
    return False


def _commits(source: str) -> Iterator[str]:
    parts = Path(source).parts
    return (part for part in parts if len(part) >= 7 and all(letter in "0123456789abcdef" for letter in part))


def _sources(library: Library) -> Iterator[tuple[Path, Path, Manifest]]:
    for folder in library.connected:
        for source, manifest in sources_in(folder):
            yield folder, source, manifest


def _is_older(older: Manifest, newer: Manifest) -> bool:
    """Whether both are of one branch of one repository, and the other was fetched before."""
    return (
        older.repo.casefold() == newer.repo.casefold()
        and older.commit != newer.commit
        and _branch(older) == _branch(newer)
        and older.fetched_at <= newer.fetched_at
    )


def _branch(manifest: Manifest) -> str:
    return manifest.revision or NEWEST


def _names(folder: Path, older: Manifest, weight_format: str, *, is_packed: bool) -> Sequence[str]:
    """Packed files of an older version that one of this format replaces; an empty name is its source alone."""
    there = [packing for packing in older.packings if (folder / packing.file).exists()]
    if not there:
        return [""]
    return [packing.file for packing in there if is_packed and packing.weight_format == weight_format]
