"""The models on this machine: packed files in the library's folders, what was fetched for packing, and the starter
model until it is packed.

Owns names of files and ids, what a model's listing says, deletion, the trash and moves between folders. Reads headers
only. Where models come from is in their manifests (`manifest.py`).
"""

import contextlib
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from engine.errors import (
    EngineError,
    FileMissing,
    FolderNotConnected,
    InvalidRequest,
    LibraryNotWritable,
    PackedVersionMismatch,
    UnknownModel,
    UnknownTrash,
)
from engine.hub.cache_folders import check_library_folder
from engine.hub.library_places import Places
from engine.hub.manifest import Manifest, sources_in
from engine.hub.model_infos import STARTER_NOTE, model_id_of, packed_info, readable, source_info, starter_info
from engine.hub.relocation import OnBytes, finish_moves, move_parts
from engine.hub.starter import find_starter
from engine.hub.trash import Trash
from engine.messages import ModelInfo
from engine.model.packed_model import PARTIAL_SUFFIX, SUFFIX, PackedModel, open_packed
from engine.transfer_reports import ModelCard, TrashedModel

NEURONS_SUFFIX = ".neurons"
# Files in this format carry the model's name alone.
_UNNAMED_FORMAT = "int8"
_MAX_TEXT_BYTES = 2 << 20
_PARTIAL = re.compile(rf"^\..*\.(\d{{1,9}}){re.escape(PARTIAL_SUFFIX)}$")


@dataclass(frozen=True, slots=True)
class LibraryEntry:
    """A model and where it is: `packed` once packed, `source` before that, for the starter and what was fetched.

    Both are None for one in a folder that is not connected.
    """

    info: ModelInfo
    packed: Path | None
    source: Path | None


