"""A repository opened without its weights: what loading would say of it, from a few megabytes.

The small files are fetched whole, of the weights only the headers, by ranges; then `HubCheckpoint` opens them as it
would the finished download, so that whatever it refuses is refused before the download, in the same words. Every length
that a file claims is bounded before it is asked for, and nothing beyond a few limits is taken in altogether. Tensors
have no values here. A torch file's header is the pickle in its archive, which is listed and checked as
`model/torch_files.py` does and never run: names, shapes and types are all that is made of it.
"""

import contextlib
import hashlib
import io
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

from engine.catalog_reports import HubFile, HubRepository
from engine.errors import (
    DamagedFile,
    DownloadMismatch,
    EngineError,
    ForeignFile,
    HubAnswerUnusable,
)
from engine.hub.transfer.line import Answer, Line, Network
from engine.hub.transfer.progress import Clock
from engine.hub.transfer.request import place_in
from engine.hub.transfer.resolving import (
    AskedToWait,
    Hub,
    check_hub_status,
    check_later,
    host_of,
    open_link,
)
from engine.kernels.formats import Float32
from engine.model.config import ModelConfig
from engine.model.hub_checkpoint import HubCheckpoint, read_hub_config
from engine.model.hub_config import check_hub_config
from engine.model.stored_tensors import TensorEntry
from engine.model.tensor_files import read_safetensors_header, strict_json
from engine.model.torch_listing import list_torch_archive
from engine.text.facts import TokenizerFacts

# Bytes taken in for one repository: its small files (Gemma's vocabulary has 34 MB), and headers of its weights.
MAX_TEXT_BYTES = 96 << 20
MAX_HEADER_BYTES = 64 << 20
# The first request of a safetensors file; the headers of published shards have 10 to 100 kB.
_FIRST_BYTES = 128 << 10
# The last request of a torch file, which ends with the directory of its archive.
_LAST_BYTES = 256 << 10
_PIECE_BYTES = 64 << 10
_FOR_PEOPLE = ("README.md", "LICENSE")

_LEGACY_TORCH = b"\x80\x02"

OnFile = Callable[[int, int], None]


class NoHeaders(Exception):
    """The weights say nothing of themselves before they are here."""


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """A repository as `HubCheckpoint` found it; `stored_bytes` is what its tensors take in its files."""

    config: ModelConfig
    tokenizer: TokenizerFacts
    remarks: tuple[str, ...]
    stored_bytes: int


def open_remote(
    repository: HubRepository, hub: Hub, network: Network, *, on_file: OnFile = lambda done, total: None,
    clock: Clock = time.monotonic,
) -> RemoteModel:  # fmt: skip
    """Look into a repository. `on_file(done, total)` is called as bytes come in, and may raise to stop.

    Raises NoHeaders; what `HubCheckpoint` raises of the finished download (UnsupportedModel, DamagedFile, ForeignFile,
    FileMissing), with the repository in place of a path; DownloadMismatch; what the hub's answers mean, as
    `resolving.check_hub_status`; and what `Line` raises.
    """
    if not repository.weights:
        raise ForeignFile(repository.model.repo, "weights that Ember reads", "none")
    if repository.weights == "gguf":
        raise NoHeaders(repository.model.repo)
    network.check(host_of(hub.endpoint))
    with network.line(clock) as line, tempfile.TemporaryDirectory(prefix="ember-look-") as place:
        folder = Path(place)
        source = _Source(line, hub, repository)
        try:
            return _look_into(repository, source, folder, on_file)
        except EngineError as error:
            found = getattr(error, "path", None)
            if isinstance(found, str) and place in found:  # ours, and gone in a moment
                rest = found.partition(place)[2].strip("/\\")
                error.path = f"{repository.model.repo}/{rest}".rstrip("/")  # type: ignore[attr-defined]
            raise


def _look_into(repository: HubRepository, source: "_Source", folder: Path, on_file: OnFile) -> RemoteModel:
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
        stored = sum(entry.n_bytes for entry in entries)
        return RemoteModel(checkpoint.config, checkpoint.tokenizer, checkpoint.remarks, stored)


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


def _header(source: "_Source", file: HubFile, folder: Path) -> list[TensorEntry]:
    path = folder / file.path
    if file.path.endswith(".safetensors"):
        beginning = source.part(file, 0, min(_FIRST_BYTES, file.size_bytes))
        length = 8 + int.from_bytes(beginning[:8], "little")
        if len(beginning) < length <= min(file.size_bytes, MAX_HEADER_BYTES):
            beginning += source.part(file, len(beginning), length)
        _, places = read_safetensors_header(path, io.BytesIO(beginning), file.size_bytes)
        return [entry for entry, _ in places]
    if source.part(file, 0, min(2, file.size_bytes)) == _LEGACY_TORCH:
        raise NoHeaders(file.path)
    with io.BufferedReader(RemoteFile(source, file)) as remote:
        return list_torch_archive(path, remote, file.size_bytes)


