"""A repository opened without its weights: what loading would say of it, from a few megabytes.

The small files are fetched whole, of the weights only the headers, by ranges; then `HubCheckpoint` opens them as it
would the finished download, so that whatever it refuses is refused before the download, in the same words. Tensors
have no values here. A torch file's header is the pickle in its archive, which is listed and checked as
`model/torch_files.py` does and never run: names, shapes and types are all that is made of it. A GGUF file is its
beginning, with its tokenizer, and `GgufCheckpoint` opens that.
"""

import io
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from engine.catalog_reports import HubFile, HubRepository
from engine.errors import DamagedFile, EngineError, ForeignFile
from engine.hub.remote_files import RemoteFile, RemoteFiles
from engine.hub.transfer.line import Line, Network
from engine.hub.transfer.progress import Clock
from engine.hub.transfer.request import place_in
from engine.hub.transfer.resolving import Hub, host_of
from engine.kernels.formats import Float32
from engine.model.checkpoint import Checkpoint
from engine.model.config import ModelConfig
from engine.model.gguf_checkpoint import GgufCheckpoint
from engine.model.gguf_structure import read_structure
from engine.model.hub_checkpoint import HubCheckpoint, read_hub_config
from engine.model.hub_config import check_hub_config
from engine.model.powerinfer_gguf import MAGIC as POWERINFER_MAGIC
from engine.model.stored_tensors import TensorEntry
from engine.model.tensor_files import read_safetensors_header, strict_json
from engine.model.torch_listing import list_torch_archive
from engine.text.facts import TokenizerFacts

# The first request of a safetensors file; the headers of published shards have 10 to 100 kB.
_FIRST_BYTES = 128 << 10
_MAX_SHARD_HEADER = 32 << 20
# A GGUF file's header has its tokenizer in it and does not say how long it is: so much of the beginning, then more.
GGUF_BEGINNINGS = (8 << 20, 24 << 20, 64 << 20)
_MAX_GGUF_PIECES = 4_000_000
_LEGACY_TORCH = b"\x80\x02"
_FOR_PEOPLE = ("README.md", "LICENSE")

OnFile = Callable[[int, int], None]


class NoHeaders(Exception):
    """The weights say nothing of themselves before they are here."""


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """A repository as `HubCheckpoint` or `GgufCheckpoint` found it."""

    config: ModelConfig
    tokenizer: TokenizerFacts
    remarks: tuple[str, ...]


def open_remote(
    repository: HubRepository, hub: Hub, network: Network, *, on_file: OnFile = lambda done, total: None,
    on_line: Callable[[Line], None] = lambda line: None, clock: Clock = time.monotonic,
) -> RemoteModel:  # fmt: skip
    """Look into a repository. `on_file(done, total)` is called as bytes come in, and may raise to stop.

    `on_line` is given the line before anything is asked on it, so that another thread may cut it; it may raise, too.

    Raises NoHeaders; what `HubCheckpoint` raises of the finished download (UnsupportedModel, DamagedFile, ForeignFile,
    FileMissing), with the repository in place of a path; DownloadMismatch; what the hub's answers mean, as
    `resolving.check_hub_status`; and what `Line` raises.
    """
    if not repository.weights:
        raise ForeignFile(repository.model.repo, "weights that Ember reads", "none")
    if repository.weights == "gguf" and os.name == "nt":  # no files with holes
        raise NoHeaders(repository.model.repo)
    network.check(host_of(hub.endpoint))
    with network.line(clock) as line, tempfile.TemporaryDirectory(prefix="ember-look-") as place:
        on_line(line)
        folder = Path(place)
        source = RemoteFiles(line, hub, repository)
        look_into = _look_into_gguf if repository.weights == "gguf" else _look_into_folder
        try:
            return look_into(repository, source, folder, on_file)
        except EngineError as error:
            found = getattr(error, "path", None)
            if isinstance(found, str) and place in found:  # ours, and gone in a moment
                rest = found.partition(place)[2].strip("/\\")
                error.path = f"{repository.model.repo}/{rest}".rstrip("/")  # type: ignore[attr-defined]
            raise


def _found(checkpoint: Checkpoint) -> RemoteModel:
    return RemoteModel(checkpoint.config, checkpoint.tokenizer, checkpoint.remarks)


# Folders ------------------------------------------------------------------------------------------------------------


def _look_into_folder(repository: HubRepository, source: RemoteFiles, folder: Path, on_file: OnFile) -> RemoteModel:
    texts = [f for f in repository.wanted if _is_text(f, repository.weights)]
    heavy = [f for f in repository.wanted if f.path.endswith((".safetensors", ".bin"))]
    texts.sort(key=lambda file: file.path != "config.json")
    total = len(texts) + len(heavy)
    for number, file in enumerate(texts):
        source.on_piece = partial(on_file, number, total)
        place_in(folder, file.path).write_bytes(source.whole(file))
        if file.path == "config.json":  # most of what cannot be run shows here
            check_hub_config(read_hub_config(folder), path=str(folder), repository=repository.model.repo)
    entries: list[TensorEntry] = []
    for number, file in enumerate(heavy, len(texts)):
        source.on_piece = partial(on_file, number, total)
        entries += _header(source, file, folder)
    listed = _listed(folder, repository.weights)
    tensors = RemoteTensors(folder, entries, listed)
    on_file(total, total)
    with HubCheckpoint(folder, repository=repository.model.repo, weights=lambda _: tensors) as checkpoint:
        return _found(checkpoint)