class Library:
    """The folders of models. They need not exist yet or be connected, and need not be writable to be read.

    folder   where new models go
    others   further folders, such as on other drives
    places   which of them are connected, and what was in those that are not
    """

    def __init__(self, folder: Path, others: Sequence[Path] = (), places: Places | None = None) -> None:
        self.folder = folder
        self.others = tuple(others)
        self.places = places or Places()

    @property
    def folders(self) -> tuple[Path, ...]:
        return (self.folder, *self.others)

    @property
    def connected(self) -> tuple[Path, ...]:
        """The folders that are there now."""
        return tuple(folder for folder in self.folders if self.places.is_connected(folder))

    def with_folders(self, folders: Sequence[Path]) -> "Library":
        """A library of these folders. Raises InvalidRequest for none and for one within another, CacheFolderRefused."""
        chosen = [folder.absolute() for folder in folders]
        if not chosen:
            raise InvalidRequest("folders", "", "one or more")
        for number, folder in enumerate(chosen):
            if any(folder == other or other in folder.parents for other in (*chosen[:number], *chosen[number + 1 :])):
                raise InvalidRequest("folders", str(folder), "folders apart from each other")
            if folder not in self.folders:  # what is in use already is not taken away
                check_library_folder(folder)
        self.places.use(chosen)
        return Library(chosen[0], chosen[1:], self.places)

    def entries(self) -> list[LibraryEntry]:
        """All models, the starter first; files that cannot be read are left out (`problems` names them).

        Of a folder that is not connected those that were in it when it last was, marked so.
        """
        licences = {p.file: manifest.licence for _, manifest in self.sources() for p in manifest.packings}
        found = [self._entry(packed, licences) for packed, _ in self._opened() if packed is not None]
        found += self._unpacked({entry.info.model_id for entry in found})
        found += self._away(found)
        if not any(entry.info.note == STARTER_NOTE for entry in found):
            starter = find_starter()
            if starter is not None:
                found.append(LibraryEntry(starter_info(starter), None, starter))
        return sorted(found, key=lambda e: (e.info.note != STARTER_NOTE, e.info.model_id))

    def problems(self) -> list[EngineError]:
        """One error for each file in the folder that should be a model and cannot be opened."""
        return [error for _, error in self._opened() if error is not None]

    def find(self, model_id: str) -> LibraryEntry:
        """By id, or by the beginning of exactly one id.

        Raises UnknownModel, FolderNotConnected for one that is not there now, or the error of a broken file.
        """
        entries = self.entries()
        matching = [e for e in entries if e.info.model_id == model_id]
        matching = matching or [e for e in entries if model_id and e.info.model_id.startswith(model_id.lower())]
        if len(matching) == 1:
            if matching[0].info.away_from:
                raise FolderNotConnected(matching[0].info.away_from)
            return matching[0]
        for folder in self.connected if re.fullmatch(r"[a-z0-9._-]+", model_id) else ():
            if (broken := folder / f"{model_id}{SUFFIX}").is_file():
                open_packed(broken)
        raise UnknownModel(model_id)

    def path_for(self, name: str, weight_format: str, source: str, folder: Path | None = None) -> Path:
        """Where a model of this name goes: the file already packed from the same source, or a free name.

        `folder` is one of the library's; None means the first. Raises FolderNotConnected, LibraryNotWritable.
        """
        self.places.check(folder or self.folder)
        base = model_id_of(name) + ("" if weight_format == _UNNAMED_FORMAT else f"-{weight_format}")
        for number in range(1, 1000):
            path = (folder or self.folder) / f"{base}{'' if number == 1 else f'-{number}'}{SUFFIX}"
            if not path.exists():
                if any((other / path.name).exists() for other in self.connected) or path.name in self._names_away():
                    continue  # an id names one model, in whichever folder
                return path
            try:
                if open_packed(path).source == source:
                    return path
            except PackedVersionMismatch as error:
                if error.found < error.expected:  # of no use to this version: packed again in its place
                    return path
            except EngineError:
                continue
        raise LibraryNotWritable(str(self.folder), f"a thousand models are named {base}")

    def remove(self, model_id: str) -> int:
        """Delete the packed file and what was found out about its neurons; returns the bytes freed."""
        entry = self.find(model_id)
        if entry.packed is None:
            raise UnknownModel(model_id)
        neurons = neurons_folder(entry.packed)
        try:
            found = [path.stat().st_size for path in neurons.rglob("*") if path.is_file()] if neurons.is_dir() else []
            size = entry.packed.stat().st_size + sum(found)
            entry.packed.unlink()
            if found:
                shutil.rmtree(neurons)
        except OSError as error:
            raise LibraryNotWritable(str(self.folder), error.strerror or str(error)) from error
        return size

    def parts_of(self, model_id: str, *, and_source: bool) -> tuple[Path, list[Path]]:
        """The folder a model is in, and its files and folders there. Raises UnknownModel.

        What it was packed from is a part with `and_source`, unless another packed model is of the same source.
        """
        entry = self.find(model_id)
        place = entry.packed or entry.source
        home = next((folder for folder in self.connected if place is not None and folder in place.parents), None)
        if home is None or place is None:
            raise UnknownModel(model_id)  # the starter's source is not the library's
        parts = [entry.packed, neurons_folder(entry.packed)] if entry.packed is not None else []
        for source, manifest in sources_in(home):
            packings = {packing.file for packing in manifest.packings if (home / packing.file).exists()}
            is_its = packings == {place.name} if entry.packed is not None else source in (place, place.parent)
            if is_its and (and_source or entry.packed is None):
                parts.append(source)
        return home, [part for part in parts if part.exists()]

    def discard(self, model_id: str, *, and_source: bool = True) -> tuple[str, int]:
        """Move a model to its folder's trash; returns the id there and the bytes that will be freed.

        Raises UnknownModel, LibraryNotWritable.
        """
        home, parts = self.parts_of(model_id, and_source=and_source)
        return Trash(home).take(model_id, parts)

    def trashed(self) -> list[TrashedModel]:
        return [model for folder in self.connected for model in Trash(folder).listing()]

    def restore(self, trash_id: str) -> str:
        """Raises UnknownTrash, PlaceTaken, LibraryNotWritable."""
        for folder in self.connected:
            if any(model.trash_id == trash_id for model in Trash(folder).listing()):
                return Trash(folder).restore(trash_id)
        raise UnknownTrash(trash_id)

    def empty_trash(self, trash_id: str = "") -> int:
        """Delete one thing in the trash, or all; returns the bytes freed. Raises UnknownTrash, LibraryNotWritable."""
        if not trash_id:
            return sum(Trash(folder).empty() for folder in self.connected)
        for folder in self.connected:
            if any(model.trash_id == trash_id for model in Trash(folder).listing()):
                return Trash(folder).empty(trash_id)
        raise UnknownTrash(trash_id)

    def move(self, model_id: str, folder: Path, on_bytes: OnBytes) -> None:
        """Move a model, and what it was packed from, to another of the library's folders.

        Raises UnknownModel, InvalidRequest, FolderNotConnected, and what `relocation.move_parts` raises.
        """
        if folder not in self.folders:
            raise InvalidRequest("folder", str(folder), "one of the library's folders")
        home, parts = self.parts_of(model_id, and_source=True)
        if home != folder:
            self.places.prepare(folder)
            move_parts(model_id, parts, home, folder, on_bytes)

    def sources(self) -> Iterator[tuple[Path, Manifest]]:
        """What came from a hub, with its manifest, in every folder that is connected."""
        for folder in self.connected:
            yield from sources_in(folder)

    def card(self, model_id: str) -> ModelCard:
        """What the publisher says of a model that came from a hub. Raises UnknownModel, and FileMissing for others."""
        entry = self.find(model_id)
        home, parts = self.parts_of(model_id, and_source=True)
        for source, manifest in sources_in(home):
            is_its = entry.packed is not None and entry.packed.name in {p.file for p in manifest.packings}
            if source in parts or is_its:
                texts = {name: _text_beginning(source, manifest, name) for name in ("readme", "licen")}
                return ModelCard(
                    model_id, manifest.repo, manifest.commit, manifest.fetched_at,
                    manifest.licence or entry.info.licence, texts["readme"], texts["licen"],
                )  # fmt: skip
        raise FileMissing(model_id, "it did not come from a hub")

    def tidy(self) -> None:
        """After a start: finish what a killed process left, and empty the trash of what is too old.

        Folders that cannot be read or written are left alone: that is told when they are used.
        """
        self.remove_leftovers()
        for folder in self.connected:
            with contextlib.suppress(EngineError):
                finish_moves(folder, [other for other in self.connected if other != folder])
                Trash(folder).expire()

    def remove_leftovers(self) -> None:
        """Delete partial files of processes that no longer run."""
        for folder in self.connected:
            with contextlib.suppress(OSError):  # a folder that cannot be read is told when it is listed
                for path in folder.iterdir():
                    match = _PARTIAL.match(path.name)
                    if match and not psutil.pid_exists(int(match.group(1))):
                        path.unlink()

    def _opened(self) -> list[tuple[PackedModel | None, EngineError | None]]:
        out: list[tuple[PackedModel | None, EngineError | None]] = []
        for path in self._packed_files():
            try:
                out.append((open_packed(path), None))
            except EngineError as error:
                out.append((None, error))
        return out

    def _packed_files(self) -> list[Path]:
        """In the order of folders; of files of one name the first, which is what a move leaves while it ends."""
        found: dict[str, Path] = {}
        for folder in self.connected:
            try:
                paths = sorted(path for path in folder.iterdir() if path.name.endswith(SUFFIX))
            except (FileNotFoundError, NotADirectoryError):  # nothing there yet
                continue
            except OSError as error:
                raise FileMissing(str(folder), error.strerror or str(error)) from error
            for path in paths:
                found.setdefault(path.name, path)
        return list(found.values())

    def _unpacked(self, known: Iterable[str]) -> list[LibraryEntry]:
        """What was fetched and not packed yet, by its manifest and the names in its configuration."""
        taken, found = set(known), []
        for folder in self.connected:
            for source, manifest in sources_in(folder):
                if not manifest.has_weights or any((folder / p.file).exists() for p in manifest.packings):
                    continue
                model_id = model_id_of(manifest.repo.rpartition("/")[2])
                if model_id in taken:
                    model_id = model_id_of(f"{model_id}-{manifest.commit[:7]}")
                taken.add(model_id)
                found.append(LibraryEntry(source_info(model_id, source, manifest), None, readable(source, manifest)))
        return found

    def _away(self, found: Sequence[LibraryEntry]) -> list[LibraryEntry]:
        """Keep in mind what is in the folders that are there, and say what was in those that are not."""
        for folder in self.connected:
            there = ((entry.info, entry.packed or entry.source) for entry in found)
            models = [info for info, place in there if place is not None and folder in place.parents]
            self.places.remember(folder, models)
        known = {entry.info.model_id for entry in found}
        return [
            LibraryEntry(replace(info, away_from=str(folder)), None, None)
            for folder in self.folders
            if not self.places.is_connected(folder)
            for info in self.places.remembered(folder)
            if info.model_id not in known
        ]

    def _names_away(self) -> set[str]:
        """Names of packed files that come back with a drive."""
        away = [folder for folder in self.folders if not self.places.is_connected(folder)]
        return {info.model_id + SUFFIX for folder in away for info in self.places.remembered(folder)}

    def _entry(self, packed: PackedModel, licences: Mapping[str, str]) -> LibraryEntry:
        """Where the weights do not say their licence, it is the one that the hub told."""
        info = packed_info(packed)
        if not info.licence:
            info = replace(info, licence=licences.get(packed.path.name, ""))
        return LibraryEntry(info, packed.path, None)


def neurons_folder(packed: Path) -> Path:
    """Where what is known of a packed model's neurons is kept."""
    return packed.with_suffix(NEURONS_SUFFIX)


def _text_beginning(source: Path, manifest: Manifest, beginning: str) -> str:
    """The first text file at the top of a source whose name begins so, or an empty string."""
    for file in manifest.files:
        if file.is_here and "/" not in file.path and file.path.casefold().startswith(beginning):
            with contextlib.suppress(OSError), (source / file.path).open("rb") as opened:
                return opened.read(_MAX_TEXT_BYTES).decode("utf-8", "replace")
    return ""
