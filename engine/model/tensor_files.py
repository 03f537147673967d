"""The tensors of a folder in the hub's layout, one at a time.

Owns which files of a folder hold its weights, how shards join, and safetensors files: their headers are checked here,
down to the last byte of the file, before anything is allocated after them. Torch files are read in `torch_files.py`.
Knows nothing of configurations; layout of safetensors: github.com/huggingface/safetensors, README, "Format".
"""

import json
import os
import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, BinaryIO, Protocol, Self

from engine.errors import DamagedFile, FileMissing, ForeignFile, UnsupportedModel
from engine.kernels.formats import Float32
from engine.model.stored_tensors import (
    ITEM_BYTES,
    TensorEntry,
    check_name,
    describe_beginning,
    n_values,
    open_regular,
    read_floats,
)
from engine.model.torch_files import TorchFile
from engine.plain_json import NESTED_TOO_DEEPLY, NO_JSON

# The format's own limit; an index is a list of the same names.
_MAX_HEADER = 100_000_000
# Commas and brackets of a header: each may become an object of about 100 bytes. Ten times the largest known checkpoint.
_MAX_JSON_MARKS = 4_000_000
_MAX_DIMENSIONS = 8
_MAX_SIZE = 1 << 48
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,200}", re.ASCII)


class TensorFile(Protocol):
    """One open file of tensors."""

    @property
    def entries(self) -> Mapping[str, TensorEntry]: ...

    def read(self, name: str) -> Float32: ...

    def close(self) -> None: ...


class TensorFolder:
    """The weights of a folder: safetensors where there are any, else torch files, whole or in shards.

    Holds its files open from the check on, so that what was checked is what is read. One reader at a time.
    """

    def __init__(self, folder: Path) -> None:
        """Raises FileMissing, ForeignFile, DamagedFile or UnsupportedModel."""
        paths, listed = _weight_files(folder)
        opener: Callable[[Path], TensorFile] = SafetensorsFile if paths[0].suffix == ".safetensors" else TorchFile
        self._folder = folder
        self._files: dict[str, TensorFile] = {}
        entries: dict[str, TensorEntry] = {}
        with ExitStack() as undo:
            for path in paths:
                file = opener(path)
                undo.callback(file.close)
                for name, entry in file.entries.items():
                    if name in entries:
                        raise DamagedFile(str(path), f"tensor {name} is also in {entries[name].file.name}")
                    entries[name] = entry
                    self._files[name] = file
            for name, path in listed.items():
                if name not in entries:
                    raise DamagedFile(str(path), f"tensor {name} is missing")
                if entries[name].file != path:
                    found = entries[name].file.name
                    raise DamagedFile(str(path), f"tensor {name} is in {found}, which is not what the index says")
            self._undo = undo.pop_all()
        self.entries: Mapping[str, TensorEntry] = MappingProxyType(entries)

    @property
    def stored_dtypes(self) -> frozenset[str]:
        return frozenset(entry.dtype for entry in self.entries.values())

    @property
    def total_bytes(self) -> int:
        return sum(entry.n_bytes for entry in self.entries.values())

    def read(self, name: str) -> Float32:
        """The tensor as float32 in its shape; extra memory is that of the result.

        F32, F16 and BF16 are exact, F64 is rounded. Raises DamagedFile where it is not there, cut short or holds a
        value that is not finite, UnsupportedModel for any other type.
        """
        file = self._files.get(name)
        if file is None:
            raise DamagedFile(str(self._folder), f"tensor {name} is missing")
        return file.read(name)

    def close(self) -> None:
        """Let go of the files; arrays that were read stay valid."""
        self._files = {}
        self._undo.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


# Which files -------------------------------------------------------------------------------------------------------