class RemoteFile(io.RawIOBase):
    """A file of the hub that reads like one here, in pieces that are kept; its end in one, where archives begin."""

    def __init__(self, source: "_Source", file: HubFile) -> None:
        super().__init__()
        self._source = source
        self._file = file
        self._at = 0
        self._pieces: list[tuple[int, bytes]] = []

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._file.size_bytes}[whence]
        if base + offset < 0:
            raise ValueError(f"the offset {base + offset}")
        self._at = base + offset
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        view = memoryview(buffer).cast("B")
        end = min(self._at + len(view), self._file.size_bytes)
        if end <= self._at:
            return 0
        held = next(((b, data) for b, data in self._pieces if b <= self._at < b + len(data)), None)
        if held is None:
            held = self._fetch(end)
        begin, data = held
        piece = data[self._at - begin : end - begin]
        view[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def _fetch(self, end: int) -> tuple[int, bytes]:
        size = self._file.size_bytes
        tail = max(0, size - _LAST_BYTES)
        begin, last = (tail, size) if self._at >= tail else (self._at, max(end, self._at + _PIECE_BYTES))
        data = self._source.part(self._file, begin, min(last, size))
        self._pieces.append((begin, data))
        return begin, data


class _Source:
    """Bytes of a repository's files at its commit, each length bounded before it is asked for."""

    def __init__(self, line: Line, hub: Hub, repository: HubRepository) -> None:
        self._line = line
        self._hub = hub
        self._repo, self._commit = repository.model.repo, repository.commit
        self._text_left = MAX_TEXT_BYTES
        self._header_left = MAX_HEADER_BYTES
        self.on_piece: Callable[[], None] = lambda: None

    def whole(self, file: HubFile) -> bytes:
        """A small file, held to its digest."""
        if file.size_bytes > self._text_left:
            raise ForeignFile(
                f"{self._repo}/{file.path}",
                f"small files of at most {MAX_TEXT_BYTES} bytes",
                f"{file.size_bytes} bytes",
            )
        self._text_left -= file.size_bytes
        data = self._read(file, 0, file.size_bytes) if file.size_bytes else b""
        if file.sha256:
            kind, expected, found = "SHA-256", file.sha256, hashlib.sha256(data).hexdigest()
        else:
            kind, expected = "git SHA-1", file.git_sha1
            head = b"blob %d\0" % len(data)
            found = hashlib.sha1(head + data, usedforsecurity=False).hexdigest()
        if found != expected:
            raise DownloadMismatch(f"{self._repo}/{file.path}", kind, expected, found)
        return data

    def part(self, file: HubFile, begin: int, end: int) -> bytes:
        """The bytes from `begin` up to `end` of a large file."""
        if end - begin > self._header_left:
            raise ForeignFile(
                f"{self._repo}/{file.path}", f"headers of at most {MAX_HEADER_BYTES} bytes", "longer ones"
            )
        self._header_left -= end - begin
        return self._read(file, begin, end)

    def _read(self, file: HubFile, begin: int, end: int) -> bytes:
        url = self._hub.address(self._repo, self._commit, file.path)
        headers = {"Range": f"bytes={begin}-{end - 1}"}
        self.on_piece()
        with self._answers(url, headers, file) as answer:
            expected = f"bytes {begin}-{end - 1}/{file.size_bytes}"
            found = answer.headers.get("content-range", "absent").lower()
            if answer.status == 206 and found != expected:
                raise self._unusable("the range", found)
            if answer.status == 200 and begin:
                raise self._unusable("the range", "the whole file")
            data = bytearray()
            for piece in answer.body:
                data += piece
                self.on_piece()
                if len(data) >= end - begin:
                    break
        if len(data) < end - begin:
            raise self._unusable("the length", f"{len(data)} bytes of {end - begin}")
        return bytes(data[: end - begin])

    @contextlib.contextmanager
    def _answers(self, url: str, headers: Mapping[str, str], file: HubFile) -> Iterator[Answer]:
        with open_link(self._line, self._hub, url, headers) as (answer, from_hub):
            host = host_of(self._hub.endpoint)
            try:
                if from_hub:
                    check_hub_status(self._hub, self._repo, self._commit, file.path, answer.status, answer.headers)
                check_later(host, answer.status, answer.headers)
            except AskedToWait as waiting:
                raise waiting.error from waiting
            if answer.status not in (200, 206):
                raise self._unusable("the status", str(answer.status))
            if answer.headers.get("content-encoding", "identity").lower() != "identity":
                raise self._unusable("Content-Encoding", answer.headers["content-encoding"])
            yield answer

    def _unusable(self, what: str, found: str) -> HubAnswerUnusable:
        return HubAnswerUnusable(host_of(self._hub.endpoint), what, found[:80])