def _is_text(file: HubFile, weights: str) -> bool:
    return not file.path.endswith((".safetensors", ".bin")) and not file.path.startswith(_FOR_PEOPLE)


class RemoteTensors:
    """Tensors whose headers alone are here; `TensorFile` without values."""

    def __init__(self, folder: Path, entries: list[TensorEntry], listed: Mapping[str, str]) -> None:
        """`listed` is the index: tensor → file; empty for a single file. Raises DamagedFile."""
        found: dict[str, TensorEntry] = {}
        for entry in entries:
            if entry.name in found:
                raise DamagedFile(str(entry.file), f"tensor {entry.name} is also in {found[entry.name].file.name}")
            found[entry.name] = entry
        for name, file in listed.items():
            if name not in found:
                raise DamagedFile(str(folder), f"tensor {name} is missing")
            if found[name].file.name != file:
                raise DamagedFile(str(folder), f"tensor {name} is in {found[name].file.name}, not where the index says")
        self._folder = folder
        self.entries: Mapping[str, TensorEntry] = MappingProxyType(found)

    def read(self, name: str) -> Float32:
        raise DamagedFile(str(self._folder), f"tensor {name} has not been fetched")

    def close(self) -> None:
        pass


def _listed(folder: Path, kind: str) -> Mapping[str, str]:
    stem = "model.safetensors" if kind == "safetensors" else "pytorch_model.bin"
    path = folder / f"{stem}.index.json"
    if not path.exists():
        return {}
    weight_map = strict_json(path.read_bytes(), path).get("weight_map")
    if not isinstance(weight_map, dict) or not all(isinstance(file, str) for file in weight_map.values()):
        raise DamagedFile(str(path), "the index has no weight_map")
    return weight_map


def _header(source: RemoteFiles, file: HubFile, folder: Path) -> list[TensorEntry]:
    path = folder / file.path
    if file.path.endswith(".safetensors"):
        beginning = source.part(file, 0, min(_FIRST_BYTES, file.size_bytes))
        length = 8 + int.from_bytes(beginning[:8], "little")
        if len(beginning) < length <= min(file.size_bytes, _MAX_SHARD_HEADER):
            beginning += source.part(file, len(beginning), length)
        _, places = read_safetensors_header(path, io.BytesIO(beginning), file.size_bytes)
        return [entry for entry, _ in places]
    if source.part(file, 0, min(2, file.size_bytes)) == _LEGACY_TORCH:
        raise NoHeaders(file.path)
    with io.BufferedReader(RemoteFile(source, file)) as remote:
        return list_torch_archive(path, remote, file.size_bytes)


# GGUF ---------------------------------------------------------------------------------------------------------------


class _HeaderIsWhole(Exception):
    """Raised where a header ends within what is here of a file."""


def _look_into_gguf(repository: HubRepository, source: RemoteFiles, folder: Path, on_file: OnFile) -> RemoteModel:
    """The beginning of the file as a file of the same size with a hole in it, which takes no room on the drive."""
    (file,) = (file for file in repository.wanted if file.path.endswith(".gguf"))
    source.on_piece = partial(on_file, 0, 1)
    path = place_in(folder, file.path)
    held = 0
    for beginning in GGUF_BEGINNINGS:
        end = min(beginning, file.size_bytes)
        with path.open("ab") as out:
            out.write(source.part(file, held, end) if end > held else b"")
        held = end
        if held == file.size_bytes or _has_header(path):
            break
    else:
        raise ForeignFile(str(path), f"a header of at most {GGUF_BEGINNINGS[-1]} bytes", "a longer one")
    os.truncate(path, file.size_bytes)
    with GgufCheckpoint(path) as checkpoint:
        return _found(checkpoint)


def _has_header(path: Path) -> bool:
    """Whether the beginning of a file holds its header, or is none that more of it could make one."""
    with path.open("rb") as file:
        if file.read(4) not in (b"GGUF", POWERINFER_MAGIC):
            return True

    def whole(fields: Mapping[str, Any], entries: list[Any]) -> None:
        raise _HeaderIsWhole

    try:
        read_structure(path, max_pieces=_MAX_GGUF_PIECES, any_magic=True, on_entries=whole)
    except _HeaderIsWhole:
        return True
    except ValueError:  # beyond what is here
        return False
    except (LookupError, TypeError, ArithmeticError, EOFError):  # damage, which opening it names
        return True
    return True