def _weight_files(folder: Path) -> tuple[list[Path], dict[str, Path]]:
    """The files to open, and where an index says each tensor is."""
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError as error:
        raise FileMissing(str(folder), error.strerror or str(error)) from error
    for whole in ("model.safetensors", "pytorch_model.bin"):
        index = f"{whole}.index.json"
        if whole in names:
            return [_inside(folder, whole)], {}
        if index in names:
            listed = _read_index(folder, _inside(folder, index), Path(whole).suffix)
            return sorted(set(listed.values())), listed
    found = ", ".join(names[:8]) + (", …" if len(names) > 8 else "") if names else "an empty folder"
    raise ForeignFile(str(folder), "model.safetensors or pytorch_model.bin, whole or with an index", found)


def _read_index(folder: Path, path: Path, suffix: str) -> dict[str, Path]:
    """Tensor → file, from an index whose file names are plain, inside the folder and there."""
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size > _MAX_HEADER:
                raise DamagedFile(str(path), f"an index of more than {_MAX_HEADER} bytes")
            values = strict_json(file.read(), path)
    except OSError as error:
        raise FileMissing(str(path), error.strerror or str(error)) from error
    weight_map = values.get("weight_map")
    if not isinstance(weight_map, dict) or not weight_map:
        raise DamagedFile(str(path), "the index has no weight_map")
    checked: dict[object, Path] = {}
    listed: dict[str, Path] = {}
    for name, shard in weight_map.items():
        check_name(name, path)
        if not isinstance(shard, str):
            raise DamagedFile(str(path), f"the index puts {name} into {type(shard).__name__}")
        if shard not in checked:
            if not shard.endswith(suffix):
                raise DamagedFile(str(path), f"the index names {shard[:64]!r}, not a {suffix} file")
            checked[shard] = _inside(folder, shard)
        listed[name] = checked[shard]
    return listed


def _inside(folder: Path, name: str) -> Path:
    """The path of a regular file of this plain name that lies in the folder, or in the hub cache it belongs to."""
    if not _PLAIN_NAME.fullmatch(name):
        raise DamagedFile(str(folder), f"{name[:64]!r} is not a plain file name")
    path = folder / name
    try:
        home, target = folder.resolve(strict=True), path.resolve(strict=True)
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        raise FileMissing(str(path), getattr(error, "strerror", None) or str(error)) from error
    homes = [home]
    if home.parent.name == "snapshots":  # the hub's cache keeps a snapshot's files beside it and links to them
        homes.append(home.parents[1] / "blobs")
    if target.parent not in homes:
        raise DamagedFile(str(path), f"a link that leaves the folder, to {target}")
    if not target.is_file():
        raise ForeignFile(str(path), "a file", "something that is not a regular file")
    return path


# Safetensors --------------------------------------------------------------------------------------------------------


class SafetensorsFile:
    """One open safetensors file: 8 bytes of length, a JSON header, and the tensors without a gap."""

    def __init__(self, path: Path) -> None:
        """Raises FileMissing, ForeignFile, DamagedFile or UnsupportedModel."""
        with ExitStack() as undo:
            self._file = undo.enter_context(open_regular(path))
            try:
                size = os.fstat(self._file.fileno()).st_size
                self._start, places = read_safetensors_header(path, self._file, size)
            except OSError as error:
                raise FileMissing(str(path), error.strerror or str(error)) from error
            undo.pop_all()
        self._begins = {entry.name: begin for entry, begin in places}
        self.entries: Mapping[str, TensorEntry] = MappingProxyType({entry.name: entry for entry, _ in places})

    def read(self, name: str) -> Float32:
        entry = self.entries[name]
        values = read_floats(self._file, self._start + self._begins[name], entry.n_values, entry)
        return values.reshape(entry.shape)

    def close(self) -> None:
        self._file.close()


def read_safetensors_header(path: Path, file: BinaryIO, size: int) -> tuple[int, list[tuple[TensorEntry, int]]]:
    """Where the data of a file of `size` bytes begin, and every tensor with the offset of its first byte in them.

    `file` need hold no more than the header. Raises ForeignFile, DamagedFile or UnsupportedModel.
    """
    header = _read_header(path, file, size)
    start = 8 + len(header)
    return start, _check_header(path, strict_json(header, path), size - start)


