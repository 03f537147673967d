"""What is known of a model that came from a hub, kept beside its files: from where, which commit, hashes, licence.

One manifest a model, in the folder of its source, whose small files stay there when its weights are replaced by the
packed file. Also where such folders lie in a library: `sources/<owner>/<commit>/<name>`, the name last, since readers
of checkpoints go by it.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import DamagedFile, InvalidRequest, UnsafeName
from engine.hub.transfer.part_file import disk_errors
from engine.hub.transfer.request import check_name, place_in
from engine.plain_json import from_json, to_json

SCHEMA = 1
MANIFEST = "ember-manifest.json"
SOURCES = "sources"
_COMMIT_LETTERS = 12
_MAX_BYTES = 16 << 20
WEIGHTS = (".safetensors", ".bin", ".pt", ".pth", ".gguf", ".msgpack", ".h5", ".onnx")


@dataclass(frozen=True, slots=True)
class ManifestFile:
    """A file as it was fetched and checked; `is_here` is False once the packed file has replaced it."""

    path: str
    size_bytes: int
    sha256: str = ""
    git_sha1: str = ""
    is_here: bool = True


@dataclass(frozen=True, slots=True)
class Packing:
    """A packed file made of the source: its name, format, and when."""

    file: str
    weight_format: str
    packed_at: str


@dataclass(frozen=True, slots=True)
class Superseded:
    """An older commit of the same branch, and the name of its packed file; empty where it was not packed."""

    commit: str
    packed: str = ""


@dataclass(frozen=True, slots=True)
class Manifest:
    """Times are ISO dates in UTC; `endpoint` the hub or mirror it came from, or empty for an adopted one.

    supersedes   older versions that this one is still to take the place of: `updates.py`
    """

    schema: int
    endpoint: str
    repo: str
    revision: str
    commit: str
    licence: str
    fetched_at: str
    files: tuple[ManifestFile, ...]
    packings: tuple[Packing, ...] = ()
    supersedes: tuple[Superseded, ...] = ()

    @property
    def has_weights(self) -> bool:
        """Whether the model could be packed from what is here."""
        weights = [file for file in self.files if is_weights(file.path)]
        return bool(weights) and all(file.is_here for file in weights)

    def packed_as(self, file: str, weight_format: str, packed_at: str) -> "Manifest":
        others = tuple(packing for packing in self.packings if packing.file != file)
        return replace(self, packings=(*others, Packing(file, weight_format, packed_at)))


def is_weights(path: str) -> bool:
    return path.lower().endswith(WEIGHTS)


def source_folder(library: Path, repo: str, commit: str) -> Path:
    """Where a model's files go; `library` itself may be a link.

    Raises UnsafeName where the folder, or one above it in the library, is a link or leads out of the library.
    """
    owner, _, name = repo.rpartition("/")
    written = "/".join((SOURCES, owner or "_", commit[:_COMMIT_LETTERS], name))
    folder = place_in(library, written)
    root = library.resolve()
    within = [place for place in (folder, *folder.parents) if place.is_relative_to(root) and place != root]
    if any(place.is_symlink() for place in within) or not folder.resolve().is_relative_to(root):
        raise UnsafeName(written, "a link in the place of a folder")
    return folder


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replace it as a whole. Raises LibraryNotWritable and NoRoomForDownload."""
    path = folder / MANIFEST
    fresh = path.with_name(MANIFEST + ".new")
    text = to_json(manifest)
    with disk_errors(path, len(text)):
        folder.mkdir(parents=True, exist_ok=True)
        with fresh.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a source's folder, or None where there is none that can be believed."""
    path = folder / MANIFEST
    try:
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:
            return None
        manifest = from_json(Manifest, path.read_text(encoding="utf-8"), str(path), SCHEMA, "a model's manifest")
        for file in manifest.files:
            check_name(file.path)
    except (OSError, UnicodeDecodeError, DamagedFile, InvalidRequest, UnsafeName):
        return None
    return manifest


def sources_in(library: Path) -> Iterator[tuple[Path, Manifest]]:
    """Every source of a library with its manifest. Links are not followed out of it."""
    root = library / SOURCES
    try:
        folders = sorted(path.parent for path in root.glob(f"*/*/*/{MANIFEST}"))
    except OSError:
        return
    for folder in folders:
        if folder.resolve().is_relative_to(library.resolve()) and (manifest := read_manifest(folder)) is not None:
            yield folder, manifest