def _read_header(path: Path, file: BinaryIO, size: int) -> bytes:
    beginning = file.read(32)
    length = int.from_bytes(beginning[:8], "little")
    if beginning[8:9] not in (b"{", b"") or not beginning:
        raise ForeignFile(str(path), "safetensors", describe_beginning(beginning))
    if len(beginning) < 10 or not 2 <= length <= min(_MAX_HEADER, size - 8):
        raise DamagedFile(str(path), f"a header of {length} bytes in a file of {size}")
    file.seek(8)
    header = file.read(length)
    if len(header) != length:
        raise DamagedFile(str(path), "the header is cut short")
    return header


def _check_header(path: Path, header: dict[str, Any], data_bytes: int) -> list[tuple[TensorEntry, int]]:
    """Every tensor with the offset of its first byte in the data, which they fill without gap or overlap."""
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise DamagedFile(str(path), "__metadata__ is not a list of texts")
    places = [_check_tensor(path, name, values) for name, values in header.items()]
    end = 0
    for entry, begin in sorted(places, key=lambda place: (place[1], place[0].n_bytes)):
        if begin != end:
            raise DamagedFile(str(path), f"tensor {entry.name} begins at {begin}, the one before it ends at {end}")
        end = begin + entry.n_bytes
    if end != data_bytes:
        raise DamagedFile(str(path), f"the tensors take {end} bytes, the file has {data_bytes} for them")
    return places


def _check_tensor(path: Path, name: str, values: object) -> tuple[TensorEntry, int]:
    check_name(name, path)
    if not isinstance(values, dict) or values.keys() != {"dtype", "shape", "data_offsets"}:
        raise DamagedFile(str(path), f"the header's entry of tensor {name}")
    dtype, shape, offsets = values["dtype"], values["shape"], values["data_offsets"]
    if not isinstance(dtype, str):
        raise DamagedFile(str(path), f"the type of tensor {name}")
    if dtype not in ITEM_BYTES:
        raise UnsupportedModel(str(path), f"type of {name}", dtype[:32], ", ".join(ITEM_BYTES))
    if not _are_sizes(shape) or len(shape) > _MAX_DIMENSIONS:
        raise DamagedFile(str(path), f"the shape of tensor {name}")
    if not _are_sizes(offsets) or len(offsets) != 2:
        raise DamagedFile(str(path), f"the offsets of tensor {name}")
    n_bytes = n_values(tuple(shape)) * ITEM_BYTES[dtype]
    if offsets[1] - offsets[0] != n_bytes:
        raise DamagedFile(str(path), f"tensor {name} has {offsets[1] - offsets[0]} bytes, its shape takes {n_bytes}")
    return TensorEntry(name, tuple(shape), dtype, n_bytes, path), offsets[0]


def _are_sizes(values: object) -> bool:
    return isinstance(values, list) and all(type(value) is int and 0 <= value <= _MAX_SIZE for value in values)


# JSON from strangers ------------------------------------------------------------------------------------------------


def strict_json(data: bytes, path: Path) -> dict[str, Any]:
    """The object in `data`, which names nothing twice; raises DamagedFile, in memory bounded by a limit of our own."""
    if sum(data.count(mark) for mark in (b",", b"[", b"{")) > _MAX_JSON_MARKS:
        raise DamagedFile(str(path), f"JSON of more than {_MAX_JSON_MARKS} values")
    try:
        values = json.loads(data.decode("utf-8"), object_pairs_hook=_without_repeats, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise DamagedFile(str(path), NESTED_TOO_DEEPLY) from error
    except ValueError as error:
        raise DamagedFile(str(path), NO_JSON) from error
    if not isinstance(values, dict):
        raise DamagedFile(str(path), f"JSON: a {type(values).__name__} instead of an object")
    return values


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("a name appears twice")
    return values


def _refuse_constant(text: str) -> float:
    raise ValueError(f"{text} is not JSON")
